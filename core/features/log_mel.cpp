#include "core/features/log_mel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/base/error.h"
#include "core/features/real_fft.h"

namespace braid::features {

namespace {

constexpr double kFloorPower = 1e-10;
constexpr double kAbsurdPower = 1e30;     // no sound within [-1, 1] comes near
constexpr float kFloorLog = -10.0f;       // log10 of it
constexpr float kDynamicRangeLog = 8.0f;  // what lies further below the maximum is raised to it
constexpr std::int64_t kHalfWindow = kFftSamples / 2;
// The last frame that lies in a chunk is centred one hop before its end, and so reads this much beyond it; each further frame a hop more.
constexpr std::int64_t kLookAheadOfOwn = kHalfWindow - kHopSamples;  // what the last frame of a chunk reads beyond its end
// The authors' streaming front end reflects one sample more at the very start than Whisper does.
constexpr std::int64_t kFirstReflection = kHalfWindow + 1;

// Slaney's mel scale: linear below 1000 Hz, logarithmic above.
constexpr double kHzPerMel = 200.0 / 3;
constexpr double kLogFromHz = 1000;
constexpr double kLogFromMel = kLogFromHz / kHzPerMel;
const double kLogStep = std::log(6.4) / 27;

double melFromHz(double hz)
{
    return hz < kLogFromHz ? hz / kHzPerMel : kLogFromMel + std::log(hz / kLogFromHz) / kLogStep;
}

double hzFromMel(double mel)
{
    return mel < kLogFromMel ? mel * kHzPerMel : kLogFromHz * std::exp(kLogStep * (mel - kLogFromMel));
}

// Where a reflected index lies inside 0 .. length - 1. Sounds shorter than the reflection bounce as often as they must.
std::int64_t reflectedIndex(std::int64_t index, std::int64_t length)
{
    if (length == 1) {
        return 0;
    }
    const std::int64_t period = 2 * (length - 1);
    index = std::abs(index) % period;
    return index < length ? index : period - index;
}

float raised(float log_power, float maximum)
{
    return (std::max(log_power, maximum - kDynamicRangeLog) + 4.0f) / 4.0f;
}

}  // namespace

std::vector<float> melFilterBank(int bands)
{
    if (bands <= 0) {
        throw Error(ErrorKind::Internal, "a mel filter bank needs at least one band");
    }
    const auto edge_count = static_cast<std::size_t>(bands) + 2;
    std::vector<double> edge_hz(edge_count);
    const double top_mel = melFromHz(kSampleRateHz / 2.0);
    for (std::size_t i = 0; i < edge_count; ++i) {
        edge_hz[i] = hzFromMel(top_mel * static_cast<double>(i) / static_cast<double>(edge_count - 1));
    }

    std::vector<float> filters(static_cast<std::size_t>(bands) * kFrequencyBins);
    for (std::size_t band = 0; band < static_cast<std::size_t>(bands); ++band) {
        const double low = edge_hz[band], centre = edge_hz[band + 1], high = edge_hz[band + 2];
        const double equal_area = 2.0 / (high - low);
        for (std::size_t bin = 0; bin < kFrequencyBins; ++bin) {
            const double hz = static_cast<double>(bin) * kSampleRateHz / kFftSamples;
            const double height = std::min((hz - low) / (centre - low), (high - hz) / (high - centre));
            filters[band * kFrequencyBins + bin] = static_cast<float>(std::max(0.0, height) * equal_area);
        }
    }
    return filters;
}

// Everything that depends on the number of bands alone; shared by all copies.
struct LogMel::Plan {
    struct Band {
        int first_bin = 0;
        std::vector<double> weights;  // of the bins that are not zero
    };

    int bands = 0;
    std::vector<Band> filters;
    std::vector<double> window;
    PowerSpectrum400 spectrum;

    explicit Plan(int band_count)
        : bands(band_count)
        , window(kFftSamples)
    {
        for (std::size_t n = 0; n < kFftSamples; ++n) {
            window[n] = 0.5 - 0.5 * std::cos(2 * std::numbers::pi * static_cast<double>(n) / kFftSamples);
        }
        const std::vector<float> dense = melFilterBank(band_count);
        filters.resize(static_cast<std::size_t>(band_count));
        for (std::size_t band = 0; band < filters.size(); ++band) {
            const auto row = std::span(dense).subspan(band * kFrequencyBins, kFrequencyBins);
            const auto is_used = [](float weight) { return weight != 0; };
            const auto first = std::find_if(row.begin(), row.end(), is_used);
            const auto last = std::find_if(row.rbegin(), row.rend(), is_used).base();
            if (first < last) {
                filters[band].first_bin = static_cast<int>(first - row.begin());
                filters[band].weights.assign(first, last);
            }
        }
    }

    // log10 of the mel power of `count` frames; `frame(i)` gives 400 samples that stay valid until kLanes more frames were asked for.
    // Appends to `values` and returns the greatest.
    template <typename FrameAt>
    float appendLogPower(std::int64_t count, FrameAt &&frame, std::vector<float> &values) const
    {
        float maximum = -std::numeric_limits<float>::infinity();
        std::array<double, PowerSpectrum400::kBins * PowerSpectrum400::kLanes> power;
        std::size_t at = values.size();
        values.resize(at + static_cast<std::size_t>(count) * filters.size());
        for (std::int64_t i = 0; i < count; i += PowerSpectrum400::kLanes) {
            const auto lanes = static_cast<std::size_t>(std::min<std::int64_t>(PowerSpectrum400::kLanes, count - i));
            const float *first = frame(i);
            const float *second = lanes > 1 ? frame(i + 1) : first;
            spectrum.compute({first, second}, window, power);
            for (std::size_t lane = 0; lane < lanes; ++lane) {
                for (const Band &band : filters) {
                    double sum = 0;
                    const double *bin = power.data() + static_cast<std::size_t>(band.first_bin) * PowerSpectrum400::kLanes + lane;
                    for (const double weight : band.weights) {
                        sum += weight * *bin;
                        bin += PowerSpectrum400::kLanes;
                    }
                    // Not-a-number and infinities in the sound become the floor, and so touch only the frames they are in.
                    const float log_power = sum > kFloorPower && sum < kAbsurdPower ? std::log10(static_cast<float>(sum)) : kFloorLog;
                    maximum = std::max(maximum, log_power);
                    values[at++] = log_power;
                }
            }
        }
        return maximum;
    }
};

LogMel::LogMel(int bands)
    : m_plan(std::make_shared<Plan>(bands))
{
}
LogMel::~LogMel() = default;
LogMel::LogMel(LogMel &&) noexcept = default;
LogMel &LogMel::operator=(LogMel &&) noexcept = default;

int LogMel::bands() const noexcept
{
    return m_plan->bands;
}

MelFrames LogMel::compute(std::span<const float> sound, std::int64_t padding_samples) const
{
    const auto heard = static_cast<std::int64_t>(sound.size());
    const std::int64_t length = heard + std::max<std::int64_t>(0, padding_samples);
    MelFrames result{m_plan->bands, length / kHopSamples, {}};

    std::array<std::array<float, kFftSamples>, PowerSpectrum400::kLanes> edge_frames;
    const auto frame = [&](std::int64_t index) -> const float * {
        const std::int64_t first = index * kHopSamples - kHalfWindow;
        if (first >= 0 && first + kFftSamples <= heard) {
            return sound.data() + first;
        }
        auto &edge = edge_frames[static_cast<std::size_t>(index) % edge_frames.size()];
        for (std::int64_t i = 0; i < kFftSamples; ++i) {
            const std::int64_t source = reflectedIndex(first + i, length);
            edge[static_cast<std::size_t>(i)] = source < heard ? sound[static_cast<std::size_t>(source)] : 0.0f;
        }
        return edge.data();
    };

    // Frames that see nothing but padding are the floor; Whisper's offline path has 3000 of them for every sound. Where the padding is
    // longer than a window, the reflection at the end sees only padding too.
    const std::int64_t first_empty = (heard + kHalfWindow + kHopSamples - 1) / kHopSamples;
    const std::int64_t computed = padding_samples > kFftSamples ? std::min(first_empty, result.frames) : result.frames;
    result.values.reserve(static_cast<std::size_t>(result.frames) * static_cast<std::size_t>(result.bands));
    float maximum = m_plan->appendLogPower(computed, frame, result.values);
    if (computed < result.frames) {
        result.values.resize(static_cast<std::size_t>(result.frames) * static_cast<std::size_t>(result.bands), kFloorLog);
        maximum = std::max(maximum, kFloorLog);
    }
    for (float &value : result.values) {
        value = raised(value, maximum);
    }
    return result;
}

struct StreamingLogMel::State {
    std::shared_ptr<const LogMel::Plan> plan;
    std::int64_t chunk_samples = 0;
    std::int64_t look_ahead = 0;
    std::vector<float> sound;      // not yet used up
    std::int64_t sound_start = 0;  // stream position of sound[0]
    std::int64_t heard = 0;        // samples pushed
    std::int64_t given = 0;        // samples of the chunks given out
    float running_maximum = -std::numeric_limits<float>::infinity();

    // Frames that the sound heard with a chunk completes beyond the chunk's own; minus one where nothing is heard beyond its end.
    [[nodiscard]] std::int64_t framesBeyond() const noexcept { return look_ahead == 0 ? -1 : (look_ahead - kLookAheadOfOwn) / kHopSamples; }

    void appendChunk(MelFrames &result)
    {
        const bool first_chunk = given == 0;
        const std::int64_t frames = chunk_samples / kHopSamples + (first_chunk ? framesBeyond() : 0);
        const std::int64_t first_frame = first_chunk ? 0 : given / kHopSamples + framesBeyond();
        std::array<std::array<float, kFftSamples>, PowerSpectrum400::kLanes> edge_frames;
        const auto frame = [&](std::int64_t index) -> const float * {
            // In the first chunk every frame stands one sample early, in all later ones at its place.
            const std::int64_t start = (first_frame + index) * kHopSamples - (first_chunk ? kFirstReflection : kHalfWindow);
            if (start >= 0) {
                return sound.data() + (start - sound_start);
            }
            auto &edge = edge_frames[static_cast<std::size_t>(index) % edge_frames.size()];
            for (std::int64_t i = 0; i < kFftSamples; ++i) {
                edge[static_cast<std::size_t>(i)] = sound[static_cast<std::size_t>(std::abs(start + i))];
            }
            return edge.data();
        };
        const std::size_t before = result.values.size();
        running_maximum = std::max(running_maximum, plan->appendLogPower(frames, frame, result.values));
        for (std::size_t i = before; i < result.values.size(); ++i) {
            result.values[i] = raised(result.values[i], running_maximum);
        }
        result.frames += frames;
        given += chunk_samples;
    }

    void forgetUsedSound()
    {
        // Where the next chunk's first frame begins.
        const std::int64_t needed_from = given == 0 ? 0 : given + framesBeyond() * kHopSamples - kHalfWindow;
        const std::int64_t unused = std::clamp<std::int64_t>(needed_from - sound_start, 0, static_cast<std::int64_t>(sound.size()));
        sound.erase(sound.begin(), sound.begin() + unused);
        sound_start += unused;
    }
};

StreamingLogMel::StreamingLogMel(const LogMel &mel, Sample chunk_samples, Sample look_ahead_samples)
    : m_state(std::make_unique<State>())
{
    const Sample beyond = look_ahead_samples - kLookAheadOfOwn;
    if (look_ahead_samples != 0 && beyond != 0 && beyond != kHopSamples && beyond != 2 * kHopSamples) {
        throw Error(ErrorKind::Usage, "streaming sound can be looked at 0, 40, 200 or 360 samples ahead, not " + std::to_string(look_ahead_samples));
    }
    m_state->plan = mel.m_plan;
    m_state->look_ahead = look_ahead_samples;
    setChunk(chunk_samples);
}

StreamingLogMel::~StreamingLogMel() = default;
StreamingLogMel::StreamingLogMel(StreamingLogMel &&) noexcept = default;
StreamingLogMel &StreamingLogMel::operator=(StreamingLogMel &&) noexcept = default;

void StreamingLogMel::setChunk(Sample chunk_samples)
{
    if (chunk_samples <= 0 || chunk_samples % 320 != 0) {
        throw Error(ErrorKind::Usage, "a chunk of streaming sound must be a positive multiple of 320 samples (20 ms), not " + std::to_string(chunk_samples));
    }
    m_state->chunk_samples = chunk_samples;
}

MelFrames StreamingLogMel::push(std::span<const float> sound)
{
    State &state = *m_state;
    MelFrames result{state.plan->bands, 0, {}};
    state.sound.insert(state.sound.end(), sound.begin(), sound.end());
    state.heard += static_cast<std::int64_t>(sound.size());
    while (state.heard >= state.given + state.chunk_samples + state.look_ahead) {
        state.appendChunk(result);
    }
    state.forgetUsedSound();
    return result;
}

MelFrames StreamingLogMel::finish()
{
    State &state = *m_state;
    MelFrames result{state.plan->bands, 0, {}};
    const std::int64_t left = state.heard - state.given;
    if (left <= 0) {
        return result;
    }
    const std::int64_t chunks = (left + state.chunk_samples - 1) / state.chunk_samples;
    const std::int64_t end = state.given + chunks * state.chunk_samples;
    state.sound.resize(static_cast<std::size_t>(end + state.look_ahead - state.sound_start), 0.0f);
    while (state.given < end) {
        state.appendChunk(result);
    }
    state.forgetUsedSound();
    return result;
}

void StreamingLogMel::reset()
{
    State fresh;
    fresh.plan = m_state->plan;
    fresh.chunk_samples = m_state->chunk_samples;
    fresh.look_ahead = m_state->look_ahead;
    *m_state = std::move(fresh);
}

}  // namespace braid::features
