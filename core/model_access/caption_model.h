// A model for captions as everything but core/models sees it: what is known of it, what it is asked, and what policies are made over. No torch here.
//
// Thread: who loaded a model owns it and everything made from it; one thread at a time. What is made from it keeps what it needs alive.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core/captions/align_att.h"
#include "core/captions/caption_policy.h"
#include "core/captions/doubt_guard.h"
#include "core/captions/local_agreement.h"
#include "core/captions/recognizer.h"
#include "core/captions/segment_transcriber.h"
#include "core/captions/streaming_recognizer.h"
#include "core/captions/streaming_times.h"
#include "core/drafting/acceptance.h"
#include "core/text/line_breaks.h"
#include "core/text/transcript.h"

namespace braid::models {

enum class SpeechTask : std::uint8_t { Transcribe = 1, Translate };
inline constexpr std::array<std::pair<std::string_view, SpeechTask>, 2> kSpeechTasks = {
    {{"transcribe", SpeechTask::Transcribe}, {"translate", SpeechTask::Translate}}};
// Of whole recordings: hotter where a text looks wrong, as Whisper does, or the first one as it is.
enum class OfflineTemperatures : std::uint8_t { Rising = 1, Zero };

// Name, rule, what it is; and where keys and values of tokens stay in use.
inline constexpr std::array<std::tuple<std::string_view, captions::StabilityRule, std::string_view>, 4> kStabilityRules = {
    {{"paper", captions::StabilityRule::Paper, "by the paper"},
     {"v1", captions::StabilityRule::ReleasedV1, "as the authors' first release"},
     {"v2", captions::StabilityRule::ReleasedV2, "as their second"},
     {"braid", captions::StabilityRule::Braid, "the rule that measured best"}}};
inline constexpr std::array<std::pair<std::string_view, captions::WordTimeRule>, 2> kWordTimeRules = {
    {{"refined", captions::WordTimeRule::Refined}, {"paper", captions::WordTimeRule::Paper}}};
inline constexpr std::array<std::pair<std::string_view, captions::TokenCache>, 2> kTokenCaches = {
    {{"within", captions::TokenCache::WithinChunk}, {"across", captions::TokenCache::AcrossChunks}}};

// Of the speech-llm policy.
struct SpeechLlmChoice {
    int wait_k = 0;                    // segments read before the first word; 0: the model's own
    std::string paradigm = "group";    // as paradigms::paradigmNamed() knows them; those that cannot stream speech are refused
    double phi = -1;                   // where the text's positions begin, in group streaming; below 0: the model's own
    drafting::DraftSettings drafting;  // several tokens a step, by a model that has heads for it
};

// What a person may say of a policy; each takes what is its own (caption_policies.h).
struct CaptionOptions {
    std::string policy = "models-choice";  // as CaptionPolicies calls it
    std::string language;                  // "en"; empty: the model's only language, else detected on the first utterance
    SpeechTask task = SpeechTask::Transcribe;
    int step_ms = 0;    // 0: the policy's default
    int beam_size = 0;  // 1: greedy; 0: the policy's own: 5 while streaming, where it measured best, else greedy
    int rival_count = 3;
    bool capture_attention = true;
    // Of the streaming policy alone:
    int first_chunk_ms = 0;    // 0: the model's own
    int reencode_ms = -1;      // captions::Chunking::reencode_samples; -1: the model's own
    int look_back_tokens = 2;  // n of CarelessWhisper's Algorithms 1 and 2
    captions::StabilityRule stability = captions::StabilityRule::Braid;
    captions::WordTimeRule word_times = captions::WordTimeRule::Refined;
    captions::TokenCache token_cache = captions::TokenCache::WithinChunk;
    captions::DoubtOptions doubt;
    // Of the others alone; step_ms goes before theirs:
    captions::AlignAttOptions align_att;
    captions::LocalAgreementOptions local_agreement;
    captions::WindowPadding window_padding = captions::WindowPadding::ModelsOwn;
    SpeechLlmChoice speech_llm;
    // Of whole recordings alone:
    OfflineTemperatures temperatures = OfflineTemperatures::Rising;
};

// Told while something takes long, often; `fraction` from 0 to 1.
using Progress = std::function<void(double fraction, std::string what)>;

// What a model is made of: a Whisper, which the policies for sound run on, or a language model that listens, which has one policy of its own.
enum class CaptionModelKind : std::uint8_t { Whisper = 1, SpeechLm };

struct ModelSummary {
    std::string name;  // folder or file name
    std::filesystem::path path;
    std::string description;  // "Whisper, 8.1 M parameters, English"
    std::uint64_t bytes = 0;
    std::vector<std::string> languages;
    CaptionModelKind kind = CaptionModelKind::Whisper;
    std::int64_t token_heads = 1;     // tokens a SpeechLm can predict at once
    bool made_for_streaming = false;  // its encoder was trained to be causal; then, and only then, what it was trained for is known:
    int least_chunk_ms = 0;
    int most_chunk_ms = 0;
    int own_chunk_ms = 0;    // where nothing else is asked for
    int first_chunk_ms = 0;  // of a window, where chunks are shorter than it
    std::string problem;     // a sentence where it cannot be used
};

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

// What of `options` counts for a whole recording.
[[nodiscard]] OfflineOptions offlineOptions(const CaptionOptions &options);

class CaptionModel {
  public:
    virtual ~CaptionModel() = default;
    [[nodiscard]] virtual ModelSummary summary() const = 0;
    // What policies are made over. Each throws Error(Usage) for a language or task the model does not have.
    [[nodiscard]] virtual std::unique_ptr<captions::WindowRecognizer> makeWindowRecognizer(const CaptionOptions &options) = 0;
    [[nodiscard]] virtual std::unique_ptr<captions::StepDecoder> makeStepDecoder(const CaptionOptions &options) = 0;
    [[nodiscard]] virtual std::unique_ptr<captions::StreamingRecognizer> makeStreamingRecognizer(const CaptionOptions &options) = 0;
    // Of a language model that listens alone; Error(Usage) otherwise.
    [[nodiscard]] virtual std::unique_ptr<captions::SegmentTranscriber> makeSegmentTranscriber(const CaptionOptions &options);
    // A whole file, with word times. A model made for streaming hears it in its longest chunks, by a beam, in windows cut at pauses; others in
    // long-form windows with temperature fallback. Throws Error(Cancelled) on `stop`.
    [[nodiscard]] virtual text::Transcript transcribe(std::span<const float> sound, const OfflineOptions &options, const Progress &progress = {},
                                                      std::stop_token stop = {}) = 0;
};

}  // namespace braid::models
