// The status of a run of streams: state, steps, step time, tokens a second over all streams, the cache, where it runs. GUI thread.
#pragma once

#include "ui/shared/status_bar.h"
#include "ui/streams/streams_controller.h"

namespace braid::ui {

struct StreamsStatusText {
    QString state;  // "running", "waits for words", "paused at step 41"
    QString steps;  // "step 412"
    QString time;   // "38 ms a step"
    QString speed;  // "61 tokens/s"
    QString cache;  // "412 in the cache"
    friend bool operator==(const StreamsStatusText &, const StreamsStatusText &) = default;
};
[[nodiscard]] StreamsStatusText streamsStatusText(StreamsActivity activity, const streams::StreamsSnapshot &snapshot, std::int64_t rows);

class StreamsStatusLine : public StatusBar {
    Q_OBJECT
  public:
    explicit StreamsStatusLine(Appearance &appearance, QWidget *parent = nullptr);
    void show(const StreamsController &controller);
    [[nodiscard]] QString text() const;  // all that shows, for tests
};

}  // namespace braid::ui
