#include "core/text/token_loop.h"

namespace braid::text {

TokenLoop loopAtEnd(std::span<const std::int32_t> tokens, std::size_t most_rounds) noexcept
{
    for (std::size_t phrase = 1; phrase <= kLongestLoopedPhrase && phrase < tokens.size(); ++phrase) {
        std::size_t run = phrase;  // the newest tokens of which each equals the one a phrase before it
        while (run < tokens.size() && tokens[tokens.size() - 1 - (run - phrase)] == tokens[tokens.size() - 1 - run]) {
            ++run;
        }
        if (run / phrase > most_rounds) {
            return {phrase, run};
        }
    }
    return {};
}

}  // namespace braid::text
