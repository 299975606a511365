// Recipes of training runs and sentence pairs: read whole or refused with an Error.
#include <cstdint>
#include <string_view>

#include "lab/train/language/language_recipe.h"
#include "lab/train/language/translation_pairs.h"
#include "lab/train/recipe.h"
#include "tests/fuzz/attempt.h"

using braid::fuzz::attempt;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const std::string_view text(reinterpret_cast<const char *>(data), size);
    attempt([&] { (void)braid::train::parseRecipe(text, "/folder", "fuzzed"); });
    attempt([&] { (void)braid::train::parseLanguageRecipe(text, "/folder", "fuzzed"); });
    attempt([&] { (void)braid::train::parsePairs(text, "fuzzed"); });
    return 0;
}
