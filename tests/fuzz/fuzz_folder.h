// A folder for fuzzers of readers that want files. Its files are written anew for every input.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <unistd.h>

namespace braid::fuzz {

// One for the whole process.
inline const std::filesystem::path &folder()
{
    static const std::filesystem::path path = [] {
        std::string name = (std::filesystem::temp_directory_path() / "braid-fuzz-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) {
            std::abort();
        }
        return std::filesystem::path(name);
    }();
    return path;
}

}  // namespace braid::fuzz
