#include "core/text/text_steps.h"

#include <algorithm>
#include <utility>

#include "core/text/unicode_classes.h"
#include "core/text/unicode_normalisation.h"
#include "core/text/utf8.h"

namespace braid::text {
namespace {

template <typename... Steps>
struct Overloaded : Steps... {
    using Steps::operator()...;
};
template <typename... Steps>
Overloaded(Steps...) -> Overloaded<Steps...>;

bool isSpaceAt(std::string_view text, std::size_t offset, std::size_t &length)
{
    const auto character = characterAt(text, offset);
    length = character.length;
    return character.state == Utf8State::Valid && character.length > 0 && characterClass(character.code_point) == CharacterClass::Space;
}

std::string stripped(std::string_view text, const StripText &step)
{
    std::size_t first = 0;
    std::size_t last = 0;  // the end of the last character that is no space
    bool is_leading = true;
    for (std::size_t offset = 0, length = 0; offset < text.size(); offset += length) {
        if (!isSpaceAt(text, offset, length)) {
            first = is_leading ? offset : first;
            is_leading = false;
            last = offset + length;
        }
    }
    if (is_leading) {
        return step.is_left || step.is_right ? std::string() : std::string(text);
    }
    const auto from = step.is_left ? first : 0;
    const auto to = step.is_right ? last : text.size();
    return std::string(text.substr(from, to - from));
}

std::string replaced(std::string_view text, std::string_view from, std::string_view to)
{
    std::string out;
    for (;;) {
        const auto at = text.find(from);
        out += text.substr(0, at);
        if (at == text.npos) {
            return out;
        }
        out += to;
        text.remove_prefix(at + from.size());
    }
}

// A part of a text, and whether the pattern matched it. All parts together are the text.
struct Part {
    std::size_t start;
    std::size_t end;
    bool is_match;
};

std::vector<Part> partsByLiteral(std::string_view text, std::string_view literal)
{
    std::vector<Part> parts;
    std::size_t start = 0;
    for (auto at = text.find(literal); at != text.npos; at = text.find(literal, start)) {
        if (at > start) {
            parts.push_back({start, at, false});
        }
        parts.push_back({at, at + literal.size(), true});
        start = at + literal.size();
    }
    if (start < text.size()) {
        parts.push_back({start, text.size(), false});
    }
    return parts;
}

// Every character that is wanted is a match of its own.
template <typename Wanted>
std::vector<Part> partsByCharacter(std::string_view text, const Wanted &is_wanted)
{
    std::vector<Part> parts;
    for (std::size_t offset = 0; offset < text.size();) {
        const auto character = characterAt(text, offset);
        const bool is_match = character.state == Utf8State::Valid && is_wanted(character.code_point);
        if (!is_match && !parts.empty() && !parts.back().is_match) {
            parts.back().end += character.length;
        } else {
            parts.push_back({offset, offset + character.length, is_match});
        }
        offset += character.length;
    }
    return parts;
}

std::vector<Part> partsByPattern(std::string_view text, SplitPattern pattern)
{
    std::vector<Part> parts;
    for (const auto piece : splitBy(pattern, text)) {
        const auto start = static_cast<std::size_t>(piece.data() - text.data());
        parts.push_back({start, start + piece.size(), true});
    }
    return parts;
}

// A match joins the part before it, unless that is a match too.
std::vector<Part> joinedBackwards(const std::vector<Part> &parts)
{
    std::vector<Part> out;
    bool was_match = false;
    for (const auto &part : parts) {
        if (part.is_match && !was_match && !out.empty()) {
            out.back().end = part.end;
        } else {
            out.push_back(part);
        }
        was_match = part.is_match;
    }
    return out;
}

std::vector<Part> joinedForwards(const std::vector<Part> &parts)
{
    std::vector<Part> out;
    bool was_match = false;
    for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
        if (part->is_match && !was_match && !out.empty()) {
            out.back().start = part->start;
        } else {
            out.push_back(*part);
        }
        was_match = part->is_match;
    }
    std::reverse(out.begin(), out.end());
    return out;
}

std::vector<Part> joinedAlike(const std::vector<Part> &parts)
{
    std::vector<Part> out;
    bool was_match = false;
    for (const auto &part : parts) {
        if (part.is_match == was_match && !out.empty()) {
            out.back().end = part.end;
        } else {
            out.push_back(part);
        }
        was_match = part.is_match;
    }
    return out;
}

std::vector<Part> arranged(std::vector<Part> parts, SplitBehaviour behaviour)
{
    switch (behaviour) {
    case SplitBehaviour::Removed:
        std::erase_if(parts, [](const Part &part) { return part.is_match; });
        return parts;
    case SplitBehaviour::MergedWithPrevious:
        return joinedBackwards(parts);
    case SplitBehaviour::MergedWithNext:
        return joinedForwards(parts);
    case SplitBehaviour::Contiguous:
        return joinedAlike(parts);
    case SplitBehaviour::Isolated:
        break;
    }
    return parts;
}

struct Piece {
    std::string text;
    bool continues = false;  // no space is put before it
    bool begins_input = false;
};

void appendParts(std::vector<Piece> &pieces, const Piece &piece, const std::vector<Part> &parts)
{
    for (const auto &part : parts) {
        const bool is_first = part.start == 0;
        pieces.push_back({piece.text.substr(part.start, part.end - part.start), is_first && piece.continues, is_first && piece.begins_input});
    }
}

void markSpaces(std::vector<Piece> &pieces, Piece piece, const MarkSpaces &step)
{
    piece.text = replaced(piece.text, " ", step.mark);
    const bool wants_prefix = step.prefix == PrefixScheme::Always || (step.prefix == PrefixScheme::First && piece.begins_input);
    if (wants_prefix && !piece.continues && !piece.text.starts_with(step.mark)) {
        piece.text.insert(0, step.mark);
    }
    if (step.splits) {
        appendParts(pieces, piece, arranged(partsByLiteral(piece.text, step.mark), SplitBehaviour::MergedWithNext));
    } else {
        pieces.push_back(std::move(piece));
    }
}

std::vector<Piece> apply(const PreTokenizer &step, const Piece &piece)
{
    std::vector<Piece> pieces;
    const std::string_view text = piece.text;
    const auto isNumber = [](char32_t c) { return characterClass(c) == CharacterClass::Number; };
    const auto isSpace = [](char32_t c) { return characterClass(c) == CharacterClass::Space; };
    std::visit(Overloaded{
                   [&](const SplitAt &split) {
                       auto parts = split.literal.empty() ? partsByPattern(text, split.pattern) : partsByLiteral(text, split.literal);
                       for (auto &part : parts) {
                           part.is_match = part.is_match != split.is_inverted;
                       }
                       appendParts(pieces, piece, arranged(std::move(parts), split.behaviour));
                   },
                   [&](const SplitDigits &split) {
                       const auto behaviour = split.is_each_alone ? SplitBehaviour::Isolated : SplitBehaviour::Contiguous;
                       appendParts(pieces, piece, arranged(partsByCharacter(text, isNumber), behaviour));
                   },
                   [&](const SplitPunctuation &split) { appendParts(pieces, piece, arranged(partsByCharacter(text, isPunctuation), split.behaviour)); },
                   [&](const SplitWhiteSpace &) { appendParts(pieces, piece, arranged(partsByCharacter(text, isSpace), SplitBehaviour::Removed)); },
                   [&](const MarkSpaces &mark) { markSpaces(pieces, piece, mark); },
                   [&](const AsBytes &bytes) {
                       auto whole = piece;
                       if (bytes.adds_prefix_space && !whole.continues && !whole.text.starts_with(' ')) {
                           whole.text = " " + whole.text;
                       }
                       if (bytes.splits_like_gpt2) {
                           appendParts(pieces, whole, partsByPattern(whole.text, SplitPattern::Gpt2));
                       } else {
                           pieces.push_back(std::move(whole));
                       }
                   },
               },
               step);
    return pieces;
}

}  // namespace

std::string normalise(const std::vector<Normaliser> &steps, std::string_view text, TextPosition position)
{
    std::string out(text);
    for (const auto &step : steps) {
        std::visit(Overloaded{
                       [&](const ComposeText &) { out = composed(out); },
                       [&](const DecomposeText &) { out = decomposed(out); },
                       [&](const LowerText &) { out = lowerCased(out); },
                       [&](const StripText &strip) { out = stripped(out, strip); },
                       [&](const PrependText &prepend) {
                           if (!out.empty() && position == TextPosition::Start) {
                               out.insert(0, prepend.prefix);
                           }
                       },
                       [&](const ReplaceText &replace) { out = replaced(out, replace.from, replace.to); },
                   },
                   step);
    }
    return out;
}

std::vector<std::string> preTokenise(const std::vector<PreTokenizer> &steps, std::string_view text, TextPosition position, bool begins_input)
{
    std::vector<Piece> pieces;
    if (!text.empty()) {
        pieces.push_back({std::string(text), position == TextPosition::Continues, begins_input});
    }
    for (const auto &step : steps) {
        std::vector<Piece> next;
        for (const auto &piece : pieces) {
            auto made = apply(step, piece);
            std::move(made.begin(), made.end(), std::back_inserter(next));
        }
        pieces = std::move(next);
    }
    std::vector<std::string> texts;
    texts.reserve(pieces.size());
    for (auto &piece : pieces) {
        texts.push_back(std::move(piece.text));
    }
    return texts;
}

}  // namespace braid::text
