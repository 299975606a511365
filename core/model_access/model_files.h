// Models as files and folders: where they lie, how they are called, how large they are. Nothing is read but folders. Thread: any.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace braid::models {

// Of a file that can be a model by itself: .pt, .ckpt, .safetensors, .gguf, and .bin, which is one only where it is whisper.cpp's. By its name alone.
[[nodiscard]] bool hasModelExtension(const std::filesystem::path &path);
// "captions-en" for a folder, "tiny.en" for tiny.en.pt.
[[nodiscard]] std::string modelName(const std::filesystem::path &path);
// Of a file, or of the files in a folder; 0 where that cannot be told.
[[nodiscard]] std::uint64_t bytesOf(const std::filesystem::path &path);
// What looks like a model in each of `folders` (a folder with config.json, a file with weights), or the folder itself where it is one; each once.
[[nodiscard]] std::vector<std::filesystem::path> modelsIn(std::span<const std::filesystem::path> folders);
// An existing path, or the model in `folders` of this name; the first one finds models for captions, the second language models. Throw Error(Model)
// naming what there is.
[[nodiscard]] std::filesystem::path findModel(const std::string &name_or_path, std::span<const std::filesystem::path> folders);
[[nodiscard]] std::filesystem::path findLanguageModel(const std::string &name_or_path, std::span<const std::filesystem::path> folders);

// $XDG_DATA_HOME/braid, or the same below ~/.local/share: models, layouts and journals of one's own. Empty where neither XDG_DATA_HOME nor HOME says where.
[[nodiscard]] std::filesystem::path userDataFolder();
// Where journals are kept unless somebody says otherwise. Throws Error(Usage) where userDataFolder() is empty.
[[nodiscard]] std::filesystem::path journalsFolder();
// Where the files that come with a program in this folder are: where they were installed beside it, or else in the source tree it was built from.
[[nodiscard]] std::filesystem::path programsResources(const std::filesystem::path &program_folder);
// Folders called `kind` that are there: of programsResources(), then the user's own.
[[nodiscard]] std::vector<std::filesystem::path> resourceFolders(const char *kind);
// Where models are looked for by name, best first: $BRAID_MODELS (several separated by colons), then resourceFolders().
[[nodiscard]] std::vector<std::filesystem::path> modelFolders();

}  // namespace braid::models
