// Runs captions for the window: starts runs one after the other on one page, polls the engine on one 16 ms frame clock, and keeps
// what the page shows: the transcript, the waveform's peaks, attention of the newest words.
//
// One page, one clock: every run's time is moved by the length of the runs before it, so that words, waveform and exports of a capture that
// went on, or was restarted with another model, lie on one axis. Recordings have a page each (CaptionQueue). GUI thread; never waits for the
// engine.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include <QObject>
#include <QTimer>

#include "core/captions/caption_journal.h"
#include "core/text/transcript_writer.h"
#include "ui/shared/run_dot.h"
#include "ui/state/attention_archive.h"
#include "ui/state/day_times.h"
#include "ui/state/peak_pyramid.h"
#include "ui/state/revision_history.h"
#include "ui/state/services.h"
#include "ui/state/transcript_model.h"

namespace braid::ui {

// One run's stretch of a page's clock.
struct PageSegment {
    Sample start = 0;
    Sample length = 0;
    std::filesystem::path journal;
    std::uint64_t generation = 0;  // of its run; the engine still has the sound of its last one
    int first_word = 0;            // of the page
};

// A page that was put aside: its words, its waveform, where its sound lies. What the model attended to is not kept with it.
struct CaptionSheet {
    TranscriptModel::Contents words;
    PeakPyramid peaks;
    std::vector<PageSegment> segments;
    text::TranscriptOrigin origin;
    DayTimes day_times;
    Sample end = 0;
    int runs = 0;
};

class CaptionController : public QObject {
    Q_OBJECT
  public:
    // `kit` and `player` outlive it.
    CaptionController(EngineKit &kit, audio::SoundPlayer &player, QObject *parent = nullptr);
    ~CaptionController() override;

    [[nodiscard]] TranscriptModel &transcript() noexcept { return m_transcript; }
    [[nodiscard]] const PeakPyramid &peaks() const noexcept { return m_peaks; }
    [[nodiscard]] RunActivity activity() const noexcept { return m_activity; }
    // The run's own snapshot; times in it are the run's. Never null.
    [[nodiscard]] const captions::CaptionSnapshot &snapshot() const noexcept { return *m_snapshot; }
    [[nodiscard]] Sample heard() const noexcept { return m_offset + m_snapshot->statistics.heard_samples; }
    [[nodiscard]] Sample decoded() const noexcept { return m_offset + m_snapshot->statistics.decoded_samples; }
    // Of the present run's source; 0 where unknown or endless.
    [[nodiscard]] Sample sourceLength() const noexcept { return m_source_length; }
    // What the model attended to when it heard `word`, as far back as kept; null map where it is not known.
    [[nodiscard]] AttentionRecord attentionFor(const text::Word *word) const;
    [[nodiscard]] const RevisionHistory &revisions() const noexcept { return m_revisions; }
    // What the present run was started with, as tuned since.
    [[nodiscard]] const CaptionChoices &present() const noexcept { return m_present; }
    // What the page's words were made from and with; of several runs all, in order.
    [[nodiscard]] const text::TranscriptOrigin &origin() const noexcept { return m_origin; }
    // Runs of the page that are over, in order.
    [[nodiscard]] const std::vector<PageSegment> &segments() const noexcept { return m_segments; }
    // The first word of the page that the present run, or the last one, said or would have said.
    [[nodiscard]] int runFirstWord() const noexcept { return m_run_first_word; }
    // Words of the present run that a person corrected, into its journal; false: it takes nothing any more.
    [[nodiscard]] bool keepInRun(const std::vector<text::WordCorrection> &corrections) { return m_kit.backend->keepCorrections(corrections); }
    // What time of the day it was, where sound was captured.
    [[nodiscard]] const DayTimes &dayTimes() const noexcept { return m_day_times; }
    // Where the present run, or the last one, begins on the page's clock.
    [[nodiscard]] Sample runStart() const noexcept { return m_run_start; }

    // Begins a run on this page; one that is going is first ended (what it heard is still captioned).
    void start(const CaptionChoices &choices);
    // The run that is going goes on with this: the policy is told, or another takes its place. Nothing is lost.
    void retune(const CaptionTuning &tuning);
    // Stops listening, captions what was heard. While loading: gives up.
    void stop();
    // An empty page. Ends a run that is going, at once; its journal keeps what it had.
    void clearPage();
    // While nothing runs: takes the page away, leaving an empty one; puts one back in place of the present one.
    [[nodiscard]] CaptionSheet takePage();
    void putPage(CaptionSheet sheet);
    // Shows a journal on an empty page.
    void show(const captions::RecoveredCaptions &captions);
    // Sound of the page, for hearing it again. From the engine or from journals; may be shorter or empty.
    [[nodiscard]] std::vector<float> sound(Sample start, Sample length) const;

    // Lights and animations that need frames while nothing runs.
    void requestFrames();

  Q_SIGNALS:
    void frame();  // once a frame, after everything of it was taken in
    void snapshotChanged();
    void runStarted(const QString &source, const QString &model, const QString &policy);
    void noticeRaised(const QString &sentence);
    void failed(const QString &sentence, const QString &details);
    void runFinished();
    void activityChanged();

  private:
    void begin(const CaptionChoices &choices);
    void onFrame();
    void take(const captions::CaptionEvent &event);
    void noteOrigin(const captions::Started &started);
    void takeSound();
    void placeHeading();
    void finishRun();
    void setActivity(RunActivity activity);

    EngineKit &m_kit;
    audio::SoundPlayer &m_player;
    TranscriptModel m_transcript;
    PeakPyramid m_peaks;
    QTimer m_frames;
    std::shared_ptr<const captions::CaptionSnapshot> m_snapshot;
    std::vector<PageSegment> m_segments;  // runs that are over
    AttentionArchive m_attention;
    RevisionHistory m_revisions;
    std::optional<CaptionChoices> m_next;  // begins when the present run is over
    CaptionChoices m_present;
    text::TranscriptOrigin m_origin;
    DayTimes m_day_times;
    std::uint64_t m_generation = 0;
    Sample m_offset = 0;
    Sample m_run_start = 0;
    Sample m_source_length = 0;
    QString m_heading;  // stands above the run's first words, once there are some
    RunActivity m_activity = RunActivity::Idle;
    int m_idle_frames = 0;
    int m_runs = 0;
    int m_run_first_word = 0;
};

}  // namespace braid::ui
