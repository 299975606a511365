// Turns a planned batch into numbers: sound joined and disturbed, its log-mel exactly as streaming inference computes it (running
// maximum, first frames one sample early, silence after the end), sampled time points with the words that ended by then, the token of
// every frame, the teacher's features. Deterministic by (recipe.seed, epoch, batch). No torch. Thread: const from any.
#pragma once

#include <cstdint>
#include <vector>

#include "core/features/log_mel.h"
#include "core/weights/whisper_checkpoint.h"
#include "lab/train/batch.h"
#include "lab/train/feature_library.h"
#include "lab/train/random.h"
#include "lab/train/recipe.h"
#include "lab/train/window_plan.h"

namespace braid::train {

enum class Disturbed : std::uint8_t { No = 1, Yes };

class WindowMaker {
  public:
    // `features` (the teacher's) and `encoded` (the encoder's own output, which then stands in the place of the log-mel of make()) may be null.
    // Everything given must outlive the maker. `end_token` labels frames in which nothing is said.
    WindowMaker(const SpeechLibrary &library, const FeatureLibrary *features, const Recipe &recipe, const weights::WhisperDims &dims, std::int32_t end_token,
                std::int64_t longest_text, const FeatureLibrary *encoded = nullptr);

    [[nodiscard]] Batch make(const PlannedBatch &planned, std::uint64_t epoch, std::uint64_t number) const;
    // Whole utterances, undisturbed, with a time point at the end and `points` others each (validation); utterances that do not fit are left out.
    // Without `chunking` every frame sees the whole window.
    [[nodiscard]] Batch makePlain(const std::vector<const Speech *> &speech, const std::optional<captions::Chunking> &chunking, std::uint64_t seed) const;

    // True where makePlain() takes it: at least a frame, at most a window.
    [[nodiscard]] bool fits(const Speech &speech) const;
    [[nodiscard]] Sample frameSamples() const noexcept { return m_frame_samples; }
    [[nodiscard]] captions::Chunking chunking(std::int64_t chunk_ms) const;

  private:
    struct TimedToken {
        std::int32_t id = 0;
        std::int32_t word = 0;
        double start = 0;  // encoder frames from the window's beginning
        double end = 0;
        double word_end = 0;
        bool is_text = true;  // false: part of a word that the cut broke off; its frames are labelled, the word is not asked for
        bool has_times = true;
    };
    struct Window {
        features::MelFrames mel;
        std::int64_t frames = 0;
        std::vector<TimedToken> tokens;
        std::vector<std::pair<double, double>> unknown;  // stretches whose words have no times, in frames
        std::vector<float> features;                     // [frames, width]
        std::vector<float> feature_known;
        std::vector<float> encoded;  // [frames, width]
    };

    [[nodiscard]] Window window(const PlannedWindow &planned, const std::optional<captions::Chunking> &chunking, Disturbed disturbed, Random &random) const;
    void appendSegment(const Segment &segment, std::vector<float> &sound, Window &window) const;
    [[nodiscard]] std::int64_t melFrames(std::int64_t frames) const;
    void appendQuiet(Sample length, std::vector<float> &sound, Random &random) const;
    void fitFeatures(Window &window) const;
    // Moves times and features of a window whose sound or mel now takes `frames`, `scale` times as long as it was.
    void rescale(Window &window, std::int64_t frames, double scale) const;
    void changeSpeed(Window &window, std::vector<float> &sound, double factor) const;
    void stretch(Window &window, double factor) const;
    void addRows(const Window &window, std::int64_t index, const std::optional<captions::Chunking> &chunking, WindowEnd end, Random &random,
                 Batch &batch) const;
    [[nodiscard]] std::vector<std::int32_t> frameLabels(const Window &window) const;
    [[nodiscard]] Batch assemble(const std::vector<Window> &windows, const std::optional<captions::Chunking> &chunking, WindowEnd end, Random &random) const;

    const SpeechLibrary &m_library;
    const FeatureLibrary *m_features;
    const FeatureLibrary *m_encoded;
    const Recipe &m_recipe;
    features::LogMel m_mel;
    weights::ConvStrides m_strides;
    Sample m_frame_samples = 320;
    std::int64_t m_most_frames = 1500;
    std::int32_t m_end_token = 0;
    std::int64_t m_longest_text = 0;  // tokens, prompt and end not counted
};

}  // namespace braid::train
