// The files that a command is about to write, looked at before it works on anything: nothing that exists is lost without being asked for, nothing is written
// twice, and a place that cannot be written is known at once. Thread: main.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace braid::cli {

enum class Existing : std::uint8_t { Refused = 1, Overwritten };

class OutputFiles {
  public:
    explicit OutputFiles(Existing existing)
        : m_existing(existing)
    {
    }
    // A file that the command reads; empty: none.
    void reads(const std::filesystem::path &file);
    // A file that it writes; empty: standard output. Throws Error(Usage) where an input or another output is the same file, or where it exists and may not be
    // overwritten (an empty file, a pipe and a device may); Error(Storage) where it cannot be written. All inputs come before the first output.
    void writes(const std::filesystem::path &file);

  private:
    Existing m_existing;
    std::map<std::string, std::filesystem::path> m_inputs;  // by identity
    std::map<std::string, std::filesystem::path> m_outputs;
};

// --overwrite
[[nodiscard]] CLI::Option *declareOverwrite(CLI::App &command);
[[nodiscard]] Existing existingFiles(const CLI::Option &overwrite);

}  // namespace braid::cli
