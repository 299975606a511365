#include "app/cli/captioning.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <future>
#include <mutex>
#include <utility>

#include "app/cli/failed_run.h"
#include "app/cli/harmless.h"
#include "core/audio/read_whole.h"
#include "core/base/blas.h"

namespace braid::cli {
namespace {

namespace fs = std::filesystem;
constexpr double kLookEvery_s = 0.05;

std::string percent(double fraction)
{
    char text[16];
    std::snprintf(text, sizeof text, "%3.0f %%", std::clamp(fraction, 0.0, 1.0) * 100);
    return text;
}

// What the factory on the pump thread learns about the source, for the status line.
struct SourceFacts {
    std::atomic<Sample> length_samples = 0;
};

std::string statusOf(const captions::CaptionSnapshot &snapshot, const SourceFacts &facts)
{
    const auto &numbers = snapshot.statistics;
    if (snapshot.state == runtime::RunState::Loading) {
        return snapshot.activity;
    }
    const Sample length = facts.length_samples;
    const bool knows_length = length > 0;
    char text[200];
    std::snprintf(text, sizeof text, "%s%s  lag %.2f s = %.2f compute + %.2f policy  RTF %.2f  %s", formatClock(numbers.decoded_samples).c_str(),
                  knows_length ? (" " + percent(static_cast<double>(numbers.decoded_samples) / static_cast<double>(length))).c_str() : "",
                  (numbers.compute_lag_ms + numbers.policy_lag_ms) / 1000, numbers.compute_lag_ms / 1000, numbers.policy_lag_ms / 1000,
                  numbers.real_time_factor, snapshot.voice == captions::VoiceState::NoSound ? "no sound" : snapshot.activity.c_str());
    return text;
}

}  // namespace

Captioning::Captioning(const CaptionOptions &options, const models::ModelAccess &access, Interrupts &interrupts)
    : m_options(options)
    , m_access(access)
    , m_interrupts(interrupts)
    , m_model{models::findModel(options.model, access.folders), options.device}
    , m_cache(access.captionCache())
{
    m_words->set(m_options.words);
    const auto blas = detectBlas();
    say(models::modelName(m_model.path) + " on " + access.loader->describe(m_model.device) + ", " + blas.description);
    if (!blas.warning.empty()) {
        std::fprintf(stderr, "braid-cli: %s\n", harmless(blas.warning).c_str());
    }
}

Captioned Captioning::caption(const audio::SourceSpec &source, const fs::path &place, OnInterrupt on_interrupt)
{
    Captioned result;
    try {
        if (isOffline()) {
            runOffline(source, place, result);
        } else {
            runLive(source, place, on_interrupt, result);
        }
    } catch (const Error &error) {
        result.failure = error;
    }
    return result;
}

bool Captioning::isOffline() const
{
    const models::CaptionPolicyEntry *entry = m_access.policies.find(m_options.captions.policy);
    return entry != nullptr && entry->runs == models::PolicyRuns::OnWholeRecordings;
}

void Captioning::say(const std::string &line) const
{
    if (m_options.loudness == Loudness::Normal) {
        std::fprintf(stderr, "braid: %s\n", harmless(line).c_str());
    }
}

void Captioning::showStatus(Output &output, const std::string &line) const
{
    if (m_options.loudness == Loudness::Normal) {
        output.status(line);
    }
}

void Captioning::runLive(const audio::SourceSpec &source, const fs::path &place, OnInterrupt on_interrupt, Captioned &result)
{
    const auto output = makeOutput(m_options.format, place);
    const auto facts = std::make_shared<SourceFacts>();
    captions::CaptionRun run;
    run.open_source = [source, facts] {
        auto opened = audio::openSource(source);
        facts->length_samples = opened->description().length_samples;
        return opened;
    };
    run.make_policy = captions::writtenBy(m_words, models::policyFactory(m_access, m_cache, m_model, m_options.captions));
    run.model_name = models::modelName(m_model.path);
    run.lines = m_options.lines;
    run.journal_folder = m_options.journal;
    run.tail_reporting = m_options.format == OutputFormat::Json ? captions::TailReporting::EveryChange : captions::TailReporting::SnapshotOnly;

    captions::CaptionEngine engine;
    engine.start(std::move(run));
    int obeyed = 0;
    for (bool over = false; !over;) {
        over = engine.waitUntilFinished(kLookEvery_s);
        // The snapshot first: a word that settles in between is then shown twice for a moment rather than not at all.
        const auto snapshot = engine.snapshot();
        for (const auto &event : engine.takeEvents()) {
            take(event.body, *output, result);
        }
        output->look(*snapshot);
        showStatus(*output, statusOf(*snapshot, *facts));
        obeyed = obey(engine, on_interrupt, obeyed);
    }
    showStatus(*output, {});
}

void Captioning::take(const captions::CaptionEventBody &event, Output &output, Captioned &result) const
{
    output.event(event);
    if (const auto *notice = std::get_if<runtime::Notice>(&event)) {
        result.notices.push_back(notice->sentence);
        output.status({});
        std::fprintf(stderr, "braid: %s\n", harmless(notice->sentence).c_str());
    } else if (const auto *failed = std::get_if<runtime::Failed>(&event)) {
        result.failure = errorOf(*failed);
    } else if (const auto *finished = std::get_if<captions::Finished>(&event)) {
        result.numbers = finished->statistics;
        const auto &numbers = result.numbers;
        char line[200];
        std::snprintf(line, sizeof line, "%s heard, %lld words, RTF %.3f, step %.0f ms (95 %%: %.0f ms)", formatClock(numbers.heard_samples).c_str(),
                      static_cast<long long>(numbers.committed_words), numbers.real_time_factor, numbers.step_ms_median, numbers.step_ms_p95);
        output.status({});
        say(line);
    }
}

int Captioning::obey(captions::CaptionEngine &engine, OnInterrupt on_interrupt, int obeyed) const
{
    const int asked = m_interrupts.count();
    const int enough_to_cancel = on_interrupt == OnInterrupt::Abandon ? 1 : 2;
    if (asked > 0 && obeyed == 0 && enough_to_cancel > 1) {
        say("captioning what was heard; once more ends at once");
        engine.stop();
    }
    if (asked >= enough_to_cancel && obeyed < enough_to_cancel) {
        engine.cancel();
    }
    return asked;
}

void Captioning::runOffline(const audio::SourceSpec &spec, const fs::path &place, Captioned &result)
{
    const auto output = makeOutput(m_options.format == OutputFormat::Live ? OutputFormat::Text : m_options.format, place);
    const auto source = audio::openSource(spec);
    const auto sound = readAll(*source, *output);
    std::stop_source stop;
    std::mutex mutex;
    std::string progress_line = "transcribing";
    const auto began = std::chrono::steady_clock::now();
    auto work = std::async(std::launch::async, [&] {
        const models::Progress progress = [&](double fraction, const std::string &what) {
            const std::lock_guard lock(mutex);
            progress_line = percent(fraction) + " " + what;
        };
        models::OfflineOptions offline = models::offlineOptions(m_options.captions);
        offline.lines = m_options.lines;
        return m_cache->take(m_model, progress, stop.get_token())->transcribe(sound, offline, progress, stop.get_token());
    });
    while (work.wait_for(std::chrono::duration<double>(kLookEvery_s)) != std::future_status::ready) {
        if (m_interrupts.count() > 0) {
            stop.request_stop();
        }
        const std::lock_guard lock(mutex);
        showStatus(*output, progress_line);
    }
    showStatus(*output, {});
    const text::Transcript transcript = m_options.words.applied(work.get());
    captions::Statistics numbers;
    numbers.heard_samples = static_cast<Sample>(sound.size());
    numbers.decoded_samples = numbers.heard_samples;
    numbers.real_time_factor =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count() / std::max(1e-9, secondsFromSamples(numbers.heard_samples));
    numbers.committed_words = std::count_if(transcript.begin(), transcript.end(), [](const auto &item) { return std::holds_alternative<text::Word>(item); });
    take(captions::Started{source->description().name, models::modelName(m_model.path), "offline"}, *output, result);
    take(captions::Committed{transcript}, *output, result);
    take(captions::Finished{numbers}, *output, result);
}

std::vector<float> Captioning::readAll(audio::Source &source, Output &output) const
{
    source.start();
    std::vector<float> sound;
    std::vector<float> piece(samplesFromSeconds(1));
    for (;;) {
        const auto result = source.read(piece, std::chrono::milliseconds(100));
        if (m_interrupts.count() > 0) {
            throw Error(ErrorKind::Cancelled, "cancelled");
        }
        if (static_cast<Sample>(sound.size()) > audio::kLongestWhole) {
            throw Error(ErrorKind::Input, "is longer than the " + formatClock(audio::kLongestWhole) + " that can be taken at once", source.description().name,
                        "Choose a live policy, or cut it into parts");
        }
        if (result.state == audio::ReadState::Sound) {
            sound.insert(sound.end(), piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(result.samples));
        } else if (result.state == audio::ReadState::Gap) {
            sound.resize(sound.size() + static_cast<std::size_t>(std::max<Sample>(0, result.gap_samples)));
        } else if (result.state == audio::ReadState::End) {
            return sound;
        }
        showStatus(output, "reading " + formatClock(static_cast<Sample>(sound.size())));
    }
}

}  // namespace braid::cli
