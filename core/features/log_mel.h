// Whisper's log-mel spectrogram, both ways: of a whole utterance, and streaming as CarelessWhisper computes it
// (shared/reference/streaming-asr.md 1.3 and 2). n_fft 400, hop 160, periodic Hann window, power, OpenAI's mel filters, log10 of
// max(., 1e-10), at least (maximum - 8), then (x + 4) / 4. Plain floats, no torch. Thread: one object, one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/base/sample_clock.h"

namespace braid::features {

inline constexpr int kHopSamples = 160;
inline constexpr int kFftSamples = 400;
inline constexpr int kFrequencyBins = 201;

// frames x bands, row-major: frame after frame, so that streaming appends.
struct MelFrames {
    int bands = 0;
    std::int64_t frames = 0;
    std::vector<float> values;
};

// [bands, 201] triangular Slaney filters, as librosa and OpenAI's mel_filters.npz have them; computed, not stored. bands: 80 or 128 (any > 0).
[[nodiscard]] std::vector<float> melFilterBank(int bands);

// Log-mel of whole sounds, centred frames with reflection at both ends, maximum over the whole; floor(samples / 160) frames.
class LogMel {
  public:
    explicit LogMel(int bands);
    ~LogMel();
    LogMel(LogMel &&) noexcept;
    LogMel &operator=(LogMel &&) noexcept;

    [[nodiscard]] int bands() const noexcept;
    // `padding_samples` zeros are appended first (Whisper's offline path appends 480000, its windows are then cut from the result).
    // Fewer than 160 samples in all give no frame. A sound of at most 200 samples is shorter than its reflection (the reference refuses
    // it): it is then reflected back and forth, as numpy's "reflect" does. Not-a-number and infinite samples count as silence in the
    // frames they touch.
    [[nodiscard]] MelFrames compute(std::span<const float> sound, std::int64_t padding_samples = 0) const;

  private:
    friend class StreamingLogMel;
    struct Plan;
    std::shared_ptr<const Plan> m_plan;
};

// Streaming: frames come as soon as their sound is there, past frames are never revised; the maximum is the running one.
// First chunk: left reflection of 201 samples, as the authors do (frame i centred at 160 i - 1); later frames continue without a seam.
class StreamingLogMel {
  public:
    // `chunk_samples`: a positive multiple of 320, else Error(Usage); the frames of a chunk share one clamp maximum, computed when the
    // chunk plus `look_ahead_samples` are there: 0 (the last of the chunk's own frames comes with the next chunk), 40 (no frame beyond
    // the chunk's own), 200 (one) or 360 (two, as the authors have it), else Error(Usage).
    StreamingLogMel(const LogMel &mel, Sample chunk_samples, Sample look_ahead_samples = 360);
    ~StreamingLogMel();
    StreamingLogMel(StreamingLogMel &&) noexcept;
    StreamingLogMel &operator=(StreamingLogMel &&) noexcept;
    // The chunks not yet given out are of this size; a positive multiple of 320, else Error(Usage).
    void setChunk(Sample chunk_samples);
    // Returns the frames of all chunks that became complete: 2 * chunk/320 (+ 2 with a look-ahead of 360, - 1 with none) for the first, 2 * chunk/320
    // for each later one.
    [[nodiscard]] MelFrames push(std::span<const float> sound);
    // Zero-pads the rest to a whole chunk plus look-ahead, so that no sound is lost. Empty when nothing is left. Then only reset() is allowed.
    [[nodiscard]] MelFrames finish();
    // Starts a new stream: position, running maximum and pending sound are forgotten.
    void reset();

  private:
    struct State;
    std::unique_ptr<State> m_state;
};

}  // namespace braid::features
