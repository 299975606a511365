#include "ui/state/caption_controller.h"

#include <algorithm>

#include <QDateTime>

#include "core/runtime/journal_sound.h"
#include "ui/shared/overloaded.h"

namespace braid::ui {
namespace {

constexpr int kFrameMs = 16;
constexpr int kFramesAfterEnd = 180;  // the meter falls, the played word goes out; then nothing wakes the machine
constexpr Sample kMostSoundPerFrame = samplesFromSeconds(20);

}  // namespace

CaptionController::CaptionController(EngineKit &kit, audio::SoundPlayer &player, QObject *parent)
    : QObject(parent)
    , m_kit(kit)
    , m_player(player)
    , m_snapshot(std::make_shared<const captions::CaptionSnapshot>())
{
    m_frames.setTimerType(Qt::PreciseTimer);
    m_frames.setInterval(kFrameMs);
    connect(&m_frames, &QTimer::timeout, this, &CaptionController::onFrame);
}

CaptionController::~CaptionController() = default;

void CaptionController::start(const CaptionChoices &choices)
{
    if (m_activity != RunActivity::Idle) {
        m_next = choices;
        m_kit.backend->stop();
        setActivity(RunActivity::Stopping);
        return;
    }
    begin(choices);
}

void CaptionController::stop()
{
    m_next.reset();
    if (m_activity == RunActivity::Idle) {
        return;
    }
    // Nothing has been committed while the model loads for the first time, and a second press means "now".
    if (m_activity == RunActivity::Stopping || m_snapshot->state == runtime::RunState::Loading) {
        m_kit.backend->cancel();
    } else {
        m_kit.backend->stop();
    }
    setActivity(RunActivity::Stopping);
}

void CaptionController::retune(const CaptionTuning &tuning)
{
    if (m_next) {
        m_next->tuning = tuning;
    }
    if (m_activity == RunActivity::Idle) {
        return;
    }
    const TuningStep step = stepBetween(m_present.tuning, tuning);
    m_present.tuning = tuning;
    if (step == TuningStep::Adjust) {
        m_kit.backend->adjust({tuning.chunk_ms, tuning.beam_size, tuning.look_back_tokens});
    } else if (step == TuningStep::Replace) {
        m_kit.backend->changePolicy(m_kit.make_policy(m_present));
    }
}

void CaptionController::begin(const CaptionChoices &choices)
{
    m_present = choices;
    m_run_start = m_offset;
    m_run_first_word = m_transcript.wordCount();
    ++m_runs;
    if (m_runs > 1 || !choices.source.path.empty()) {
        m_heading = choices.source_title;
    }
    m_source_length = 0;
    m_snapshot = std::make_shared<const captions::CaptionSnapshot>();
    try {
        captions::CaptionRun run = m_kit.make_run(choices);
        if (choices.open_source) {
            run.open_source = choices.open_source;
        }
        m_revisions.beginRun();
        m_generation = m_kit.backend->start(std::move(run));
    } catch (const std::exception &error) {
        Q_EMIT failed(QString::fromUtf8(error.what()), {});
        return;
    }
    setActivity(RunActivity::Running);
    m_frames.start();
}

void CaptionController::clearPage()
{
    m_next.reset();
    m_heading.clear();
    if (m_activity != RunActivity::Idle) {
        m_kit.backend->cancel();
        m_generation = 0;  // whatever still comes belongs to no page
        setActivity(RunActivity::Idle);
    }
    m_transcript.clear();
    m_peaks.clear();
    m_segments.clear();
    m_attention.clear();
    m_revisions.clear();
    m_offset = m_run_start = 0;
    m_run_first_word = 0;
    m_runs = 0;
    m_origin = {};
    m_day_times.clear();
    m_snapshot = std::make_shared<const captions::CaptionSnapshot>();
    Q_EMIT snapshotChanged();
}

CaptionSheet CaptionController::takePage()
{
    CaptionSheet sheet{{}, std::move(m_peaks), std::move(m_segments), std::move(m_origin), std::move(m_day_times), m_offset, m_runs};
    sheet.words = m_transcript.takeContents();
    clearPage();
    return sheet;
}

void CaptionController::putPage(CaptionSheet sheet)
{
    clearPage();
    m_peaks = std::move(sheet.peaks);
    m_segments = std::move(sheet.segments);
    m_origin = std::move(sheet.origin);
    m_day_times = std::move(sheet.day_times);
    m_offset = m_run_start = sheet.end;
    m_runs = sheet.runs;
    m_transcript.putContents(std::move(sheet.words));
    m_run_first_word = m_transcript.wordCount();
    requestFrames();
    Q_EMIT snapshotChanged();
}

// A run that says nothing, or fails, leaves no heading.
void CaptionController::placeHeading()
{
    if (!m_heading.isEmpty()) {
        m_transcript.appendHeading(m_heading, m_offset);
        m_heading.clear();
    }
}

void CaptionController::show(const captions::RecoveredCaptions &captions)
{
    clearPage();
    m_runs = 1;
    m_origin = {captions.info.source, captions.info.model, captions.info.policy, captions.info.started_at};
    m_transcript.append(captions.transcript);
    Sample end = captions.sound_samples;
    for (const text::TranscriptItem &item : captions.transcript) {
        if (const auto *word = std::get_if<text::Word>(&item)) {
            end = std::max(end, word->end_sample);
        }
    }
    m_segments.push_back({0, end, captions.folder, 0, 0});
    m_offset = end;
    requestFrames();
    Q_EMIT snapshotChanged();
}

void CaptionController::requestFrames()
{
    m_idle_frames = 0;
    m_frames.start();
}

void CaptionController::onFrame()
{
    for (const captions::CaptionEvent &event : m_kit.backend->takeEvents()) {
        // Events of a run that this page has left behind are dropped.
        if (event.generation == m_generation && m_activity != RunActivity::Idle) {
            take(event);
        }
    }
    if (m_activity != RunActivity::Idle) {
        const auto newest = m_kit.backend->snapshot();
        if (newest != m_snapshot && newest->generation == m_generation) {
            m_snapshot = newest;
            m_attention.add(newest->attention, m_offset);
            m_revisions.take(*newest->revisions, newest->statistics.revisions, m_offset);
            if (!newest->tail.empty()) {
                placeHeading();
            }
            m_transcript.setTail(newest->tail, m_offset);
            Q_EMIT snapshotChanged();
        }
        m_idle_frames = 0;
    }
    takeSound();
    Q_EMIT frame();
    const bool wave_is_whole = m_peaks.samples() >= heard();
    if (m_activity == RunActivity::Idle && wave_is_whole && ++m_idle_frames > kFramesAfterEnd && !m_player.position()) {
        m_frames.stop();
    }
}

void CaptionController::noteOrigin(const captions::Started &started)
{
    const auto add = [](std::string &list, const std::string &name) {
        if (list.empty()) {
            list = name;
        } else if (list != name && !list.ends_with(", " + name)) {
            list += ", " + name;
        }
    };
    add(m_origin.source, started.source);
    add(m_origin.model, started.model);
    add(m_origin.policy, started.policy);
    if (m_origin.started_at.empty()) {
        m_origin.started_at = QDateTime::currentDateTimeUtc().toString(Qt::ISODate).toStdString();
    }
}

void CaptionController::take(const captions::CaptionEvent &event)
{
    std::visit(Overloaded{
                   [this](const captions::Started &started) {
                       noteOrigin(started);
                       m_source_length = started.length_samples;
                       const bool is_recording = m_present.source.kind == audio::SourceKind::File;
                       m_day_times.push_back({m_offset, is_recording ? QDateTime() : QDateTime::currentDateTime()});
                       Q_EMIT runStarted(QString::fromStdString(started.source), QString::fromStdString(started.model), QString::fromStdString(started.policy));
                   },
                   [this](const captions::Committed &committed) {
                       if (!committed.items.empty()) {
                           placeHeading();
                       }
                       m_transcript.append(committed.items, m_offset);
                   },
                   [](const captions::Tail &) {},  // the window reads tails from the snapshot
                   [this](const runtime::Notice &notice) { Q_EMIT noticeRaised(QString::fromStdString(notice.sentence)); },
                   [this](const runtime::Failed &failure) {
                       const QString details =
                           tr("Source: %1\nModel: %2\nMethod: %3\nDevice: %4, %5")
                               .arg(m_present.source_title, m_present.model_name, m_present.tuning.policy, QString::fromStdString(m_present.compute.device),
                                    QString::fromUtf8(models::nameOf(m_present.compute.number_type).data()));
                       Q_EMIT failed(QString::fromStdString(failure.sentence), details);
                   },
                   [this](const captions::Finished &) { finishRun(); },
               },
               event.body);
}

void CaptionController::takeSound()
{
    const Sample page_start = m_segments.empty() ? 0 : m_segments.back().start + m_segments.back().length;
    const Sample heard_to = m_activity == RunActivity::Idle ? page_start : heard();
    Sample missing = std::min(heard_to - m_peaks.samples(), kMostSoundPerFrame);
    while (missing > 0) {
        const std::vector<float> piece = sound(m_peaks.samples(), missing);
        if (piece.empty()) {
            // No longer there (or never was): the axis must not stop for it.
            m_peaks.appendSilence(missing);
            return;
        }
        m_peaks.append(piece);
        missing -= static_cast<Sample>(piece.size());
    }
}

void CaptionController::finishRun()
{
    const auto newest = m_kit.backend->snapshot();
    if (newest->generation == m_generation) {
        m_snapshot = newest;
        m_revisions.take(*newest->revisions, newest->statistics.revisions, m_offset);
    }
    // The rest of its sound, while the engine still has it.
    while (m_peaks.samples() < heard()) {
        takeSound();
    }
    m_heading.clear();
    m_transcript.setTail({});
    m_segments.push_back({m_offset, m_snapshot->statistics.heard_samples, m_kit.backend->journalFolder(), m_generation, m_run_first_word});
    m_offset = heard();
    // The statistics stay on show; the time of the run is on the page's account now.
    auto rest = std::make_shared<captions::CaptionSnapshot>(*m_snapshot);
    rest->statistics.heard_samples = 0;
    rest->statistics.decoded_samples = 0;
    rest->level_peak = rest->level_rms = 0;
    rest->tail.clear();
    m_snapshot = rest;
    setActivity(RunActivity::Idle);
    Q_EMIT snapshotChanged();
    Q_EMIT runFinished();
    if (m_next) {
        const CaptionChoices next = *m_next;
        m_next.reset();
        begin(next);
    }
}

std::vector<float> CaptionController::sound(Sample start, Sample length) const
{
    if (start >= m_offset) {
        // Only of a run's own sound: after its end the engine may still hold it, but under the segment's own time.
        return m_activity == RunActivity::Idle ? std::vector<float>() : m_kit.backend->sound(start - m_offset, length);
    }
    const auto after = std::upper_bound(m_segments.begin(), m_segments.end(), start, [](Sample at, const PageSegment &segment) { return at < segment.start; });
    if (after == m_segments.begin()) {
        return {};
    }
    const PageSegment &segment = *(after - 1);
    const Sample within = std::min(length, segment.start + segment.length - start);
    if (within <= 0) {
        return {};
    }
    try {
        if (!segment.journal.empty()) {
            return runtime::readJournalSound(segment.journal, start - segment.start, within);
        }
        // Without journal the engine still has its last run.
        if (m_activity == RunActivity::Idle && segment.generation == m_generation) {
            return m_kit.backend->sound(start - segment.start, within);
        }
    } catch (const std::exception &) {
        // A journal that was moved away is only silent.
    }
    return {};
}

AttentionRecord CaptionController::attentionFor(const text::Word *word) const
{
    return word == nullptr ? m_attention.newest() : m_attention.find(*word);
}

void CaptionController::setActivity(RunActivity activity)
{
    if (activity != m_activity) {
        m_activity = activity;
        Q_EMIT activityChanged();
    }
}

}  // namespace braid::ui
