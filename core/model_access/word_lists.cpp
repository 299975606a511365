#include "core/model_access/word_lists.h"

#include <system_error>

#include "core/base/file.h"
#include "core/model_access/model_files.h"

namespace braid::models {
namespace {

constexpr std::size_t kMostBytes = std::size_t{8} << 20;

}  // namespace

text::WordRules readWordRules(const std::filesystem::path &file)
{
    return text::WordRules::parse(readTextFile(file, kMostBytes), file.string());
}

text::WordRules profanityInTheBox()
{
    for (const std::filesystem::path &folder : resourceFolders("words")) {
        const std::filesystem::path file = folder / "profanity-en.txt";
        std::error_code ignored;
        if (std::filesystem::is_regular_file(file, ignored)) {
            return readWordRules(file);
        }
    }
    return {};
}

}  // namespace braid::models
