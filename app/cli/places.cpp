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

// Beside the installed program, in the source tree, the user's own; those that are there.
std::vector<fs::path> withShared(std::vector<fs::path> folders, const char *kind)
{
    std::error_code problem;
    if (const auto program = fs::read_symlink("/proc/self/exe", problem); !problem) {
        folders.push_back((program.parent_path() / "../share/braid" / kind).lexically_normal());
    }
    folders.push_back(fs::path(BRAID_SOURCE_DIR "/resources") / kind);
    folders.push_back(dataFolder() / kind);
    std::erase_if(folders, [](const fs::path &folder) {
        std::error_code missing;
        return !fs::is_directory(folder, missing);
    });
    return folders;
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
    return withShared(std::move(folders), "models");
}

std::vector<fs::path> layoutFolders()
{
    return withShared({}, "layouts");
}

fs::path journalFolder()
{
    return dataFolder() / "sessions";
}

}  // namespace braid::cli
