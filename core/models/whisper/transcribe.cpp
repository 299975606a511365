#include "core/models/whisper/transcribe.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/models/whisper/segment_words.h"

namespace braid::models::whisper {

namespace {

constexpr double kMelFramesPerSecond = static_cast<double>(kSampleRateHz) / features::kHopSamples;
constexpr float kForgetAboveTemperature = 0.5f;  // text found by guessing makes a bad prompt
constexpr float kSilentPeak = 1e-4f;
constexpr Sample kQuietStretch = samplesFromMs(200);

bool isBlank(const std::string &text)
{
    return text.find_first_not_of(" \t\n\r") == std::string::npos;
}

// The state of one run over a long sound.
class Run {
  public:
    Run(const Model &model, const TranscribeOptions &options, const Progress &progress, const std::stop_token &stop)
        : m_model(model)
        , m_options(options)
        , m_progress(progress)
        , m_stop(stop)
    {
        m_decode.task = options.offline.task == SpeechTask::Translate ? Task::Translate : Task::Transcribe;
        m_decode.beam_size = options.offline.beam_size;
        m_decode.best_of = options.best_of;
        m_decode.patience = options.patience;
        m_decode.length_penalty = options.length_penalty;
        m_decode.max_tokens = options.max_tokens;
        m_decode.seed = options.offline.seed;
        m_decode.stop = stop;
        m_decode.language = model.resolveLanguage(options.offline.language);
    }

    LongTranscript overTimestamps(std::span<const float> sound)
    {
        const std::int64_t window = m_model.windowMelFrames();
        const at::Tensor mel = melTensor(m_model.logMel().compute(sound, m_model.windowSamples()));
        const std::int64_t content = mel.size(1) - window;
        chooseLanguage([&] { return m_model.listen(window == mel.size(1) ? mel : mel.narrow(1, 0, window), m_stop); });
        m_decode.timestamps = Timestamps::With;
        std::int64_t seek = 0;
        while (seek < content) {
            report(static_cast<double>(seek) / static_cast<double>(content));
            const std::int64_t size = std::min(window, content - seek);
            // Published Whisper fills a short window with zeros of the log-mel itself.
            at::Tensor part = at::zeros({mel.size(0), window}, mel.options());
            part.narrow(1, 0, size).copy_(mel.narrow(1, seek, size));
            seek = oneWindow(m_model.listen(part, m_stop), seek, size);
        }
        return finish();
    }

    LongTranscript overQuietCuts(std::span<const float> sound)
    {
        bool language_known = false;
        std::size_t begin = 0;
        while (begin < sound.size()) {
            report(static_cast<double>(begin) / static_cast<double>(sound.size()));
            std::span<const float> window = sound.subspan(begin);
            if (window.size() > static_cast<std::size_t>(m_model.windowSamples())) {
                window = window.first(static_cast<std::size_t>(m_model.windowSamples()));
                window = window.first(quietestCut(window));
            }
            if (std::any_of(window.begin(), window.end(), [](float sample) { return std::abs(sample) > kSilentPeak; })) {
                const SoundCache cache = m_model.listen(m_model.windowMel(window), m_stop);
                if (!language_known) {
                    chooseLanguage([&] { return cache; });
                    language_known = true;
                }
                wholeWindow(cache, begin, window.size());
            }
            begin += window.size();
        }
        return finish();
    }

  private:
    void report(double fraction) const
    {
        if (m_stop.stop_requested()) {
            throw Error(ErrorKind::Cancelled, "the transcription was cancelled");
        }
        if (m_progress) {
            m_progress(fraction, "transcribing");
        }
    }

    LongTranscript finish()
    {
        report(1);
        m_result.language = m_decode.language;
        return std::move(m_result);
    }

    template <typename Listen>
    void chooseLanguage(const Listen &listen)
    {
        if (m_decode.language.empty()) {
            const auto languages = detectLanguage(m_model, listen());
            m_decode.language = languages.empty() ? std::string("en") : languages.front().first;
        }
    }

    [[nodiscard]] bool isSilence(const DecodedWindow &window) const
    {
        return window.no_speech_probability > m_options.offline.no_speech_threshold &&
               window.average_log_probability <= m_options.offline.log_probability_threshold;
    }

    [[nodiscard]] Segment segmentOf(const DecodedWindow &window, double window_start_s, double start_s, double end_s,
                                    std::span<const std::int32_t> tokens) const
    {
        Segment segment;
        segment.window_start_s = window_start_s;
        segment.start_s = start_s;
        segment.end_s = end_s;
        segment.tokens.assign(tokens.begin(), tokens.end());
        segment.text = m_model.tokenizer().decode(tokens);
        segment.temperature = window.temperature;
        segment.average_log_probability = window.average_log_probability;
        segment.compression_ratio = window.compression_ratio;
        segment.no_speech_probability = window.no_speech_probability;
        return segment;
    }

    void addWordTimes(const SoundCache &sound, std::vector<Segment> &segments, std::int64_t frames)
    {
        std::vector<std::int32_t> text_tokens;
        for (const Segment &segment : segments) {
            std::copy_if(segment.tokens.begin(), segment.tokens.end(), std::back_inserter(text_tokens),
                         [this](std::int32_t id) { return id < m_model.tokenizer().endOfText(); });
        }
        Alignment alignment = alignWords(m_model, sound, text_tokens, frames, {m_decode.language, m_decode.task, m_options.rival_count, false});
        tidyWords(alignment);
        giveWordsToSegments(segments, alignment, m_model.tokenizer().endOfText(), m_last_speech_s);
    }

    void keep(std::vector<Segment> segments, float temperature)
    {
        for (Segment &segment : segments) {
            // Nothing heard, or no time for it: the place stays, empty.
            if (segment.start_s == segment.end_s || isBlank(segment.text)) {
                segment.text.clear();
                segment.tokens.clear();
                segment.words.clear();
                segment.word_tokens.clear();
            }
            m_all_tokens.insert(m_all_tokens.end(), segment.tokens.begin(), segment.tokens.end());
            m_result.segments.push_back(std::move(segment));
        }
        if (!m_options.offline.condition_on_previous_text || temperature > kForgetAboveTemperature) {
            m_prompt_begin = m_all_tokens.size();
        }
    }

    // Decodes the window at mel frame `seek`; returns where the next one begins.
    std::int64_t oneWindow(const SoundCache &sound, std::int64_t seek, std::int64_t size)
    {
        m_decode.previous_tokens.assign(m_all_tokens.begin() + static_cast<std::ptrdiff_t>(m_prompt_begin), m_all_tokens.end());
        const DecodedWindow window = decodeWithFallback(m_model, sound, m_decode, m_options);
        m_result.decoder_steps += window.decoder_steps;
        if (isSilence(window)) {
            return seek + size;
        }
        const std::int32_t zero = *m_model.tokenizer().timestampBegin();
        const double step_s = secondsFromSamples(m_model.frameSamples());
        const double start_s = secondsFromSamples(seek * features::kHopSamples);
        const auto isTime = [zero](std::int32_t id) { return id >= zero; };
        const std::vector<std::int32_t> &tokens = window.tokens;
        const std::size_t count = tokens.size();
        const bool ends_with_single = count >= 2 && !isTime(tokens[count - 2]) && isTime(tokens[count - 1]);
        std::vector<std::size_t> cuts;  // between the two timestamps where one segment ends and the next begins
        for (std::size_t i = 1; i < count; ++i) {
            if (isTime(tokens[i - 1]) && isTime(tokens[i])) {
                cuts.push_back(i);
            }
        }
        std::vector<Segment> segments;
        std::int64_t next = seek + size;
        if (!cuts.empty()) {
            if (ends_with_single) {
                cuts.push_back(count);
            }
            std::size_t begin = 0;
            for (const std::size_t end : cuts) {
                const std::span<const std::int32_t> piece = std::span(tokens).subspan(begin, end - begin);
                segments.push_back(segmentOf(window, start_s, start_s + (piece.front() - zero) * step_s, start_s + (piece.back() - zero) * step_s, piece));
                begin = end;
            }
            if (!ends_with_single) {
                // What came after the last closed segment is heard again in the next window.
                next = seek + (tokens[begin - 1] - zero) * m_model.dims().strides().melFrames();
            }
        } else {
            double length_s = secondsFromSamples(size * features::kHopSamples);
            const auto last = std::find_if(tokens.rbegin(), tokens.rend(), isTime);
            if (last != tokens.rend() && *last != zero) {
                length_s = (*last - zero) * step_s;
            }
            segments.push_back(segmentOf(window, start_s, start_s, start_s + length_s, tokens));
        }
        if (m_options.word_times == WordTimes::With) {
            addWordTimes(sound, segments, size / m_model.dims().strides().melFrames());
            double heard_until_s = segments.back().end_s;
            const auto last = std::find_if(segments.rbegin(), segments.rend(), [](const Segment &segment) { return !segment.words.empty(); });
            if (last != segments.rend()) {
                heard_until_s = last->words.back().end_s;
            }
            m_last_speech_s = heard_until_s;
            if (!ends_with_single && heard_until_s > start_s) {
                next = std::llrint(heard_until_s * kMelFramesPerSecond);
            }
        }
        keep(std::move(segments), window.temperature);
        // A model that ends where it began must not hold the program for ever.
        return next > seek ? next : seek + size;
    }

    void wholeWindow(const SoundCache &sound, std::size_t begin, std::size_t size)
    {
        m_decode.timestamps = Timestamps::Without;
        m_decode.previous_tokens.assign(m_all_tokens.begin() + static_cast<std::ptrdiff_t>(m_prompt_begin), m_all_tokens.end());
        const DecodedWindow window = decodeWithFallback(m_model, sound, m_decode, m_options);
        m_result.decoder_steps += window.decoder_steps;
        if (isSilence(window)) {
            return;
        }
        const double start_s = secondsFromSamples(static_cast<Sample>(begin));
        std::vector<Segment> segments;
        segments.push_back(segmentOf(window, start_s, start_s, secondsFromSamples(static_cast<Sample>(begin + size)), window.tokens));
        if (m_options.word_times == WordTimes::With) {
            addWordTimes(sound, segments, m_model.framesOf(static_cast<Sample>(size)));
        }
        keep(std::move(segments), window.temperature);
    }

    const Model &m_model;
    const TranscribeOptions &m_options;
    const Progress &m_progress;
    std::stop_token m_stop;
    DecodeOptions m_decode;
    LongTranscript m_result;
    std::vector<std::int32_t> m_all_tokens;
    std::size_t m_prompt_begin = 0;
    double m_last_speech_s = 0;
};

}  // namespace

DecodedWindow decodeWithFallback(const Model &model, const SoundCache &sound, DecodeOptions decode, const TranscribeOptions &options)
{
    const OfflineOptions &limits = options.offline;
    DecodedWindow window;
    int steps = 0;
    for (const float temperature : limits.temperatures.empty() ? std::vector<float>{0.0f} : limits.temperatures) {
        decode.temperature = temperature;
        window = decodeWindow(model, sound, decode);
        steps += window.decoder_steps;
        bool again = window.compression_ratio > limits.compression_ratio_threshold || window.average_log_probability < limits.log_probability_threshold;
        if (window.no_speech_probability > limits.no_speech_threshold && window.average_log_probability < limits.log_probability_threshold) {
            again = false;  // silence
        }
        if (!again) {
            break;
        }
        ++decode.seed;
    }
    window.decoder_steps = steps;
    return window;
}

std::size_t quietestCut(std::span<const float> window)
{
    const auto stretch = static_cast<std::size_t>(kQuietStretch);
    const std::size_t begin = window.size() * 3 / 5;
    if (window.size() < begin + 2 * stretch) {
        return window.size();
    }
    double energy = 0;
    for (std::size_t i = begin; i < begin + stretch; ++i) {
        energy += static_cast<double>(window[i]) * window[i];
    }
    double lowest = energy;
    std::size_t best = begin;
    for (std::size_t i = begin + 1; i + stretch <= window.size(); ++i) {
        energy += static_cast<double>(window[i + stretch - 1]) * window[i + stretch - 1] - static_cast<double>(window[i - 1]) * window[i - 1];
        // Of nearly equal places the later one: fewer windows.
        if (energy <= lowest * 1.05 + 1e-9) {
            lowest = std::min(lowest, energy);
            best = i;
        }
    }
    return best + stretch / 2;
}

LongTranscript transcribeSound(const Model &model, std::span<const float> sound, const TranscribeOptions &options, const Progress &progress,
                               const std::stop_token &stop)
{
    const c10::InferenceMode inference;
    Run run(model, options, progress, stop);
    return model.hasTimestamps() ? run.overTimestamps(sound) : run.overQuietCuts(sound);
}

text::Transcript toTranscript(const LongTranscript &transcript, Sample length_samples, const text::LineRule &lines)
{
    std::vector<text::Word> words;
    for (const Segment &segment : transcript.segments) {
        for (text::Word &word : sessionWords(segment.words, segment.word_tokens, transcript.language, 0, length_samples)) {
            words.push_back(std::move(word));
        }
    }
    return inLines(std::move(words), length_samples, lines);
}

text::Transcript inLines(std::vector<text::Word> words, Sample length_samples, const text::LineRule &lines)
{
    text::Transcript items;
    text::LineBreaker line(lines);
    for (text::Word &word : words) {
        word.start_sample = std::max(word.start_sample, line.end());
        word.end_sample = std::max(word.end_sample, word.start_sample);
        if (line.breaksBefore(word)) {
            items.emplace_back(text::LineBreak{line.end()});
            line.newLine();
        }
        line.add(word);
        word.first_seen_sample = word.committed_sample = length_samples;
        items.emplace_back(std::move(word));
    }
    return items;
}

}  // namespace braid::models::whisper
