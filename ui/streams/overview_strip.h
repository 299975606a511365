// The whole run in one strip: a line a lane, darker where more is said, and the stretch that the lanes show. Clicking and dragging go
// there. Rows are gathered in buckets that double as the run grows: drawing costs the same after an hour as after a minute. GUI thread.
#pragma once

#include <cstdint>
#include <vector>

#include <QWidget>

#include "ui/shared/appearance.h"
#include "ui/streams/lanes_model.h"

namespace braid::ui {

class LanesView;

// How many words each stream said in each stretch of rows.
class WordDensity {
  public:
    static constexpr std::int64_t kMostBuckets = 2048;

    void reset(std::size_t streams);
    void add(const LanesModel &lanes, std::int64_t first_row);  // rows first_row.. are new
    void recount(const LanesModel &lanes);

    [[nodiscard]] std::int64_t rows() const noexcept { return m_rows; }
    [[nodiscard]] std::int64_t buckets() const noexcept { return m_streams == 0 ? 0 : static_cast<std::int64_t>(m_words.size() / m_streams); }
    [[nodiscard]] std::int64_t rowsPerBucket() const noexcept { return m_rows_per_bucket; }
    // Share of the bucket's rows in which the stream said a word.
    [[nodiscard]] double of(std::int64_t bucket, int stream) const;

  private:
    void halve();
    std::size_t m_streams = 0;
    std::int64_t m_rows = 0;
    std::int64_t m_rows_per_bucket = 1;
    std::vector<std::uint32_t> m_words;  // [bucket][stream]
};

class OverviewStrip : public QWidget {
    Q_OBJECT
  public:
    OverviewStrip(const LanesModel &lanes, LanesView &view, Appearance &appearance, QWidget *parent = nullptr);
    [[nodiscard]] const WordDensity &density() const noexcept { return m_density; }
    [[nodiscard]] std::int64_t rowAt(double x) const;
    [[nodiscard]] QSize sizeHint() const override { return {400, 34}; }

  protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    bool event(QEvent *event) override;

  private:
    [[nodiscard]] double xOf(double row) const;
    void goTo(double x);

    const LanesModel &m_lanes;
    LanesView &m_view;
    Appearance &m_appearance;
    WordDensity m_density;
};

}  // namespace braid::ui
