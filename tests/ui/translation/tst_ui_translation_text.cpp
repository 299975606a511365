// The text of two languages on the Translation page: pieces keep their numbers, what lights up for a word, what is found, and how it is saved.
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include <nlohmann/json.hpp>

#include "core/base/file.h"
#include "tests/ui/translation/translation_fakes.h"
#include "ui/shared/theme.h"
#include "ui/translation/bilingual_text.h"
#include "ui/translation/bilingual_view.h"
#include "ui/translation/sentence_attention.h"
#include "ui/translation/translation_export.h"

using namespace braid;
using namespace braid::ui;
using namespace braid::ui::test;

namespace {

// One sentence: four units, all read; three words.
void takeSmall(BilingualText &text)
{
    text.beginRun(QStringLiteral("a model"));
    text.take(translation::SentenceBegan{0, 0});
    text.take(translation::UnitsArrived{0, {unitOf("two"), unitOf("red"), unitOf("boats"), unitOf("sail.")}});
    text.take(translation::SourceClosed{0});
    text.take(translation::UnitsRead{0, 5, 0});
    const auto write = [&](const std::string &word, std::int64_t read, std::vector<float> attention) {
        translation::WordWritten written;
        written.word.text = word;
        written.word.read_units = read;
        written.word.attention = std::move(attention);
        written.word.probability = 0.5F;
        written.word.tokens.push_back({1, " " + word, 0.5F, {}});
        written.lag_ms = 250;
        written.lag_units = 2;
        text.take(written);
    };
    write("Deux", 3, {0.8F, 0.1F, 0.1F});
    write("bateaux", 4, {0.1F, 0.2F, 0.6F, 0.1F});
    write("rouges", 5, {0.1F, 0.7F, 0.1F, 0.1F, 0});
    text.take(translation::SentenceEnded{0, translation::TranslationEnd::Said, "two red boats sail.", "Deux bateaux rouges"});
    text.announce();
}

}  // namespace

class UiTranslationTextTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    // --- the text
    void piecesKeepTheirNumbersWhateverComes()
    {
        BilingualText text;
        const auto story = storyOf(5, 4);
        std::vector<QString> seen;
        for (const auto &event : story) {
            text.take(event);
            for (int index = 0; index < static_cast<int>(seen.size()); ++index) {
                QCOMPARE(text.textOf({TextSide::Target, index}), seen[static_cast<std::size_t>(index)]);
            }
            while (static_cast<int>(seen.size()) < text.wordCount()) {
                seen.push_back(text.textOf({TextSide::Target, static_cast<int>(seen.size())}));
            }
        }
        QCOMPARE(text.firstOpen(), 5);
        QCOMPARE(static_cast<int>(text.sentences().size()), 9);
        for (int word = 0; word < text.wordCount(); ++word) {
            const SentencePair &sentence = text.sentences()[static_cast<std::size_t>(text.sentenceOf({TextSide::Target, word}))];
            QVERIFY(word >= sentence.first_word && word < sentence.first_word + sentence.word_count);
        }
        for (int unit = 0; unit < text.unitCount(); ++unit) {
            const int sentence = text.sentenceOf({TextSide::Source, unit});
            QCOMPARE(text.isRead(unit), sentence < 5 && unit - text.sentences()[static_cast<std::size_t>(sentence)].first_unit <
                                                            text.sentences()[static_cast<std::size_t>(sentence)].read_units);
        }
    }
    void runsFollowOneAnotherOnOnePage()
    {
        BilingualText text;
        takeSmall(text);
        text.endRun();
        text.beginRun(QStringLiteral("another"));
        takeAll(text, storyOf(1, 1));
        QCOMPARE(static_cast<int>(text.sentences().size()), 3);
        QCOMPARE(text.sentences()[0].translator, QStringLiteral("a model"));
        QCOMPARE(text.sentences()[1].translator, QStringLiteral("another"));
        QCOMPARE(text.sentences()[1].line, 1);
        QCOMPARE(text.sentenceOf({TextSide::Target, 3}), 1);
        // A run that was left behind leaves its waiting source unread.
        text.endRun();
        QCOMPARE(text.firstOpen(), 3);
        QVERIFY(!text.isRead(text.unitCount() - 1));
    }
    void anOpenWordShowsOnlyWhereItFitsTheWordsTaken()
    {
        BilingualText text;
        takeAll(text, storyOf(1, 1));
        translation::TranslationProgress progress;
        progress.sentence = 1;
        progress.open_word = "grow";
        progress.words_written = 1;
        text.setProgress(progress);
        QVERIFY(text.openWord().isEmpty());  // the snapshot is newer than the words taken
        progress.words_written = 0;
        text.setProgress(progress);
        QCOMPARE(text.openWord(), QStringLiteral("grow"));
    }
    void linesOfTheSourceAreLinesWhenCopied()
    {
        BilingualText text;
        takeAll(text, storyOf(6, 0));
        const QString all = text.plainText(TextSide::Target, 0, text.wordCount() - 1);
        QCOMPARE(all.count(QLatin1Char('\n')), 1);  // six sentences in two lines
        QCOMPARE(text.plainText(TextSide::Source, 1, 0), QString());
    }
    void screenReadersHearASentenceOnce()
    {
        BilingualText text;
        QSignalSpy told(&text, &BilingualText::sentenceSettled);
        QSignalSpy changes(&text, &BilingualText::changed);
        takeAll(text, storyOf(4, 2));
        QCOMPARE(told.count(), 4);
        QCOMPARE(changes.count(), 1);  // one for all that came in one frame
        text.announce();
        QCOMPARE(told.count(), 4);
    }

    // --- what lights up
    void aWordLightsWhatItLookedAtAndAUnitWhoLookedAtIt()
    {
        BilingualText text;
        takeSmall(text);
        const LitPieces boats = litBy(text, PieceRef{TextSide::Target, 1});
        QVERIFY(boats.side == TextSide::Source);
        QCOMPARE(boats.first, 0);
        QCOMPARE(boats.weights.size(), std::size_t(4));
        QCOMPARE(static_cast<int>(std::max_element(boats.weights.begin(), boats.weights.end()) - boats.weights.begin()), 2);
        QCOMPARE(boats.weights[2], 1.0F);
        const LitPieces red = litBy(text, PieceRef{TextSide::Source, 1});
        QVERIFY(red.side == TextSide::Target);
        QCOMPARE(static_cast<int>(std::max_element(red.weights.begin(), red.weights.end()) - red.weights.begin()), 2);
        QVERIFY(litBy(text, {}).weights.empty());
        QVERIFY(litBy(text, PieceRef{TextSide::Target, 99}).weights.empty());
        const translation::AttentionTable table = attentionOf(text, 0);
        QCOMPARE(table.rows, std::int64_t(3));
        QCOMPARE(table.columns, std::int64_t(5));  // with the end
    }
    void lettersStayReadableInTheBrightestLight()
    {
        for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark, ThemeKind::HighContrastLight, ThemeKind::HighContrastDark}) {
            const Theme &theme = themeFor(kind);
            const QColor behind = theme.colour(ColourToken::Selection);  // a tint of it, at most
            QVERIFY2(contrastRatio(theme.colour(ColourToken::Ink), behind) >= 4.5,
                     qPrintable(QStringLiteral("%1: %2").arg(static_cast<int>(kind)).arg(contrastRatio(theme.colour(ColourToken::Ink), behind))));
        }
    }

    // --- finding
    void findingGoesOnWhileWordsCome()
    {
        Appearance appearance;
        BilingualText text;
        BilingualView view(text, appearance);
        view.resize(700, 300);
        const auto story = storyOf(9, 2, 3, 21);
        view.finder().find(QStringLiteral("AA"));
        for (const auto &event : story) {
            text.take(event);
            text.announce();
        }
        const int live = view.finder().count();
        view.finder().find({});
        QCOMPARE(view.finder().count(), 0);
        view.finder().find(QStringLiteral("aa"));  // without regard to case
        QCOMPARE(view.finder().count(), live);
        QVERIFY(live > 3);
        view.finder().showMatch(0);
        QCOMPARE(view.finder().current(), 0);
        view.finder().showMatch(-1);
        QCOMPARE(view.finder().current(), live - 1);
    }

    // --- files
    void aTranslationIsSavedByItsEnding()
    {
        const QTemporaryDir folder;
        const auto path = [&folder](const char *name) { return std::filesystem::path(folder.filePath(QLatin1String(name)).toStdString()); };
        BilingualText text;
        takeSmall(text);
        exportTranslation(text, path("a.txt"));
        QCOMPARE(readTextFile(path("a.txt")), std::string("Deux bateaux rouges\n"));
        exportTranslation(text, path("a.tsv"));
        QCOMPARE(readTextFile(path("a.tsv")), std::string("two red boats sail.\tDeux bateaux rouges\n"));
        exportTranslation(text, path("a.json"));
        const auto json = nlohmann::json::parse(readTextFile(path("a.json")));
        QCOMPARE(json.at("format").get<std::string>(), std::string("braid-translation"));
        const auto &sentence = json.at("sentences").at(0);
        QCOMPARE(sentence.at("target").get<std::string>(), std::string("Deux bateaux rouges"));
        QCOMPARE(sentence.at("words").at(1).at("read_units").get<int>(), 4);
        QCOMPARE(sentence.at("words").at(1).at("attention").size(), std::size_t(4));
        QCOMPARE(sentence.at("words").at(0).at("tokens").size(), std::size_t(1));
        QCOMPARE(sentence.at("end").get<std::string>(), std::string("said"));
        for (const char *name : {"a.srt", "a.docx"}) {
            try {
                exportTranslation(text, path(name));
                QFAIL("saved");
            } catch (const Error &error) {
                QVERIFY(error.kind() == ErrorKind::Usage);
                QVERIFY(error.sentence().find(name) != std::string::npos);
            }
            QVERIFY(!std::filesystem::exists(path(name)));
        }
    }
    void whatWasSaidHasSubtitles()
    {
        const QTemporaryDir folder;
        BilingualText text;
        text.beginRun({});
        text.take(translation::SentenceBegan{0, 0});
        auto units = std::vector<translation::ArrivedUnit>{unitOf("good"), unitOf("morning.")};
        units[0].sound = translation::SoundSpan{samplesFromSeconds(2), samplesFromSeconds(2.4)};
        units[1].sound = translation::SoundSpan{samplesFromSeconds(2.5), samplesFromSeconds(4)};
        text.take(translation::UnitsArrived{0, units});
        translation::WordWritten word;
        word.word.text = "Bonjour.";
        text.take(word);
        const text::Transcript items = timedTranslation(text);
        QCOMPARE(items.size(), std::size_t(1));
        const auto &said = std::get<text::Word>(items.front());
        QCOMPARE(said.start_sample, samplesFromSeconds(2));
        QCOMPARE(said.end_sample, samplesFromSeconds(4));
        const std::filesystem::path file = folder.filePath("b.srt").toStdString();
        exportTranslation(text, file);
        QVERIFY(readTextFile(file).find("00:00:02,000 --> 00:00:04,000\nBonjour.") != std::string::npos);
    }
};

QTEST_MAIN(UiTranslationTextTest)
#include "tst_ui_translation_text.moc"
