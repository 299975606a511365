// `braid-cli caption`: one source after the other, live through the engine or as a whole by the offline policy.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <future>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "app/cli/commands.h"
#include "app/cli/failed_run.h"
#include "app/cli/harmless.h"
#include "app/cli/output.h"
#include "core/audio/read_whole.h"
#include "core/base/blas.h"
#include "core/base/error.h"
#include "core/captions/caption_engine.h"

namespace braid::cli {
namespace {

namespace fs = std::filesystem;
constexpr double kLookEvery_s = 0.05;

std::string extensionOf(OutputFormat format)
{
    switch (format) {
    case OutputFormat::Srt:
        return ".srt";
    case OutputFormat::Vtt:
        return ".vtt";
    case OutputFormat::Json:
        return ".jsonl";
    case OutputFormat::Live:
    case OutputFormat::Text:
        break;
    }
    return ".txt";
}

// Where the captions of one source go: --out itself, or a file of the source's name in the folder --out.
fs::path placeFor(const audio::SourceSpec &source, const CaptionOptions &options)
{
    std::error_code problem;
    const bool folder = !options.out.empty() && (fs::is_directory(options.out, problem) || !options.out.has_filename());
    if (!folder) {
        return options.out;
    }
    if (!fs::is_directory(options.out, problem)) {
        throw Error(ErrorKind::Storage, "there is no such folder", options.out.string(), "Make it first, or name a file.");
    }
    auto name = source.kind == audio::SourceKind::File ? source.path.stem() : fs::path("captions");
    name += extensionOf(options.format);
    return options.out / name;
}

// Before the model is loaded: what cannot be written, or would be lost, is known at once.
void requirePlaces(const CaptionOptions &options)
{
    OutputFiles outputs(options.existing);
    for (const auto &source : options.sources) {
        outputs.reads(source.path);
    }
    for (const auto &source : options.sources) {
        outputs.writes(placeFor(source, options));
    }
}

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

class CaptionCommand {
  public:
    CaptionCommand(const CaptionOptions &options, const models::ModelAccess &access, Interrupts &interrupts)
        : m_options(options)
        , m_access(access)
        , m_interrupts(interrupts)
        , m_model{models::findModel(options.model, access.folders), options.device}
        , m_cache(access.captionCache())
    {
        const auto blas = detectBlas();
        say(models::modelName(m_model.path) + " on " + access.loader->describe(m_model.device) + ", " + blas.description);
        if (!blas.warning.empty()) {
            std::fprintf(stderr, "braid-cli: %s\n", harmless(blas.warning).c_str());
        }
    }

    [[nodiscard]] int runAll()
    {
        int exit_code = 0;
        for (const auto &source : m_options.sources) {
            if (m_interrupts.count() > 0) {
                break;
            }
            if (m_options.sources.size() > 1) {
                say(source.path.string());
            }
            std::optional<Error> failure;
            try {
                failure = isOffline() ? runOffline(source) : runLive(source);
            } catch (const Error &error) {
                failure = error;
            }
            if (failure && failure->kind() != ErrorKind::Cancelled) {
                // The others still have their turn.
                std::fprintf(stderr, "braid-cli: %s\n", harmless(failure->what()).c_str());
                exit_code = exitCodeFor(failure->kind());
            }
        }
        return exit_code;
    }

  private:
    [[nodiscard]] bool isOffline() const
    {
        const models::CaptionPolicyEntry *entry = m_access.policies.find(m_options.captions.policy);
        return entry != nullptr && entry->runs == models::PolicyRuns::OnWholeRecordings;
    }
    void say(const std::string &line) const
    {
        if (m_options.loudness == Loudness::Normal) {
            std::fprintf(stderr, "braid: %s\n", harmless(line).c_str());
        }
    }

    void showStatus(Output &output, const std::string &line) const
    {
        if (m_options.loudness == Loudness::Normal) {
            output.status(line);
        }
    }

    std::optional<Error> runLive(const audio::SourceSpec &source)
    {
        const auto output = makeOutput(m_options.format, placeFor(source, m_options));
        const auto facts = std::make_shared<SourceFacts>();
        captions::CaptionRun run;
        run.open_source = [source, facts] {
            auto opened = audio::openSource(source);
            facts->length_samples = opened->description().length_samples;
            return opened;
        };
        run.make_policy = models::policyFactory(m_access, m_cache, m_model, m_options.captions);
        run.model_name = models::modelName(m_model.path);
        run.lines = m_options.lines;
        run.journal_folder = m_options.journal;
        run.tail_reporting = m_options.format == OutputFormat::Json ? captions::TailReporting::EveryChange : captions::TailReporting::SnapshotOnly;

        captions::CaptionEngine engine;
        engine.start(std::move(run));
        std::optional<Error> failure;
        int obeyed = 0;
        for (bool over = false; !over;) {
            over = engine.waitUntilFinished(kLookEvery_s);
            // The snapshot first: a word that settles in between is then shown twice for a moment rather than not at all.
            const auto snapshot = engine.snapshot();
            for (const auto &event : engine.takeEvents()) {
                take(event.body, *output, failure);
            }
            output->look(*snapshot);
            showStatus(*output, statusOf(*snapshot, *facts));
            obeyed = obey(engine, obeyed);
        }
        showStatus(*output, {});
        return failure;
    }

    void take(const captions::CaptionEventBody &event, Output &output, std::optional<Error> &failure) const
    {
        output.event(event);
        if (const auto *notice = std::get_if<runtime::Notice>(&event)) {
            output.status({});
            std::fprintf(stderr, "braid: %s\n", harmless(notice->sentence).c_str());
        } else if (const auto *failed = std::get_if<runtime::Failed>(&event)) {
            failure = errorOf(*failed);
        } else if (const auto *finished = std::get_if<captions::Finished>(&event)) {
            const auto &numbers = finished->statistics;
            char line[200];
            std::snprintf(line, sizeof line, "%s heard, %lld words, RTF %.3f, step %.0f ms (95 %%: %.0f ms)", formatClock(numbers.heard_samples).c_str(),
                          static_cast<long long>(numbers.committed_words), numbers.real_time_factor, numbers.step_ms_median, numbers.step_ms_p95);
            output.status({});
            say(line);
        }
    }

    // The first Ctrl+C stops listening, the second ends at once.
    int obey(captions::CaptionEngine &engine, int obeyed) const
    {
        const int asked = m_interrupts.count();
        if (asked > 0 && obeyed == 0) {
            say("captioning what was heard; once more ends at once");
            engine.stop();
        }
        if (asked > 1 && obeyed <= 1) {
            engine.cancel();
        }
        return asked;
    }

    std::optional<Error> runOffline(const audio::SourceSpec &spec)
    {
        const auto output = makeOutput(m_options.format == OutputFormat::Live ? OutputFormat::Text : m_options.format, placeFor(spec, m_options));
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
        const auto transcript = work.get();
        captions::Statistics numbers;
        numbers.heard_samples = static_cast<Sample>(sound.size());
        numbers.decoded_samples = numbers.heard_samples;
        numbers.real_time_factor =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count() / std::max(1e-9, secondsFromSamples(numbers.heard_samples));
        numbers.committed_words =
            std::count_if(transcript.begin(), transcript.end(), [](const auto &item) { return std::holds_alternative<text::Word>(item); });
        std::optional<Error> failure;
        take(captions::Started{source->description().name, models::modelName(m_model.path), "offline"}, *output, failure);
        take(captions::Committed{transcript}, *output, failure);
        take(captions::Finished{numbers}, *output, failure);
        return failure;
    }

    std::vector<float> readAll(audio::Source &source, Output &output) const
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
                throw Error(ErrorKind::Input, "is longer than the " + formatClock(audio::kLongestWhole) + " that can be taken at once",
                            source.description().name, "Choose a live policy, or cut it into parts");
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

    const CaptionOptions &m_options;
    const models::ModelAccess &m_access;
    Interrupts &m_interrupts;
    models::ModelChoice m_model;
    std::shared_ptr<models::CaptionModelCache> m_cache;
};

}  // namespace

int runCaption(const CaptionOptions &options, const models::ModelAccess &access, Interrupts &interrupts)
{
    requirePlaces(options);
    return CaptionCommand(options, access, interrupts).runAll();
}

}  // namespace braid::cli
