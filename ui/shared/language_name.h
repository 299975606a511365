// What a language is called.
#pragma once

#include <QLocale>
#include <QString>

namespace braid::ui {

// "French" of "fr"; the code itself where nobody knows it.
[[nodiscard]] inline QString languageName(const QString &code)
{
    const QLocale locale(code);
    return locale.language() == QLocale::C ? code : QLocale::languageToString(locale.language());
}

}  // namespace braid::ui
