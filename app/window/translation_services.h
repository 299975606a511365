// What the Translation page needs from outside: engines, and which models translate.
#pragma once

#include <filesystem>
#include <vector>

#include "ui/services.h"

namespace braid::app {

void addTranslation(ui::Services &services, const std::vector<std::filesystem::path> &model_folders);

}  // namespace braid::app
