// Conversations, layouts and texts as files on the Streams page: opened, saved, replayed. What it is made of stands in streams_page.cpp.
#include <utility>

#include <QFileDialog>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/engine/recovered_runs.h"
#include "core/text/utf8.h"
#include "ui/async.h"
#include "ui/pages/streams_page.h"
#include "ui/session/export.h"
#include "ui/session/recovery_offer.h"
#include "ui/streams/answer_panel.h"
#include "ui/streams/streams_choices_row.h"
#include "ui/streams/typing_line.h"
#include "ui/widgets/notice_bar.h"

namespace braid::ui {

// --- saving ----------------------------------------------------------------------------------------------------------------------

void StreamsPage::save()
{
    if (m_controller.lanes().conversation().events.empty()) {
        m_notices->add({Severity::Information, tr("There is nothing to save yet."), {}, {}, QStringLiteral("saved")});
        return;
    }
    auto *dialog = new QFileDialog(this, tr("Save the conversation"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters(conversationFilters());
    dialog->setDefaultSuffix(QStringLiteral("json"));
    dialog->selectFile(tr("conversation.json"));
    connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString &filter) { dialog->setDefaultSuffix(suffixOfFilter(filter)); });
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString &name) { saveTo(name.toStdString()); });
    dialog->open();
}

void StreamsPage::saveTo(const std::filesystem::path &file)
{
    runInBackground(this,
                    [file, conversation = m_controller.lanes().conversation()] {
                        exportConversation(conversation, file);
                        return file;
                    },
                    [this](const std::filesystem::path &written) { m_notices->add({Severity::Information, tr("Saved as %1.").arg(QString::fromStdString(written.string())), {}, {}, QStringLiteral("saved")}); },
                    [this](const QString &problem) { raiseProblem(problem); });
}

// --- opening ---------------------------------------------------------------------------------------------------------------------

void StreamsPage::openDialog()
{
    auto *dialog = new QFileDialog(this, tr("Open a conversation, a layout or a text"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters({tr("Conversations, layouts and texts (*.json *.txt)"), tr("All files (*)")});
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString &name) { openFiles({name.toStdString()}); });
    dialog->open();
}

void StreamsPage::openFiles(const std::vector<std::filesystem::path> &files)
{
    if (files.size() > 1) {
        m_notices->add({Severity::Information, tr("One conversation shows at a time: the first of %1 files is opened.").arg(files.size()), {}, {}, QStringLiteral("opened")});
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
void StreamsPage::sayFile(const std::filesystem::path &file)
{
    runInBackground(this,
                    [file] {
                        const std::string text = readTextFile(file, kMostTypedBytes);
                        if (!text::isValidUtf8(text)) {
                            throw Error(ErrorKind::Input, "this is no text in UTF-8", file.string(), "Open a conversation (.json), a layout (.json) or a text");
                        }
                        return QString::fromStdString(text);
                    },
                    [this](const QString &words) {
                        say(m_typing->stream(), words);
                        endTurn(m_typing->stream());
                    },
                    [this](const QString &problem) { raiseProblem(problem); });
}

// Both kinds are JSON that names its format; a layout is tried where it is no conversation.
void StreamsPage::openConversation(const std::filesystem::path &file)
{
    runInBackground(this,
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
                            showConversation(std::move(*opened));
                        } else {
                            m_choices->openLayout(file);
                        }
                    },
                    [this](const QString &problem) { raiseProblem(problem); });
}

// --- what a crash cut off ---------------------------------------------------------------------------------------------------------

void StreamsPage::offerRecovery(const std::vector<engine::InterruptedRun> &runs)
{
    offerInterruptedRuns(*m_notices, runs, [this](const engine::InterruptedRun &run) { openJournal(run.folder); }, [this](const QString &problem) { raiseProblem(problem); });
}

// Whoever goes on with it begins a journal that holds all of it: the old one is not needed any more.
void StreamsPage::openJournal(const std::filesystem::path &folder)
{
    runInBackground(this, [folder] { return engine::readConversationJournal(folder); },
                    [this, folder](engine::RecoveredConversation recovered) {
                        showConversation(std::move(recovered.conversation));
                        settleIfInterrupted(folder, recovered.state, [this](const QString &problem) { raiseProblem(problem); });
                    },
                    [this](const QString &problem) { raiseProblem(problem); });
}

// Every row at once; with a model that can run its layout it can go on from any step.
void StreamsPage::showConversation(streams::Conversation conversation)
{
    play(std::move(conversation), sessions::Playback::AtOnce);
}

void StreamsPage::replay()
{
    if (m_controller.lanes().rows() > 0) {
        play(m_controller.lanes().conversation(), sessions::Playback::AtRecordedTimes);
    }
}

void StreamsPage::play(streams::Conversation conversation, sessions::Playback playback)
{
    StreamsChoices choices = m_choices->withCompute({});
    choices.layout = conversation.layout;
    choices.model_name = QString::fromStdString(conversation.model);
    choices.playback = playback;
    const StreamsModelEntry *model = m_choices->modelFor(conversation.layout, choices.model_name);
    if (model != nullptr) {
        choices.model = model->path;
    } else {
        m_notices->add({Severity::Information, tr("\u201c%1\u201d, which said this, is not here or cannot run this layout: the conversation can be read and replayed, but not gone on with.").arg(choices.model_name), {}, {}, QStringLiteral("model")});
    }
    choices.recording = std::move(conversation);
    m_baseline.stop();
    begin(std::move(choices));
}

}  // namespace braid::ui
