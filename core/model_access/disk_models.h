// Models that other programs have put on this machine: found where they keep them, used where they lie, never copied. Nothing but folders, and the head of a
// model card, is read; nobody is asked. Thread: any.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace braid::models {

// Folders in which other programs keep models that Braid reads: openai-whisper's cache, and every snapshot in Hugging Face's cache that one of its refs
// names (where it has none, each snapshot). Those that are there, sorted.
[[nodiscard]] std::vector<std::filesystem::path> cacheFolders();

// "distil-small.en" for a snapshot in Hugging Face's cache; empty for any other path.
[[nodiscard]] std::string hubName(const std::filesystem::path &path);
// What the model card beside a model states ("mit"); empty where it states nothing.
[[nodiscard]] std::string statedLicence(const std::filesystem::path &path);

// A model of a kind that Braid does not read yet.
struct UnreadModel {
    std::filesystem::path path;
    std::string name;
    std::string kind;  // "ggml (whisper.cpp)"
    std::uint64_t bytes = 0;
    std::string problem;  // a sentence
};
// In cacheFolders(), where whisper.cpp and llama.cpp keep theirs, and in `folders`.
[[nodiscard]] std::vector<UnreadModel> unreadModels(const std::vector<std::filesystem::path> &folders);

}  // namespace braid::models
