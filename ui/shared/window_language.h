// The language that the window speaks: its own texts and Qt's. Texts are made when widgets are, so it holds from the next start. GUI thread.
#pragma once

#include <span>

#include <QString>
#include <QStringList>

namespace braid::ui {

struct WindowLanguage {
    const char *code;      // "de"
    const char *own_name;  // "Deutsch", UTF-8
};

// English first: what stands in the sources.
[[nodiscard]] std::span<const WindowLanguage> windowLanguages() noexcept;
// `chosen` where there is such a language, else the first of `wanted` that there is ("de-AT" is German), else English.
[[nodiscard]] QString languageToSpeak(const QString &chosen, const QStringList &wanted);
// Puts the translations of `chosen` (empty: the system's) in force, in place of those before; where it was chosen, numbers and dates are written in its
// way too. Returns what is spoken. Call it before the first widget is made; English too has its plurals from here.
QString speak(const QString &chosen);

}  // namespace braid::ui
