#include "core/weights/tokenizer_location.h"

#include <algorithm>
#include <vector>

namespace braid::weights {
namespace fs = std::filesystem;
namespace {

constexpr std::int64_t kEnglishVocabulary = 51864;

fs::path tiktokenIn(const fs::path &folder, std::int64_t n_vocab)
{
    const auto usual = folder / (n_vocab == kEnglishVocabulary ? "gpt2.tiktoken" : "multilingual.tiktoken");
    std::error_code ignored;
    if (fs::is_regular_file(usual, ignored)) {
        return usual;
    }
    std::vector<fs::path> others;
    for (fs::directory_iterator entry(folder, ignored), end; !ignored && entry != end; entry.increment(ignored)) {
        const auto name = entry->path().filename();
        if (name.extension() == ".tiktoken" && name != "gpt2.tiktoken" && name != "multilingual.tiktoken") {
            others.push_back(entry->path());
        }
    }
    return others.size() == 1 ? others.front() : fs::path();
}

}  // namespace

fs::path tokenizerInFolder(const fs::path &folder, std::int64_t n_vocab)
{
    std::error_code ignored;
    if (fs::is_regular_file(folder / "tokenizer.json", ignored)) {
        return folder / "tokenizer.json";
    }
    if (fs::is_regular_file(folder / "vocab.json", ignored) && fs::is_regular_file(folder / "merges.txt", ignored)) {
        return folder / "vocab.json";
    }
    return tiktokenIn(folder, n_vocab);
}

fs::path tokenizerBesideFile(const fs::path &file, std::int64_t n_vocab)
{
    const auto folder = file.parent_path();
    // A folder of many models has no tokenizer.json of one of them: only vocabularies by name count here.
    if (auto found = tiktokenIn(folder.empty() ? fs::path(".") : folder, n_vocab); !found.empty()) {
        return found;
    }
    return tiktokenIn(folder / "tokenizers", n_vocab);
}

}  // namespace braid::weights
