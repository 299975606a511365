// The Streams page over its stand-ins, as a window shows it.
#pragma once

#include <functional>

#include <QStyleFactory>
#include <QtTest>

#include "tests/ui/streams/streams_fakes.h"
#include "ui/streams/lanes_view.h"
#include "ui/streams/streams_choices_row.h"
#include "ui/streams/streams_page.h"
#include "ui/streams/typing_line.h"

namespace braid::ui::test {

inline constexpr int kPatienceMs = 20000;

struct Room {
    explicit Room(QSize size = {1280, 800}, const std::function<void(Settings &)> &wishes = {})
    {
        loadIconResources();
        services = steppedStreams(parallel, baseline);
        if (wishes) {
            settings.update(wishes);
        }
        page = std::make_unique<StreamsPage>(services, settings, appearance, captions);
        wear(ThemeKind::Light);
        page->resize(size);
        page->show();
        ready = QTest::qWaitFor([this] { return page->choicesRow().listsArrived() && page->controller().lanes().streams() == 7; }, kPatienceMs);
    }
    // As the window dresses its pages.
    void wear(ThemeKind kind)
    {
        QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
        QApplication::setPalette(paletteFor(themeFor(kind)));
        QApplication::setFont(Appearance::interfaceFont(13));
        page->setStyleSheet(styleSheetFor(themeFor(kind)));
        appearance.setTheme(kind);
    }
    // Types as a person does; the words go on their way with their spaces.
    void type(const QString &text) { QTest::keyClicks(&page->typing().field(), text); }
    // The session makes so many rows, and the page has shown them.
    void advance(int rows)
    {
        parallel->advance(rows);
        baseline->advance(rows);
        settle();
    }
    void settle()
    {
        const auto shown = [](SteppedStreams *backend, StreamsController &controller) {
            return !backend->session || controller.lanes().rows() == backend->session->status().rows;
        };
        QVERIFY(QTest::qWaitFor([&] { return shown(parallel, page->controller()) && shown(baseline, page->baseline()); }, kPatienceMs));
        QTest::qWait(40);  // two frames: the snapshot behind the rows
    }
    void askTheSum()
    {
        type(QStringLiteral("what is seven plus five ? "));
        advance(14);
    }
    [[nodiscard]] QString lane(int stream) const { return page->controller().lanes().textOf(stream, 0, page->controller().lanes().rows() - 1); }
    [[nodiscard]] QPoint cellPoint(std::int64_t row, int stream) const
    {
        const LanesGeometry &geometry = page->lanes().geometryNow();
        return geometry.cellRect(row, *geometry.bandOf(stream)).center().toPoint();
    }
    [[nodiscard]] QPoint handlePoint() const { return QPoint(static_cast<int>(page->lanes().geometryNow().liveX()), 10); }

    SteppedStreams *parallel = nullptr;
    SteppedStreams *baseline = nullptr;
    StreamsServices services;
    SettingsStore settings{{}};
    Appearance appearance;
    EngineKit caption_kit;
    RememberingPlayer player;
    CaptionController captions{caption_kit, player};
    std::unique_ptr<StreamsPage> page;
    bool ready = false;
};

}  // namespace braid::ui::test
