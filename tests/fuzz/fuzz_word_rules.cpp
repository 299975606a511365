// Lists of how words are written: read whole or refused with an Error; and what was read writes any words, the same piece by piece as at once.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/word_rules.h"
#include "tests/fuzz/attempt.h"

using namespace braid;

namespace {

std::string textOf(const std::vector<text::Word> &words)
{
    std::string text;
    for (const text::Word &word : words) {
        text += word.text + (word.starts_without_space ? "|" : " |");
    }
    return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const std::string_view list(reinterpret_cast<const char *>(data), size);
    fuzz::attempt([&] {
        const text::WordRules rules = text::WordRules::parse(list, "fuzzed");
        // The list's own words are what is said: they are likely to meet its entries.
        std::vector<text::Word> said;
        for (std::size_t at = 0; at < list.size() && said.size() < 200;) {
            const std::size_t end = std::min(list.find_first_of(" \n", at), list.size());
            text::Word word;
            word.text = list.substr(at, end - at);
            word.starts_without_space = at > 0 && list[at - 1] == '\n' && size % 2 == 0;
            if (!word.text.empty()) {
                said.push_back(word);
            }
            at = end + 1;
        }
        std::vector<text::Word> waiting;
        std::vector<text::Word> pieces;
        for (const text::Word &word : said) {
            waiting.push_back(word);
            for (text::Word &one : rules.decide(waiting, text::WordsToCome::Maybe)) {
                pieces.push_back(std::move(one));
            }
        }
        for (text::Word &one : rules.decide(waiting, text::WordsToCome::None)) {
            pieces.push_back(std::move(one));
        }
        std::vector<text::Word> whole = said;
        if (size % 2 == 1 && textOf(pieces) != textOf(rules.decide(whole, text::WordsToCome::None))) {
            std::abort();
        }
    });
    return 0;
}
