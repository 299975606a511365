#include "app/cli/places.h"

#include <cstdlib>
#include <sstream>
#include <string>

namespace braid::cli {
namespace {

namespace fs = std::filesystem;

fs::path dataFolder()
{
    if (const char *data = std::getenv("XDG_DATA_HOME"); data != nullptr && *data == '/') {
        return fs::path(data) / "braid";
    }
    const char *home = std::getenv("HOME");
    return fs::path(home != nullptr ? home : ".") / ".local/share/braid";
}

}  // namespace

std::vector<fs::path> modelFolders()
{
    std::vector<fs::path> folders;
    if (const char *chosen = std::getenv("BRAID_MODELS")) {
        std::istringstream list(chosen);
        for (std::string folder; std::getline(list, folder, ':');) {
            if (!folder.empty()) {
                folders.emplace_back(folder);
            }
        }
    }
    std::error_code problem;
    if (const auto program = fs::read_symlink("/proc/self/exe", problem); !problem) {
        folders.push_back((program.parent_path() / "../share/braid/models").lexically_normal());
    }
    folders.emplace_back(BRAID_SOURCE_DIR "/resources/models");
    folders.push_back(dataFolder() / "models");
    std::erase_if(folders, [](const fs::path &folder) {
        std::error_code missing;
        return !fs::is_directory(folder, missing);
    });
    return folders;
}

fs::path journalFolder()
{
    return dataFolder() / "sessions";
}

}  // namespace braid::cli
