// Models that other programs have put on this machine: found where they keep them, used where they lie, never copied. Nothing but folders, heads of files
// and Ollama's manifests is read; nobody is asked. Thread: any.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace braid::models {

// Folders in which other programs keep models that Braid reads: openai-whisper's cache, whisper.cpp's and llama.cpp's, those of each publisher in LM Studio's,
// Ollama's blobs, and every snapshot in Hugging Face's cache that one of its refs names (where it has none, each snapshot). Those that are there.
[[nodiscard]] std::vector<std::filesystem::path> cacheFolders();

// True for a folder of Ollama's blobs, in which only those are models that a manifest names so.
[[nodiscard]] bool isOllamaStore(const std::filesystem::path &folder);
struct OllamaModel {
    std::filesystem::path path;
    std::string name;  // "qwen2.5:0.5b"
};
[[nodiscard]] std::vector<OllamaModel> ollamaModels(const std::filesystem::path &blobs);

// "distil-small.en" for a snapshot in Hugging Face's cache; empty for any other path.
[[nodiscard]] std::string hubName(const std::filesystem::path &path);
// What the model card beside a model states ("mit"); empty where it states nothing.
[[nodiscard]] std::string statedLicence(const std::filesystem::path &path);

// What looks like a model and is of a kind that Braid does not read.
struct UnreadModel {
    std::filesystem::path path;
    std::string name;
    std::string kind;  // "ggml"
    std::uint64_t bytes = 0;
    std::string problem;  // a sentence
};
// In cacheFolders(), and in `folders`.
[[nodiscard]] std::vector<UnreadModel> unreadModels(const std::vector<std::filesystem::path> &folders);

}  // namespace braid::models
