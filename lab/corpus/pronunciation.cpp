#include "lab/corpus/pronunciation.h"

#include <array>
#include <cctype>
#include <utility>

namespace braid::corpus {
namespace {

using Rule = std::pair<std::string_view, std::string_view>;

// Longest first within the same beginning. Stress and length signs are taken out before.
constexpr std::array kIpa = std::to_array<Rule>({
    {"tʃ", "CH"}, {"dʒ", "JH"},   {"aɪɚ", "AY ER"}, {"aɪə", "AY AH"}, {"aɪ", "AY"},   {"aʊ", "AW"},   {"eɪ", "EY"},   {"oʊ", "OW"},   {"əʊ", "OW"},
    {"ɔɪ", "OY"}, {"ɑɹ", "AA R"}, {"ɔɹ", "AO R"},   {"oɹ", "AO R"},   {"ɛɹ", "EH R"}, {"ɪɹ", "IH R"}, {"ʊɹ", "UH R"}, {"əl", "AH L"}, {"ɜ", "ER"},
    {"ɚ", "ER"},  {"ɝ", "ER"},    {"ɑ̃", "AA N"},    {"ɔ̃", "AO N"},    {"ɑ", "AA"},    {"ɒ", "AA"},    {"a", "AA"},    {"æ", "AE"},    {"ɐ", "AH"},
    {"ʌ", "AH"},  {"ə", "AH"},    {"ᵻ", "IH"},      {"ɔ", "AO"},      {"o", "OW"},    {"e", "EY"},    {"ɛ", "EH"},    {"i", "IY"},    {"ɪ", "IH"},
    {"y", "UW"},  {"u", "UW"},    {"ʊ", "UH"},      {"b", "B"},       {"d", "D"},     {"ð", "DH"},    {"f", "F"},     {"ɡ", "G"},     {"g", "G"},
    {"h", "HH"},  {"x", "K"},     {"j", "Y"},       {"k", "K"},       {"l", "L"},     {"ɫ", "L"},     {"ɬ", "L"},     {"m", "M"},     {"n", "N"},
    {"ɲ", "N Y"}, {"ŋ", "NG"},    {"p", "P"},       {"ɹ", "R"},       {"r", "R"},     {"s", "S"},     {"ʃ", "SH"},    {"ç", "SH"},    {"t", "T"},
    {"ɾ", "T"},   {"θ", "TH"},    {"v", "V"},       {"w", "W"},       {"ʍ", "W"},     {"z", "Z"},     {"ʒ", "ZH"},
});

// Spelling; "#" stands for the word's end. Longest first within the same beginning.
constexpr std::array kLetters = std::to_array<Rule>({
    {"augh", "AO"},      {"aigh", "EY"},  {"air", "EH R"}, {"ai", "EY"},    {"ar", "AA R"},    {"au", "AO"},        {"aw", "AO"},  {"ay", "EY"},
    {"a#", "AH"},        {"a", "AE"},     {"bb", "B"},     {"b", "B"},      {"ck", "K"},       {"cch", "K"},        {"ch", "CH"},  {"cce", "K S EH"},
    {"cci", "K S IH"},   {"cc", "K"},     {"ce#", "S"},    {"ce", "S EH"},  {"ci", "S IH"},    {"cy", "S IY"},      {"c", "K"},    {"dge", "JH"},
    {"dd", "D"},         {"d", "D"},      {"eau", "OW"},   {"ear", "IH R"}, {"ea", "IY"},      {"eer", "IH R"},     {"ee", "IY"},  {"eigh", "EY"},
    {"ei", "EY"},        {"er", "ER"},    {"ew", "UW"},    {"ey#", "IY"},   {"ed#", "D"},      {"es#", "Z"},        {"e#", ""},    {"e", "EH"},
    {"ff", "F"},         {"f", "F"},      {"gg", "G"},     {"ght", "T"},    {"gh", "G"},       {"gn#", "N"},        {"ge#", "JH"}, {"g", "G"},
    {"h", "HH"},         {"ia", "IY AH"}, {"ie", "IY"},    {"igh", "AY"},   {"ing#", "IH NG"}, {"ir", "ER"},        {"i#", "IY"},  {"i", "IH"},
    {"j", "JH"},         {"kn", "N"},     {"k", "K"},      {"ll", "L"},     {"le#", "AH L"},   {"l", "L"},          {"mm", "M"},   {"m", "M"},
    {"ng#", "NG"},       {"nk", "NG K"},  {"nn", "N"},     {"n", "N"},      {"oa", "OW"},      {"oi", "OY"},        {"oo", "UW"},  {"or", "AO R"},
    {"ough", "AO"},      {"ou", "AW"},    {"ow", "OW"},    {"oy", "OY"},    {"o#", "OW"},      {"o", "AA"},         {"ph", "F"},   {"pp", "P"},
    {"p", "P"},          {"qu", "K W"},   {"q", "K"},      {"rr", "R"},     {"r", "R"},        {"sch", "SH"},       {"sh", "SH"},  {"ssion", "SH AH N"},
    {"sion", "ZH AH N"}, {"ss", "S"},     {"s", "S"},      {"tch", "CH"},   {"th", "TH"},      {"tion", "SH AH N"}, {"tt", "T"},   {"t", "T"},
    {"ue#", "UW"},       {"ur", "ER"},    {"u#", "UW"},    {"u", "AH"},     {"v", "V"},        {"wh", "W"},         {"wr", "R"},   {"w", "W"},
    {"x", "K S"},        {"y#", "IY"},    {"y", "IH"},     {"zz", "Z"},     {"z", "Z"},
});

void appendPhones(std::string &phones, std::string_view more)
{
    if (!more.empty()) {
        phones += (phones.empty() ? "" : " ");
        phones += more;
    }
}

// Reads `text` from left to right by the first rule that fits; one byte is skipped where none does.
template <std::size_t N>
std::string byRules(std::string_view text, const std::array<Rule, N> &rules)
{
    std::string phones;
    while (!text.empty()) {
        std::size_t taken = 0;
        for (const auto &[from, to] : rules) {
            if (text.starts_with(from)) {
                taken = from.size();
                appendPhones(phones, to);
                break;
            }
        }
        text.remove_prefix(taken == 0 ? 1 : taken);
    }
    return phones;
}

}  // namespace

std::string phonesFromIpa(std::string_view ipa)
{
    std::string plain;
    for (std::size_t i = 0; i < ipa.size();) {
        bool skipped = false;
        for (const std::string_view sign : {"ˈ", "ˌ", "ː", "ˑ", "̩", "ʲ", "‍", "͡", "_", " ", "-"}) {
            if (ipa.substr(i).starts_with(sign)) {
                i += sign.size();
                skipped = true;
                break;
            }
        }
        if (!skipped) {
            plain += ipa[i++];
        }
    }
    return byRules(plain, kIpa);
}

std::string phonesFromLetters(std::string_view word)
{
    std::string letters;
    for (const char c : word) {
        if (std::isalpha(static_cast<unsigned char>(c)) != 0) {
            letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        }
    }
    if (letters.empty()) {
        return {};
    }
    const std::string phones = byRules(letters + "#", kLetters);
    return phones.empty() ? "AH" : phones;  // "e", a letter that is silent at a word's end
}

}  // namespace braid::corpus
