#include "core/metrics/english_numbers.h"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "core/metrics/normaliser_text.h"

namespace braid::metrics {

namespace {

using Word = std::u32string;

struct Suffixed {
    int value = 0;
    Word suffix;
};

// What every word of numbers means. Multipliers are powers of ten, given by their zeros.
struct Vocabulary {
    std::map<Word, int> ones, tens, multipliers;
    std::map<Word, Suffixed> ones_suffixed, tens_suffixed, multipliers_suffixed;
    const std::map<Word, char32_t> signs = {{U"minus", U'-'}, {U"negative", U'-'}, {U"plus", U'+'}, {U"positive", U'+'}};
    const std::map<Word, char32_t> currencies = {{U"pound", U'£'},  {U"pounds", U'£'},  {U"euro", U'€'}, {U"euros", U'€'},
                                                 {U"dollar", U'$'}, {U"dollars", U'$'}, {U"cent", U'¢'}, {U"cents", U'¢'}};

    Vocabulary()
    {
        const char32_t *const one_names[] = {U"one",     U"two",     U"three",     U"four",     U"five",    U"six",      U"seven",
                                             U"eight",   U"nine",    U"ten",       U"eleven",   U"twelve",  U"thirteen", U"fourteen",
                                             U"fifteen", U"sixteen", U"seventeen", U"eighteen", U"nineteen"};
        int value = 1;
        for (const Word name : one_names) {
            ones[name] = value;
            ones_suffixed[name == U"six" ? Word(U"sixes") : name + U"s"] = {value, U"s"};
            if (value > 3 && value != 5 && value != 12) {
                ones_suffixed[name + (name.back() == U't' ? U"h" : U"th")] = {value, U"th"};
            }
            ++value;
        }
        for (const auto &[name, ordinal] : std::map<Word, Suffixed>{{U"zeroth", {0, U"th"}},
                                                                    {U"first", {1, U"st"}},
                                                                    {U"second", {2, U"nd"}},
                                                                    {U"third", {3, U"rd"}},
                                                                    {U"fifth", {5, U"th"}},
                                                                    {U"twelfth", {12, U"th"}}}) {
            ones_suffixed[name] = ordinal;
        }
        const char32_t *const ten_names[] = {U"twenty", U"thirty", U"forty", U"fifty", U"sixty", U"seventy", U"eighty", U"ninety"};
        value = 20;
        for (const Word name : ten_names) {
            tens[name] = value;
            const Word stem = name.substr(0, name.size() - 1);
            tens_suffixed[stem + U"ies"] = {value, U"s"};
            tens_suffixed[stem + U"ieth"] = {value, U"th"};
            value += 10;
        }
        const char32_t *const big_names[] = {U"thousand",   U"million",    U"billion",   U"trillion",  U"quadrillion", U"quintillion",
                                             U"sextillion", U"septillion", U"octillion", U"nonillion", U"decillion"};
        multipliers[U"hundred"] = 2;
        int zeros = 3;
        for (const Word name : big_names) {
            multipliers[name] = zeros;
            zeros += 3;
        }
        for (const auto &[name, power] : multipliers) {
            multipliers_suffixed[name + U"s"] = {power, U"s"};
            multipliers_suffixed[name + U"th"] = {power, U"th"};
        }
    }

    static bool isZero(const Word &word) { return word == U"o" || word == U"oh" || word == U"zero"; }
    static bool isSpecial(const Word &word) { return word == U"and" || word == U"double" || word == U"triple" || word == U"point"; }
    [[nodiscard]] bool isDecimal(const Word &word) const { return ones.contains(word) || tens.contains(word) || isZero(word); }
    [[nodiscard]] bool knows(const Word &word) const
    {
        return isDecimal(word) || ones_suffixed.contains(word) || tens_suffixed.contains(word) || multipliers.contains(word) ||
               multipliers_suffixed.contains(word) || signs.contains(word) || currencies.contains(word) || word == U"per" || word == U"percent" ||
               isSpecial(word);
    }
};

const Vocabulary &vocabulary()
{
    static const Vocabulary known;
    return known;
}

// "12" or "12.5", in any script's digits.
bool isNumeral(const Word &word)
{
    std::size_t at = 0;
    const auto digits = [&] {
        const std::size_t from = at;
        while (at < word.size() && digitValue(word[at]) >= 0) {
            ++at;
        }
        return at > from;
    };
    if (!digits()) {
        return false;
    }
    if (at < word.size() && word[at] == U'.') {
        ++at;
        if (!digits()) {
            return false;
        }
    }
    return at == word.size();
}

Word plain(const Word &digits)
{
    const auto first = std::min(digits.find_first_not_of(U'0'), digits.size() - 1);
    return digits.substr(first);
}

Word number(int value)
{
    Word text;
    for (const char c : std::to_string(value)) {
        text += static_cast<char32_t>(c);
    }
    return text;
}

Word added(const Word &a, const Word &b)
{
    Word sum;
    int carry = 0;
    for (std::size_t i = 0; i < std::max(a.size(), b.size()) || carry > 0; ++i) {
        const auto digit = [i](const Word &digits) { return i < digits.size() ? static_cast<int>(digits[digits.size() - 1 - i] - U'0') : 0; };
        carry += digit(a) + digit(b);
        sum += static_cast<char32_t>(U'0' + carry % 10);
        carry /= 10;
    }
    std::reverse(sum.begin(), sum.end());
    return plain(sum);
}

// A decimal fraction ("12", "12.", ".5") in ASCII digits; nothing for what is none.
struct Decimal {
    Word whole;
    Word fraction;  // without zeros at the end
};
std::optional<Decimal> decimalOf(const Word &text)
{
    Decimal decimal;
    bool behind_point = false;
    for (const char32_t c : text) {
        if (c == U'.' && !behind_point) {
            behind_point = true;
        } else if (const int value = digitValue(c); value >= 0) {
            (behind_point ? decimal.fraction : decimal.whole) += static_cast<char32_t>(U'0' + value);
        } else {
            return std::nullopt;
        }
    }
    if (decimal.whole.empty() && decimal.fraction.empty()) {
        return std::nullopt;
    }
    while (!decimal.fraction.empty() && decimal.fraction.back() == U'0') {
        decimal.fraction.pop_back();
    }
    return decimal;
}

// Reads the words of a text from the left; what has been read of a number and not yet written is `m_value`.
class NumberReader {
  public:
    [[nodiscard]] std::vector<Word> read(const std::vector<Word> &words)
    {
        for (std::size_t i = 0; i < words.size(); ++i) {
            const Word before = i == 0 ? Word() : words[i - 1];
            const Word next = i + 1 < words.size() ? words[i + 1] : Word();
            if (take(before, words[i], next) == Taken::NextToo) {
                ++i;
            }
        }
        writeValue();
        return std::move(m_out);
    }

  private:
    enum class Taken { One = 1, NextToo };

    // A whole number can be counted with; text is only written on ("1950", "3.5").
    struct Value {
        Word digits;
        bool is_text = false;
    };

    void write(const Word &text)
    {
        m_out.push_back(m_prefix ? *m_prefix + text : text);
        m_value.reset();
        m_prefix.reset();
    }
    void writeValue()
    {
        if (m_value) {
            write(Word(m_value->digits));
        }
    }
    void writeOn(const Word &digits)  // behind what is there; a zero that could be counted with is nothing
    {
        const bool is_nothing = !m_value || (!m_value->is_text && m_value->digits == U"0");
        m_value = Value{(is_nothing ? Word() : m_value->digits) + digits, true};
    }
    [[nodiscard]] bool endsInZeros(std::size_t count) const { return m_value->digits == U"0" || trailingZeros(m_value->digits) >= count; }
    static std::size_t trailingZeros(const Word &digits)
    {
        const auto last = digits.find_last_not_of(U'0');
        return last == Word::npos ? digits.size() : digits.size() - 1 - last;
    }

    // Behind what is there, `value` (below 100) joins it: added where the places are free, else written on.
    [[nodiscard]] Value joinedWith(int value, const Word &before) const
    {
        const Vocabulary &known = vocabulary();
        if (!m_value) {
            return {number(value), false};
        }
        const bool is_one = value < 20;
        if (m_value->is_text || (is_one && known.ones.contains(before))) {
            if (is_one && known.tens.contains(before) && value < 10) {  // in place of the zero of "twenty"
                return {m_value->digits.substr(0, m_value->digits.size() - 1) + number(value), true};
            }
            return {m_value->digits + number(value), true};
        }
        if (endsInZeros(value < 10 ? 1 : 2)) {
            return {added(m_value->digits, number(value)), false};
        }
        return {m_value->digits + number(value), true};
    }

    // Times a power of ten; nothing where that leaves a fraction.
    static std::optional<Word> timesPower(const Word &digits, int zeros)
    {
        const std::optional<Decimal> decimal = decimalOf(digits);
        if (!decimal || decimal->fraction.size() > static_cast<std::size_t>(zeros)) {
            return std::nullopt;
        }
        return plain(decimal->whole + decimal->fraction + Word(static_cast<std::size_t>(zeros) - decimal->fraction.size(), U'0'));
    }
    // Of a whole number only the last three digits are multiplied: "two thousand five hundred".
    static Word lastThreeTimesPower(const Word &digits, int zeros)
    {
        const std::size_t kept = digits.size() > 3 ? digits.size() - 3 : 0;
        const Word residual = plain(digits.substr(kept)) + Word(static_cast<std::size_t>(zeros), U'0');
        return kept == 0 ? plain(residual) : added(digits.substr(0, kept) + U"000", residual);
    }

    Taken take(const Word &before, const Word &current, const Word &next)
    {
        const Vocabulary &known = vocabulary();
        const bool has_prefix = Word(U"-+£€$¢").find(current.front()) != Word::npos;
        const Word unsigned_current = has_prefix ? current.substr(1) : current;
        if (isNumeral(unsigned_current)) {
            takeNumeral(current, unsigned_current, has_prefix);
        } else if (!known.knows(current)) {
            writeValue();
            write(current);
        } else if (Vocabulary::isZero(current)) {
            writeOn(U"0");
        } else if (const auto one = known.ones.find(current); one != known.ones.end()) {
            m_value = joinedWith(one->second, before);
        } else if (const auto suffixed_one = known.ones_suffixed.find(current); suffixed_one != known.ones_suffixed.end()) {
            write(joinedWith(suffixed_one->second.value, before).digits + suffixed_one->second.suffix);
        } else if (const auto ten = known.tens.find(current); ten != known.tens.end()) {
            m_value = joinedWith(ten->second, before);
        } else if (const auto suffixed_ten = known.tens_suffixed.find(current); suffixed_ten != known.tens_suffixed.end()) {
            write(joinedWith(suffixed_ten->second.value, before).digits + suffixed_ten->second.suffix);
        } else if (const auto power = known.multipliers.find(current); power != known.multipliers.end()) {
            multiply(power->second);
        } else if (const auto suffixed_power = known.multipliers_suffixed.find(current); suffixed_power != known.multipliers_suffixed.end()) {
            multiplyAndWrite(suffixed_power->second);
        } else if (const auto sign = known.signs.find(current); sign != known.signs.end()) {
            writeValue();
            if (known.knows(next) || isNumeral(next)) {
                m_prefix = Word(1, sign->second);
            } else {
                write(current);
            }
        } else if (const auto currency = known.currencies.find(current); currency != known.currencies.end()) {
            if (m_value) {
                m_prefix = Word(1, currency->second);
                writeValue();
            } else {
                write(current);
            }
        } else if (current == U"percent" || current == U"per") {
            return takePercent(current, next);
        } else {
            return takeSpecial(before, current, next);
        }
        return Taken::One;
    }

    void takeNumeral(const Word &current, const Word &digits, bool has_prefix)
    {
        if (m_value && m_value->is_text && m_value->digits.back() == U'.') {
            m_value->digits += current;  // decimals, or the parts of an address
            return;
        }
        writeValue();
        if (has_prefix) {
            m_prefix = current.substr(0, 1);
        }
        const std::optional<Decimal> decimal = decimalOf(digits);
        m_value = decimal->fraction.empty() ? Value{plain(decimal->whole), false} : Value{digits, true};
    }

    void multiply(int zeros)
    {
        if (!m_value) {
            m_value = Value{U"1" + Word(static_cast<std::size_t>(zeros), U'0'), false};
        } else if (m_value->is_text || m_value->digits == U"0") {
            const std::optional<Word> product = timesPower(m_value->digits, zeros);
            if (!product) {
                writeValue();
            }
            m_value = Value{product ? *product : U"1" + Word(static_cast<std::size_t>(zeros), U'0'), false};
        } else {
            m_value->digits = lastThreeTimesPower(m_value->digits, zeros);
        }
    }

    void multiplyAndWrite(const Suffixed &power)
    {
        const Word alone = U"1" + Word(static_cast<std::size_t>(power.value), U'0');
        if (!m_value) {
            write(alone + power.suffix);
        } else if (m_value->is_text) {
            const std::optional<Word> product = timesPower(m_value->digits, power.value);
            if (!product) {
                writeValue();
            }
            write((product ? *product : alone) + power.suffix);
        } else {
            write(lastThreeTimesPower(m_value->digits, power.value) + power.suffix);
        }
    }

    Taken takePercent(const Word &current, const Word &next)
    {
        if (!m_value) {
            write(current);
        } else if (current == U"percent") {
            write(m_value->digits + U"%");
        } else if (next == U"cent") {
            write(m_value->digits + U"%");
            return Taken::NextToo;
        } else {
            writeValue();
            write(current);
        }
        return Taken::One;
    }

    Taken takeSpecial(const Word &before, const Word &current, const Word &next)
    {
        const Vocabulary &known = vocabulary();
        const auto writeBoth = [&] {
            writeValue();
            write(current);
        };
        if (!known.knows(next) && !isNumeral(next)) {
            writeBoth();
        } else if (current == U"and") {
            if (!known.multipliers.contains(before)) {  // "two hundred and one"
                writeBoth();
            }
        } else if (current == U"point") {
            if (known.isDecimal(next) || isNumeral(next)) {
                writeOn(U".");
            }
        } else if (known.ones.contains(next) || Vocabulary::isZero(next)) {  // double, triple
            const auto one = known.ones.find(next);
            const Word digits = number(one == known.ones.end() ? 0 : one->second);
            writeOn(current == U"double" ? digits + digits : digits + digits + digits);
            return Taken::NextToo;
        } else {
            writeBoth();
        }
        return Taken::One;
    }

    std::optional<Word> m_prefix;
    std::optional<Value> m_value;
    std::vector<Word> m_out;
};

// The end of "and a half" at `at`; 0: it is something else.
std::size_t halfAt(std::u32string_view text, std::size_t at)
{
    const std::size_t from = at;
    for (const std::u32string_view word : {U"and", U"a", U"half"}) {
        if (at > from) {
            if (at >= text.size() || !isSpace(text[at])) {
                return 0;
            }
            while (at < text.size() && isSpace(text[at])) {
                ++at;
            }
        }
        if (text.substr(at, word.size()) != word) {
            return 0;
        }
        at += word.size();
    }
    return isBoundary(text, from) && isBoundary(text, at) ? at : 0;
}

// "two and a half" is "two point five".
Word withHalves(std::u32string_view text)
{
    const Vocabulary &known = vocabulary();
    std::vector<Word> parts;
    std::size_t from = 0;
    const auto isBlank = [](std::u32string_view part) { return std::all_of(part.begin(), part.end(), isSpace); };
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = halfAt(text, at);
        if (end == 0) {
            ++at;
            continue;
        }
        const std::u32string_view part = text.substr(from, at - from);
        if (!isBlank(part)) {
            parts.emplace_back(part);
            const Word last = split(part).back();
            parts.emplace_back(known.isDecimal(last) || known.multipliers.contains(last) ? U"point five" : U"and a half");
        }
        from = at = end;
    }
    if (!isBlank(text.substr(from))) {
        parts.emplace_back(text.substr(from));
    }
    return joined(parts);
}

Word apartFromLetters(std::u32string_view text)
{
    const auto isLower = [](char32_t c) { return c >= U'a' && c <= U'z'; };
    const auto pair = [](const auto &first, const auto &second) {
        return [first, second](std::u32string_view all, std::size_t at, std::u32string &out) -> std::size_t {
            if (at + 1 >= all.size() || !first(all[at]) || !second(all[at + 1])) {
                return 0;
            }
            out += all[at];
            out += U' ';
            out += all[at + 1];
            return 2;
        };
    };
    Word result = replaced(replaced(text, pair(isLower, isAsciiDigit)), pair(isAsciiDigit, isLower));
    return replaced(result, [](std::u32string_view all, std::size_t at, std::u32string &out) -> std::size_t {  // but "2 nd" is "2nd"
        if (!isAsciiDigit(all[at])) {
            return 0;
        }
        std::size_t end = at + 1;
        while (end < all.size() && isSpace(all[end])) {
            ++end;
        }
        if (end == at + 1) {
            return 0;
        }
        for (const std::u32string_view suffix : {U"st", U"nd", U"rd", U"th", U"s"}) {
            if (all.substr(end, suffix.size()) == suffix && isBoundary(all, end + suffix.size())) {
                out += all[at];
                out += suffix;
                return end + suffix.size() - at;
            }
        }
        return 0;
    });
}

// One or two digits at `at` that end at a boundary; how many.
std::size_t centsAt(std::u32string_view text, std::size_t at)
{
    for (const std::size_t count : {std::size_t{2}, std::size_t{1}}) {
        if (at + count <= text.size() && isAsciiDigit(text[at]) && isAsciiDigit(text[at + count - 1]) && isBoundary(text, at + count)) {
            return count;
        }
    }
    return 0;
}

bool isMoney(char32_t c)
{
    return c == U'€' || c == U'£' || c == U'$';
}

// "$2 and ¢7" is "$2.07", "$0.07" is "¢7"; and a lonely 1 is a word.
Word withCents(std::u32string_view text)
{
    const Word combined = replaced(text, [](std::u32string_view all, std::size_t at, std::u32string &out) -> std::size_t {
        if (!isMoney(all[at])) {
            return 0;
        }
        std::size_t end = at + 1;
        while (end < all.size() && isAsciiDigit(all[end])) {
            ++end;
        }
        if (end == at + 1) {
            return 0;
        }
        const std::size_t cent = all.substr(end, 6) == U" and ¢" ? end + 6 : all.substr(end, 2) == U" ¢" ? end + 2 : 0;
        const std::size_t count = cent == 0 ? 0 : centsAt(all, cent);
        if (count == 0) {
            return 0;
        }
        out += all.substr(at, end - at);
        out += count == 1 ? U".0" : U".";
        out += all.substr(cent, count);
        return cent + count - at;
    });
    const Word extracted = replaced(combined, [](std::u32string_view all, std::size_t at, std::u32string &out) -> std::size_t {
        if (!isMoney(all[at]) || all.substr(at + 1, 1) != U"0" || at + 2 >= all.size() || all[at + 2] == U'\n') {
            return 0;
        }
        const std::size_t count = centsAt(all, at + 3);
        if (count == 0) {
            return 0;
        }
        out += U"¢" + plain(Word(all.substr(at + 3, count)));
        return 3 + count;
    });
    return replaced(extracted, [](std::u32string_view all, std::size_t at, std::u32string &out) -> std::size_t {
        if (all[at] != U'1' || !isBoundary(all, at)) {
            return 0;
        }
        if (all.substr(at + 1, 1) == U"s" && isBoundary(all, at + 2)) {
            out += U"ones";
            return 2;
        }
        if (!isBoundary(all, at + 1)) {
            return 0;
        }
        out += U"one";
        return 1;
    });
}

}  // namespace

std::u32string numbersAsDigits(std::u32string_view text)
{
    return withCents(joined(NumberReader().read(split(apartFromLetters(withHalves(text))))));
}

}  // namespace braid::metrics
