// Recipes of training runs and sentence pairs: read whole or refused with an Error.
#include <cstdint>
#include <string_view>

#include "core/base/error.h"
#include "lab/train/language/language_recipe.h"
#include "lab/train/language/translation_pairs.h"
#include "lab/train/recipe.h"

namespace {

template <typename Work>
void attempt(const Work &work)
{
    try {
        work();
    } catch (const braid::Error &) {
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const std::string_view text(reinterpret_cast<const char *>(data), size);
    attempt([&] { (void)braid::train::parseRecipe(text, "/folder", "fuzzed"); });
    attempt([&] { (void)braid::train::parseLanguageRecipe(text, "/folder", "fuzzed"); });
    attempt([&] { (void)braid::train::parsePairs(text, "fuzzed"); });
    return 0;
}
