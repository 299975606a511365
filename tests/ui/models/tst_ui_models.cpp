// The Models page with a scripted desk: three parts, filter, fetching with progress, cancel, removing with undo, the door from each choice of models, and a
// model that vanished. Its pictures are written to the build folder.
#include <QDir>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QTemporaryDir>
#include <QtTest>

#include "tests/ui/fakes.h"
#include "ui/captions/choices_row.h"
#include "ui/models/models_page.h"
#include "ui/shared/choice_box.h"
#include "ui/shared/notice_bar.h"
#include "ui/shell/main_window.h"
#include "ui/streams/streams_choices_row.h"
#include "ui/streams/streams_page.h"
#include "ui/translation/translation_choices.h"
#include "ui/translation/translation_page.h"

using namespace braid;
using namespace braid::ui;
using namespace braid::ui::test;

namespace {

constexpr int kPatienceMs = 20000;

ModelOffer offer(const QString &name, const QString &purpose, std::uint64_t bytes, OfferState state, const QString &licence = QStringLiteral("MIT"))
{
    ModelOffer made;
    made.name = name;
    made.title = QStringLiteral("Whisper ") + name;
    made.purpose = purpose;
    made.use = QStringLiteral("captions");
    made.languages = name.endsWith(QStringLiteral(".en")) ? QStringList{"en"} : QStringList{"en", "zh", "de", "es", "ru", "ko", "fr", "ja"};
    made.licence = licence;
    made.page = QStringLiteral("https://example.org/") + name;
    made.bytes = bytes;
    made.memory_bytes = bytes * 2;
    made.state = state;
    return made;
}

// Fetches nothing; remembers what it was asked, tells what a test says.
struct ScriptedDesk {
    std::vector<ModelOffer> offers = {offer("tiny.en", "The smallest for English alone.", 75571315, OfferState::ToFetch),
                                      offer("small", "Good captions of the larger languages on an ordinary machine.", 483617219, OfferState::ToFetch),
                                      offer("large-v3", "The best in most languages; wants a GPU to keep up live.", 3087371615, OfferState::PartlyHere),
                                      offer("careless-small-300", "Made for live captions in chunks of 300 ms.", 0, OfferState::ToFetch, {}),
                                      offer("base.en", "Small and quick, English alone.", 145261783, OfferState::Here)};
    QStringList asked;
    std::vector<FetchLook> looks;

    FetchDesk desk()
    {
        FetchDesk made;
        made.list_offers = [offers = offers] { return offers; };
        made.list_language_models = [] {
            ModelEntry entry;
            entry.name = QStringLiteral("translate-en-fr");
            entry.path = "/models/translate-en-fr";
            entry.description = QStringLiteral("Llama, 6.1 M parameters, English to French");
            entry.bytes = 12'300'000;
            return std::vector<ModelEntry>{entry};
        };
        made.start = [this](const QString &name) { asked << QStringLiteral("get ") + name; };
        made.cancel = [this](const QString &name) { asked << QStringLiteral("cancel ") + name; };
        made.looks = [this] { return std::exchange(looks, {}); };
        made.remove = [](const QString &) { return true; };
        made.take_back = [](const QString &name) -> bool { throw Error(ErrorKind::Model, "it cannot be taken back any more", name.toStdString()); };
        return made;
    }
};

std::vector<ModelEntry> withAFetchedOne()
{
    auto models = twoModels();
    models.push_back(
        {QStringLiteral("base.en"), "/home/models/base.en.pt", QStringLiteral("Whisper, 71.8 M parameters, English"), 145'261'783, {QStringLiteral("en")}, {}});
    return models;
}

struct Shop {
    explicit Shop(ThemeChoice theme = ThemeChoice::Light, const QString &chosen = {})
    {
        Services services = fakeServices(backend, player, folder.path().toStdString());
        services.list_models = withAFetchedOne;
        window = std::make_unique<MainWindow>(std::move(services));
        window->settings().update([&](Settings &s) {
            s.theme = theme;
            s.motion = MotionChoice::Reduced;
            s.model_name = chosen;
        });
        window->resize(1280, 860);
        window->show();
        window->modelsPage().open(script.desk());
        is_ready = QTest::qWaitFor([this] { return window->captions().choicesRow().listsArrived() && page().summaries().size() == 8; }, kPatienceMs);
    }
    [[nodiscard]] ModelsPage &page() const { return window->modelsPage(); }
    [[nodiscard]] QPushButton *button(const QString &accessible_name) const
    {
        for (QPushButton *one : page().findChildren<QPushButton *>()) {
            if (one->accessibleName() == accessible_name && one->isVisibleTo(&page())) {
                return one;
            }
        }
        return nullptr;
    }
    [[nodiscard]] bool says(const QString &words) const
    {
        const auto labels = page().findChildren<QLabel *>();
        return std::any_of(labels.begin(), labels.end(), [&](const QLabel *label) { return label->isVisibleTo(&page()) && label->text().contains(words); });
    }
    void picture(const QString &name) const
    {
        QDir().mkpath(QStringLiteral(BRAID_SCREENSHOTS));
        QVERIFY(window->grab().save(QStringLiteral(BRAID_SCREENSHOTS "/") + name + QStringLiteral(".png")));
    }

    QTemporaryDir folder;
    ScriptedBackend *backend = nullptr;
    RememberingPlayer *player = nullptr;
    ScriptedDesk script;
    std::unique_ptr<MainWindow> window;
    bool is_ready = false;
};

}  // namespace

class tst_ui_models : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void threePartsSayWhatThereIs()
    {
        const Shop shop;
        QVERIFY(shop.is_ready);
        QStringList names;
        for (const QString &line : shop.page().summaries()) {
            names << line.section(QStringLiteral(" \u00b7 "), 0, 0);
        }
        // In the box, on this disk, to fetch; what is here is not offered.
        QCOMPARE(names, (QStringList{"captions-en", "translate-en-fr", "half-a-model", "base.en", "tiny.en", "small", "large-v3", "careless-small-300"}));
        QVERIFY(shop.page().summaries()[3].contains(QStringLiteral("licence MIT")));
        QVERIFY(shop.page().summaries()[5].contains(QStringLiteral("484 MB")));
        QVERIFY(shop.page().summaries()[6].contains(QStringLiteral("partly here")));
        QVERIFY(shop.page().summaries()[7].contains(QStringLiteral("no licence stated")));
        QVERIFY(shop.script.asked.isEmpty());
    }

    void theFilterLeavesWhatAnswers()
    {
        const Shop shop;
        QVERIFY(shop.is_ready);
        shop.page().setFilter(QStringLiteral("english SMALLEST"));
        QCOMPARE(shop.page().summaries().size(), 1);
        QVERIFY(shop.page().summaries()[0].startsWith(QStringLiteral("tiny.en")));
        shop.page().setFilter(QStringLiteral("french whisper"));  // also by a language that is not among the first that a card names
        QCOMPARE(shop.page().summaries().size(), 3);
        shop.page().setFilter(QStringLiteral("no such words"));
        QVERIFY(shop.page().summaries().isEmpty());
        QVERIFY(shop.says(QStringLiteral("No model has these words")));
        shop.page().setFilter(QString());
        QCOMPARE(shop.page().summaries().size(), 8);
    }

    void aFetchIsFollowedAndStopped()
    {
        Shop shop;
        QVERIFY(shop.is_ready);
        QVERIFY(shop.button("Fetch small") != nullptr);
        shop.button("Fetch small")->click();
        QCOMPARE(shop.script.asked, QStringList{"get small"});
        shop.script.looks = {{"small", FetchState::Running, 0.25, "120.9 MB of 484 MB, 3.1 MB/s, 2 min left", {}}};
        QPushButton *cancel = shop.button("Stop fetching small; what came so far is kept");
        QVERIFY(cancel != nullptr);
        QTRY_VERIFY_WITH_TIMEOUT(shop.says(QStringLiteral("2 min left")), kPatienceMs);
        QCOMPARE(shop.page().findChild<QProgressBar *>()->value(), 250);
        cancel = shop.button("Stop fetching small; what came so far is kept");
        cancel->click();
        QCOMPARE(shop.script.asked.last(), QStringLiteral("cancel small"));
        shop.script.looks = {{"small", FetchState::Cancelled, -1, {}, {}}};
        QTRY_VERIFY_WITH_TIMEOUT(shop.button("Fetch small") != nullptr, kPatienceMs);
    }

    void whatWentWrongIsSaid()
    {
        Shop shop;
        QVERIFY(shop.is_ready);
        shop.page().get(QStringLiteral("tiny.en"));
        shop.script.looks = {{"tiny.en", FetchState::Failed, -1, {}, "tiny.en: the disk has no room for it."}};
        QTRY_VERIFY_WITH_TIMEOUT(shop.page().notices().sentences().join(' ').contains(QStringLiteral("no room for it")), kPatienceMs);
        shop.page().get(QStringLiteral("tiny.en"));
        QVERIFY(shop.page().notices().sentences().isEmpty());
        shop.script.looks = {{"tiny.en", FetchState::Done, 1, {}, {}}};
        QSignalSpy changed(&shop.page(), &ModelsPage::modelsChanged);
        QTRY_VERIFY_WITH_TIMEOUT(changed.count() == 1, kPatienceMs);
        QVERIFY(shop.page().notices().sentences().join(' ').contains(QStringLiteral("tiny.en is ready")));
    }

    void aRemovedModelCanBeTakenBack()
    {
        const Shop shop;
        QVERIFY(shop.is_ready);
        QVERIFY(shop.button("Remove captions-en") == nullptr);  // of what Braid fetched alone
        shop.button("Remove base.en")->click();
        QTRY_VERIFY_WITH_TIMEOUT(shop.page().notices().sentences().join(' ').contains(QStringLiteral("base.en was removed")), kPatienceMs);
        QPushButton *back = nullptr;
        for (QPushButton *one : shop.page().notices().findChildren<QPushButton *>()) {
            back = one->text() == QStringLiteral("Take it back") ? one : back;
        }
        QVERIFY(back != nullptr);
        back->click();
        QTRY_VERIFY_WITH_TIMEOUT(shop.page().notices().sentences().join(' ').contains(QStringLiteral("cannot be taken back")), kPatienceMs);
    }

    void everyChoiceOfModelsLeadsHere()
    {
        const Shop shop;
        QVERIFY(shop.is_ready);
        const std::vector<std::pair<PageName, QWidget *>> rows = {{PageName::Captions, &shop.window->captions().choicesRow()},
                                                                  {PageName::Translation, &shop.window->translation().choicesRow()},
                                                                  {PageName::Streams, &shop.window->streams().choicesRow()}};
        for (const auto &[name, row] : rows) {
            shop.window->showPage(name);
            ChoiceBox *box = nullptr;
            for (ChoiceBox *one : row->findChildren<ChoiceBox *>()) {
                box = one->accessibleName() == QStringLiteral("Model") ? one : box;
            }
            QVERIFY(box != nullptr);
            QCOMPARE(box->itemText(box->count() - 1), QStringLiteral("Get a better model\u2026"));
            const QString chosen = box->currentText();
            box->setCurrentIndex(box->count() - 1);
            Q_EMIT box->activated(box->count() - 1);
            QCOMPARE(shop.window->page(), PageName::Models);
            QCOMPARE(box->currentText(), chosen);  // the door is no choice
        }
        QVERIFY(shop.window->settings().values().model_name.isEmpty());
    }

    void aModelThatVanishedIsNamedAndNeverReplaced()
    {
        const Shop shop(ThemeChoice::Light, QStringLiteral("gone-model"));
        QVERIFY(shop.is_ready);
        ChoicesRow &row = shop.window->captions().choicesRow();
        QString problem;
        QVERIFY(!row.choicesForFile("/talk.wav", audio::Pace::Fast, problem));
        QVERIFY2(problem.contains(QStringLiteral("The model gone-model, which was chosen earlier, is not there any more")), qPrintable(problem));
        QVERIFY(row.findChild<ChoiceBox *>(QStringLiteral("model"))->currentText().startsWith(QStringLiteral("gone-model (not there any more)")));
        shop.window->settings().update([](Settings &s) { s.model_name = QStringLiteral("captions-en"); });
        QVERIFY(row.choicesForFile("/talk.wav", audio::Pace::Fast, problem).has_value());
    }

    void pictures()
    {
        for (const auto &[theme, name] : {std::pair{ThemeChoice::Light, "models-page-light"}, {ThemeChoice::Dark, "models-page-dark"}}) {
            Shop shop(theme);
            QVERIFY(shop.is_ready);
            shop.window->showPage(PageName::Models);
            shop.page().get(QStringLiteral("small"));
            shop.script.looks = {{"small", FetchState::Running, 0.25, "120.9 MB of 484 MB, 3.1 MB/s, 2 min left", {}}};
            QTRY_VERIFY_WITH_TIMEOUT(shop.script.looks.empty(), kPatienceMs);
            shop.window->resize(1280, 800);
            shop.picture(QLatin1String(name));
            shop.window->resize(640, 400);
            shop.picture(QLatin1String(name) + QStringLiteral("-small"));
            QCOMPARE(shop.window->size(), QSize(640, 400));
            // What runs, and a removal that can be taken back.
            shop.page().setFilter(QStringLiteral("small good"));
            shop.page().remove(QStringLiteral("base.en"));
            QTRY_VERIFY_WITH_TIMEOUT(!shop.page().notices().sentences().isEmpty(), kPatienceMs);
            shop.picture(QLatin1String(name) + QStringLiteral("-fetching-small"));
            shop.window->resize(1280, 800);
            shop.picture(QLatin1String(name) + QStringLiteral("-fetching"));
        }
    }
};

QTEST_MAIN(tst_ui_models)
#include "tst_ui_models.moc"
