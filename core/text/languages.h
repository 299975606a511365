// The languages Whisper was trained on: codes as in its tokens (<|en|>), names for people. In the order of the token ids.
// Source: openai/whisper tokenizer.py, LANGUAGES and TO_LANGUAGE_CODE. Thread: any.
#pragma once

#include <span>
#include <string_view>

namespace braid::text {

struct Language {
    std::string_view code;
    std::string_view name;  // in English, as people write it
};

// 100; the last, Cantonese ("yue"), only large-v3 and its descendants have.
[[nodiscard]] std::span<const Language> whisperLanguages() noexcept;

// "English" for "en"; empty for codes that are not in the table.
[[nodiscard]] std::string_view languageName(std::string_view code) noexcept;

// "en" for "en", "EN", "English" or "english", "es" for "Castilian", ...; empty for what is no language of Whisper's.
[[nodiscard]] std::string_view languageCode(std::string_view name_or_code) noexcept;

}  // namespace braid::text
