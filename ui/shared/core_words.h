// What core says of itself in English (names of methods, what a run is doing, languages), in the language of the window. Core knows no Qt, so its texts
// that people see stand once more in core_words.cpp, for translators; a text that is not there stays as it is. Thread: any.
#pragma once

#include <string_view>

#include <QString>

namespace braid::ui {

// A text as a whole, a text with a name in it ("loading NAME"), or a list of facts ("Whisper, 39 M parameters, 99 languages").
[[nodiscard]] QString coreWords(std::string_view text);
// "French" of "fr"; the code itself where nobody knows it.
[[nodiscard]] QString languageName(const QString &code);

}  // namespace braid::ui
