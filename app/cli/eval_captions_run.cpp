// `braid-cli eval captions`: all policies on the same recordings (CarelessWhisper, section VII).
//
// A recording is heard chunk by chunk as fast as the machine can; between two chunks the clock stands still. Lags are counted twice: of heard
// sound, which is the policy's own, and with computing, as a live run on this machine would have them.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <sstream>

#include "app/cli/eval_captions.h"
#include "app/cli/harmless.h"
#include "app/cli/terminal.h"
#include "core/audio/voice_activity.h"
#include "core/base/error.h"
#include "core/metrics/english_normaliser.h"
#include "core/metrics/text_normaliser.h"
#include "lab/corpus/read_corpus.h"
#include "lab/corpus/utterance_sound.h"
#include "lab/metrics/live_clock.h"
#include "lab/metrics/streaming_errors.h"

namespace braid::cli {
namespace {

using Clock = std::chrono::steady_clock;

// A recording with what is needed to score it.
struct Recording {
    std::string name;
    std::vector<float> sound;
    std::string text;                       // as it stands in the manifest
    std::vector<std::string> words;         // normalised
    std::vector<Sample> ends;               // of each; empty: unknown
    std::vector<metrics::TimedText> timed;  // the words as they stand in the manifest
};

std::string plainText(std::span<const text::Word> words)
{
    std::string text;
    for (const text::Word &word : words) {
        text += (text.empty() || word.starts_without_space ? "" : " ") + word.text;
    }
    return text;
}

// What is compared where nobody says what: all policies of a Whisper; of a model that listens one token a step and as many as it has heads for.
std::vector<std::string> usualPolicies(const models::ModelAccess &access, const models::ModelChoice &choice)
{
    for (const models::ModelSummary &model : access.loader->captionModels(std::span(&choice.path, 1))) {
        if (model.kind == models::CaptionModelKind::SpeechLm) {
            return model.token_heads > 1 ? std::vector<std::string>{"slm", "slm:heads=" + std::to_string(model.token_heads)} : std::vector<std::string>{"slm"};
        }
    }
    return {"streaming:beam=1", "streaming", "la", "aa", "offline"};
}

class Hearing {
  public:
    Hearing(const EvalOptions &options, const models::ModelAccess &access, Interrupts &interrupts)
        : m_options(options)
        , m_access(access)
        , m_interrupts(interrupts)
        , m_choice{models::findModel(options.common.model, access.folders), options.common.device}
        , m_device(access.loader->describe(m_choice.device))
    {
        for (const std::string &policy : singlePolicies(options.policies.empty() ? usualPolicies(access, m_choice) : options.policies)) {
            m_policies.push_back({policy, access.policies.parse(policy, options.common.captions), nullptr});
            m_policies.back().entry = access.policies.find(m_policies.back().options.policy);
            m_results.emplace_back();
            m_results.back().policy = policy;
        }
    }

    [[nodiscard]] Evaluation run()
    {
        const corpus::Corpus corpus = corpus::readCorpus(m_options.manifest, corpus::TextForm::AsWritten);
        for (const std::string &notice : corpus.notices) {
            say(notice);
        }
        std::vector<corpus::Utterance> chosen;
        for (std::size_t i = 0; i < corpus.utterances.size() && (m_options.limit == 0 || chosen.size() < m_options.limit);
             i += std::max<std::size_t>(1, m_options.every)) {
            chosen.push_back(corpus.utterances[i]);
        }
        if (chosen.empty()) {
            throw Error(ErrorKind::Input, "the manifest names no recording", m_options.manifest);
        }
        m_model = m_access.captionCache()->take(m_choice, {}, {});
        for (std::size_t p = 0; p < m_policies.size(); ++p) {
            m_results[p].chunk_ms = chunkMs(m_policies[p]);
        }
        for (std::size_t i = 0; i < chosen.size() && !stopped(); ++i) {
            const std::optional<Recording> readable = preparedOrTold(chosen[i]);
            if (!readable) {
                continue;
            }
            const Recording &recording = *readable;
            for (std::size_t p = 0; p < m_policies.size() && !stopped(); ++p) {
                say(std::to_string(i + 1) + " of " + std::to_string(chosen.size()) + "  " + m_policies[p].name + "  " + recording.name, Line::Passing);
                const EvalResult result = hear(recording, m_policies[p]);
                if (!m_stopped) {
                    m_results[p] += result;
                }
            }
        }
        say({}, Line::Passing);
        if (m_unreadable == chosen.size()) {
            throw Error(ErrorKind::Input, "none of its recordings could be read", m_options.manifest);
        }
        if (stopped()) {
            say("stopped; these are the figures of what was heard");
        }
        return {{models::modelName(m_choice.path), m_device, m_options.manifest, m_options.normaliser, m_options.utterances, !m_stopped},
                std::move(m_results),
                m_unreadable};
    }

  private:
    enum class Line : std::uint8_t { Lasting = 1, Passing };

    void say(const std::string &line, Line kind = Line::Lasting) const
    {
        if (m_options.reporting == Reporting::Nothing) {
            return;
        }
        if (kind == Line::Lasting) {
            std::fprintf(stderr, "braid: %s\n", harmless(line).c_str());
        } else if (isTerminal(Stream::Error)) {
            std::fprintf(stderr, "\r\033[K%s", line.c_str());
        }
    }
    bool stopped()
    {
        m_stopped = m_stopped || m_interrupts.count() > 0;
        return m_stopped;
    }

    [[nodiscard]] std::vector<std::string> normalised(const std::string &text) const
    {
        return m_options.normaliser == Normaliser::English ? metrics::englishWords(text) : metrics::normalisedWords(text);
    }

    // Nothing where the sound cannot be read: the others still have their turn.
    [[nodiscard]] std::optional<Recording> preparedOrTold(const corpus::Utterance &utterance)
    {
        try {
            return prepared(utterance);
        } catch (const Error &error) {
            ++m_unreadable;
            std::fprintf(stderr, "braid-cli: %s\n", harmless(error.what()).c_str());
            return {};
        }
    }

    [[nodiscard]] Recording prepared(const corpus::Utterance &utterance) const
    {
        Recording recording;
        recording.name = utterance.sound.filename().string();
        recording.sound = corpus::readSound(utterance);
        recording.text = utterance.text;
        recording.words = normalised(utterance.text);
        std::vector<std::string> one_by_one;
        std::vector<Sample> ends;
        for (const corpus::TimedWord &word : utterance.words) {
            recording.timed.push_back({metrics::normalised(word.text), word.start_sample, word.end_sample});
            for (std::string &normal : normalised(word.text)) {
                one_by_one.push_back(std::move(normal));
                ends.push_back(word.end_sample);
            }
        }
        // Long texts are not compared chunk by chunk, and it is for this that ends are wanted.
        if (!ends.empty() && recording.words.size() <= metrics::kMostStreamedWords) {
            // Words of the whole text may be fewer or more than those of each word alone ("twenty one"): each gets the end of its place.
            recording.ends.assign(recording.words.size(), ends.back());
            Sample end = 0;
            for (const metrics::Edit &edit : metrics::alignWords(recording.words, one_by_one)) {
                end = std::max(end, edit.hypothesis_index < ends.size() ? ends[edit.hypothesis_index] : ends.back());
                if (edit.kind != metrics::EditKind::Insertion) {
                    recording.ends[edit.reference_index] = end;
                }
            }
        }
        return recording;
    }

    [[nodiscard]] int chunkMs(const EvalPolicy &policy)
    {
        if (policy.entry->runs == models::PolicyRuns::OnWholeRecordings || policy.options.step_ms > 0) {
            return policy.entry->make ? policy.options.step_ms : 0;
        }
        if (policy.entry->runs == models::PolicyRuns::OnAnyModel || policy.entry->runs == models::PolicyRuns::OnSpeechLanguageModels) {
            return static_cast<int>(msFromSamples(m_access.policies.make(*m_model, policy.options)->stepSamples()));
        }
        const int own_ms = m_model->summary().own_chunk_ms;
        return own_ms > 0 ? own_ms : static_cast<int>(msFromSamples(captions::Chunking{}.chunk_samples));
    }

    // Of this recording alone; half of one where it is interrupted.
    [[nodiscard]] EvalResult hear(const Recording &recording, const EvalPolicy &policy)
    {
        EvalResult result;
        std::vector<text::Word> said;
        metrics::LiveClock clock;
        if (!policy.entry->make) {
            said = transcribed(recording, policy, result);
        } else {
            said = streamed(recording, policy, result, clock);
        }
        if (m_stopped) {
            return result;
        }
        result.recordings = 1;
        result.heard_s = secondsFromSamples(static_cast<Sample>(recording.sound.size()));
        const std::string text = plainText(said);
        const metrics::WordErrors errors = metrics::countWordErrors(recording.words, normalised(text));
        if (recording.words.empty()) {
            result.speechless = {1, result.heard_s, errors.insertions};
        } else {
            result.errors = errors;
            result.punctuation = metrics::scorePunctuation(recording.text, text, [this](std::string_view part) { return normalised(std::string(part)); });
            scoreTimes(recording, said, clock, policy, result);
        }
        if (m_options.reporting == Reporting::Texts) {
            std::fprintf(stderr, "%s  %s  %.1f %%\n  heard: %s\n", recording.name.c_str(), policy.name.c_str(), 100 * errors.rate(), text.c_str());
        }
        return result;
    }

    std::vector<text::Word> transcribed(const Recording &recording, const EvalPolicy &policy, EvalResult &result)
    {
        std::stop_source stop;
        const auto watch = [&](double, const std::string &) {
            if (stopped()) {
                stop.request_stop();
            }
        };
        const auto begin = Clock::now();
        std::vector<text::Word> said;
        try {
            for (const text::TranscriptItem &item : m_model->transcribe(recording.sound, models::offlineOptions(policy.options), watch, stop.get_token())) {
                if (const auto *word = std::get_if<text::Word>(&item)) {
                    said.push_back(*word);
                }
            }
        } catch (const Error &error) {
            if (error.kind() != ErrorKind::Cancelled) {
                throw;
            }
        }
        const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
        result.compute_s = seconds;
        result.step_ms.push_back(1000 * seconds);
        return said;
    }

    std::vector<text::Word> streamed(const Recording &recording, const EvalPolicy &policy, EvalResult &result, metrics::LiveClock &clock)
    {
        const auto captioner = m_access.policies.make(*m_model, policy.options);
        metrics::StreamingErrors errors(recording.words, recording.ends);
        std::vector<text::Word> said;
        bool waits_for_words = !recording.words.empty();
        for (const auto &[from, until] : utterancesOf(recording)) {
            captioner->beginUtterance(from);
            Sample heard = from;
            const auto take = [&](captions::PolicyUpdate (captions::CaptionPolicy::*call)()) {
                const auto begin = Clock::now();
                const captions::PolicyUpdate update = (captioner.get()->*call)();
                result.step_ms.push_back(std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
                result.compute_s += result.step_ms.back() / 1000;
                clock.addStep(heard, result.step_ms.back());
                result.decoder_passes += update.decoder_steps;
                said.insert(said.end(), update.committed.begin(), update.committed.end());
                if (errors.counts()) {
                    std::vector<text::Word> all = said;
                    all.insert(all.end(), update.tail.begin(), update.tail.end());
                    errors.add(normalised(plainText(all)), heard);
                }
                if (waits_for_words && !(said.empty() && update.tail.empty())) {
                    waits_for_words = false;
                    const text::Word &first = said.empty() ? update.tail.front() : said.front();
                    const Sample end = recording.timed.empty() ? first.end_sample : recording.timed.front().end_sample;
                    result.first_word_lag_ms.push_back(1000 * secondsFromSamples(heard - end));
                }
            };
            while (heard < until && !stopped()) {
                const Sample step = captioner->stepSamples();
                const Sample length = std::min(step, until - heard);
                captioner->addSound(std::span(recording.sound).subspan(static_cast<std::size_t>(heard), static_cast<std::size_t>(length)));
                heard += length;
                if (length == step) {
                    take(&captions::CaptionPolicy::step);
                    result.chunk_rtf.push_back(result.step_ms.back() / 1000 / secondsFromSamples(step));
                }
            }
            if (!m_stopped) {
                take(&captions::CaptionPolicy::endUtterance);
            }
        }
        compareTenths(result.step_ms, secondsFromSamples(static_cast<Sample>(recording.sound.size())), result.long_ones);
        if (!recording.words.empty()) {
            result.relative_errors = errors.relative();
            result.aligned_errors = errors.aligned();
        }
        return said;
    }

    static void compareTenths(std::span<const double> step_ms, double length_s, LongResult &result)
    {
        const std::size_t tenth = step_ms.size() / 10;
        if (length_s < LongResult::kLong_s || tenth == 0) {
            return;
        }
        result.recordings = 1;
        result.longest_s = length_s;
        result.first_tenth_ms.assign(step_ms.begin(), step_ms.begin() + static_cast<std::ptrdiff_t>(tenth));
        result.last_tenth_ms.assign(step_ms.end() - static_cast<std::ptrdiff_t>(tenth), step_ms.end());
    }

    [[nodiscard]] std::vector<std::pair<Sample, Sample>> utterancesOf(const Recording &recording) const
    {
        const auto length = static_cast<Sample>(recording.sound.size());
        if (m_options.utterances == Utterances::Whole) {
            return {{0, length}};
        }
        audio::VoiceGate gate(audio::makeVoiceDetector(), {});
        std::vector<audio::VoiceEvent> events = gate.push(recording.sound);
        const std::vector<audio::VoiceEvent> last = gate.finish();
        events.insert(events.end(), last.begin(), last.end());
        std::vector<std::pair<Sample, Sample>> utterances;
        for (const audio::VoiceEvent &event : events) {
            if (event.kind == audio::VoiceEventKind::UtteranceBegins) {
                utterances.emplace_back(event.sample, length);
            } else if (!utterances.empty()) {
                utterances.back().second = std::min(event.sample, length);
            }
        }
        return utterances;
    }

    // Lags and word times: against the manifest's times where it has them, else lags against the policy's own.
    void scoreTimes(const Recording &recording, const std::vector<text::Word> &said, const metrics::LiveClock &clock, const EvalPolicy &policy,
                    EvalResult &result) const
    {
        const bool streams = policy.entry->make != nullptr;
        std::vector<metrics::TimedText> found;
        for (const text::Word &word : said) {
            found.push_back({metrics::normalised(word.text), word.start_sample, word.end_sample});
            result.revised_words += word.revision_count > 0 ? 1 : 0;
        }
        result.words = static_cast<std::int64_t>(said.size());
        const auto addLag = [&](const text::Word &word, Sample end) {
            if (streams) {
                const double end_ms = 1000 * secondsFromSamples(end);
                result.lags.seen_ms.push_back(1000 * secondsFromSamples(word.first_seen_sample) - end_ms);
                result.lags.settled_ms.push_back(1000 * secondsFromSamples(word.committed_sample) - end_ms);
                result.lags.seen_live_ms.push_back(clock.shownAt_ms(word.first_seen_sample) - end_ms);
                result.lags.settled_live_ms.push_back(clock.shownAt_ms(word.committed_sample) - end_ms);
            }
        };
        const bool is_too_long = !metrics::canAlignWords(recording.timed.size(), said.size());
        if (is_too_long) {
            say(recording.name + " has too many words to pair them one by one: its lags are against the policy's own times, and its word times are not scored");
        }
        if (recording.timed.empty() || is_too_long) {
            for (const text::Word &word : said) {
                addLag(word, word.end_sample);
            }
            result.lags.by_policy = static_cast<std::int64_t>(result.lags.seen_ms.size());
            return;
        }
        std::vector<std::string> reference, hypothesis;
        for (const metrics::TimedText &word : recording.timed) {
            reference.push_back(word.text);
        }
        for (const metrics::TimedText &word : found) {
            hypothesis.push_back(word.text);
        }
        for (const metrics::Edit &edit : metrics::alignWords(reference, hypothesis)) {
            if (edit.kind == metrics::EditKind::Same) {
                addLag(said[edit.hypothesis_index], recording.timed[edit.reference_index].end_sample);
            }
        }
        result.lags.by_reference = static_cast<std::int64_t>(result.lags.seen_ms.size());
        result.times = metrics::scoreWordTimes(recording.timed, found, samplesFromMs(600));
    }

    const EvalOptions &m_options;
    const models::ModelAccess &m_access;
    Interrupts &m_interrupts;
    models::ModelChoice m_choice;
    std::string m_device;
    std::shared_ptr<models::CaptionModel> m_model;
    std::vector<EvalPolicy> m_policies;
    std::vector<EvalResult> m_results;
    std::size_t m_unreadable = 0;
    bool m_stopped = false;
};

void append(std::vector<double> &to, const std::vector<double> &more)
{
    to.insert(to.end(), more.begin(), more.end());
}

}  // namespace

std::vector<std::string> singlePolicies(const std::vector<std::string> &given)
{
    std::vector<std::string> policies;
    for (const std::string &list : given) {
        std::istringstream pieces(list);
        for (std::string piece; std::getline(pieces, piece, ',');) {
            if (piece.find('=') < piece.find(':') && !policies.empty()) {
                policies.back() += "," + piece;
            } else if (!piece.empty()) {
                policies.push_back(piece);
            }
        }
    }
    return policies;
}

WordLags &WordLags::operator+=(const WordLags &other)
{
    append(seen_ms, other.seen_ms);
    append(settled_ms, other.settled_ms);
    append(seen_live_ms, other.seen_live_ms);
    append(settled_live_ms, other.settled_live_ms);
    by_reference += other.by_reference;
    by_policy += other.by_policy;
    return *this;
}

EvalResult &EvalResult::operator+=(const EvalResult &recording)
{
    recordings += recording.recordings;
    heard_s += recording.heard_s;
    compute_s += recording.compute_s;
    errors += recording.errors;
    relative_errors += recording.relative_errors;
    aligned_errors += recording.aligned_errors;
    speechless.recordings += recording.speechless.recordings;
    speechless.heard_s += recording.speechless.heard_s;
    speechless.words += recording.speechless.words;
    long_ones.recordings += recording.long_ones.recordings;
    long_ones.longest_s = std::max(long_ones.longest_s, recording.long_ones.longest_s);
    append(long_ones.first_tenth_ms, recording.long_ones.first_tenth_ms);
    append(long_ones.last_tenth_ms, recording.long_ones.last_tenth_ms);
    append(step_ms, recording.step_ms);
    append(chunk_rtf, recording.chunk_rtf);
    append(first_word_lag_ms, recording.first_word_lag_ms);
    lags += recording.lags;
    punctuation += recording.punctuation;
    words += recording.words;
    revised_words += recording.revised_words;
    decoder_passes += recording.decoder_passes;
    times += recording.times;
    return *this;
}

Evaluation evaluateCaptions(const EvalOptions &options, const models::ModelAccess &access, Interrupts &interrupts)
{
    return Hearing(options, access, interrupts).run();
}

}  // namespace braid::cli
