#include "core/model_access/box_tokenizer.h"

#include <system_error>

#include "core/model_access/model_files.h"

namespace braid::models {
namespace {

constexpr std::int64_t kEnglish = 51864;
constexpr std::int64_t kLargest = 51866;

}  // namespace

std::filesystem::path tokenizerInTheBox(std::int64_t n_vocab)
{
    if (n_vocab < kEnglish || n_vocab > kLargest) {
        return {};
    }
    for (const std::filesystem::path &folder : resourceFolders("tokenizers")) {
        std::filesystem::path file = folder / (n_vocab == kEnglish ? "gpt2.tiktoken" : "multilingual.tiktoken");
        std::error_code ignored;
        if (std::filesystem::is_regular_file(file, ignored)) {
            return file;
        }
    }
    return {};
}

}  // namespace braid::models
