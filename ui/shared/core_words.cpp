#include "ui/shared/core_words.h"

#include <array>

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include "core/text/languages.h"

namespace braid::ui {
namespace {

constexpr const char *kContext = "core";
constexpr const char *kLanguages = "language";

// Texts with a name in them; the name stands for %1.
constexpr std::array kWithNames = {
    QT_TRANSLATE_NOOP("core", "loading %1"),
    QT_TRANSLATE_NOOP("core", "changing the method of %1"),
    QT_TRANSLATE_NOOP("core", "%1 parameters"),
    QT_TRANSLATE_NOOP("core", "%1 languages"),
    QT_TRANSLATE_NOOP("core", "%1 tokens a step"),
    QT_TRANSLATE_NOOP("core", "%1 streams"),
    QT_TRANSLATE_NOOP("core", "line %1 says nothing to write"),
    QT_TRANSLATE_NOOP("core", "line %1 has a side without words"),
    QT_TRANSLATE_NOOP("core", "line %1 is too long"),
    QT_TRANSLATE_NOOP("core", "line %1 is not UTF-8 text"),
    QT_TRANSLATE_NOOP("core", "line %1 is one too many"),
};

QString inWindowsLanguage(const QString &text)
{
    return QCoreApplication::translate(kContext, text.toUtf8().constData());
}

// Of one text or one fact: nothing where it is not known.
QString known(const QString &text)
{
    if (const QString said = inWindowsLanguage(text); said != text) {
        return said;
    }
    if (const QString said = QCoreApplication::translate(kLanguages, text.toUtf8().constData()); said != text) {
        return said;
    }
    for (const char *pattern : kWithNames) {
        const QString english = QString::fromUtf8(pattern);
        const QString before = english.section(QStringLiteral("%1"), 0, 0);
        const QString behind = english.section(QStringLiteral("%1"), 1, 1);
        if (text.size() > before.size() + behind.size() && text.startsWith(before) && text.endsWith(behind)) {
            return inWindowsLanguage(english).arg(text.mid(before.size(), text.size() - before.size() - behind.size()));
        }
    }
    return {};
}

}  // namespace

QString coreWords(std::string_view text)
{
    const QString whole = QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
    if (const QString said = known(whole); !said.isEmpty() && !whole.contains(QStringLiteral(", "))) {
        return said;
    }
    if (const QString said = inWindowsLanguage(whole); said != whole) {
        return said;
    }
    QStringList facts = whole.split(QStringLiteral(", "));
    for (QString &fact : facts) {
        if (const QString said = known(fact); !said.isEmpty()) {
            fact = said;
        }
    }
    return facts.join(QStringLiteral(", "));
}

QString languageName(const QString &code)
{
    if (const std::string_view name = text::languageName(code.toStdString()); !name.empty()) {
        return QCoreApplication::translate(kLanguages, std::string(name).c_str());
    }
    const QLocale locale(code);
    return locale.language() == QLocale::C ? code : QLocale::languageToString(locale.language());
}

}  // namespace braid::ui
