#include "core/metrics/english_normaliser.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/metrics/english_numbers.h"
#include "core/metrics/normaliser_tables.h"
#include "core/metrics/normaliser_text.h"

namespace braid::metrics {

namespace {

using View = std::u32string_view;

struct Writing {
    View written;  // a whole word, or the end of one where it begins with an apostrophe or "n't"
    View replacement;
};

// In this order. A title keeps the space behind its replacement: its full stop has one too.
constexpr std::array<Writing, 49> kWritings = {{
    {U"won't", U"will not"},
    {U"can't", U"can not"},
    {U"let's", U"let us"},
    {U"ain't", U"aint"},
    {U"y'all", U"you all"},
    {U"wanna", U"want to"},
    {U"gotta", U"got to"},
    {U"gonna", U"going to"},
    {U"i'ma", U"i am going to"},
    {U"imma", U"i am going to"},
    {U"woulda", U"would have"},
    {U"coulda", U"could have"},
    {U"shoulda", U"should have"},
    {U"ma'am", U"madam"},
    {U"mr", U"mister "},
    {U"mrs", U"missus "},
    {U"st", U"saint "},
    {U"dr", U"doctor "},
    {U"prof", U"professor "},
    {U"capt", U"captain "},
    {U"gov", U"governor "},
    {U"ald", U"alderman "},
    {U"gen", U"general "},
    {U"sen", U"senator "},
    {U"rep", U"representative "},
    {U"pres", U"president "},
    {U"rev", U"reverend "},
    {U"hon", U"honorable "},
    {U"asst", U"assistant "},
    {U"assoc", U"associate "},
    {U"lt", U"lieutenant "},
    {U"col", U"colonel "},
    {U"jr", U"junior "},
    {U"sr", U"senior "},
    {U"esq", U"esquire "},
    {U"'d been", U" had been"},
    {U"'s been", U" has been"},
    {U"'d gone", U" had gone"},
    {U"'s gone", U" has gone"},
    {U"'d done", U" had done"},
    {U"'s got", U" has got"},
    {U"n't", U" not"},
    {U"'re", U" are"},
    {U"'s", U" is"},
    {U"'d", U" would"},
    {U"'ll", U" will"},
    {U"'t", U" not"},
    {U"'ve", U" have"},
    {U"'m", U" am"},
}};
constexpr std::array<View, 6> kFillers = {U"hmm", U"mm", U"mhm", U"mmm", U"uh", U"um"};

std::u32string withoutBrackets(View text)
{
    const std::u32string angular = replaced(text, [](View all, std::size_t at, std::u32string &) -> std::size_t {
        if (all[at] != U'<' && all[at] != U'[') {
            return 0;
        }
        const std::size_t end = all.find_first_of(U">]", at + 1);
        return end == View::npos ? 0 : end + 1 - at;
    });
    return replaced(angular, [](View all, std::size_t at, std::u32string &) -> std::size_t {
        const std::size_t end = all[at] == U'(' ? all.find(U')', at + 1) : View::npos;
        return end == View::npos || end == at + 1 ? 0 : end + 1 - at;
    });
}

std::u32string withoutFillers(View text)
{
    return replaced(text, [](View all, std::size_t at, std::u32string &) -> std::size_t {
        if (!isBoundary(all, at)) {
            return 0;
        }
        for (const View filler : kFillers) {
            if (all.substr(at, filler.size()) == filler && isBoundary(all, at + filler.size())) {
                return filler.size();
            }
        }
        return 0;
    });
}

std::u32string writtenOut(std::u32string text)
{
    for (const Writing &writing : kWritings) {
        if (text.find(writing.written) == std::u32string::npos) {
            continue;
        }
        const bool is_ending = writing.written.front() == U'\'' || writing.written == U"n't";
        text = replaced(text, [&](View all, std::size_t at, std::u32string &out) -> std::size_t {
            const bool fits =
                all.substr(at, writing.written.size()) == writing.written && (is_ending || isBoundary(all, at)) && isBoundary(all, at + writing.written.size());
            if (!fits) {
                return 0;
            }
            out += writing.replacement;
            return writing.written.size();
        });
    }
    return text;
}

std::u32string americanised(View text)
{
    std::vector<std::u32string> words = split(text);
    for (std::u32string &word : words) {
        const std::string british = utf8Of(word);
        const auto spelling =
            std::lower_bound(spellings.begin(), spellings.end(), british, [](const Spelling &s, const std::string &w) { return s.british < w; });
        if (spelling != spellings.end() && spelling->british == british) {
            word = codePoints(spelling->american);
        }
    }
    return joined(words);
}

}  // namespace

std::string englishNormalised(std::string_view text)
{
    std::u32string s = withoutFillers(withoutBrackets(lowered(text)));
    s = replaced(s, [](View all, std::size_t at, std::u32string &out) -> std::size_t {  // no space before an apostrophe
        if (at > 0 && isSpace(all[at - 1])) {
            return 0;  // in the middle of a run that leads to no apostrophe
        }
        std::size_t end = at;
        while (end < all.size() && isSpace(all[end])) {
            ++end;
        }
        if (end == at || end >= all.size() || all[end] != U'\'') {
            return 0;
        }
        out += U'\'';
        return end + 1 - at;
    });
    s = writtenOut(std::move(s));
    s = replaced(s, [](View all, std::size_t at, std::u32string &out) -> std::size_t {  // no commas between digits
        if (at + 2 >= all.size() || digitValue(all[at]) < 0 || all[at + 1] != U',' || digitValue(all[at + 2]) < 0) {
            return 0;
        }
        out += all[at];
        out += all[at + 2];
        return 3;
    });
    s = replaced(s, [](View all, std::size_t at, std::u32string &out) -> std::size_t {  // no full stops but in numbers
        if (all[at] != U'.' || (at + 1 < all.size() && isAsciiDigit(all[at + 1]))) {
            return 0;
        }
        out += U' ';
        out += all.substr(at + 1, 1);
        return 2;
    });
    s = americanised(numbersAsDigits(withoutSymbols(s, U".%$¢€£")));
    s = replaced(s, [](View all, std::size_t at, std::u32string &out) -> std::size_t {  // no signs that belong to no number
        if (View(U".$¢€£").find(all[at]) == View::npos || at + 1 >= all.size() || isAsciiDigit(all[at + 1])) {
            return 0;
        }
        out += U' ';
        out += all[at + 1];
        return 2;
    });
    s = replaced(s, [](View all, std::size_t at, std::u32string &out) -> std::size_t {
        if (isAsciiDigit(all[at]) || all.substr(at + 1, 1) != U"%") {
            return 0;
        }
        out += all[at];
        out += U' ';
        return 2;
    });
    std::u32string spaced;
    for (const char32_t c : s) {
        if (!isSpace(c)) {
            spaced += c;
        } else if (spaced.empty() || spaced.back() != U' ') {
            spaced += U' ';
        }
    }
    return utf8Of(spaced);
}

std::vector<std::string> englishWords(std::string_view text)
{
    std::vector<std::string> words;
    for (const std::u32string &word : split(codePoints(englishNormalised(text)))) {
        words.push_back(utf8Of(word));
    }
    return words;
}

}  // namespace braid::metrics
