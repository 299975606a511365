#include "lab/train/window_maker.h"

#include <algorithm>
#include <cmath>

#include "core/audio/pcm16.h"
#include "core/models/whisper/streaming_mel.h"
#include "lab/corpus/augment.h"
#include "lab/train/sound_disturbance.h"
#include "lab/train/speechless_sound.h"

namespace braid::train {

namespace {

constexpr std::uint64_t kBatchStream = 23;
constexpr std::uint64_t kPlainStream = 29;

Sample roundedUp(Sample value, Sample step)
{
    return (value + step - 1) / step * step;
}

}  // namespace

WindowMaker::WindowMaker(const SpeechLibrary &library, const FeatureLibrary *features, const Recipe &recipe, const weights::WhisperDims &dims,
                         std::int32_t end_token, std::int64_t longest_text, const FeatureLibrary *encoded)
    : m_library(library)
    , m_features(features)
    , m_encoded(encoded)
    , m_recipe(recipe)
    , m_mel(static_cast<int>(dims.n_mels))
    , m_strides(dims.strides())
    , m_frame_samples(features::kHopSamples * dims.strides().melFrames())
    , m_most_frames(dims.n_audio_ctx)
    , m_end_token(end_token)
    , m_longest_text(longest_text)
{
}

std::int64_t WindowMaker::melFrames(std::int64_t frames) const
{
    return models::whisper::melFramesOf(frames, m_strides);
}

captions::Chunking WindowMaker::chunking(std::int64_t chunk_ms) const
{
    return {m_frame_samples, std::max(m_frame_samples, samplesFromMs(m_recipe.chunks.first_ms)), std::max(m_frame_samples, samplesFromMs(chunk_ms))};
}

void WindowMaker::appendSegment(const Segment &segment, std::vector<float> &sound, Window &window) const
{
    const Speech &speech = *segment.speech;
    const auto begin = static_cast<double>(sound.size());
    const auto frame = static_cast<double>(m_frame_samples);
    const auto inFrames = [&](Sample at) { return (begin + static_cast<double>(at - segment.from)) / frame; };
    const auto pcm = speech.sound.subspan(static_cast<std::size_t>(segment.from), static_cast<std::size_t>(segment.to - segment.from));
    const std::vector<float> spoken = audio::floatsOf(pcm);
    sound.insert(sound.end(), spoken.begin(), spoken.end());
    sound.resize(static_cast<std::size_t>(roundedUp(static_cast<Sample>(sound.size()), m_frame_samples)), 0.0f);
    if (!speech.has_times) {
        window.unknown.emplace_back(inFrames(segment.from), inFrames(segment.to));
    }
    // Whole words that began after `from`; of the last one, what was said before the cut.
    for (std::size_t i = 0; i < speech.tokens.size();) {
        std::size_t end = i;
        while (end < speech.tokens.size() && speech.tokens[end].word == speech.tokens[i].word) {
            ++end;
        }
        const Sample word_start = speech.tokens[i].start;
        const Sample word_end = speech.tokens[end - 1].end;
        const std::int32_t number = window.tokens.empty() ? 0 : window.tokens.back().word + 1;
        for (; i < end; ++i) {
            const SpokenToken &token = speech.tokens[i];
            if (!speech.has_times) {
                window.tokens.push_back({token.id, number, 0, 0, 0, true, false});
            } else if (word_start >= segment.from && token.start < segment.to) {
                const double end_frame = inFrames(std::min(token.end, segment.to));
                window.tokens.push_back({token.id, number, inFrames(token.start), end_frame, inFrames(word_end), word_end <= segment.to, true});
            }
        }
    }
    if (m_features != nullptr) {
        const auto first_row = static_cast<std::size_t>(begin / frame);
        const auto width = static_cast<std::size_t>(m_features->width());
        const std::int64_t count = static_cast<std::int64_t>(sound.size() / static_cast<std::size_t>(m_frame_samples) - first_row);
        window.features.resize((first_row + static_cast<std::size_t>(count)) * width, 0.0f);
        window.feature_known.resize(first_row + static_cast<std::size_t>(count), 0.0f);
        if (speech.wants_features) {
            const auto rows = m_features->rows(speech.key, segment.from / m_frame_samples, count);
            std::copy(rows.begin(), rows.end(), window.features.begin() + static_cast<std::ptrdiff_t>(first_row * width));
            std::fill_n(window.feature_known.begin() + static_cast<std::ptrdiff_t>(first_row), rows.size() / width, 1.0f);
        }
    }
}

void WindowMaker::appendQuiet(Sample length, std::vector<float> &sound, Random &random) const
{
    const auto quiet = quietLike(sound, roundedUp(length, m_frame_samples), random);
    sound.insert(sound.end(), quiet.begin(), quiet.end());
}

void WindowMaker::fitFeatures(Window &window) const
{
    if (m_features != nullptr) {
        window.features.resize(static_cast<std::size_t>(window.frames * m_features->width()), 0.0f);
        window.feature_known.resize(static_cast<std::size_t>(window.frames), 0.0f);
    }
}

void WindowMaker::rescale(Window &window, std::int64_t frames, double scale) const
{
    if (m_features != nullptr) {
        window.features = stretched(window.features, m_features->width(), frames);
        window.feature_known = stretched(window.feature_known, 1, frames);
        for (float &known : window.feature_known) {
            known = known > 0.99f ? 1.0f : 0.0f;
        }
    }
    for (TimedToken &token : window.tokens) {
        token.start *= scale;
        token.end *= scale;
        token.word_end *= scale;
    }
    for (auto &[from, to] : window.unknown) {
        from *= scale;
        to *= scale;
    }
    window.frames = frames;
}

void WindowMaker::changeSpeed(Window &window, std::vector<float> &sound, double factor) const
{
    const Sample length = roundedUp(std::llround(static_cast<double>(sound.size()) / factor), m_frame_samples);
    if (length < m_frame_samples || length > m_most_frames * m_frame_samples) {
        return;
    }
    corpus::Spoken spoken;
    spoken.sound = std::move(sound);
    corpus::changeSpeed(spoken, factor);
    sound = std::move(spoken.sound);
    sound.resize(static_cast<std::size_t>(length), 0.0f);
    rescale(window, length / m_frame_samples, 1 / factor);
}

void WindowMaker::stretch(Window &window, double factor) const
{
    const auto frames = std::min<std::int64_t>(m_most_frames, std::lround(static_cast<double>(window.frames) * factor));
    if (frames < 2 || frames == window.frames) {
        return;
    }
    window.mel.frames = melFrames(frames);
    window.mel.values = stretched(window.mel.values, window.mel.bands, window.mel.frames);
    rescale(window, frames, static_cast<double>(frames) / static_cast<double>(window.frames));
}

WindowMaker::Window WindowMaker::window(const PlannedWindow &planned, const std::optional<captions::Chunking> &chunking, Disturbed disturbed,
                                        Random &random) const
{
    const DisturbanceRecipe &recipe = m_recipe.disturbance;
    const auto most = static_cast<std::size_t>(m_most_frames * m_frame_samples);
    Window window;
    std::vector<float> sound;
    if (m_encoded != nullptr && disturbed == Disturbed::Yes) {  // nothing is joined, cut or disturbed (recipe.cpp)
        const Segment &segment = planned.segments.front();
        appendSegment(segment, sound, window);
        window.frames = std::min(m_most_frames, static_cast<Sample>(sound.size()) / m_frame_samples);
        window.encoded = m_encoded->rows(segment.speech->key, segment.from / m_frame_samples, window.frames);
        window.encoded.resize(static_cast<std::size_t>(window.frames * m_encoded->width()), 0.0f);
        return window;
    }
    if (planned.segments.empty()) {
        sound = speechlessSound(planned.silence_samples, m_library, m_recipe.windows, random);
    }
    const bool has_room = static_cast<double>(most) > 1.5 * kSampleRateHz;
    const auto quiet = [&] { return random.between(samplesFromMs(80), samplesFromMs(1000)); };
    for (std::size_t i = 0; i < planned.segments.size(); ++i) {
        if (i > 0) {
            appendQuiet(random.between(samplesFromMs(80), samplesFromMs(800)), sound, random);
        } else if (disturbed == Disturbed::Yes && has_room && random.chance(m_recipe.windows.lead)) {
            std::vector<float> speech;
            Window unused;
            appendSegment(planned.segments[0], speech, unused);
            sound = quietLike(speech, roundedUp(quiet(), m_frame_samples), random);
        }
        appendSegment(planned.segments[i], sound, window);
    }
    if (disturbed == Disturbed::Yes && !planned.segments.empty() && has_room && random.chance(m_recipe.windows.lead)) {
        appendQuiet(quiet(), sound, random);
    }
    sound.resize(std::min(most, static_cast<std::size_t>(roundedUp(static_cast<Sample>(sound.size()), m_frame_samples))), 0.0f);
    window.frames = static_cast<std::int64_t>(sound.size()) / m_frame_samples;
    fitFeatures(window);
    const bool has_speed = disturbed == Disturbed::Yes && random.chance(recipe.speed);
    if (disturbed == Disturbed::Yes && !planned.segments.empty()) {
        if (has_speed) {
            changeSpeed(window, sound, random.uniform(recipe.least_speed, recipe.most_speed));
        }
        disturbSound(sound, m_library, recipe, random);
    }
    if (chunking) {
        window.mel = models::whisper::melOfWhole(m_mel, *chunking, m_strides, sound).mel;
    } else {
        window.mel = m_mel.compute(sound);
    }
    // What the whole-window mel lacks of the look-ahead is zero, as the convolution's own padding is.
    window.mel.frames = melFrames(window.frames);
    window.mel.values.resize(static_cast<std::size_t>(window.mel.frames * window.mel.bands), 0.0f);
    if (disturbed == Disturbed::Yes) {
        disturbMel(window.mel, recipe, random);
        if (!has_speed && random.chance(recipe.tempo)) {
            stretch(window, random.uniform(1 - recipe.most_tempo, 1 + recipe.most_tempo));
        }
        if (!planned.segments.empty() && random.chance(recipe.masks)) {
            maskMel(window.mel, random);
        }
    }
    return window;
}

void WindowMaker::addRows(const Window &window, std::int64_t index, const std::optional<captions::Chunking> &chunking, WindowEnd end, Random &random,
                          Batch &batch) const
{
    const auto addRow = [&](std::int64_t visible) {
        TextRow row;
        row.window = index;
        row.visible_frames = visible;
        const bool is_whole = visible == window.frames;
        for (const TimedToken &token : window.tokens) {
            // At the end of the window the cut decides, not rounding.
            if (token.is_text && (is_whole || token.word_end <= static_cast<double>(visible)) &&
                static_cast<std::int64_t>(row.tokens.size()) < m_longest_text) {
                row.tokens.push_back(token.id);
                const auto middle = static_cast<std::int32_t>((token.start + token.end) / 2);
                row.token_frames.push_back(token.has_times ? std::min(middle, static_cast<std::int32_t>(visible) - 1) : -1);
            }
        }
        batch.rows.push_back(std::move(row));
    };
    if (chunking && window.unknown.empty()) {
        std::vector<std::int64_t> points;
        for (std::int64_t block = 0; chunking->blockEnd(block) < window.frames; ++block) {
            if (chunking->blockEnd(block) > 0) {
                points.push_back(chunking->blockEnd(block));
            }
        }
        if (end == WindowEnd::Drawn) {
            points.push_back(window.frames);
        }
        random.shuffle(points);
        const std::int64_t wanted = std::lround(m_recipe.points.fraction * static_cast<double>(points.size()));
        const auto drawn = std::clamp(wanted, std::max<std::int64_t>(m_recipe.points.least, end == WindowEnd::Drawn ? 1 : 0), m_recipe.points.most);
        points.resize(std::min(points.size(), static_cast<std::size_t>(drawn)));
        std::sort(points.begin(), points.end());
        for (const std::int64_t point : points) {
            addRow(point);
        }
        if (end == WindowEnd::Drawn) {
            return;
        }
    }
    addRow(window.frames);
}

std::vector<std::int32_t> WindowMaker::frameLabels(const Window &window) const
{
    const double delay = m_recipe.losses.frame_delay_ms * kSampleRateHz / 1000 / static_cast<double>(m_frame_samples);
    std::vector<std::int32_t> labels(static_cast<std::size_t>(window.frames), m_end_token);
    const auto fill = [&](double from, double to, std::int32_t label) {
        // Frames whose middle, so long ago, lies in [from, to).
        const auto first = std::clamp<std::int64_t>(static_cast<std::int64_t>(std::ceil(from + delay - 0.5)), 0, window.frames);
        const auto end = std::clamp<std::int64_t>(static_cast<std::int64_t>(std::ceil(to + delay - 0.5)), first, window.frames);
        std::fill(labels.begin() + first, labels.begin() + end, label);
    };
    for (const TimedToken &token : window.tokens) {
        if (token.has_times) {
            fill(token.start, token.end, token.id);
        }
    }
    for (const auto &[from, to] : window.unknown) {
        fill(from, to + delay, -1);
    }
    return labels;
}

Batch WindowMaker::assemble(const std::vector<Window> &windows, const std::optional<captions::Chunking> &chunking, WindowEnd end, Random &random) const
{
    Batch batch;
    batch.windows = static_cast<std::int64_t>(windows.size());
    batch.bands = m_mel.bands();
    batch.chunking = chunking;
    for (const Window &window : windows) {
        batch.frames = std::max(batch.frames, window.frames);
        batch.window_frames.push_back(window.frames);
        batch.seconds += static_cast<double>(window.frames * m_frame_samples) / kSampleRateHz;
    }
    const bool is_encoded = !windows.empty() && !windows.front().encoded.empty();
    if (is_encoded) {
        batch.encoded_width = m_encoded->width();
        batch.encoded.resize(static_cast<std::size_t>(batch.windows * batch.frames * batch.encoded_width), 0.0f);
    }
    batch.mel_frames = is_encoded ? 0 : melFrames(batch.frames);
    batch.mel.resize(static_cast<std::size_t>(batch.windows * batch.mel_frames * batch.bands), 0.0f);
    batch.frame_labels.resize(static_cast<std::size_t>(batch.windows * batch.frames), -1);
    if (m_features != nullptr) {
        batch.feature_width = m_features->width();
        batch.features.resize(static_cast<std::size_t>(batch.windows * batch.frames * batch.feature_width), 0.0f);
        batch.feature_known.resize(static_cast<std::size_t>(batch.windows * batch.frames), 0.0f);
    }
    for (std::int64_t i = 0; i < batch.windows; ++i) {
        const Window &window = windows[static_cast<std::size_t>(i)];
        std::copy(window.mel.values.begin(), window.mel.values.end(), batch.mel.begin() + i * batch.mel_frames * batch.bands);
        std::copy(window.encoded.begin(), window.encoded.end(), batch.encoded.begin() + i * batch.frames * batch.encoded_width);
        const auto labels = frameLabels(window);
        std::copy(labels.begin(), labels.end(), batch.frame_labels.begin() + i * batch.frames);
        if (m_features != nullptr) {
            std::copy(window.features.begin(), window.features.end(), batch.features.begin() + i * batch.frames * batch.feature_width);
            std::copy(window.feature_known.begin(), window.feature_known.end(), batch.feature_known.begin() + i * batch.frames);
        }
        addRows(window, i, chunking, end, random, batch);
    }
    return batch;
}

Batch WindowMaker::make(const PlannedBatch &planned, std::uint64_t epoch, std::uint64_t number) const
{
    Random random({m_recipe.seed, kBatchStream, epoch, number});
    std::optional<captions::Chunking> blocks;
    const ChunkRecipe &chunks = m_recipe.chunks;
    if (!random.chance(chunks.full_attention)) {
        const std::vector<double> weights = chunks.weights.empty() ? std::vector<double>(chunks.chunk_ms.size(), 1.0) : chunks.weights;
        blocks = chunking(chunks.chunk_ms[random.index(weights)]);
    }
    std::vector<Window> windows;
    for (const PlannedWindow &plan : planned) {
        windows.push_back(window(plan, blocks, Disturbed::Yes, random));
    }
    return assemble(windows, blocks, m_recipe.points.end, random);
}

bool WindowMaker::fits(const Speech &speech) const
{
    const auto samples = static_cast<Sample>(speech.sound.size());
    return samples >= m_frame_samples && samples <= m_most_frames * m_frame_samples;
}

Batch WindowMaker::makePlain(const std::vector<const Speech *> &speech, const std::optional<captions::Chunking> &chunking, std::uint64_t seed) const
{
    Random random({m_recipe.seed, kPlainStream, seed});
    std::vector<Window> windows;
    for (const Speech *one : speech) {
        if (fits(*one)) {
            windows.push_back(window({{{one, 0, static_cast<Sample>(one->sound.size())}}, 0}, chunking, Disturbed::No, random));
        }
    }
    return assemble(windows, chunking, WindowEnd::Always, random);
}

}  // namespace braid::train
