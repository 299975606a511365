// Gives the Streams page its engines, models and layouts.
#pragma once

#include <filesystem>
#include <vector>

#include "ui/streams/streams_services.h"

namespace braid::app {

// `layout_folders`: first to last; a layout of the same name in a later one is left out.
[[nodiscard]] ui::StreamsServices makeStreamsServices(const std::vector<std::filesystem::path> &model_folders, const std::vector<std::filesystem::path> &layout_folders);

}  // namespace braid::app
