#include "core/audio/resampler.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/base/error.h"

#ifdef BRAID_HAS_MEDIA
#include <soxr.h>
#endif

namespace braid::audio {
namespace {

constexpr float kLargest = 16.0f;  // 24 dB over full scale: louder is a broken stream

float sane(float value)
{
    return std::isfinite(value) ? std::clamp(value, -kLargest, kLargest) : 0.0f;
}

std::string asHz(double rate_hz)
{
    return std::to_string(std::lround(rate_hz)) + " Hz";
}

}  // namespace

void appendDownmixed(std::span<const float> interleaved, int channels, std::vector<float> &mono)
{
    const auto width = static_cast<std::size_t>(std::max(channels, 1));
    const std::size_t frames = interleaved.size() / width;
    const std::size_t before = mono.size();
    mono.resize(before + frames);
    const float *from = interleaved.data();
    for (std::size_t frame = 0; frame < frames; ++frame, from += width) {
        float sum = 0;
        for (std::size_t channel = 0; channel < width; ++channel) {
            sum += sane(from[channel]);
        }
        mono[before + frame] = sum / static_cast<float>(width);
    }
}

#ifdef BRAID_HAS_MEDIA

struct Resampler::Engine {
    Engine(double input_rate_hz, double output_rate_hz)
        : ratio(output_rate_hz / input_rate_hz)
    {
        const soxr_io_spec_t io = soxr_io_spec(SOXR_FLOAT32_I, SOXR_FLOAT32_I);
        const soxr_quality_spec_t quality = soxr_quality_spec(SOXR_HQ, 0);
        const soxr_runtime_spec_t runtime = soxr_runtime_spec(1);
        soxr_error_t error = nullptr;
        handle = soxr_create(input_rate_hz, output_rate_hz, 1, &error, &io, &quality, &runtime);
        if (error != nullptr || handle == nullptr) {
            throw Error(ErrorKind::Internal, std::string("the resampler could not be set up: ") + (error ? error : "no memory"));
        }
    }
    ~Engine() { soxr_delete(handle); }
    Engine(const Engine &) = delete;
    Engine &operator=(const Engine &) = delete;

    // `input` of null ends the stream.
    void process(const float *input, std::size_t count, std::vector<float> &output)
    {
        while (true) {
            const std::size_t before = output.size();
            const std::size_t room = static_cast<std::size_t>(static_cast<double>(count) * ratio) + 1024;
            output.resize(before + room);
            std::size_t used = 0;
            std::size_t made = 0;
            const soxr_error_t error = soxr_process(handle, input, count, &used, output.data() + before, room, &made);
            output.resize(before + made);
            if (error != nullptr) {
                throw Error(ErrorKind::Internal, std::string("the resampler failed: ") + error);
            }
            if (input != nullptr) {
                input += used;
                count -= used;
            }
            if (made < room && count == 0) {
                return;
            }
        }
    }

    double ratio;
    soxr_t handle = nullptr;
};

#else

struct Resampler::Engine {
    Engine(double input_rate_hz, double output_rate_hz)
    {
        throw Error(ErrorKind::Usage,
                    "this build of Braid has no resampling, so sound of " + asHz(input_rate_hz) + " cannot be used as " + asHz(output_rate_hz), {},
                    "Convert it to 16000 Hz first, or build Braid with BRAID_MEDIA");
    }
    void process(const float *, std::size_t, std::vector<float> &) {}
    void *handle = nullptr;
};

#endif

Resampler::Resampler(double input_rate_hz, double output_rate_hz)
    : m_input_rate_hz(input_rate_hz)
    , m_output_rate_hz(output_rate_hz)
{
    for (const double rate_hz : {input_rate_hz, output_rate_hz}) {
        if (!(rate_hz >= kMinRateHz && rate_hz <= kMaxRateHz)) {
            throw Error(ErrorKind::Input, "a sample rate of " + (std::isfinite(rate_hz) && std::fabs(rate_hz) < 1e12 ? asHz(rate_hz) : "no sensible size") +
                                              " is outside what sound has (1000 to 1000000 Hz)");
        }
    }
    if (input_rate_hz != output_rate_hz) {
        m_engine = std::make_unique<Engine>(input_rate_hz, output_rate_hz);
    }
}

Resampler::~Resampler() = default;
Resampler::Resampler(Resampler &&other) noexcept = default;
Resampler &Resampler::operator=(Resampler &&other) noexcept = default;

void Resampler::push(std::span<const float> mono, std::vector<float> &output)
{
    if (mono.empty()) {
        return;
    }
    if (m_engine == nullptr) {
        output.insert(output.end(), mono.begin(), mono.end());
        return;
    }
    m_engine->process(mono.data(), mono.size(), output);
}

void Resampler::flush(std::vector<float> &output)
{
    if (m_engine == nullptr) {
        return;
    }
    m_engine->process(nullptr, 0, output);
    m_engine = std::make_unique<Engine>(m_input_rate_hz, m_output_rate_hz);
}

}  // namespace braid::audio
