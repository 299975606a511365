// What a tokenizer does to a text before its model sees it: normalisers change it, pre-tokenizers cut it. Each step of Hugging Face's
// tokenizer.json that is known here is a small value; they behave as that library's (tokenizers 0.23) do. Internal to core/text.
// Thread: any.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/text/language_splitters.h"

namespace braid::text {

// Whether a text begins here or goes on from text before it: only a beginning gets the space that some tokenizers put before words.
enum class TextPosition : std::uint8_t { Start = 1, Continues };

// --- normalisers ------------------------------------------------------------------------------------------------------------------
struct ComposeText {};    // NFC
struct DecomposeText {};  // NFD
struct LowerText {};
struct StripText {
    bool is_left = true;
    bool is_right = true;
};
struct PrependText {
    std::string prefix;  // not before an empty text
};
struct ReplaceText {
    std::string from;  // not empty
    std::string to;
};
using Normaliser = std::variant<ComposeText, DecomposeText, LowerText, StripText, PrependText, ReplaceText>;

[[nodiscard]] std::string normalise(const std::vector<Normaliser> &steps, std::string_view text, TextPosition position);

// --- pre-tokenizers ---------------------------------------------------------------------------------------------------------------
enum class SplitBehaviour : std::uint8_t { Removed = 1, Isolated, MergedWithPrevious, MergedWithNext, Contiguous };
enum class PrefixScheme : std::uint8_t { Always = 1, First, Never };

struct SplitAt {
    std::string literal;  // empty: by `pattern`
    SplitPattern pattern = SplitPattern::Gpt2;
    SplitBehaviour behaviour = SplitBehaviour::Isolated;
    bool is_inverted = false;  // what lies between the matches is the match
};
struct SplitDigits {
    bool is_each_alone = false;
};
struct SplitPunctuation {
    SplitBehaviour behaviour = SplitBehaviour::Isolated;
};
struct SplitWhiteSpace {};  // and drop it
struct MarkSpaces {         // "Metaspace"
    std::string mark = "\u2581";
    PrefixScheme prefix = PrefixScheme::Always;
    bool splits = true;
};
struct AsBytes {  // "ByteLevel": what follows sees bytes; always the last step
    bool adds_prefix_space = false;
    bool splits_like_gpt2 = true;
};
using PreTokenizer = std::variant<SplitAt, SplitDigits, SplitPunctuation, SplitWhiteSpace, MarkSpaces, AsBytes>;

// The pieces of an already normalised text. `position` is of the text; `begins_input`: it is the very beginning of what is encoded.
[[nodiscard]] std::vector<std::string> preTokenise(const std::vector<PreTokenizer> &steps, std::string_view text, TextPosition position, bool begins_input);

}  // namespace braid::text
