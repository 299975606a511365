// From what a device or file gives to what the models hear: any number of channels to one, any rate to 16 kHz (or, for playing,
// from 16 kHz to any rate), band-limited by libsoxr.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/base/sample_clock.h"

namespace braid::audio {

inline constexpr int kMaxChannels = 256;
inline constexpr double kMinRateHz = 1000;
inline constexpr double kMaxRateHz = 1'000'000;

// The mean of the channels, appended to `mono`; a last incomplete frame is left out. Values that are no numbers become silence and
// absurd ones are limited, so that one broken sample cannot poison what a model computes.
void appendDownmixed(std::span<const float> interleaved, int channels, std::vector<float> &mono);

// Streaming sample-rate conversion of one channel. Without delay: output sample i lies at the time of input i * in / out.
// Pieces equal whole: what comes out does not depend on how the input is cut. After flush() the total is exact to one sample.
// Thread: one at a time. Memory: a few thousand samples.
class Resampler {
  public:
    // Throws Error(Input) for a rate outside kMinRateHz..kMaxRateHz, and Error(Usage) where this build has no resampling library and
    // the rates differ.
    explicit Resampler(double input_rate_hz, double output_rate_hz = kSampleRateHz);
    ~Resampler();
    Resampler(Resampler &&other) noexcept;
    Resampler &operator=(Resampler &&other) noexcept;
    Resampler(const Resampler &) = delete;
    Resampler &operator=(const Resampler &) = delete;

    // Appends to `output` what can be told so far; the rest follows with later pushes.
    void push(std::span<const float> mono, std::vector<float> &output);
    // The input is over: appends the rest. The next push() begins a new stream.
    void flush(std::vector<float> &output);
    [[nodiscard]] double inputRateHz() const noexcept { return m_input_rate_hz; }

  private:
    struct Engine;
    double m_input_rate_hz;
    double m_output_rate_hz;
    std::unique_ptr<Engine> m_engine;  // none where the rates are equal
};

}  // namespace braid::audio
