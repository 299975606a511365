// What goes in and out of the Captions page as files: recordings, the bundled sample, interrupted sessions, saved transcripts.
#include "core/base/error.h"
#include "core/captions/caption_journal.h"
#include "ui/captions/captions_page.h"
#include "ui/captions/choices_row.h"
#include "ui/captions/transcript_view.h"
#include "ui/shared/async.h"
#include "ui/shared/export.h"
#include "ui/shared/file_dialogs.h"
#include "ui/shared/find_bar.h"
#include "ui/shared/recovery_offer.h"

namespace braid::ui {
namespace {

const QString kSampleNotice = QStringLiteral("sample");

}  // namespace

void CaptionsPage::openFiles(const std::vector<std::filesystem::path> &files)
{
    if (files.empty()) {
        return;
    }
    m_notices->clearProblem();
    const audio::Pace pace = m_settings.values().files_at_own_pace ? audio::Pace::Realtime : audio::Pace::Fast;
    std::vector<CaptionChoices> queue;
    for (const std::filesystem::path &file : files) {
        QString problem;
        const auto choices = m_choices->choicesForFile(file, pace, problem);
        if (!choices) {
            m_notices->raiseProblem(problem);
            return;
        }
        queue.push_back(*choices);
    }
    if (m_shows_sample) {
        newPage();
    }
    m_settings.update([](Settings &s) { s.met_before = true; });
    m_choices->chooseFile(files.front());
    m_transcript->followLive();
    m_controller.queueFiles(queue);
}

void CaptionsPage::openDialog()
{
    askWhatToOpen(this, tr("Open recordings"),
                  {tr("Sound and video (*.wav *.flac *.mp3 *.ogg *.opus *.m4a *.aac *.wma *.mp4 *.mkv *.webm *.mov *.avi)"), tr("All files (*)")},
                  OpenCount::Many, [this](const std::vector<std::filesystem::path> &files) { openFiles(files); });
}

void CaptionsPage::showSample()
{
    QString problem;
    const auto choices = m_choices->choicesForFile(m_services.sample_file, audio::Pace::Realtime, problem);
    if (!choices) {
        m_notices->raiseProblem(problem);
        return;
    }
    m_shows_sample = true;
    m_notices->add({Severity::Information,
                    tr("This is a recording that comes with Braid, captioned now, on this machine, as it plays."),
                    {},
                    {{tr("Use my microphone"),
                      [this] {
                          newPage();
                          m_choices->chooseMicrophone();
                          startOrStop();
                      }}},
                    kSampleNotice});
    CaptionChoices sample = *choices;
    sample.journal_folder.clear();  // nobody's words: nothing to keep
    m_controller.start(sample);
}

void CaptionsPage::newPage()
{
    m_shows_sample = false;
    m_notices->remove(kSampleNotice);
    m_services.player->stop();
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
    askWhereToSave(this, {tr("Save captions"), exportFilters(), proposedFileName(m_controller.origin())},
                   [this](const std::filesystem::path &file) { saveTranscriptTo(file); });
}

bool CaptionsPage::saveTranscriptTo(const std::filesystem::path &file)
{
    return saveAndTell(*m_notices, file, [&] { exportTranscript(m_controller.transcript().items(), file, m_controller.origin()); });
}

}  // namespace braid::ui
