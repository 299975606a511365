// Models as files and folders: where they lie, how they are called, how large they are. Torch-free; nothing is read but folders. Thread: any.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace braid::models {

// "captions-en" for a folder, "tiny.en" for tiny.en.pt.
[[nodiscard]] std::string modelName(const std::filesystem::path &path);
// Of a file, or of the files in a folder; 0 where that cannot be told.
[[nodiscard]] std::uint64_t bytesOf(const std::filesystem::path &path);
// What looks like a model in each of `folders` (a folder with config.json, a file with weights), or the folder itself where it is one; each once.
[[nodiscard]] std::vector<std::filesystem::path> modelsIn(std::span<const std::filesystem::path> folders);
// An existing path, or the model in `folders` of this name. Throws Error(Model) naming those that are `wanted`; `kind`: "language model".
[[nodiscard]] std::filesystem::path findAmong(const std::string &name_or_path, std::span<const std::filesystem::path> folders, const std::string &kind,
                                              const std::function<bool(const std::filesystem::path &)> &wanted);

}  // namespace braid::models
