// The truth about a run of streams in one line: state, steps, step time, tokens a second over all streams, the cache, where it runs.
// Every figure has a fixed place; the less important give way on a narrow window. GUI thread.
#pragma once

#include <QWidget>

#include "ui/streams/streams_controller.h"
#include "ui/theme/appearance.h"

class QLabel;

namespace braid::ui {

struct StreamsStatusText {
    QString state;  // "running", "waits for words", "paused at step 41"
    QString steps;  // "step 412"
    QString time;   // "38 ms a step"
    QString speed;  // "61 tokens/s"
    QString cache;  // "412 in the cache"
    friend bool operator==(const StreamsStatusText &, const StreamsStatusText &) = default;
};
[[nodiscard]] StreamsStatusText streamsStatusText(StreamsActivity activity, const engine::StreamsSnapshot &snapshot, std::int64_t rows);

class StreamsStatusLine : public QWidget {
    Q_OBJECT
  public:
    explicit StreamsStatusLine(Appearance &appearance, QWidget *parent = nullptr);
    void show(const StreamsController &controller);
    [[nodiscard]] QString text() const;  // all that shows, for tests

  protected:
    void resizeEvent(QResizeEvent *event) override;

  private:
    void reviseRoom();
    Appearance &m_appearance;
    QLabel *m_dot;
    QLabel *m_state;
    QLabel *m_steps;
    QLabel *m_time;
    QLabel *m_speed;
    QLabel *m_cache;
    QLabel *m_device;
};

}  // namespace braid::ui
