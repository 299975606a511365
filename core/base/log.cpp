#include "core/base/log.h"

#include <spdlog/sinks/rotating_file_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>

namespace braid {

void initLogging(LogLevel level, const std::filesystem::path &log_file)
{
    auto console = std::make_shared<spdlog::sinks::stderr_color_sink_mt>();
    console->set_level(level == LogLevel::Quiet ? spdlog::level::warn : level == LogLevel::Normal ? spdlog::level::info : spdlog::level::debug);
    console->set_pattern("braid: %^%v%$");
    auto logger = std::make_shared<spdlog::logger>("braid", console);
    logger->set_level(spdlog::level::debug);
    logger->flush_on(spdlog::level::warn);
    if (!log_file.empty()) {
        try {
            std::filesystem::create_directories(log_file.parent_path());
            auto file = std::make_shared<spdlog::sinks::rotating_file_sink_mt>(log_file.string(), 2 * 1024 * 1024, 2);
            file->set_pattern("%Y-%m-%d %H:%M:%S.%e %t %l %v");
            logger->sinks().push_back(file);
        } catch (const std::exception &problem) {
            logger->warn("no log file at {} ({})", log_file.string(), problem.what());
        }
    }
    spdlog::set_default_logger(logger);
}

}  // namespace braid
