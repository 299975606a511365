#include "ui/shared/window_language.h"

#include <algorithm>
#include <array>

#include <QCoreApplication>
#include <QLocale>
#include <QTranslator>

static void initialiseTranslations()
{
    Q_INIT_RESOURCE(translations);
}

namespace braid::ui {
namespace {

constexpr std::array<WindowLanguage, 3> kLanguages = {{{"en", "English"}, {"de", "Deutsch"}, {"fr", "Fran\u00e7ais"}}};

bool isSpoken(const QString &code)
{
    return std::any_of(kLanguages.begin(), kLanguages.end(), [&code](const WindowLanguage &language) { return code == QLatin1String(language.code); });
}

}  // namespace

std::span<const WindowLanguage> windowLanguages() noexcept
{
    return kLanguages;
}

QString languageToSpeak(const QString &chosen, const QStringList &wanted)
{
    if (isSpoken(chosen)) {
        return chosen;
    }
    for (const QString &locale : wanted) {
        const QString code = locale.section(QLatin1Char('-'), 0, 0).section(QLatin1Char('_'), 0, 0).toLower();
        if (isSpoken(code)) {
            return code;
        }
    }
    return QString::fromLatin1(kLanguages.front().code);
}

QString speak(const QString &chosen)
{
    initialiseTranslations();
    const QString code = languageToSpeak(chosen, QLocale::system().uiLanguages());
    for (QTranslator *before : QCoreApplication::instance()->findChildren<QTranslator *>(QString(), Qt::FindDirectChildrenOnly)) {
        delete before;  // which takes it out of force
    }
    for (const char *part : {"qtbase", "braid"}) {
        auto *translator = new QTranslator(QCoreApplication::instance());
        if (translator->load(QStringLiteral(":/braid/translations/%1_%2.qm").arg(QLatin1String(part), code))) {
            QCoreApplication::installTranslator(translator);
        } else {
            delete translator;  // Qt's own texts are English without one
        }
    }
    const QLocale spoken(code);
    const QLocale::Language of_system = QLocale::system().language() == QLocale::C ? QLocale::English : QLocale::system().language();
    QLocale::setDefault(isSpoken(chosen) && spoken.language() != of_system ? spoken : QLocale::system());
    return code;
}

}  // namespace braid::ui
