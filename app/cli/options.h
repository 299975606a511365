// What the command line says about captions, as values. The commands themselves: sub_commands.h.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/archive_plan.h"
#include "app/cli/output_files.h"
#include "core/audio/source_spec.h"
#include "core/model_access/model_access.h"
#include "core/text/line_breaks.h"
#include "core/text/word_rules.h"

namespace braid::cli {

enum class OutputFormat : std::uint8_t { Live = 1, Text, Json, Srt, Vtt };
enum class Loudness : std::uint8_t { Normal = 1, Quiet };

// Transcripts of an archive that a worker finds.
enum class EarlierWork : std::uint8_t { Refused = 1, GoneOnWith };

struct ArchiveOptions {
    std::filesystem::path list;  // of recordings, one a line
    Shard shard;
    EarlierWork earlier = EarlierWork::Refused;
};

struct CaptionOptions {
    std::vector<audio::SourceSpec> sources;             // one after the other
    std::optional<ArchiveOptions> archive;              // instead of sources
    std::string model = models::kCaptionModelInTheBox;  // a path or a name
    models::DeviceChoice device;
    models::CaptionOptions captions;
    text::LineRule lines;
    text::WordRules words;  // how words are written
    OutputFormat format = OutputFormat::Live;
    Existing existing = Existing::Refused;
    std::filesystem::path out;      // a file, or a folder that gets a file for each source; empty: standard output; an archive's folder
    std::filesystem::path journal;  // where this run's journal is made; empty: none
    Loudness loudness = Loudness::Normal;
};

}  // namespace braid::cli
