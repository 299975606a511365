// The window on its Translation page, over the real engine and a translator that knows some sentences by heart; driven as a person would.
#pragma once

#include <functional>
#include <memory>

#include <QClipboard>
#include <QTemporaryDir>
#include <QtTest>

#include "tests/ui/translation/translation_fakes.h"
#include "ui/shell/main_window.h"
#include "ui/translation/bilingual_view.h"
#include "ui/translation/source_line.h"
#include "ui/translation/translation_choices.h"
#include "ui/translation/translation_page.h"
#include "ui/translation/translation_side.h"

namespace braid::ui::test {

inline QString sourceText(int sentences)
{
    QString text;
    for (int index = 0; index < sentences; ++index) {
        text += QString::fromStdString(learntSentences()[static_cast<std::size_t>(index)].source) + QLatin1Char(index % 3 == 2 ? '\n' : ' ');
    }
    return text;
}

inline QString translatedText(int sentence)
{
    QStringList words;
    for (const LearntWord &word : learntSentences()[static_cast<std::size_t>(sentence)].target) {
        words << QString::fromStdString(word.text);
    }
    return words.join(QLatin1Char(' '));
}

// A window on the Translation page, its models listed.
struct Booth {
    static constexpr int kPatienceMs = 20000;  // the machine may be busy

    explicit Booth(const std::function<void(Services &)> &change = addFrench, QSize size = {1280, 800}, ThemeChoice theme = ThemeChoice::Light)
    {
        Services services = fakeServices(captions, player, folder.path().toStdString());
        change(services);
        window = std::make_unique<MainWindow>(std::move(services));
        window->settings().update([theme](Settings &s) {
            s.motion = MotionChoice::Reduced;
            s.theme = theme;
        });
        window->resize(size);
        window->show();
        window->showPage(PageName::Translation);
    }
    [[nodiscard]] bool ready() const
    {
        return QTest::qWaitFor([this] { return page().choicesRow().listsArrived(); }, kPatienceMs);
    }
    [[nodiscard]] TranslationPage &page() const { return window->translation(); }
    [[nodiscard]] BilingualText &text() const { return page().side().controller().text(); }
    [[nodiscard]] BilingualView &view() const { return page().side().view(); }
    [[nodiscard]] QString target() const { return text().plainText(TextSide::Target, 0, text().wordCount() - 1); }
    template <typename Condition>
    [[nodiscard]] bool until(Condition condition) const
    {
        return QTest::qWaitFor(condition, kPatienceMs);
    }
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) const
    {
        QWidget *target = window->focusWidget() != nullptr ? window->focusWidget() : window.get();
        QTest::keyClick(target, key, modifiers);
    }
    void paste(const QString &words) const
    {
        QApplication::clipboard()->setText(words);
        page().sourceLine().field().paste();
    }
    [[nodiscard]] bool sentencesOver(int count) const
    {
        return until([this, count] { return text().firstOpen() >= count; });
    }

    QTemporaryDir folder;
    ScriptedBackend *captions = nullptr;
    RememberingPlayer *player = nullptr;
    std::unique_ptr<MainWindow> window;
};

}  // namespace braid::ui::test
