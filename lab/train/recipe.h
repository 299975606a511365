// A training run of captions as a file (resources/recipes/*.json, docs/formats.md): what to start from, what to learn from, how. Plain values; no torch.
// Strict: an unknown key, a wrong type or a value out of range is refused with a sentence. Paths are relative to the recipe.
// Errors: Error(Input) with the file and the key.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/weights/whisper_checkpoint.h"
#include "lab/train/run_recipe.h"

namespace braid::train {

enum class FramesKept : std::uint8_t { All = 1, EverySecond };

// What a recipe begins with: a model, parts of somebody's Whisper with a token table of one's own, or sizes alone.
struct StartRecipe {
    std::filesystem::path model;                       // a Whisper folder or file
    std::filesystem::path encoder;                     // parts (whisper_parts.h): safetensors of an encoder ...
    std::filesystem::path decoder;                     // ... and of a decoder's blocks, by OpenAI's names
    FramesKept frames = FramesKept::All;               // of the encoder in parts
    std::int64_t text_positions = 0;                   // of the decoder in parts; 0: all
    double token_deviation = 0.004;                    // of the new token table's numbers
    std::vector<std::pair<int, int>> alignment_heads;  // (layer, head) of the decoder in parts that look at what is said; may be empty
    std::filesystem::path heads;                       // auxiliary heads of an earlier run (safetensors); may be empty
    weights::WhisperDims dims;                         // from scratch alone
    std::filesystem::path tokenizer;                   // of parts and from scratch: tokenizer.json
    std::int64_t lora_rank = 0;                        // 0: everything is trained; else adapters alone
};

// How a part of the network is trained.
struct PartRecipe {
    enum class Way : std::uint8_t { Frozen = 1, Lora, Whole } way = Way::Whole;
    std::int64_t rank = 0;  // of adapters
    double rate = 0;        // at most, as optimizer.learning_rate, which it is where this is 0
};

struct PartsRecipe {
    PartRecipe encoder;
    PartRecipe decoder;  // without its token table
    PartRecipe tokens;   // the token table, which is also the output
};

struct ChunkRecipe {
    std::int64_t first_ms = 400;
    std::vector<std::int64_t> chunk_ms = {300};  // one is drawn for every batch
    std::vector<double> weights;                 // as many; empty: alike
    double full_attention = 0;                   // the share of batches in which every frame sees everything
};

// Always: the text of a whole window is learnt each time it is heard, which is all that speech without word times can teach. Drawn: as in the paper.
enum class WindowEnd : std::uint8_t { Always = 1, Drawn };
// Together: one step of the optimizer for all points of a batch, whose sound is encoded once. Each: one for the first points of all windows, one for the
// second ones and so on, as in the paper; sound is encoded, and the losses beside the text's count, with each.
enum class PointSteps : std::uint8_t { Together = 1, Each };

// Algorithm 3's getSamplePoints: of all block ends of a window, this share is drawn, within these bounds.
struct PointRecipe {
    double fraction = 0.1;
    std::int64_t least = 1;
    std::int64_t most = 2;
    WindowEnd end = WindowEnd::Always;
    PointSteps steps = PointSteps::Together;
};

struct CorpusRecipe {
    std::filesystem::path manifest;
    double weight = 1;            // how often an epoch passes through it; a fraction is drawn
    bool wants_features = false;  // the teacher's output on it is computed once, kept in the cache and learned from
};

struct WindowRecipe {
    double longest_s = 15;
    double batch_s = 50;
    double join = 0.25;        // share of windows with more than one utterance
    double cut = 0.3;          // share of utterances from which a part is taken
    double silence = 0.025;    // windows without speech, against windows with
    double single_noises = 0;  // share of the windows without speech that hold single noises with quiet around them
    double lead = 0.3;         // share of windows that begin, and that end, with up to a second of quiet
};

struct DisturbanceRecipe {
    double noise = 0;  // share of windows with noise
    double least_snr_db = 4;
    double most_snr_db = 25;
    double room = 0;   // share of windows heard through a room's impulse response
    double speed = 0;  // share with another speed and pitch ...
    double least_speed = 0.9;
    double most_speed = 1.1;
    double tempo = 0;          // ... or another speed alone, on the log-mel
    double most_tempo = 0.14;  // 1 - this .. 1 + this
    double gain_db = 0;        // up to so much louder or softer
    double band_warp = 0;      // up to this factor - 1
    double colour = 0;         // deviation, in log10 of power, of six points of a curve over the bands
    double telephone = 0;      // share of windows heard through a telephone's band
    double masks = 0;          // share of windows with SpecAugment
};

// Through what the encoder is compared with its teacher.
enum class TeacherHead : std::uint8_t {
    Linear = 1,  // a layer that is learned
    Own,         // nothing: the teacher is the encoder itself as it began, hearing whole utterances
};

// Where the encoder's output comes from.
enum class EncoderOutput : std::uint8_t {
    Computed = 1,
    Cached,  // of a frozen encoder: computed once for every whole utterance, undisturbed
};

struct LossRecipe {
    double text = 1;
    double frames = 0;
    double frame_delay_ms = 0;  // the frame head says what was spoken so long ago
    double attention = 0;
    std::vector<std::pair<int, int>> attention_heads;
    double features_first = 0;  // at the beginning ...
    double features_last = 0;   // ... and at the end, a straight line between
    double label_smoothing = 0;
    double token_replacement = 0;
    double encoder_dropout = 0;
    double decoder_dropout = 0;
};

struct ValidationRecipe {
    std::vector<std::filesystem::path> manifests;
    std::int64_t utterances = 60;  // drawn evenly from each
};

struct ExportRecipe {
    std::int64_t default_chunk_ms = 300;
};

struct Recipe : RunRecipe {
    std::int64_t loader_threads = 1;
    std::int64_t replicas = 1;      // parts of a batch that are learned from at the same time, each on `threads` threads of its own (replicas.h)
    std::filesystem::path cache;    // a folder: decoded sound (115 MB an hour) and the teacher's features (69 MB an hour)
    std::filesystem::path teacher;  // safetensors of a Whisper encoder by OpenAI's names; empty: none
    TeacherHead teacher_head = TeacherHead::Linear;
    StartRecipe start;
    std::optional<PartsRecipe> parts;  // empty: everything whole, or adapters alone (start.lora_rank)
    EncoderOutput encoder_output = EncoderOutput::Computed;
    ChunkRecipe chunks;
    PointRecipe points;
    std::vector<CorpusRecipe> corpora;
    std::vector<std::filesystem::path> noise;  // manifests of sound without speech
    std::vector<std::filesystem::path> rooms;  // impulse responses: sound files or folders of them
    WindowRecipe windows;
    DisturbanceRecipe disturbance;
    LossRecipe losses;
    ValidationRecipe validation;
    ExportRecipe exported;

    // One after another; each is a whole recipe with the same start. Empty: this recipe is the only stage. Else this recipe is as the first.
    std::vector<Recipe> stages;
};

[[nodiscard]] Recipe readRecipe(const std::filesystem::path &path);
// `where` names it in errors; relative paths are taken from `folder`.
[[nodiscard]] Recipe parseRecipe(std::string_view text, const std::filesystem::path &folder, const std::string &where);

}  // namespace braid::train
