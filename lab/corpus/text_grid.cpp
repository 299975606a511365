#include "lab/corpus/text_grid.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "core/base/ascii.h"
#include "core/base/error.h"
#include "core/text/utf8.h"
#include "lab/corpus/manifest.h"

namespace braid::corpus {
namespace {

constexpr std::size_t kMostTiers = 1000;
constexpr std::size_t kMostIntervals = 2'000'000;  // of all tiers

// UTF-8 of a file in UTF-8 or, by its first two bytes, UTF-16.
std::string decoded(std::string_view bytes)
{
    const bool little = bytes.starts_with("\xFF\xFE");
    const bool big = bytes.starts_with("\xFE\xFF");
    if (!little && !big) {
        return text::toValidUtf8(bytes.starts_with("\xEF\xBB\xBF") ? bytes.substr(3) : bytes);
    }
    std::string out;
    const auto unit = [&](std::size_t at) {
        const auto a = static_cast<unsigned char>(bytes[at]);
        const auto b = static_cast<unsigned char>(bytes[at + 1]);
        return static_cast<char32_t>(little ? a | (b << 8U) : b | (a << 8U));
    };
    for (std::size_t at = 2; at + 1 < bytes.size(); at += 2) {
        char32_t c = unit(at);
        if (c >= 0xD800 && c <= 0xDFFF) {
            const char32_t second = c <= 0xDBFF && at + 3 < bytes.size() ? unit(at + 2) : 0;
            if (second >= 0xDC00 && second <= 0xDFFF) {
                c = 0x10000 + ((c - 0xD800) << 10U) + (second - 0xDC00);
                at += 2;
            } else {
                c = 0xFFFD;
            }
        }
        text::appendUtf8(out, c);
    }
    return out;
}

bool isSpace(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

class Values {
  public:
    Values(std::string text, std::string where)
        : m_text(std::move(text))
        , m_where(std::move(where))
    {
    }

    [[noreturn]] void fail(const std::string &what) const
    {
        const auto line = 1 + std::count(m_text.begin(), m_text.begin() + static_cast<std::ptrdiff_t>(std::min(m_at, m_text.size())), '\n');
        throw Error(ErrorKind::Input, what, m_where + ", line " + std::to_string(line), "Save it from Praat again");
    }

    [[nodiscard]] std::string string()
    {
        if (!toNext() || m_text[m_at] != '"') {
            fail("a text in quotation marks is missing");
        }
        std::string value;
        for (++m_at; m_at < m_text.size(); ++m_at) {
            if (m_text[m_at] == '"') {
                if (m_at + 1 >= m_text.size() || m_text[m_at + 1] != '"') {
                    ++m_at;
                    return value;
                }
                ++m_at;
            }
            value += m_text[m_at];
        }
        fail("a text in quotation marks has no end");
    }

    [[nodiscard]] double number()
    {
        const auto value = toNext() ? numberHere() : std::nullopt;
        if (!value) {
            fail("a number is missing");
        }
        m_at = m_end;
        return *value;
    }

    [[nodiscard]] std::size_t count(std::size_t most)
    {
        const double value = number();
        if (!(value >= 0 && value <= static_cast<double>(most)) || value != std::floor(value)) {
            fail("a count is not a number from 0 to " + std::to_string(most));
        }
        return static_cast<std::size_t>(value);
    }

    [[nodiscard]] double seconds()
    {
        const double value = number();
        if (!(value >= -kLongestSeconds && value <= kLongestSeconds)) {
            fail("a time is not a number of seconds");
        }
        return value;
    }

    [[nodiscard]] bool exists()
    {
        if (!toNext() || m_text[m_at] != '<') {
            fail("<exists> is missing");
        }
        const bool there = m_text.compare(m_at, 8, "<exists>") == 0;
        const auto close = m_text.find('>', m_at);
        m_at = close == m_text.npos ? m_text.size() : close + 1;
        return there;
    }

  private:
    // A number that stands free at m_at; sets m_end behind it.
    [[nodiscard]] std::optional<double> numberHere()
    {
        const char *begin = m_text.data() + m_at;
        const char *end = m_text.data() + m_text.size();
        double value = 0;
        const auto read = std::from_chars(begin + (*begin == '+' ? 1 : 0), end, value);
        if (read.ec != std::errc() || !std::isfinite(value) || (read.ptr != end && !isSpace(*read.ptr))) {
            return std::nullopt;
        }
        m_end = static_cast<std::size_t>(read.ptr - m_text.data());
        return value;
    }

    // Forward to the next value; false at the end.
    [[nodiscard]] bool toNext()
    {
        while (m_at < m_text.size()) {
            const char c = m_text[m_at];
            if (isSpace(c)) {
                ++m_at;
            } else if (c == '!') {
                m_at = std::min(m_text.find('\n', m_at), m_text.size());
            } else if (c == '"' || c == '<' || numberHere()) {
                return true;
            } else {  // decoration: up to the next space
                while (m_at < m_text.size() && !isSpace(m_text[m_at])) {
                    ++m_at;
                }
            }
        }
        return false;
    }

    std::string m_text;
    std::string m_where;
    std::size_t m_at = 0;
    std::size_t m_end = 0;
};

}  // namespace

TextGrid parseTextGrid(std::string_view bytes, const std::string &where)
{
    Values values(decoded(bytes), where);
    if (values.string() != "ooTextFile" || values.string() != "TextGrid") {
        values.fail("is not a TextGrid in Praat's text format");
    }
    TextGrid grid;
    grid.start_seconds = values.seconds();
    grid.end_seconds = values.seconds();
    const std::size_t tiers = values.exists() ? values.count(kMostTiers) : 0;
    std::size_t intervals = 0;
    for (std::size_t i = 0; i < tiers; ++i) {
        TextGridTier tier;
        const std::string kind = values.string();
        if (kind != "IntervalTier" && kind != "TextTier") {
            values.fail("\"" + kind.substr(0, 60) + "\" is no kind of tier");
        }
        tier.kind = kind == "IntervalTier" ? TextGridTierKind::Intervals : TextGridTierKind::Points;
        tier.name = values.string();
        (void)values.seconds();  // the tier's own limits repeat the grid's
        (void)values.seconds();
        const std::size_t count = values.count(kMostIntervals - intervals);
        intervals += count;
        double previous = -kLongestSeconds;
        for (std::size_t k = 0; k < count; ++k) {
            TextGridInterval interval;
            interval.start_seconds = values.seconds();
            interval.end_seconds = tier.kind == TextGridTierKind::Intervals ? values.seconds() : interval.start_seconds;
            interval.text = values.string();
            if (interval.start_seconds < previous || interval.end_seconds < interval.start_seconds) {
                values.fail("the times of a tier are not in order");
            }
            previous = interval.start_seconds;
            tier.intervals.push_back(std::move(interval));
        }
        grid.tiers.push_back(std::move(tier));
    }
    return grid;
}

bool looksLikeTextGrid(std::string_view bytes)
{
    return decoded(bytes.substr(0, 400)).find("ooTextFile") != std::string::npos;
}

const TextGridTier *wordTier(const TextGrid &grid)
{
    const TextGridTier *named = nullptr;
    const TextGridTier *only = nullptr;
    std::size_t interval_tiers = 0;
    for (const TextGridTier &tier : grid.tiers) {
        if (tier.kind != TextGridTierKind::Intervals) {
            continue;
        }
        ++interval_tiers;
        only = &tier;
        const std::string name = lowerAscii(tier.name);
        if (name == "words") {
            return &tier;
        }
        if (named == nullptr && name.find("word") != name.npos) {
            named = &tier;
        }
    }
    return named != nullptr ? named : (interval_tiers == 1 ? only : nullptr);
}

bool isSilenceLabel(std::string_view label)
{
    constexpr std::array silences = std::to_array<std::string_view>(
        {"", "sp", "sil", "spn", "pau", "h#", "#", "_", "<eps>", "<sil>", "<p:>", "<s>", "</s>", "<unk>", "{SL}", "[noise]", "<noise>"});
    const auto first = label.find_first_not_of(" \t\r\n");
    const auto bare = first == label.npos ? std::string_view() : label.substr(first, label.find_last_not_of(" \t\r\n") - first + 1);
    return std::find(silences.begin(), silences.end(), bare) != silences.end();
}

}  // namespace braid::corpus
