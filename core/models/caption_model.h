// The door between the torch-free world (app, ui, engine) and a Whisper on disk: load by name or folder, make a caption policy,
// transcribe a file offline. No torch in this header.
//
// Thread: the engine worker (or braid-cli's main thread) owns the model and everything made from it.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "core/decoding/align_att.h"
#include "core/decoding/caption_policy.h"
#include "core/decoding/doubt_guard.h"
#include "core/decoding/local_agreement.h"
#include "core/text/line_breaks.h"
#include "core/text/transcript.h"

namespace braid::models {

enum class NumberType { Float32 = 1, BFloat16, Float16 };
enum class SpeechTask { Transcribe = 1, Translate };
// ModelsChoice: Streaming for a model trained for it, else what settles words soonest (AlignAtt).
enum class PolicyKind { LocalAgreement = 1, AlignAtt, Streaming, ModelsChoice };

struct DeviceChoice {
    std::string device = "auto";  // "auto", "cpu", "cuda", "cuda:1"
    NumberType number_type = NumberType::Float32;
    int threads = 0;  // 0: as resolveThreads() says
};

struct CaptionOptions {
    PolicyKind policy = PolicyKind::ModelsChoice;
    std::string language;  // "en"; empty: the model's only language, else detected on the first utterance
    SpeechTask task = SpeechTask::Transcribe;
    int step_ms = 0;       // 0: the policy's default
    int beam_size = 0;     // 1: greedy; 0: the policy's own: 5 while streaming, where it measured best, else greedy
    int rival_count = 3;
    bool capture_attention = true;
    // Of the streaming policy alone:
    int first_chunk_ms = 0;   // 0: the model's own
    int look_back_tokens = 2; // n of CarelessWhisper's Algorithms 1 and 2
    decoding::StabilityRule stability = decoding::StabilityRule::Braid;
    decoding::TokenCache token_cache = decoding::TokenCache::WithinChunk;
    decoding::DoubtOptions doubt;
    // Of the others alone; step_ms goes before theirs:
    decoding::AlignAttOptions align_att;
    decoding::LocalAgreementOptions local_agreement;
    decoding::WindowPadding window_padding = decoding::WindowPadding::ModelsOwn;
};

struct ModelSummary {
    std::string name;              // folder or file name
    std::filesystem::path path;
    std::string description;       // "Whisper, 8.1 M parameters, English"
    std::uint64_t bytes = 0;
    std::vector<std::string> languages;
    bool made_for_streaming = false;  // its encoder was trained to be causal; then, and only then, what it was trained for is known:
    int least_chunk_ms = 0;
    int most_chunk_ms = 0;
    int own_chunk_ms = 0;    // where nothing else is asked for
    int first_chunk_ms = 0;  // of a window, where chunks are shorter than it
    std::string problem;           // a sentence where it cannot be used
};

// Models in `folders` (each sub-folder or .pt/.ckpt/.safetensors file), cheap: reads configurations, not weights.
[[nodiscard]] std::vector<ModelSummary> listModels(std::span<const std::filesystem::path> folders);
// Finds `name_or_path`: an existing path, or a name in `folders`. Throws Error(Model) naming what there is.
[[nodiscard]] std::filesystem::path findModel(const std::string &name_or_path, std::span<const std::filesystem::path> folders);

// `threads`, or for 0 one less than the cores this process may use (the window and the sound need one), at least one.
[[nodiscard]] int resolveThreads(int threads);

// "cpu, 2 threads, float32" after applying `choice`; throws Error(Device) when the device is not there.
[[nodiscard]] std::string applyDeviceChoice(const DeviceChoice &choice);

struct OfflineOptions {
    std::string language;
    SpeechTask task = SpeechTask::Transcribe;
    int beam_size = 5;
    std::vector<float> temperatures = {0.0f, 0.2f, 0.4f, 0.6f, 0.8f, 1.0f};
    float compression_ratio_threshold = 2.4f;
    float log_probability_threshold = -1.0f;
    float no_speech_threshold = 0.6f;
    bool condition_on_previous_text = true;
    std::uint64_t seed = 0;
    text::LineRule lines;
};

class CaptionModel {
  public:
    using Progress = std::function<void(double fraction, std::string what)>;

    // Applies `device` (see applyDeviceChoice), then loads weights and tokenizer: Hugging Face folder, OpenAI .pt, CarelessWhisper .pt/.ckpt. Strict; throws
    // Error(Model), or Error(Cancelled) on `stop`.
    [[nodiscard]] static std::shared_ptr<CaptionModel> load(const std::filesystem::path &path, const DeviceChoice &device, const Progress &progress = {}, std::stop_token stop = {});

    virtual ~CaptionModel() = default;
    [[nodiscard]] virtual ModelSummary summary() const = 0;
    [[nodiscard]] virtual std::unique_ptr<decoding::CaptionPolicy> makePolicy(const CaptionOptions &options) = 0;
    // A whole file, with word times. A model made for streaming hears it in its longest chunks, by a beam, in windows cut at pauses; others in
    // long-form windows with temperature fallback. Throws Error(Cancelled) on `stop`.
    [[nodiscard]] virtual text::Transcript transcribe(std::span<const float> sound, const OfflineOptions &options, const Progress &progress = {}, std::stop_token stop = {}) = 0;
};

}  // namespace braid::models
