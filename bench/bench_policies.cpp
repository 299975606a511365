// What the caption policies cost and bring on real recordings: word error rate against lag, for any settings.
//
//   bench_policies MODEL MANIFEST [--threads N] [--limit N] [--every N] [--verbose] POLICY...
//
// MANIFEST: lines "PATH TAB TEXT", paths relative to the manifest's folder (absolute ones stay).
// POLICY: "la" or "aa" with settings in milliseconds, for example "la:step=700,guard=200,window=15000,prompt=0" or
//   "aa:step=500,threshold=80,last=400,window=20000,keep=10000,prompt=200". prompt counts characters. "offline" transcribes each utterance at once.
//
// Each recording is cut into utterances by the voice gate, as a live run does, and heard step by step; between two steps the clock
// stands still, so that the lag is the policy's own. lag: how much had been heard when a word was committed, less its end; first: the
// same when the word first appeared. Both count words' ends as the policy gave them.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "core/audio/read_whole.h"
#include "core/audio/voice_activity.h"
#include "core/base/cpu.h"
#include "core/base/error.h"
#include "core/decoding/align_att.h"
#include "core/decoding/local_agreement.h"
#include "core/metrics/percentiles.h"
#include "core/metrics/text_normaliser.h"
#include "core/metrics/word_error_rate.h"
#include "core/models/device_choice.h"
#include "core/models/whisper/whisper_recognizer.h"
#include "core/models/whisper/whisper_step_decoder.h"

namespace {

using namespace braid;
using Clock = std::chrono::steady_clock;

struct Utterance {
    std::vector<float> sound;
    Sample start_sample = 0;
};

struct Recording {
    std::string name;
    std::vector<std::string> words;
    std::vector<Utterance> utterances;
};

std::vector<Utterance> cutIntoUtterances(std::vector<float> sound)
{
    sound.resize(sound.size() + static_cast<std::size_t>(kSampleRateHz), 0.0f);  // people stop speaking before they stop the program
    audio::VoiceGate gate(audio::makeVoiceDetector(), {});
    std::vector<audio::VoiceEvent> events = gate.push(sound);
    const std::vector<audio::VoiceEvent> last = gate.finish();
    events.insert(events.end(), last.begin(), last.end());
    std::vector<Utterance> utterances;
    for (const audio::VoiceEvent &event : events) {
        if (event.kind == audio::VoiceEventKind::UtteranceBegins)
            utterances.push_back({{}, event.sample});
        else if (!utterances.empty())
            utterances.back().sound.assign(sound.begin() + utterances.back().start_sample, sound.begin() + std::min(event.sample, static_cast<Sample>(sound.size())));
    }
    return utterances;
}

struct PolicySpec {
    std::string text;
    std::string kind;
    std::map<std::string, long> settings;

    [[nodiscard]] Sample samples(const std::string &name, Sample otherwise) const
    {
        const auto found = settings.find(name);
        return found == settings.end() ? otherwise : samplesFromMs(found->second);
    }
};

PolicySpec parsePolicy(const std::string &text)
{
    PolicySpec spec{text, text.substr(0, text.find(':')), {}};
    if (spec.kind != "la" && spec.kind != "aa" && spec.kind != "offline")
        throw Error(ErrorKind::Usage, "a policy is la, aa or offline", text);
    std::istringstream settings(text.size() > spec.kind.size() ? text.substr(spec.kind.size() + 1) : "");
    for (std::string setting; std::getline(settings, setting, ',');) {
        const std::size_t equals = setting.find('=');
        if (equals == std::string::npos)
            throw Error(ErrorKind::Usage, "a setting is NAME=NUMBER", setting);
        spec.settings[setting.substr(0, equals)] = std::atol(setting.c_str() + equals + 1);
    }
    return spec;
}

std::unique_ptr<decoding::CaptionPolicy> makePolicy(const std::shared_ptr<const models::whisper::Model> &model, const PolicySpec &spec)
{
    models::CaptionOptions caption;
    caption.capture_attention = false;
    caption.rival_count = 0;
    const auto characters = spec.settings.find("prompt");
    if (spec.kind == "aa") {
        decoding::AlignAttOptions options;
        options.step_samples = spec.samples("step", options.step_samples);
        options.frame_threshold_samples = spec.samples("threshold", options.frame_threshold_samples);
        options.last_word_guard_samples = spec.samples("last", options.last_word_guard_samples);
        options.rewind_samples = spec.samples("rewind", options.rewind_samples);
        options.window_limit_samples = spec.samples("window", options.window_limit_samples);
        options.window_keep_samples = spec.samples("keep", options.window_keep_samples);
        if (characters != spec.settings.end())
            options.prompt.characters = static_cast<std::size_t>(characters->second);
        return std::make_unique<decoding::AlignAttPolicy>(std::make_unique<models::whisper::WhisperStepDecoder>(model, caption), options);
    }
    decoding::LocalAgreementOptions options;
    options.step_samples = spec.kind == "offline" ? samplesFromSeconds(3600) : spec.samples("step", options.step_samples);
    options.commit_guard_samples = spec.samples("guard", options.commit_guard_samples);
    options.window_limit_samples = spec.samples("window", options.window_limit_samples);
    if (characters != spec.settings.end())
        options.prompt.characters = static_cast<std::size_t>(characters->second);
    return std::make_unique<decoding::LocalAgreementPolicy>(std::make_unique<models::whisper::WhisperRecognizer>(model, caption), options);
}

struct Result {
    metrics::WordErrors errors;
    std::vector<double> commit_lag_ms;
    std::vector<double> first_lag_ms;
    std::vector<double> step_ms;
    long revised_words = 0;
    double heard_s = 0;
};

void hear(decoding::CaptionPolicy &policy, const Utterance &utterance, Result &result, std::string &text)
{
    const auto take = [&](decoding::PolicyUpdate (decoding::CaptionPolicy::*call)()) {
        const auto begin = Clock::now();
        const decoding::PolicyUpdate update = (policy.*call)();
        result.step_ms.push_back(std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
        for (const text::Word &word : update.committed) {
            text += (word.starts_without_space ? "" : " ") + word.text;
            result.commit_lag_ms.push_back(1000 * secondsFromSamples(word.committed_sample - word.end_sample));
            result.first_lag_ms.push_back(1000 * secondsFromSamples(word.first_seen_sample - word.end_sample));
            result.revised_words += word.revision_count > 0 ? 1 : 0;
        }
    };
    policy.beginUtterance(utterance.start_sample);
    const std::span<const float> sound = utterance.sound;
    const auto step = static_cast<std::size_t>(policy.stepSamples());
    for (std::size_t at = 0; at < sound.size(); at += step) {
        const std::span<const float> piece = sound.subspan(at, std::min(step, sound.size() - at));
        policy.addSound(piece);
        if (piece.size() == step)
            take(&decoding::CaptionPolicy::step);
    }
    take(&decoding::CaptionPolicy::endUtterance);
    result.heard_s += secondsFromSamples(static_cast<Sample>(sound.size()));
}

struct Options {
    std::string model;
    std::filesystem::path manifest;
    int threads = 0;
    long limit = 1L << 40;
    long every = 1;
    bool verbose = false;
    std::vector<PolicySpec> policies;
};

Options parse(int argc, char **argv)
{
    Options options;
    std::vector<std::string> names;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        const auto number = [&] { return i + 1 < argc ? std::atol(argv[++i]) : 0; };
        if (argument == "--threads")
            options.threads = static_cast<int>(number());
        else if (argument == "--limit")
            options.limit = number();
        else if (argument == "--every")
            options.every = std::max(1L, number());
        else if (argument == "--verbose")
            options.verbose = true;
        else
            names.push_back(argument);
    }
    if (names.size() < 3)
        throw Error(ErrorKind::Usage, "a model, a manifest and at least one policy are needed", "bench_policies");
    options.model = names[0];
    options.manifest = names[1];
    for (std::size_t i = 2; i < names.size(); ++i)
        options.policies.push_back(parsePolicy(names[i]));
    return options;
}

std::shared_ptr<const models::whisper::Model> loadModel(const Options &options)
{
    const models::DeviceChoice device{"cpu", models::NumberType::Float32, options.threads};
    static_cast<void>(models::applyDeviceChoice(device));
    weights::WhisperCheckpoint checkpoint = weights::readWhisperCheckpoint(options.model);
    const auto tokenizer = text::WhisperTokenizer::load(checkpoint.tokenizer_path, checkpoint.dims.n_vocab);
    return std::make_shared<models::whisper::Model>(std::move(checkpoint), tokenizer, models::placementOf(device));
}

std::vector<Recording> readManifest(const Options &options)
{
    std::ifstream manifest(options.manifest);
    if (!manifest)
        throw Error(ErrorKind::Input, "the manifest cannot be read", options.manifest.string());
    std::vector<Recording> recordings;
    long line_number = 0;
    for (std::string line; std::getline(manifest, line) && static_cast<long>(recordings.size()) < options.limit;) {
        const std::size_t tab = line.find('\t');
        if (line_number++ % options.every != 0 || tab == std::string::npos)
            continue;
        const std::string name = line.substr(0, tab);
        recordings.push_back({name, metrics::normalisedWords(line.substr(tab + 1)), cutIntoUtterances(audio::readWhole(options.manifest.parent_path() / name))});
    }
    return recordings;
}

void measure(const Options &options)
{
    const auto model = loadModel(options);
    const std::vector<Recording> recordings = readManifest(options);
    std::printf("%zu recordings\n%-58s %6s %5s %5s %5s | %6s %6s %6s | %6s %6s | %5s | %6s %6s %6s\n", recordings.size(), "policy", "WER %", "sub", "ins", "del", "lag ms", "p50", "p95",
                "first", "p95", "rev %", "step", "p95 ms", "RTF");
    for (const PolicySpec &spec : options.policies) {
        const auto policy = makePolicy(model, spec);
        Result result;
        for (const Recording &recording : recordings) {
            std::string text;
            for (const Utterance &utterance : recording.utterances)
                hear(*policy, utterance, result, text);
            const metrics::WordErrors errors = metrics::countWordErrors(recording.words, metrics::normalisedWords(text));
            result.errors += errors;
            if (options.verbose)
                std::printf("%s  %.1f %%\n  heard:%s\n", recording.name.c_str(), 100 * errors.rate(), text.c_str());
        }
        const auto mean = [](const std::vector<double> &values) {
            double sum = 0;
            for (const double value : values)
                sum += value;
            return values.empty() ? 0 : sum / static_cast<double>(values.size());
        };
        std::printf("%-58s %6.2f %5lld %5lld %5lld | %6.0f %6.0f %6.0f | %6.0f %6.0f | %5.1f | %6.1f %6.1f %6.3f\n", spec.text.c_str(), 100 * result.errors.rate(),
                    static_cast<long long>(result.errors.substitutions), static_cast<long long>(result.errors.insertions), static_cast<long long>(result.errors.deletions),
                    mean(result.commit_lag_ms), metrics::percentile(result.commit_lag_ms, 50), metrics::percentile(result.commit_lag_ms, 95), mean(result.first_lag_ms),
                    metrics::percentile(result.first_lag_ms, 95), 100.0 * static_cast<double>(result.revised_words) / std::max<double>(1, static_cast<double>(result.commit_lag_ms.size())),
                    metrics::percentile(result.step_ms, 50), metrics::percentile(result.step_ms, 95), mean(result.step_ms) * static_cast<double>(result.step_ms.size()) / 1000 / std::max(1.0, result.heard_s));
        std::fflush(stdout);
    }
}

}  // namespace

int main(int argc, char **argv)
{
    restartWithTunedEnvironment(argv);
    try {
        measure(parse(argc, argv));
    } catch (const braid::Error &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return exitCodeFor(error.kind());
    }
    return 0;
}
