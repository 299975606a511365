// Gives the window its engines, models, devices and folders. The Streams page's part: streams_services.cpp; the Translation page's:
// translation_services.cpp.
#pragma once

#include "core/model_access/model_access.h"
#include "ui/state/services.h"

namespace braid::app {

enum class Keeping : std::uint8_t { SettingsAndJournals = 1, Nothing };

// Where the window keeps what a person chose.
[[nodiscard]] std::filesystem::path settingsFile();
[[nodiscard]] ui::Services makeWindowServices(const models::ModelAccess &access, Keeping keeping);
[[nodiscard]] ui::StreamsServices makeStreamsServices(const models::ModelAccess &access);
// Engines that translate, and which models do.
void addTranslation(ui::Services &services, const models::ModelAccess &access);

}  // namespace braid::app
