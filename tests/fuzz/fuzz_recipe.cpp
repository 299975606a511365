// Recipes of training runs: read whole or refused with an Error.
#include <cstdint>
#include <string_view>

#include "core/base/error.h"
#include "core/train/recipe.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    try {
        (void)braid::train::parseRecipe({reinterpret_cast<const char *>(data), size}, "/folder", "fuzzed");
    } catch (const braid::Error &) {
    }
    return 0;
}
