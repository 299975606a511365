// The window in German and French: every text of the sources is translated, wholly and with its placeholders, and the translated window clips nothing.
#include <cstdlib>

#include <QMenu>
#include <QProcess>
#include <QXmlStreamReader>
#include <QtTest>

#include "core/model_access/caption_policies.h"
#include "core/paradigms/paradigm.h"
#include "core/text/languages.h"
#include "tests/ui/desk.h"
#include "ui/shared/core_words.h"
#include "ui/shared/rail.h"
#include "ui/shared/window_language.h"

using namespace braid;
using namespace braid::ui;
using namespace braid::ui::test;

namespace {

constexpr QSize kLowWindow(1024, 700);

struct Message {
    QString context;
    QString source;
    bool is_plural = false;
    QString state;  // "unfinished", "vanished"; empty where it is translated
    QStringList forms;
};

QString translationsFolder()
{
    return QStringLiteral(BRAID_SOURCE_DIR "/resources/translations");
}

std::vector<Message> messagesOf(const QString &path)
{
    QFile file(path);
    std::vector<Message> messages;
    if (!file.open(QIODevice::ReadOnly)) {
        return messages;
    }
    QXmlStreamReader xml(&file);
    QString context;
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement) {
            continue;
        }
        if (xml.name() == QLatin1String("name")) {
            context = xml.readElementText();
        } else if (xml.name() == QLatin1String("message")) {
            messages.push_back({context, {}, xml.attributes().value(QLatin1String("numerus")) == QLatin1String("yes"), {}, {}});
        } else if (xml.name() == QLatin1String("source")) {
            messages.back().source = xml.readElementText();
        } else if (xml.name() == QLatin1String("translation")) {
            messages.back().state = xml.attributes().value(QLatin1String("type")).toString();
            if (!messages.back().is_plural) {
                messages.back().forms << xml.readElementText();
            }
        } else if (xml.name() == QLatin1String("numerusform")) {
            messages.back().forms << xml.readElementText();
        }
    }
    return messages;
}

// "%1", "%n" and the like, sorted; "%L1" is a %1 in the language's own digits.
QStringList placeholdersOf(const QString &text)
{
    static const QRegularExpression pattern(QStringLiteral("%L?([1-9n])"));
    QStringList found;
    for (auto match = pattern.globalMatch(text); match.hasNext();) {
        found << match.next().captured(1);
    }
    found.sort();
    return found;
}

QString pathOf(const QString &language)
{
    return translationsFolder() + QStringLiteral("/braid_%1.ts").arg(language);
}

// "QLabel \"Starten\" (save) in Captions": enough to find it.
QString nameOf(const QWidget *widget, const QString &text)
{
    return QStringLiteral("%1 \"%2\" (%3), %4x%5")
        .arg(QString::fromLatin1(widget->metaObject()->className()), text, widget->objectName())
        .arg(widget->width())
        .arg(widget->height());
}

// A widget that needs more room than it has; empty where it is content.
QString clippedText(const QWidget *widget)
{
    if (const auto *label = qobject_cast<const QLabel *>(widget); label != nullptr && !label->text().isEmpty()) {
        const bool fits = label->wordWrap() ? label->heightForWidth(label->width()) <= label->height() + 1
                                            : label->sizeHint().width() <= label->width() + 1 && label->sizeHint().height() <= label->height() + 1;
        return fits ? QString() : nameOf(label, label->text());
    }
    if (const auto *box = qobject_cast<const QAbstractSpinBox *>(widget)) {
        return box->sizeHint().width() <= box->width() + 1 ? QString() : nameOf(box, box->text());
    }
    if (const auto *button = qobject_cast<const QAbstractButton *>(widget); button != nullptr && !button->text().isEmpty()) {
        const auto *tool = qobject_cast<const QToolButton *>(button);
        const bool shows_text = tool == nullptr || tool->toolButtonStyle() != Qt::ToolButtonIconOnly;
        const bool fits = !shows_text || (button->sizeHint().width() <= button->width() + 1 && button->sizeHint().height() <= button->height() + 1);
        return fits ? QString() : nameOf(button, button->text());
    }
    return {};
}

// Cut off by what it stands in. What scrolls may stand outside.
bool standsOutside(const QWidget *widget, const QWidget *page)
{
    for (const QWidget *parent = widget->parentWidget(); parent != nullptr && widget != page; parent = parent->parentWidget()) {
        if (const auto *area = qobject_cast<const QAbstractScrollArea *>(parent->parentWidget())) {
            // `parent` is the part of it that shows; what cannot be scrolled to is lost.
            const int left = widget->mapTo(parent, QPoint()).x();
            return area->horizontalScrollBarPolicy() == Qt::ScrollBarAlwaysOff && (left < 0 || left + widget->width() > parent->width());
        }
        if (!parent->rect().contains(QRect(widget->mapTo(parent, QPoint()), widget->size()))) {
            return true;
        }
        if (parent == page) {
            break;
        }
    }
    return false;
}

QString textOf(const QWidget *widget)
{
    if (const auto *label = qobject_cast<const QLabel *>(widget)) {
        return label->text();
    }
    if (const auto *button = qobject_cast<const QAbstractButton *>(widget)) {
        return button->text();
    }
    return {};
}

}  // namespace

class UiLanguagesTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void cleanup() { speak(QStringLiteral("en")); }

    void translationsAreWhole_data()
    {
        QTest::addColumn<QString>("language");
        for (const WindowLanguage &language : windowLanguages()) {
            QTest::newRow(language.code) << QString::fromLatin1(language.code);
        }
    }
    void translationsAreWhole()
    {
        QFETCH(QString, language);
        const std::vector<Message> messages = messagesOf(pathOf(language));
        QVERIFY(messages.size() > (language == QLatin1String("en") ? 20U : 1000U));
        for (const Message &message : messages) {
            const auto where = [&message](const QString &form) { return QStringLiteral("\"%1\" as \"%2\"").arg(message.source, form).toUtf8(); };
            QVERIFY2(message.state.isEmpty(), where(message.state).constData());
            QCOMPARE(message.forms.size(), message.is_plural ? 2 : 1);
            for (const QString &form : message.forms) {
                QVERIFY2(!form.trimmed().isEmpty() || message.source.trimmed().isEmpty(), where(form).constData());
                QStringList wanted = placeholdersOf(message.source);
                if (message.is_plural && form == message.forms.first() && !placeholdersOf(form).contains(QStringLiteral("n"))) {
                    wanted.removeAll(QStringLiteral("n"));  // "one new line" says its number
                }
                QVERIFY2(placeholdersOf(form) == wanted, where(form).constData());
                // What is put together with other text keeps the space it begins and ends with.
                QVERIFY2(form.startsWith(QLatin1Char(' ')) == message.source.startsWith(QLatin1Char(' ')), where(form).constData());
                QVERIFY2(form.endsWith(QLatin1Char(' ')) == message.source.endsWith(QLatin1Char(' ')), where(form).constData());
                QVERIFY2(form.count(QLatin1Char('\n')) == message.source.count(QLatin1Char('\n')), where(form).constData());
                QVERIFY2(form.count(QLatin1Char('\t')) == message.source.count(QLatin1Char('\t')), where(form).constData());
                // The endings of a file dialog's kinds of file.
                static const QRegularExpression endings(QStringLiteral("\\(\\*[^)]*\\)"));
                QVERIFY2(endings.match(form).captured() == endings.match(message.source).captured(), where(form).constData());
            }
        }
    }
    void theFilesHoldEveryTextOfTheSources()
    {
        const QString lupdate = QStringLiteral("/usr/lib/qt6/bin/lupdate");
        if (!QFile::exists(lupdate)) {
            QSKIP("lupdate is not here (package qt6-l10n-tools): whether the translations hold every text was not checked.");
        }
        const QTemporaryDir folder;
        QProcess update;
        update.start(QStringLiteral(BRAID_SOURCE_DIR "/tools/update_translations.sh"), {folder.path()});
        QVERIFY(update.waitForFinished(60000));
        QVERIFY2(update.exitCode() == 0, update.readAllStandardError().constData());
        for (const WindowLanguage &language : windowLanguages()) {
            const auto textsOf = [](const QString &path) {
                QStringList texts;
                for (const Message &message : messagesOf(path)) {
                    texts << message.context + QStringLiteral(" | ") + message.source + (message.is_plural ? QStringLiteral(" | plural") : QString());
                }
                texts.sort();
                return texts;
            };
            const QString code = QString::fromLatin1(language.code);
            const QStringList wanted = textsOf(folder.filePath(QStringLiteral("braid_%1.ts").arg(code)));
            const QStringList here = textsOf(pathOf(code));
            for (const QString &text : wanted) {
                QVERIFY2(here.contains(text), qUtf8Printable(code + QStringLiteral(" lacks: ") + text + QStringLiteral(". Run tools/update_translations.sh.")));
            }
            for (const QString &text : here) {
                QVERIFY2(wanted.contains(text), qUtf8Printable(code + QStringLiteral(" has what is gone: ") + text));
            }
        }
    }
    // Core knows no Qt: what it says to people stands in core_texts.cpp once more.
    void coresTextsAreTranslated()
    {
        QCOMPARE(speak(QStringLiteral("de")), QStringLiteral("de"));
        const models::CaptionPolicies policies;
        for (const models::CaptionPolicyEntry &policy : policies.entries()) {
            if (policy.make) {
                QVERIFY2(coreWords(policy.title) != QString::fromStdString(policy.title), policy.title.c_str());
                QVERIFY2(coreWords(policy.description) != QString::fromStdString(policy.description), policy.description.c_str());
            }
        }
        for (const paradigms::ParadigmEntry &paradigm : paradigms::allParadigms()) {
            if (paradigm.offered == paradigms::Offered::Everywhere) {
                QVERIFY2(coreWords(paradigm.title) != QString::fromUtf8(paradigm.title.data()), paradigm.title.data());
                QVERIFY2(coreWords(paradigm.description) != QString::fromUtf8(paradigm.description.data()), paradigm.description.data());
            }
        }
        QStringList known;
        for (const Message &message : messagesOf(pathOf(QStringLiteral("de")))) {
            known << (message.context == QLatin1String("language") ? message.source : QString());
        }
        for (const text::Language &language : text::whisperLanguages()) {
            QVERIFY2(known.contains(QString::fromUtf8(language.name.data())), language.name.data());
        }
        QCOMPARE(languageName(QStringLiteral("fr")), QStringLiteral("Franz\u00f6sisch"));
        QCOMPARE(coreWords("loading tiny"), QStringLiteral("l\u00e4dt tiny"));
        QCOMPARE(coreWords("Streaming Whisper, 8.1 M parameters, English"), QStringLiteral("Fortlaufendes Whisper, 8.1 M Parameter, Englisch"));
        QCOMPARE(coreWords("something new"), QStringLiteral("something new"));
    }
    void theLanguageIsThePersonsOrTheSystems_data()
    {
        QTest::addColumn<QString>("chosen");
        QTest::addColumn<QStringList>("system");
        QTest::addColumn<QString>("spoken");
        QTest::newRow("the system's") << QString() << QStringList{"de-AT", "en"} << "de";
        QTest::newRow("the first of the system's that there is") << QString() << QStringList{"pl-PL", "fr-CA", "de"} << "fr";
        QTest::newRow("none of the system's") << QString() << QStringList{"pl-PL"} << "en";
        QTest::newRow("no system's") << QString() << QStringList{"C"} << "en";
        QTest::newRow("chosen") << "fr" << QStringList{"de-DE"} << "fr";
        QTest::newRow("chosen, and not there any more") << "eo" << QStringList{"de-DE"} << "de";
    }
    void theLanguageIsThePersonsOrTheSystems()
    {
        QFETCH(QString, chosen);
        QFETCH(QStringList, system);
        QFETCH(QString, spoken);
        QCOMPARE(languageToSpeak(chosen, system), spoken);
    }
    void qtsOwnTextsAreTranslated()
    {
        speak(QStringLiteral("de"));
        if (QCoreApplication::translate("QPlatformTheme", "Cancel") == QLatin1String("Cancel")) {
            QSKIP("Qt's own translations were not here when this was built (package qt6-translations-l10n).");
        }
        QCOMPARE(QCoreApplication::translate("QPlatformTheme", "Cancel"), QStringLiteral("Abbrechen"));
        speak(QStringLiteral("fr"));
        QCOMPARE(QCoreApplication::translate("QPlatformTheme", "Cancel"), QStringLiteral("Annuler"));
    }
    void theChoiceIsKeptForTheNextStart()
    {
        const QTemporaryDir folder;
        const std::filesystem::path file = folder.path().toStdString() + "/braid.ini";
        QCOMPARE(windowLanguageIn(file), QString());
        {
            SettingsStore store(file);
            store.update([](Settings &s) { s.language = QStringLiteral("de"); });
        }
        QCOMPARE(windowLanguageIn(file), QStringLiteral("de"));
        QCOMPARE(windowLanguageIn({}), QString());
    }

    void theWindowIsWholeInEveryLanguage_data() { translationsAreWhole_data(); }
    void theWindowIsWholeInEveryLanguage()
    {
        QFETCH(QString, language);
        speak(language);
        const Desk desk;
        QVERIFY(desk.ready());
        desk.window->resize(kLowWindow);
        QStringList sources;
        QStringList translations;
        if (language != QLatin1String("en")) {
            for (const Message &message : messagesOf(pathOf(language))) {
                sources << message.source;
                translations << message.forms;
            }
        }
        QStringList faults;
        for (const auto page :
             {PageName::Captions, PageName::Translation, PageName::Streams, PageName::Models, PageName::History, PageName::Settings, PageName::Compare}) {
            desk.window->showPage(page);
            QTest::qWait(50);
            const QPixmap picture = desk.window->grab();  // which lays everything out
            if (const char *folder = std::getenv("BRAID_PICTURES")) {
                picture.save(QStringLiteral("%1/%2-%3.png").arg(QString::fromLocal8Bit(folder), language).arg(static_cast<int>(page)));
            }
            for (const QWidget *widget : desk.window->findChildren<QWidget *>()) {
                if (!widget->isVisibleTo(desk.window.get())) {
                    continue;
                }
                if (const QString clipped = clippedText(widget); !clipped.isEmpty()) {
                    faults << QStringLiteral("page %1 clips %2, which wants %3x%4")
                                  .arg(static_cast<int>(page))
                                  .arg(clipped)
                                  .arg(widget->sizeHint().width())
                                  .arg(widget->sizeHint().height());
                }
                if (standsOutside(widget, desk.window.get())) {
                    faults << QStringLiteral("page %1: %2 stands outside").arg(static_cast<int>(page)).arg(nameOf(widget, textOf(widget)));
                }
                if (const QString text = textOf(widget); sources.contains(text) && !translations.contains(text)) {
                    faults << QStringLiteral("page %1 says in English: %2").arg(static_cast<int>(page)).arg(nameOf(widget, text));
                }
            }
        }
        faults.removeDuplicates();
        QVERIFY2(faults.isEmpty(), qUtf8Printable(faults.join(QLatin1Char('\n'))));
        QVERIFY2(desk.window->width() <= kLowWindow.width(), "the window cannot be so narrow");
    }

    // Underlined letters and keys: one of each in a menu.
    void keysAreUniqueWithinAMenu_data() { translationsAreWhole_data(); }
    void keysAreUniqueWithinAMenu()
    {
        QFETCH(QString, language);
        speak(language);
        const Desk desk;
        QVERIFY(desk.ready());
        int menus = 0;
        for (const QMenu *menu : desk.window->findChildren<QMenu *>()) {
            QStringList keys;
            for (const QAction *action : menu->actions()) {
                const QString shortcut = action->text().section(QLatin1Char('\t'), 1);
                keys << (shortcut.isEmpty() ? action->shortcut().toString() : shortcut) << QKeySequence::mnemonic(action->text()).toString();
            }
            keys.removeAll(QString());
            const qsizetype all = keys.size();
            keys.removeDuplicates();
            QCOMPARE(keys.size(), all);
            ++menus;
        }
        QVERIFY(menus > 0);
    }
};

QTEST_MAIN(UiLanguagesTest)
#include "tst_ui_languages.moc"
