// What runs on the Streams page: a conversation and, where asked for, the same words to one queue of messages beside it. Whatever is done to the
// one is done to the other. GUI thread; what it is made from outlives it.
#pragma once

#include <cstdint>

#include <QObject>

#include "ui/state/settings.h"
#include "ui/streams/streams_controller.h"

namespace braid::ui {

class NoticeStack;
class StreamsChoicesRow;

class StreamsRun : public QObject {
    Q_OBJECT
  public:
    StreamsRun(StreamsServices &services, SettingsStore &settings, StreamsChoicesRow &choices, NoticeStack &notices);

    [[nodiscard]] StreamsController &conversation() noexcept { return m_conversation; }
    [[nodiscard]] StreamsController &baseline() noexcept { return m_baseline; }

    // False where something is missing; a notice says what.
    bool start();
    void startOrPause();  // start, pause, go on
    void singleStep();
    void setTempo(double rows_per_second);
    void adjust(int stream);  // as the panel says now
    void setBaselineShown(bool shown);

    // Begins where nothing runs, and goes on where a rewind has paused it.
    void say(int stream, const QString &words);
    void endTurn(int stream);
    void interrupt(int stream, const QString &words);
    void dropWaiting(int stream);

    // While a person chooses where to go back to, it stands still.
    void holdForRewind();
    void letGoOfRewind();
    void rewindTo(std::int64_t last_row);

    // Every row at once; with a model that can run its layout it can go on from any step.
    void show(streams::Conversation conversation);
    void replay();
    // The chosen layout's lanes, with nothing in them.
    void showEmptyLanes();
    void beginAnew();
    // Another layout or model: at once where nothing was said yet, else when the person says so.
    void offerNextStart();
    // It moves: whatever paused it is over.
    void onActivity();

  Q_SIGNALS:
    void began();
    void emptied();
    void wordsWanted();  // the next thing to do is to type

  private:
    void begin(StreamsChoices choices);
    void startBaseline();
    void rewindBaseline(std::int64_t last_row);
    void undoRewind(std::size_t events);
    void play(streams::Conversation conversation, streams::Playback playback);
    void pause();
    void resume();

    StreamsServices &m_services;
    SettingsStore &m_settings;
    StreamsChoicesRow &m_choices;
    NoticeStack &m_notices;
    StreamsController m_conversation;
    StreamsController m_baseline;
    bool m_goes_on_with_words = false;  // paused by a rewind: the next word goes on from there
    bool m_moved_before_rewind = false;
};

}  // namespace braid::ui
