// Where things lie on this machine: models, journals.
#pragma once

#include <filesystem>
#include <vector>

namespace braid::cli {

// Folders that are searched for models by name, best first: $BRAID_MODELS (several separated by colons), beside the installed
// program, the source tree the program was built from, the user's own.
[[nodiscard]] std::vector<std::filesystem::path> modelFolders();
// The same for stream layouts.
[[nodiscard]] std::vector<std::filesystem::path> layoutFolders();
// $XDG_DATA_HOME/braid/sessions, or the same below ~/.local/share.
[[nodiscard]] std::filesystem::path journalFolder();

}  // namespace braid::cli
