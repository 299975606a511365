// Recordings that are captioned one after the other, each on a page of its own: what waits, what runs and how far it is, what is done, and the
// live captions that had to make room. Words that stood on the page are put aside, never lost, and can be shown and saved again.
// GUI thread; drives the controller, which outlives it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include <QElapsedTimer>
#include <QObject>

#include "ui/state/caption_controller.h"

namespace braid::ui {

enum class QueueState : std::uint8_t { Waiting = 1, Running, Done, Stopped, Failed };

struct QueueEntry {
    int id = 0;
    QString title;               // "talk.mp4"
    std::filesystem::path file;  // empty: captions of a microphone or the like, which made room
    QueueState state = QueueState::Waiting;
    QString problem;                // of Failed: a sentence
    std::optional<double> done;     // share of the recording, 0..1; not known while its model loads, or of an endless one
    std::optional<int> seconds_to;  // its end; not known at first
    int words = 0;
    std::optional<CaptionSheet> sheet;  // its page, where it was put aside

    [[nodiscard]] bool isWaiting() const noexcept { return state == QueueState::Waiting; }
    [[nodiscard]] bool isRunning() const noexcept { return state == QueueState::Running; }
    [[nodiscard]] bool isOver() const noexcept { return !isWaiting() && !isRunning(); }
    // It is over, and has words to be shown and saved.
    [[nodiscard]] bool isReadable() const noexcept { return isOver() && words > 0; }
};

class CaptionQueue : public QObject {
    Q_OBJECT
  public:
    // What a file is captioned with, asked when its turn comes; nothing with a sentence where something is missing.
    using Choose = std::function<std::optional<CaptionChoices>(const std::filesystem::path &file, QString &problem)>;
    CaptionQueue(CaptionController &controller, Choose choose, QObject *parent = nullptr);

    [[nodiscard]] const std::vector<QueueEntry> &entries() const noexcept { return m_entries; }
    [[nodiscard]] std::size_t waiting() const;
    [[nodiscard]] bool isPaused() const noexcept { return m_paused; }
    // The entry whose words are on the page; 0: none of them.
    [[nodiscard]] int shown() const noexcept { return m_shown; }
    [[nodiscard]] const QueueEntry *running() const;
    // Words of an entry that has some, for saving.
    [[nodiscard]] const text::Transcript *transcript(int id) const;
    [[nodiscard]] const text::TranscriptOrigin *origin(int id) const;

    // They wait for their turn, which comes at once where nothing runs.
    void add(const std::vector<std::filesystem::path> &files);
    // Among those that wait: `places` further down, or up where negative.
    void move(int id, int places);
    // One that waits leaves; one that runs is stopped, what was heard of it is captioned, and the next has its turn.
    void cancel(int id);
    // The present one is captioned as far as it was heard; those that wait go on waiting until goOn().
    void pause();
    void goOn();
    // The running recording begins anew, with other choices.
    void beginAgain();
    // Its words go on the page, those of the page aside. Only while nothing runs.
    void show(int id);
    // The page is wanted for something else: its words are put aside where they would be lost.
    void leavePage();
    // What is over leaves the list; undoTidy() brings it back.
    void tidy();
    void undoTidy();

  Q_SIGNALS:
    void changed();     // entries came, went or moved, or their states changed
    void progressed();  // of the running one

  private:
    [[nodiscard]] QueueEntry *find(int id);
    [[nodiscard]] const QueueEntry *find(int id) const { return const_cast<CaptionQueue *>(this)->find(id); }
    [[nodiscard]] QueueEntry *runningEntry();
    void beginNext();
    void beginEntry(QueueEntry &entry, const CaptionChoices &choices);
    void onFinished();
    void onProgress();

    CaptionController &m_controller;
    Choose m_choose;
    std::vector<QueueEntry> m_entries;
    std::vector<QueueEntry> m_tidied;
    QElapsedTimer m_running_for;  // since its first sound
    QString m_problem;            // of the run that is going
    int m_shown = 0;
    int m_next_id = 1;
    bool m_paused = false;
    bool m_stopped = false;  // the running one, by a person
};

}  // namespace braid::ui
