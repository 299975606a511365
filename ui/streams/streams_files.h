// Conversations, layouts and texts as files on the Streams page: saved, opened, and found after a crash. Reading and writing happen in the
// background; what goes wrong becomes a notice. GUI thread; what it is made from outlives it.
#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include <QWidget>

#include "core/runtime/run_journal_reader.h"

namespace braid::ui {

class NoticeStack;
class StreamsChoicesRow;
class StreamsRun;
class TypingLine;

class StreamsFiles : public QObject {
    Q_OBJECT
  public:
    // `page`: what dialogs stand over.
    StreamsFiles(QWidget &page, StreamsRun &run, StreamsChoicesRow &choices, TypingLine &typing, NoticeStack &notices)
        : m_page(page)
        , m_run(run)
        , m_choices(choices)
        , m_typing(typing)
        , m_notices(notices)
    {
    }
    void askAndSave();
    // The kind follows from the ending: .json the conversation, .md the table, .txt lane by lane.
    void saveTo(const std::filesystem::path &file);
    void askAndOpen();
    void open(const std::vector<std::filesystem::path> &files);
    // Conversations that a crash cut off, the newest first.
    void offerRecovery(const std::vector<runtime::InterruptedRun> &runs);
    // Read in the background, shown in place of what is there; then `opened` is called.
    void openJournal(const std::filesystem::path &folder, std::function<void()> opened = {});

  private:
    void openConversation(const std::filesystem::path &file);
    void sayFile(const std::filesystem::path &file);

    QWidget &m_page;
    StreamsRun &m_run;
    StreamsChoicesRow &m_choices;
    TypingLine &m_typing;
    NoticeStack &m_notices;
};

}  // namespace braid::ui
