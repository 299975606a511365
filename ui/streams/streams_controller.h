// Runs one conversation in parallel streams for the page: polls the engine on a frame clock, keeps the lanes, hands typed words on as
// the run has room for them, and drops what belongs to older runs. GUI thread; never waits for the engine.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include "ui/state/streams_services.h"
#include "ui/streams/lanes_model.h"
#include "ui/streams/typed_words.h"

namespace braid::ui {

enum class StreamsActivity : std::uint8_t { Idle = 1, Loading, Running, Waiting, Paused, Playing, Ended };

class StreamsController : public QObject {
    Q_OBJECT
  public:
    // `kit` outlives it.
    explicit StreamsController(StreamsKit &kit, QObject *parent = nullptr);
    ~StreamsController() override;

    [[nodiscard]] LanesModel &lanes() noexcept { return m_lanes; }
    [[nodiscard]] const LanesModel &lanes() const noexcept { return m_lanes; }
    [[nodiscard]] StreamsActivity activity() const noexcept { return m_activity; }
    [[nodiscard]] bool isGoing() const noexcept { return m_activity != StreamsActivity::Idle; }
    // Rows come by themselves.
    [[nodiscard]] bool isMoving() const noexcept
    {
        return m_activity == StreamsActivity::Running || m_activity == StreamsActivity::Waiting || m_activity == StreamsActivity::Playing;
    }
    // Never null; of the present run, or the last.
    [[nodiscard]] const streams::StreamsSnapshot &snapshot() const noexcept { return *m_snapshot; }
    [[nodiscard]] const QString &device() const noexcept { return m_device; }
    [[nodiscard]] const StreamsChoices &present() const noexcept { return m_present; }
    // What waits to enter `stream`.
    [[nodiscard]] const TypedWords &typed(int stream) const { return m_typed[static_cast<std::size_t>(stream)]; }
    [[nodiscard]] bool isSwitchedOff(int stream) const { return m_switched_off[static_cast<std::size_t>(stream)]; }
    // A token in words, for rivals; silence as a dot.
    [[nodiscard]] QString tokenName(std::int32_t token) const;

    // Begins a run; one that is going is stopped.
    void start(const StreamsChoices &choices);
    void stop();
    // Shows a conversation's lanes without a run.
    void show(const streams::Conversation &conversation);
    // Whole words for a fed stream; what has no room yet waits here.
    void say(int stream, const std::string &words);
    void endTurn(int stream);
    // These words are next; what waited is dropped.
    void interrupt(int stream, const std::string &words);
    // Gives back what waited.
    std::string dropWaiting(int stream);
    void pause();
    void resume();
    void singleStep();
    // Back to `last_row`; what waits is dropped. The run is paused, so that other words can be said.
    void rewind(std::int64_t last_row);
    void setVoice(int stream, streams::Voice voice);
    void adjust(int stream, const streams::Sampling &sampling, const streams::SilencePenalty &penalty);
    void setTempo(double rows_per_second);
    void look(const streams::Look &wish);

  Q_SIGNALS:
    void frame();  // once a frame, after everything of it was taken in
    void snapshotChanged();
    void activityChanged();
    void typedChanged();  // words wait, or have entered
    void looked();        // snapshot().status.look is new
    void noticeRaised(const QString &sentence);
    void failed(const QString &sentence);
    void finished();

  private:
    void onFrame();
    void take(streams::StreamsEngineEventBody &body, std::vector<streams::StreamsEvent> &rows);
    void takeSnapshot();
    void enterWords(const std::vector<streams::StreamsEvent> &events);
    void giveWords();
    void resync();
    void post(streams::StreamsCommand command);
    void setActivity(StreamsActivity activity);
    void prepare(const streams::Layout &layout);

    StreamsKit &m_kit;
    LanesModel m_lanes;
    QTimer m_frames;
    QElapsedTimer m_since_news;
    std::shared_ptr<const streams::StreamsSnapshot> m_snapshot;
    std::shared_ptr<const streams::TokenTexts> m_texts;
    std::int32_t m_silence = -1;
    QString m_device;
    StreamsChoices m_present;
    std::vector<TypedWords> m_typed;
    std::vector<bool> m_switched_off;
    std::uint64_t m_generation = 0;
    StreamsActivity m_activity = StreamsActivity::Idle;
};

}  // namespace braid::ui
