// What goes in and out of the Captions page as files: recordings, the bundled sample, interrupted sessions, saved transcripts.
#include <QCursor>
#include <QMenu>
#include <QSplitter>
#include <QVBoxLayout>

#include "core/base/error.h"
#include "core/captions/caption_journal.h"
#include "ui/captions/captions_page.h"
#include "ui/captions/choices_row.h"
#include "ui/captions/queue_panel.h"
#include "ui/captions/timeline_view.h"
#include "ui/captions/transcript_view.h"
#include "ui/captions/welcome_card.h"
#include "ui/shared/async.h"
#include "ui/shared/export.h"
#include "ui/shared/file_dialogs.h"
#include "ui/shared/find_bar.h"
#include "ui/shared/recovery_offer.h"
#include "ui/state/line_translations.h"
#include "ui/state/playback.h"
#include "ui/state/recordings.h"

namespace braid::ui {
namespace {

const QString kSampleNotice = QStringLiteral("sample");
const QString kWaitsNotice = QStringLiteral("waits");
const QString kTidyNotice = QStringLiteral("tidy");

}  // namespace

void CaptionsPage::connectQueue()
{
    connect(m_queue, &CaptionQueue::changed, this, [this] {
        if (m_queue->waiting() == 0) {
            m_notices->remove(kWaitsNotice);
        }
    });
    connect(m_queue_panel, &QueuePanel::saveRequested, this, [this](int id) {
        const text::TranscriptOrigin *origin = m_queue->origin(id);
        askWhereToSave(this, {tr("Save captions"), exportFilters(), origin == nullptr ? QString() : proposedFileName(*origin)},
                       [this, id](const std::filesystem::path &file) {
                           const text::Transcript *words = m_queue->transcript(id);
                           const text::TranscriptOrigin *from = m_queue->origin(id);
                           if (words != nullptr && from != nullptr) {
                               saveAndTell(*m_notices, file, [&] { exportTranscript(*words, file, *from); });
                           }
                       });
    });
    connect(m_queue_panel, &QueuePanel::saveAllRequested, this, &CaptionsPage::askWhereToSaveAll);
    connect(m_queue_panel, &QueuePanel::tidied, this, [this] {
        m_notices->add(
            {Severity::Information, tr("Finished recordings were taken off the list."), {}, {{tr("Undo"), [this] { m_queue->undoTidy(); }}}, kTidyNotice});
    });
}

void CaptionsPage::openFiles(const std::vector<std::filesystem::path> &files)
{
    if (files.empty()) {
        return;
    }
    m_notices->clearProblem();
    runInBackground(
        this, [files] { return recordingsAmong(files); },
        [this](const FoundRecordings &found) {
            if (!found.problem.isEmpty()) {
                m_notices->raiseProblem(found.problem);
            }
            if (!found.files.empty()) {
                takeFiles(found.files);
            }
        },
        [this](const QString &problem) { m_notices->raiseProblem(problem); });
}

void CaptionsPage::takeFiles(const std::vector<std::filesystem::path> &files)
{
    QString problem;
    if (!m_choices->choicesForFile(files.front(), audio::Pace::Fast, problem)) {
        m_notices->raiseProblem(problem);
        return;
    }
    if (m_shows_sample) {
        newPage();
    }
    m_settings.update([](Settings &s) { s.met_before = true; });
    m_transcript->followLive();
    const bool listens = m_controller.activity() != RunActivity::Idle && m_queue->running() == nullptr;
    if (!listens) {
        m_choices->chooseFile(files.front());
    }
    m_queue->add(files);
    if (listens) {
        const QString name = QString::fromStdString(files.front().filename().string());
        m_notices->add({Severity::Information,
                        files.size() == 1
                            ? tr("%1 waits until you stop listening. What was said until then is kept.").arg(name)
                            : tr("%n recording(s) wait until you stop listening. What was said until then is kept.", nullptr, static_cast<int>(files.size())),
                        {},
                        {{tr("Stop listening now"), [this] { m_controller.stop(); }}},
                        kWaitsNotice});
    }
}

void CaptionsPage::openDialog()
{
    askWhatToOpen(this, tr("Open recordings"), {recordingsFilter(), tr("All files (*)")}, OpenCount::Many,
                  [this](const std::vector<std::filesystem::path> &files) { openFiles(files); });
}

void CaptionsPage::askWhereToSaveAll()
{
    auto *kinds = new QMenu(m_queue_panel);
    kinds->setAttribute(Qt::WA_DeleteOnClose);
    for (const QString &filter : exportFilters()) {
        const std::string ending = "." + suffixOfFilter(filter).toStdString();
        connect(kinds->addAction(filter), &QAction::triggered, this, [this, ending] {
            askForFolder(this, tr("Save all captions in"), [this, ending](const std::filesystem::path &folder) { saveAllTo(folder, ending); });
        });
    }
    kinds->popup(QCursor::pos());
}

void CaptionsPage::saveAllTo(const std::filesystem::path &folder, const std::string &ending)
{
    std::vector<NamedTranscript> all;
    for (const QueueEntry &entry : m_queue->entries()) {
        const text::Transcript *words = m_queue->transcript(entry.id);
        if (words != nullptr && entry.isReadable()) {
            const text::TranscriptOrigin &origin = *m_queue->origin(entry.id);
            all.push_back({std::filesystem::path(proposedFileName(origin).toStdString()).stem().string(), *words, origin});
        }
    }
    runInBackground(
        this, [all = std::move(all), folder, ending] { return exportEach(all, folder, ending); },
        [this, folder](std::size_t written) {
            m_notices->inform(tr("Saved %n file(s) in %1.", nullptr, static_cast<int>(written)).arg(QString::fromStdString(folder.string())),
                              QStringLiteral("saved"));
        },
        [this](const QString &problem) { m_notices->raiseProblem(problem); });
}

void CaptionsPage::showSample(Greeting greeting)
{
    QString problem;
    const auto choices = m_choices->choicesForFile(m_services.sample_file, audio::Pace::Realtime, problem);
    if (!choices) {
        m_notices->raiseProblem(problem);
        return;
    }
    m_shows_sample = true;
    if (greeting == Greeting::FirstTime) {
        welcome();
    } else {
        m_notices->add({Severity::Information,
                        tr("This is a recording that comes with Braid, captioned now, on this machine, as it plays."),
                        {},
                        {{tr("Use my microphone"), [this] { beginFromSample(); }}},
                        kSampleNotice});
    }
    CaptionChoices sample = *choices;
    sample.journal_folder.clear();  // nobody's words: nothing to keep
    m_controller.start(sample);
}

void CaptionsPage::welcome()
{
    endWelcome();
    const QString folder = QString::fromStdString(m_services.journal_folder.string());
    m_welcome = new WelcomeCard(m_settings, homeAsTilde(folder), this);
    auto *column = static_cast<QVBoxLayout *>(layout());
    column->insertWidget(column->indexOf(m_splitter), m_welcome);
    m_welcome->show();
    showOrHideTimeline();
    connect(m_welcome, &WelcomeCard::microphoneWanted, this, &CaptionsPage::beginFromSample);
    connect(m_welcome, &WelcomeCard::betterModelWanted, m_choices, &ChoicesFrame::betterModelWanted);
    connect(m_welcome, &WelcomeCard::dismissed, this, [this] {
        m_settings.update([](Settings &s) { s.met_before = true; });
        endWelcome();
    });
}

void CaptionsPage::endWelcome()
{
    if (m_welcome != nullptr) {
        m_welcome->hide();
        m_welcome->deleteLater();  // its button may be the one that was pressed
        m_welcome = nullptr;
        showOrHideTimeline();
    }
}

// The sample stays until there is something in its place.
void CaptionsPage::beginFromSample()
{
    m_choices->chooseMicrophone();
    QString problem;
    if (!m_choices->hasMicrophone() || !m_choices->choices(problem)) {
        raiseNoStart(problem.isEmpty() ? tr("No microphone was found.") : problem);
        return;
    }
    newPage();
    startOrStop();
}

void CaptionsPage::raiseNoStart(const QString &problem)
{
    Notice notice{Severity::Danger, problem, {}, {}, QStringLiteral("problem")};
    if (m_choices->listsArrived() && !m_choices->hasMicrophone()) {
        notice.actions.push_back({tr("Look again"), [this] { m_choices->refreshDevices(); }});
        if (m_choices->hasSystemSound()) {
            notice.actions.push_back({tr("Caption what this computer plays"), [this] {
                                          if (m_shows_sample) {
                                              newPage();
                                          }
                                          if (m_choices->chooseSystemSound()) {
                                              startOrStop();
                                          }
                                      }});
        }
        notice.actions.push_back({tr("Open a recording\u2026"), [this] { openDialog(); }});
    }
    m_notices->add(notice);
}

void CaptionsPage::newPage()
{
    m_shows_sample = false;
    endWelcome();
    m_notices->remove(kSampleNotice);
    m_playback->pause();
    if (m_queue->shown() != 0) {
        m_queue->leavePage();
    }
    m_controller.clearPage();
}

void CaptionsPage::offerRecovery(const std::vector<runtime::InterruptedRun> &runs)
{
    offerInterruptedRuns(
        *m_notices, runs, [this](const runtime::InterruptedRun &run) { openJournal(run.folder); },
        [this](const QString &problem) { m_notices->raiseProblem(problem); });
}

void CaptionsPage::openJournal(const std::filesystem::path &folder, const QString &words)
{
    runInBackground(
        this, [folder] { return captions::readCaptionsJournal(folder); },
        [this, words](const captions::RecoveredCaptions &captions) {
            newPage();
            m_controller.show(captions);
            settleIfInterrupted(captions.folder, captions.state, [this](const QString &problem) { m_notices->raiseProblem(problem); });
            m_transcript->setFocus();
            m_find->openWith(words);
        },
        [this](const QString &problem) { m_notices->raiseProblem(problem); });
}

void CaptionsPage::save()
{
    if (m_controller.transcript().wordCount() == 0) {
        m_notices->raiseProblem(tr("There are no settled words to save yet."));
        return;
    }
    const bool translated = m_translations != nullptr && !m_translations->transcript().empty();
    askWhatToSave(this, {tr("Save captions"), translated ? bilingualFilters() : exportFilters(), proposedFileName(m_controller.origin())},
                  [this](const std::filesystem::path &file, int filter) { saveTranscriptTo(file, exportedTextOf(filter)); });
}

bool CaptionsPage::saveTranscriptTo(const std::filesystem::path &file, ExportedText which)
{
    return saveAndTell(*m_notices, file, [&] {
        if (which == ExportedText::Original || m_translations == nullptr) {
            exportTranscript(m_controller.transcript().items(), file, m_controller.origin());
        } else {
            exportTranslated(m_controller.transcript().items(), m_translations->transcript(), which, file);
        }
    });
}

}  // namespace braid::ui
