// What the command line says, as values. The only part that knows the command-line library.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/audio/source_spec.h"

namespace braid::cli {

enum class OutputFormat : std::uint8_t { Live = 1, Text, Json, Srt, Vtt };
enum class Policy : std::uint8_t { LocalAgreement = 1, AlignAtt, Offline, ModelsChoice };
enum class Task : std::uint8_t { Transcribe = 1, Translate };
enum class NumberType : std::uint8_t { Float32 = 1, BFloat16, Float16 };
enum class Loudness : std::uint8_t { Normal = 1, Quiet };

struct CaptionOptions {
    std::vector<audio::SourceSpec> sources;  // one after the other
    std::string model;                       // a path or a name; empty: the model in the box
    Policy policy = Policy::ModelsChoice;
    std::string language;
    Task task = Task::Transcribe;
    int step_ms = 0;
    int beam_size = 0;  // 0: the policy's default
    std::string device = "auto";
    NumberType number_type = NumberType::Float32;
    int threads = 0;
    OutputFormat format = OutputFormat::Live;
    std::filesystem::path out;      // a file, or a folder that gets a file for each source; empty: standard output
    std::filesystem::path journal;  // where this run's journal is made; empty: none
    Loudness loudness = Loudness::Normal;
};

enum class RecoverAction : std::uint8_t { List = 1, Export };

struct RecoverOptions {
    RecoverAction action = RecoverAction::Export;
    std::filesystem::path journal;  // one journal; empty: the newest interrupted one below `parent`
    std::filesystem::path parent;
    OutputFormat format = OutputFormat::Text;
    std::filesystem::path out;
    enum class After : std::uint8_t { Settle = 1, Keep } after = After::Settle;
};

enum class Command : std::uint8_t { Caption = 1, Devices, Models, Recover, Nothing };

struct CommandLine {
    Command command = Command::Nothing;
    int exit_code = 0;  // with Nothing: help or version was printed (0), or the usage was wrong (2)
    CaptionOptions caption;
    RecoverOptions recover;
};

// Prints help, version and usage errors itself. Throws Error(Usage) for what only a second look shows.
[[nodiscard]] CommandLine parseCommandLine(int argc, char **argv);

}  // namespace braid::cli
