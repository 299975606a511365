// Logging: spdlog behind one set-up call. Never call any of it from the audio callback.
#pragma once

#include <filesystem>

#include <spdlog/spdlog.h>

namespace braid {

enum class LogLevel { Quiet = 1, Normal, Verbose };

// Sends messages to stderr (warnings and up when Quiet, information when Normal) and, where `log_file` is not empty, everything of
// debug level and up to a rotating file of at most 3 x 2 MB. Call once, before other threads start. A log file that cannot be
// opened is reported on stderr and otherwise ignored.
void initLogging(LogLevel level, const std::filesystem::path &log_file = {});

}  // namespace braid
