// Policy, chunk, beam and look-back while captions run: the controls, what they tell the engine, what is kept, and what they refuse.
#include <QAbstractButton>
#include <QPushButton>
#include <QSlider>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QTemporaryDir>
#include <QtTest>

#include "tests/ui/fakes.h"
#include "ui/captions/choices_row.h"
#include "ui/captions/timeline_view.h"
#include "ui/captions/transcript_view.h"
#include "ui/captions/tuning_controls.h"
#include "ui/captions/word_card.h"
#include "ui/inspector/inspector_panel.h"
#include "ui/inspector/revision_list.h"
#include "ui/shared/choice_box.h"
#include "ui/shell/main_window.h"
#include "ui/state/word_facts.h"

using namespace braid;
using namespace braid::ui;
using namespace braid::ui::test;

namespace {

constexpr int kPatienceMs = 20000;

struct Desk {
    Desk()
    {
        window = std::make_unique<MainWindow>(fakeServices(backend, player, folder.path().toStdString()));
        window->resize(1280, 800);
        window->show();
        window->settings().update([](Settings &s) { s.motion = MotionChoice::Reduced; });
    }
    [[nodiscard]] bool ready() const
    {
        return QTest::qWaitFor([this] { return window->captions().choicesRow().listsArrived(); }, kPatienceMs);
    }
    [[nodiscard]] TuningControls &tuning() const { return window->captions().choicesRow().tuning(); }
    void choosePolicy(const QString &id) const
    {
        ChoiceBox &box = tuning().policyBox();
        QVERIFY(box.choose(id));
        Q_EMIT box.activated(box.currentIndex());
    }
    void press(Qt::Key key) const { QTest::keyClick(&window->captions().transcriptView(), key); }

    QTemporaryDir folder;
    ScriptedBackend *backend = nullptr;
    RememberingPlayer *player = nullptr;
    std::unique_ptr<MainWindow> window;
};

template <typename Control>
Control *controlNamed(TuningPanel &panel, const QString &name)
{
    for (Control *control : panel.findChildren<Control *>()) {
        if (control->accessibleName() == name) {
            return control;
        }
    }
    return nullptr;
}

}  // namespace

class UiTuningTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void howAPolicyGetsThere_data()
    {
        QTest::addColumn<CaptionTuning>("now");
        QTest::addColumn<CaptionTuning>("wanted");
        QTest::addColumn<TuningStep>("step");
        const CaptionTuning streaming{QStringLiteral("streaming"), {}, 300, 1, 2};
        const auto with = [&streaming](auto change) {
            CaptionTuning changed = streaming;
            change(changed);
            return changed;
        };
        QTest::newRow("nothing") << streaming << streaming << TuningStep::Nothing;
        QTest::newRow("beam") << streaming << with([](CaptionTuning &t) { t.beam_size = 5; }) << TuningStep::Adjust;
        QTest::newRow("no look-back") << streaming << with([](CaptionTuning &t) { t.look_back_tokens = 0; }) << TuningStep::Adjust;
        QTest::newRow("chunk") << streaming << with([](CaptionTuning &t) { t.chunk_ms = 1000; }) << TuningStep::Adjust;
        QTest::newRow("the policy's own chunk again") << streaming << with([](CaptionTuning &t) { t.chunk_ms = 0; }) << TuningStep::Replace;
        QTest::newRow("policy") << streaming << with([](CaptionTuning &t) { t.policy = QStringLiteral("align-att"); }) << TuningStep::Replace;
        QTest::newRow("language") << streaming << with([](CaptionTuning &t) { t.language = QStringLiteral("de"); }) << TuningStep::Replace;
    }
    void howAPolicyGetsThere()
    {
        QFETCH(CaptionTuning, now);
        QFETCH(CaptionTuning, wanted);
        QFETCH(TuningStep, step);
        QVERIFY(stepBetween(now, wanted) == step);
    }

    void everyChangeHoldsAtOnceAndIsKept()
    {
        Desk desk;
        QVERIFY(desk.ready());
        desk.choosePolicy(QStringLiteral("streaming"));
        desk.press(Qt::Key_Space);
        desk.backend->listen(2);
        TuningPanel &panel = desk.tuning().panel();
        auto *beam = controlNamed<QSlider>(panel, QStringLiteral("Readings"));
        QVERIFY(beam != nullptr && beam->isEnabled());
        QCOMPARE(beam->value(), captions::kDefaultStreamingBeam);
        beam->setValue(4);
        QCOMPARE(desk.backend->adjusted.size(), std::size_t(1));
        QCOMPARE(desk.backend->adjusted.back().beam_size, 4);
        auto *look_back = controlNamed<QSpinBox>(panel, QStringLiteral("May take back"));
        look_back->setValue(0);
        QCOMPARE(desk.backend->adjusted.back().look_back_tokens, 0);
        auto *own = controlNamed<QAbstractButton>(panel, QStringLiteral("Piece of sound as the model likes it"));
        auto *chunk = controlNamed<QSlider>(panel, QStringLiteral("Piece of sound"));
        QVERIFY(own->isChecked() && !chunk->isEnabled());
        QCOMPARE(chunk->value(), 300);  // the model's own
        own->click();
        chunk->setValue(640);
        QCOMPARE(desk.backend->adjusted.back().step_ms, 640);
        QCOMPARE(desk.backend->policy_changes, 0);
        own->click();  // back to the model's own: a policy cannot be told that
        QCOMPARE(desk.backend->policy_changes, 1);
        QCOMPARE(desk.backend->stops, 0);
        QVERIFY(desk.window->settings().values().tuning == (CaptionTuning{QStringLiteral("streaming"), {}, 0, 4, 0}));
        QCOMPARE(desk.tuning().decodingButton().text(), QStringLiteral("300 ms, 4 readings"));
        QCOMPARE(desk.tuning().description(), QStringLiteral("Streaming, 300 ms, 4 readings"));
    }
    void theModelsRangeIsTheSlidersRange()
    {
        Desk desk;
        QVERIFY(desk.ready());
        TuningPanel &panel = desk.tuning().panel();
        auto *chunk = controlNamed<QSlider>(panel, QStringLiteral("Piece of sound"));
        auto *beam = controlNamed<QSlider>(panel, QStringLiteral("Readings"));
        desk.choosePolicy(QStringLiteral("models-choice"));  // this model streams
        QCOMPARE(chunk->minimum(), 100);
        QCOMPARE(chunk->maximum(), 1000);
        QVERIFY(beam->isEnabled());
        desk.choosePolicy(QStringLiteral("local-agreement"));
        QCOMPARE(chunk->maximum(), kMostChunkMs);
        QVERIFY(!beam->isEnabled());
        // A chunk that the next policy cannot have becomes the nearest it can.
        controlNamed<QAbstractButton>(panel, QStringLiteral("Piece of sound as the model likes it"))->click();
        chunk->setValue(2000);
        desk.choosePolicy(QStringLiteral("streaming"));
        QCOMPARE(desk.tuning().tuning().chunk_ms, 1000);
        // A model made for one chunk alone has nothing to choose; a narrower one narrows what was chosen.
        ModelEntry narrow{QStringLiteral("narrow"), "/models/narrow", {}, 1, {}, {}, true, 40, 200, 100, 600};
        desk.tuning().setModel(&narrow);
        QCOMPARE(chunk->minimum(), 40);
        QCOMPARE(chunk->maximum(), 200);
        QCOMPARE(desk.tuning().tuning().chunk_ms, 200);
        QVERIFY(chunk->isEnabled());
        narrow.least_chunk_ms = narrow.most_chunk_ms = 200;
        desk.tuning().setModel(&narrow);
        QVERIFY(!chunk->isEnabled());
        // A model that was not made for it cannot stream, and the list says why.
        const ModelEntry offline{QStringLiteral("whisper-base"), "/models/base", {}, 1, {}, {}, false, 100, 1000, 0, 0};
        desk.tuning().setModel(&offline);
        auto *items = qobject_cast<QStandardItemModel *>(desk.tuning().policyBox().model());
        QVERIFY(!items->item(2)->isEnabled() && items->item(2)->toolTip().contains(QStringLiteral("not made for streaming")));
        QVERIFY(items->item(0)->isEnabled() && items->item(3)->isEnabled());
        QCOMPARE(desk.tuning().tuning().policy, QStringLiteral("models-choice"));  // in place of streaming
    }
    void keysReachIt()
    {
        Desk desk;
        QVERIFY(desk.ready());
        desk.choosePolicy(QStringLiteral("streaming"));
        desk.press(Qt::Key_Space);
        desk.backend->listen(1);
        desk.press(Qt::Key_BracketRight);
        QCOMPARE(desk.backend->adjusted.back().step_ms, 400);
        desk.press(Qt::Key_BracketLeft);
        desk.press(Qt::Key_BracketLeft);
        QCOMPARE(desk.backend->adjusted.back().step_ms, 200);
        for (int press = 0; press < 5; ++press) {
            desk.press(Qt::Key_BracketLeft);
        }
        QCOMPARE(desk.window->settings().values().tuning.chunk_ms, 100);
        desk.press(Qt::Key_D);
        QVERIFY(desk.tuning().panel().isVisible());
        desk.tuning().panel().hide();
        for (int tab = 1; tab <= kInspectorTabs; ++tab) {
            QTest::keyClick(desk.window.get(), static_cast<Qt::Key>(Qt::Key_0 + tab), Qt::AltModifier);
            QCOMPARE(static_cast<int>(desk.window->captions().inspector().tab()), tab);
            QCOMPARE(desk.window->settings().values().inspector_page, tab);
        }
    }
    void waitingFilesTakeItToo()
    {
        Desk desk;
        QVERIFY(desk.ready());
        desk.choosePolicy(QStringLiteral("streaming"));
        desk.window->captions().openFiles({"/talks/a.wav", "/talks/b.wav"});
        QVERIFY(QTest::qWaitFor([&] { return desk.backend->starts == 1; }, kPatienceMs));
        desk.backend->listen(1);
        controlNamed<QSlider>(desk.tuning().panel(), QStringLiteral("Readings"))->setValue(3);
        QCOMPARE(desk.backend->adjusted.size(), std::size_t(1));
        desk.backend->finish();
        QVERIFY(QTest::qWaitFor([&] { return desk.backend->starts == 2; }, kPatienceMs));
        QCOMPARE(desk.window->controller().present().tuning.beam_size, 3);
        QCOMPARE(desk.window->controller().present().source_title, QStringLiteral("b.wav"));
    }

    void revisionsAttentionAndCardsFollowTheWord()
    {
        Desk desk;
        QVERIFY(desk.ready());
        desk.press(Qt::Key_Space);
        auto said = words("these days a chicken leg", 0.5);
        said[3].revision_count = 1;
        said[3].revised_from = "kitchen";
        desk.backend->recording = soundOf(said, samplesFromSeconds(4));
        desk.backend->say(captions::Started{"Desk Microphone", "captions-en", "streaming"});
        desk.backend->say(captions::Committed{transcriptOf({said.begin(), said.end() - 1})});
        desk.backend->listen(4);
        desk.backend->show([&](captions::CaptionSnapshot &s) {
            s.tail = {said.back()};
            s.attention = attentionOver(said);
            s.revisions = std::make_shared<const std::vector<captions::Revision>>(
                std::vector<captions::Revision>{{samplesFromSeconds(3), said[3].start_sample, said[3].end_sample, "kitchen", "chicken"}});
            s.statistics.revisions = 1;
        });
        QVERIFY(QTest::qWaitFor([&] { return !desk.window->controller().transcript().tail().empty(); }, kPatienceMs));
        CaptionsPage &page = desk.window->captions();
        // The newest word's attention lies on the axis; the pointer takes it to another word.
        QCOMPARE(page.timeline().attention().rows, std::vector<int>{4});
        TranscriptView &view = page.transcriptView();
        QTest::mouseMove(view.viewport(), view.wordRectInViewport({WordPart::Settled, 3}).center().toPoint());
        QCOMPARE(page.timeline().attention().rows, std::vector<int>{3});
        QCOMPARE(page.inspector().historyText(), QStringLiteral("\u201ckitchen\u201d\n\u2192 \u201cchicken\u201d when 0:03.00 was heard"));
        // Its sound is dark under the word in the strip, light elsewhere.
        TimelineView &timeline = page.timeline();
        const QImage image = timeline.grab().toImage();
        const auto lightnessAt = [&](Sample sample) {
            const int y = static_cast<int>(timeline.bands().attentionTop() + timeline.bands().attention_height / 2);
            return QColor(image.pixel(static_cast<int>(timeline.geometry().xOf(sample)), y)).lightnessF();
        };
        QVERIFY(lightnessAt((said[3].start_sample + said[3].end_sample) / 2) < lightnessAt((said[0].start_sample + said[0].end_sample) / 2) - 0.3F);
        // Resting on it shows its card; moving on takes the card away.
        const QPoint at = view.wordRectInViewport({WordPart::Settled, 3}).center().toPoint();
        QHelpEvent rest(QEvent::ToolTip, at, view.viewport()->mapToGlobal(at));
        QApplication::sendEvent(view.viewport(), &rest);
        QVERIFY(page.wordCard().isVisible());
        QVERIFY(page.wordCard().text().startsWith(QString::fromStdString(said[3].text)));
        QVERIFY(page.wordCard().text().contains(wordTimeText(said[3])));
        QVERIFY(page.wordCard().height() <= 64);  // two lines: the words around it can still be read
        QVERIFY(page.rect().contains(page.wordCard().geometry()));
        QVERIFY(!page.wordCard().geometry().intersects(
            QRect(view.viewport()->mapTo(&page, view.wordRectInViewport({WordPart::Settled, 3}).toAlignedRect().topLeft()), QSize(1, 1))));
        QTest::mouseMove(view.viewport(), view.wordRectInViewport({WordPart::Settled, 0}).center().toPoint());
        QVERIFY(!page.wordCard().isVisible());
        // The list of changes leads to the place.
        page.openInspectorTab(static_cast<int>(InspectorTab::Changes));
        QCOMPARE(page.inspector().changes().model()->rowCount(), 1);
        Q_EMIT page.inspector().changes().activated(page.inspector().changes().model()->index(0, 0));
        QVERIFY(view.pinnedWord() == (WordRef{WordPart::Settled, 3}));
    }
};

QTEST_MAIN(UiTuningTest)
#include "tst_ui_tuning.moc"
