// A window with stand-ins outside, driven as a person would.
#pragma once

#include <QTemporaryDir>
#include <QtTest>

#include "tests/ui/fakes.h"
#include "ui/captions/choices_row.h"
#include "ui/shell/main_window.h"

namespace braid::ui::test {

inline constexpr int kPatienceMs = 20000;  // the machine may be busy

// A window with stand-ins, its lists arrived.
struct Desk {
    explicit Desk(std::function<void(Services &)> change = {})
    {
        Services services = fakeServices(backend, player, folder.path().toStdString());
        if (change) {
            change(services);
        }
        window = std::make_unique<MainWindow>(std::move(services));
        window->resize(1100, 700);
        window->show();
        window->settings().update([](Settings &s) { s.motion = MotionChoice::Reduced; });
    }
    [[nodiscard]] bool ready() const
    {
        return QTest::qWaitFor([this] { return window->captions().choicesRow().listsArrived(); }, kPatienceMs);
    }
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) const
    {
        QWidget *target = window->focusWidget() != nullptr ? window->focusWidget() : window.get();
        QTest::keyClick(target, key, modifiers);
    }
    // Lets the frame clock tick until `condition` holds.
    template <typename Condition>
    [[nodiscard]] bool until(Condition condition) const
    {
        return QTest::qWaitFor(condition, kPatienceMs);
    }
    [[nodiscard]] TranscriptModel &transcript() const { return window->controller().transcript(); }

    QTemporaryDir folder;
    ScriptedBackend *backend = nullptr;
    RememberingPlayer *player = nullptr;
    std::unique_ptr<MainWindow> window;
};

}  // namespace braid::ui::test
