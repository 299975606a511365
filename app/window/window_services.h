// Gives the window its engine, models, devices and folders.
#pragma once

#include "ui/services.h"

namespace braid::app {

// Where models are looked for, first to last: $BRAID_MODELS, beside the program, the source tree, the user's own.
[[nodiscard]] std::vector<std::filesystem::path> modelFolders(const std::filesystem::path &program);

enum class Keeping : std::uint8_t { SettingsAndJournals = 1, Nothing };

[[nodiscard]] ui::Services makeWindowServices(const std::filesystem::path &program, Keeping keeping);

}  // namespace braid::app
