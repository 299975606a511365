// The session's time axis: scale, rolling waveform, words under it. The wheel zooms at the pointer, dragging pans, L goes to live.
// The waveform is kept as an image of columns that only grows and scrolls. GUI thread; model, peaks and appearance outlive it.
#pragma once

#include <QImage>
#include <QWidget>

#include "ui/captions/attention_strip.h"
#include "ui/captions/timeline_painter.h"
#include "ui/shared/appearance.h"

namespace braid::ui {

class TimelineView : public QWidget {
    Q_OBJECT
  public:
    TimelineView(const TranscriptModel &model, const PeakPyramid &peaks, Appearance &appearance, QWidget *parent = nullptr);

    [[nodiscard]] const TimelineGeometry &geometry() const noexcept { return m_geometry; }
    [[nodiscard]] bool isFollowing() const noexcept { return m_following; }
    [[nodiscard]] int columnsPainted() const noexcept { return m_columns_painted; }  // since it was made; the cache is tested by it

    // The clock has moved; repaints what that changes.
    void setClock(Sample heard, Sample decoded);
    void setPlayingWord(int word);
    void setMarkedWords(std::optional<WordRef> hovered, std::optional<WordRef> pinned);
    // What the word or token of the moment looks at; drawn under the wave, sample for sample.
    void setAttention(AttentionTrace trace);
    [[nodiscard]] const AttentionTrace &attention() const noexcept { return m_trace; }
    [[nodiscard]] const TimelineBands &bands() const noexcept { return m_bands; }
    void followLive();
    void showSample(Sample sample);
    // The same stretch as `other` shows, following as it does.
    void showLike(const TimelineView &other);
    void setBands(const TimelineBands &bands);
    void clear();
    [[nodiscard]] QSize sizeHint() const override;

  Q_SIGNALS:
    void wordActivated(int word);
    void hoveredChanged(std::optional<braid::ui::WordRef> ref);
    void followingChanged();
    void viewChanged(const braid::ui::TimelineView &view);  // by a person: moved, zoomed, back to live

  protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

  private:
    void refreshWave();
    void setFollowing(bool following);
    void moved();
    void revisePointerText();
    [[nodiscard]] std::optional<WordRef> wordAt(double x) const;

    const TranscriptModel &m_model;
    const PeakPyramid &m_peaks;
    Appearance &m_appearance;
    TimelineGeometry m_geometry;
    TimelineBands m_bands;
    TimelineMarks m_marks;
    AttentionTrace m_trace;
    bool m_following = true;
    bool m_dragged = false;
    double m_press_x = 0;
    double m_last_x = 0;

    QImage m_wave;  // columns m_wave_first .. of the present zoom
    std::int64_t m_wave_first = 0;
    double m_wave_samples_per_pixel = 0;
    Sample m_wave_valid_to = 0;  // columns that end before this sample are final
    int m_columns_painted = 0;
};

}  // namespace braid::ui
