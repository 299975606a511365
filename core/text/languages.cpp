#include "core/text/languages.h"

#include <algorithm>
#include <array>

namespace braid::text {
namespace {

constexpr std::array<Language, 100> kLanguages = {{
    {"en", "English"},  {"zh", "Chinese"},    {"de", "German"},         {"es", "Spanish"},     {"ru", "Russian"},    {"ko", "Korean"},
    {"fr", "French"},   {"ja", "Japanese"},   {"pt", "Portuguese"},     {"tr", "Turkish"},     {"pl", "Polish"},     {"ca", "Catalan"},
    {"nl", "Dutch"},    {"ar", "Arabic"},     {"sv", "Swedish"},        {"it", "Italian"},     {"id", "Indonesian"}, {"hi", "Hindi"},
    {"fi", "Finnish"},  {"vi", "Vietnamese"}, {"he", "Hebrew"},         {"uk", "Ukrainian"},   {"el", "Greek"},      {"ms", "Malay"},
    {"cs", "Czech"},    {"ro", "Romanian"},   {"da", "Danish"},         {"hu", "Hungarian"},   {"ta", "Tamil"},      {"no", "Norwegian"},
    {"th", "Thai"},     {"ur", "Urdu"},       {"hr", "Croatian"},       {"bg", "Bulgarian"},   {"lt", "Lithuanian"}, {"la", "Latin"},
    {"mi", "Maori"},    {"ml", "Malayalam"},  {"cy", "Welsh"},          {"sk", "Slovak"},      {"te", "Telugu"},     {"fa", "Persian"},
    {"lv", "Latvian"},  {"bn", "Bengali"},    {"sr", "Serbian"},        {"az", "Azerbaijani"}, {"sl", "Slovenian"},  {"kn", "Kannada"},
    {"et", "Estonian"}, {"mk", "Macedonian"}, {"br", "Breton"},         {"eu", "Basque"},      {"is", "Icelandic"},  {"hy", "Armenian"},
    {"ne", "Nepali"},   {"mn", "Mongolian"},  {"bs", "Bosnian"},        {"kk", "Kazakh"},      {"sq", "Albanian"},   {"sw", "Swahili"},
    {"gl", "Galician"}, {"mr", "Marathi"},    {"pa", "Punjabi"},        {"si", "Sinhala"},     {"km", "Khmer"},      {"sn", "Shona"},
    {"yo", "Yoruba"},   {"so", "Somali"},     {"af", "Afrikaans"},      {"oc", "Occitan"},     {"ka", "Georgian"},   {"be", "Belarusian"},
    {"tg", "Tajik"},    {"sd", "Sindhi"},     {"gu", "Gujarati"},       {"am", "Amharic"},     {"yi", "Yiddish"},    {"lo", "Lao"},
    {"uz", "Uzbek"},    {"fo", "Faroese"},    {"ht", "Haitian Creole"}, {"ps", "Pashto"},      {"tk", "Turkmen"},    {"nn", "Nynorsk"},
    {"mt", "Maltese"},  {"sa", "Sanskrit"},   {"lb", "Luxembourgish"},  {"my", "Myanmar"},     {"bo", "Tibetan"},    {"tl", "Tagalog"},
    {"mg", "Malagasy"}, {"as", "Assamese"},   {"tt", "Tatar"},          {"haw", "Hawaiian"},   {"ln", "Lingala"},    {"ha", "Hausa"},
    {"ba", "Bashkir"},  {"jw", "Javanese"},   {"su", "Sundanese"},      {"yue", "Cantonese"},
}};

// Other names for the same languages.
constexpr std::array<Language, 12> kAliases = {{
    {"my", "Burmese"},
    {"ca", "Valencian"},
    {"nl", "Flemish"},
    {"ht", "Haitian"},
    {"lb", "Letzeburgesch"},
    {"ps", "Pushto"},
    {"pa", "Panjabi"},
    {"ro", "Moldavian"},
    {"ro", "Moldovan"},
    {"si", "Sinhalese"},
    {"es", "Castilian"},
    {"zh", "Mandarin"},
}};

bool equalIgnoringCase(std::string_view a, std::string_view b) noexcept
{
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace

std::span<const Language> whisperLanguages() noexcept
{
    return kLanguages;
}

std::string_view languageName(std::string_view code) noexcept
{
    const auto found = std::find_if(kLanguages.begin(), kLanguages.end(), [&](const Language &language) { return language.code == code; });
    return found == kLanguages.end() ? std::string_view() : found->name;
}

std::string_view languageCode(std::string_view name_or_code) noexcept
{
    for (const auto &language : kLanguages) {
        if (equalIgnoringCase(language.code, name_or_code) || equalIgnoringCase(language.name, name_or_code)) {
            return language.code;
        }
    }
    for (const auto &language : kAliases) {
        if (equalIgnoringCase(language.name, name_or_code)) {
            return language.code;
        }
    }
    return {};
}

}  // namespace braid::text
