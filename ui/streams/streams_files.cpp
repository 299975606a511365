#include "ui/streams/streams_files.h"

#include <utility>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/streams/streams_journal.h"
#include "core/text/utf8.h"
#include "ui/shared/async.h"
#include "ui/shared/export.h"
#include "ui/shared/file_dialogs.h"
#include "ui/shared/notice_bar.h"
#include "ui/shared/recovery_offer.h"
#include "ui/streams/streams_choices_row.h"
#include "ui/streams/streams_run.h"
#include "ui/streams/typing_line.h"

namespace braid::ui {

// --- saving ----------------------------------------------------------------------------------------------------------------------

void StreamsFiles::askAndSave()
{
    if (m_run.conversation().lanes().conversation().events.empty()) {
        m_notices.inform(tr("There is nothing to save yet."), QStringLiteral("saved"));
        return;
    }
    askWhereToSave(&m_page, {tr("Save the conversation"), conversationFilters(), tr("conversation.json")},
                   [this](const std::filesystem::path &file) { saveTo(file); });
}

void StreamsFiles::saveTo(const std::filesystem::path &file)
{
    runInBackground(
        this,
        [file, conversation = m_run.conversation().lanes().conversation()] {
            exportConversation(conversation, file);
            return file;
        },
        [this](const std::filesystem::path &written) { tellSaved(m_notices, written); }, [this](const QString &problem) { m_notices.raiseProblem(problem); });
}

// --- opening ---------------------------------------------------------------------------------------------------------------------

void StreamsFiles::askAndOpen()
{
    askWhatToOpen(&m_page, tr("Open a conversation, a layout or a text"), {tr("Conversations, layouts and texts (*.json *.txt)"), tr("All files (*)")},
                  OpenCount::One, [this](const std::vector<std::filesystem::path> &files) { open(files); });
}

void StreamsFiles::open(const std::vector<std::filesystem::path> &files)
{
    if (files.size() > 1) {
        m_notices.inform(tr("One conversation shows at a time: the first of %1 files is opened.").arg(files.size()), QStringLiteral("opened"));
    }
    if (files.empty()) {
        return;
    }
    if (files.front().extension() == ".json") {
        openConversation(files.front());
    } else {
        sayFile(files.front());
    }
}

// A text enters the stream that is typed into, a word a row, however long it is.
void StreamsFiles::sayFile(const std::filesystem::path &file)
{
    runInBackground(
        this,
        [file] {
            const std::string text = readTextFile(file, kMostTypedBytes);
            if (!text::isValidUtf8(text)) {
                throw Error(ErrorKind::Input, "this is no text in UTF-8", file.string(), "Open a conversation (.json), a layout (.json) or a text");
            }
            return QString::fromStdString(text);
        },
        [this](const QString &words) {
            m_run.say(m_typing.stream(), words);
            m_run.endTurn(m_typing.stream());
        },
        [this](const QString &problem) { m_notices.raiseProblem(problem); });
}

// Both kinds are JSON that names its format; a layout is tried where it is no conversation.
void StreamsFiles::openConversation(const std::filesystem::path &file)
{
    runInBackground(
        this,
        [file]() -> std::optional<streams::Conversation> {
            const std::string text = readTextFile(file, streams::kMostConversationBytes);
            const bool is_conversation = text.find("\"braid-streams-conversation\"") != std::string::npos;  // it holds a layout, too
            if (!is_conversation && text.find("\"braid-streams-layout\"") != std::string::npos) {
                return std::nullopt;
            }
            return streams::parseConversation(text, file.string());
        },
        [this, file](std::optional<streams::Conversation> opened) {
            if (opened) {
                m_run.show(std::move(*opened));
            } else {
                m_choices.openLayout(file);
            }
        },
        [this](const QString &problem) { m_notices.raiseProblem(problem); });
}

// --- what a crash cut off ---------------------------------------------------------------------------------------------------------

void StreamsFiles::offerRecovery(const std::vector<runtime::InterruptedRun> &runs)
{
    offerInterruptedRuns(
        m_notices, runs, [this](const runtime::InterruptedRun &run) { openJournal(run.folder); },
        [this](const QString &problem) { m_notices.raiseProblem(problem); });
}

// Whoever goes on with it begins a journal that holds all of it: the old one is not needed any more.
void StreamsFiles::openJournal(const std::filesystem::path &folder, std::function<void()> opened)
{
    runInBackground(
        this, [folder] { return streams::readConversationJournal(folder); },
        [this, folder, opened = std::move(opened)](streams::RecoveredConversation recovered) {
            m_run.show(std::move(recovered.conversation));
            settleIfInterrupted(folder, recovered.state, [this](const QString &problem) { m_notices.raiseProblem(problem); });
            if (opened) {
                opened();
            }
        },
        [this](const QString &problem) { m_notices.raiseProblem(problem); });
}

}  // namespace braid::ui
