#include "lab/train/language/translation_pairs.h"

#include <limits>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/translation/reading_units.h"
#include "core/translation/wait_k.h"
#include "lab/train/keyed_store.h"

namespace braid::train {

namespace {

constexpr std::size_t kMostPairBytes = std::size_t{1} << 31;

// Units joined by single spaces: white space of every kind becomes one, as the reading side of a translation has it.
std::string singleSpaced(std::string_view text)
{
    translation::UnitReader reader(translation::ReadingUnit::Words);
    std::string out;
    const auto take = [&out](const std::vector<translation::SourceUnit> &units) {
        for (const translation::SourceUnit &unit : units) {
            out += (out.empty() || unit.starts_without_space ? "" : " ") + unit.text;
        }
    };
    take(reader.add(text));
    take(reader.finish());
    return out;
}

bool fits(std::size_t count)
{
    return count >= 1 && count <= std::numeric_limits<std::uint8_t>::max();
}

}  // namespace

std::vector<PairText> readPairs(const std::filesystem::path &file)
{
    return parsePairs(readTextFile(file, kMostPairBytes), file.string());
}

std::vector<PairText> parsePairs(std::string_view text, const std::string &where)
{
    std::vector<PairText> pairs;
    std::size_t number = 0;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string_view line = text.substr(begin, end - begin);
        begin = end + 1;
        ++number;
        const std::size_t tab = line.find('\t');
        const std::string_view rest = tab == line.npos ? std::string_view() : line.substr(tab + 1);
        PairText pair{singleSpaced(line.substr(0, std::min(tab, line.size()))), singleSpaced(rest.substr(0, rest.find('\t')))};
        if (tab == line.npos || pair.source.empty() || pair.target.empty()) {
            throw Error(ErrorKind::Input, "line " + std::to_string(number) + " is not a sentence, a tab and its translation", where);
        }
        pairs.push_back(std::move(pair));
    }
    return pairs;
}

TranslationSpelling spellingOf(const text::TranslationFrame &frame)
{
    return {frame.prompt(), frame.header(), {frame.end()}, {frame.end()}, frame.end(), [frame](std::string_view text) { return frame.textTokens(text); }};
}

TokenPair tokenised(const PairText &pair, const text::TranslationFrame &frame, const text::LanguageTokenizer &tokenizer)
{
    return tokenised(pair, spellingOf(frame), tokenizer);
}

TokenPair tokenised(const PairText &pair, const TranslationSpelling &spelling, const text::LanguageTokenizer &tokenizer)
{
    TokenPair out;
    bool is_usable = true;
    translation::UnitReader reader(translation::ReadingUnit::Words);
    const auto read = [&](const std::vector<translation::SourceUnit> &units) {
        for (const translation::SourceUnit &unit : units) {
            const bool has_space = !out.source.empty() && !unit.starts_without_space;
            const std::vector<std::int32_t> tokens = spelling.tokens((has_space ? " " : "") + unit.text);
            is_usable = is_usable && fits(tokens.size());
            out.source_units.push_back(static_cast<std::uint8_t>(tokens.size()));
            out.source.insert(out.source.end(), tokens.begin(), tokens.end());
        }
    };
    read(reader.add(pair.source));
    read(reader.finish());
    out.target = spelling.tokens(pair.target);
    std::vector<std::string> bytes;
    for (const std::int32_t token : out.target) {
        bytes.push_back(tokenizer.tokenBytes(token));
    }
    for (const std::int64_t length : translation::wordLengths(translation::ReadingUnit::Words, bytes)) {
        is_usable = is_usable && fits(static_cast<std::size_t>(length));
        out.target_words.push_back(static_cast<std::uint8_t>(length));
    }
    return is_usable ? out : TokenPair();
}

bool isHeldOut(const std::string &source, double share) noexcept
{
    // The high bits of a multiplied key: FNV's own are uneven for short texts.
    return static_cast<double>((keyOf(source) * 0x9e3779b97f4a7c15ULL) >> 11) * 0x1.0p-53 < share;
}

}  // namespace braid::train
