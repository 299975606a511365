// What the command line says about captions, as values. The commands themselves: sub_commands.h.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/audio/source_spec.h"
#include "core/decoding/align_att.h"
#include "core/decoding/doubt_guard.h"
#include "core/decoding/local_agreement.h"
#include "core/decoding/streaming_recognizer.h"
#include "core/text/line_breaks.h"

namespace braid::cli {

enum class OutputFormat : std::uint8_t { Live = 1, Text, Json, Srt, Vtt };
enum class Policy : std::uint8_t { LocalAgreement = 1, AlignAtt, Streaming, Offline, ModelsChoice };
enum class Task : std::uint8_t { Transcribe = 1, Translate };
enum class NumberType : std::uint8_t { Float32 = 1, BFloat16, Float16 };
// Offline: hotter where a text looks wrong, as Whisper does, or the first one as it is.
enum class OfflineTemperatures : std::uint8_t { Rising = 1, Zero };
enum class Loudness : std::uint8_t { Normal = 1, Quiet };

struct CaptionOptions {
    std::vector<audio::SourceSpec> sources;  // one after the other
    std::string model;                       // a path or a name; empty: the model in the box
    Policy policy = Policy::ModelsChoice;
    std::string language;
    Task task = Task::Transcribe;
    int step_ms = 0;
    int beam_size = 0;  // 0: the policy's default
    // Of the streaming policy alone:
    int first_chunk_ms = 0;    // 0: the model's own
    int look_back_tokens = 2;
    decoding::StabilityRule stability = decoding::StabilityRule::Braid;
    decoding::TokenCache token_cache = decoding::TokenCache::WithinChunk;
    decoding::DoubtOptions doubt;
    // Of the others; step_ms goes before theirs:
    decoding::AlignAttOptions align_att;
    decoding::LocalAgreementOptions local_agreement;
    decoding::WindowPadding window_padding = decoding::WindowPadding::ModelsOwn;
    OfflineTemperatures temperatures = OfflineTemperatures::Rising;
    text::LineRule lines;
    std::string device = "auto";
    NumberType number_type = NumberType::Float32;
    int threads = 0;
    OutputFormat format = OutputFormat::Live;
    std::filesystem::path out;      // a file, or a folder that gets a file for each source; empty: standard output
    std::filesystem::path journal;  // where this run's journal is made; empty: none
    Loudness loudness = Loudness::Normal;
};

}  // namespace braid::cli
