// Wait-k reads and writes when its definition says, keeps punctuation with its word, never takes back what it said, and cannot run away.
#include <QtTest>

#include <algorithm>

#include "core/base/error.h"
#include "core/translation/sentence_boundaries.h"
#include "core/translation/wait_k.h"
#include "tests/core/translation/scripted_translator.h"

using namespace braid;
using namespace braid::translation;
using test::sayInCapitals;
using test::ScriptedTranslator;
using State = ScriptedTranslator::State;

namespace {

struct Outcome {
    std::vector<TranslatedWord> words;
    TranslationEnd end = TranslationEnd::NotYet;
    int steps = 0;

    std::string text() const
    {
        std::string all;
        for (const auto &word : words) {
            all += (all.empty() || word.starts_without_space ? "" : " ") + word.text;
        }
        return all;
    }
    std::vector<std::int64_t> delays() const
    {
        std::vector<std::int64_t> all;
        for (const auto &word : words) {
            all.push_back(word.read_units);
        }
        return all;
    }
};

// Steps until there is nothing to do.
void run(WaitKTranslator &translator, Outcome &outcome)
{
    for (;;) {
        auto step = translator.step();
        ++outcome.steps;
        QVERIFY2(outcome.steps < 100000, "it runs away");
        if (step.word) {
            outcome.words.push_back(*step.word);
        }
        if (step.action == TranslationAction::Waiting || step.action == TranslationAction::Finished) {
            outcome.end = step.end;
            return;
        }
    }
}

Outcome translate(ScriptedTranslator &model, const WaitKSettings &settings, std::string_view source, std::size_t piece = std::string::npos)
{
    WaitKTranslator translator(model, settings);
    Outcome outcome;
    for (std::size_t start = 0; start < source.size(); start += std::min(piece, source.size())) {
        translator.addSource(source.substr(start, piece));
        run(translator, outcome);
    }
    translator.endSource();
    run(translator, outcome);
    return outcome;
}

WaitKSettings waitK(int k)
{
    WaitKSettings settings;
    settings.k = k;
    return settings;
}

// These tokens one after the other, whatever is read.
ScriptedTranslator::Script saying(const std::vector<std::string> &tokens)
{
    return [tokens](const State &state) { return state.target.size() < tokens.size() ? tokens[state.target.size()] : std::string(ScriptedTranslator::kEnd); };
}

std::vector<std::string> unitsOf(ReadingUnit kind, const std::vector<std::string> &pieces)
{
    UnitReader reader(kind);
    std::vector<std::string> all;
    const auto note = [&](const std::vector<SourceUnit> &units) {
        for (const auto &unit : units) {
            all.push_back((unit.starts_without_space ? "+" : "") + unit.text);
        }
    };
    for (const auto &piece : pieces) {
        note(reader.add(piece));
    }
    note(reader.finish());
    return all;
}

using Texts = std::vector<std::string>;

}  // namespace

class WaitKTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void eachWordWaitsForKUnits_data()
    {
        QTest::addColumn<int>("k");
        for (const int k : {1, 2, 3, 5, 7, 8, 1000}) {
            QTest::newRow(QByteArray::number(k).constData()) << k;
        }
    }
    void eachWordWaitsForKUnits()
    {
        QFETCH(int, k);
        ScriptedTranslator model(sayInCapitals);
        const auto outcome = translate(model, waitK(k), "one two three four five six seven");
        QCOMPARE(outcome.text(), std::string("ONE TWO THREE FOUR FIVE SIX SEVEN"));
        QVERIFY(outcome.end == TranslationEnd::Said);
        for (std::size_t i = 0; i < outcome.words.size(); ++i) {
            // g(i) = min(k + i - 1, |X|), the source's end counted.
            QCOMPARE(outcome.words[i].read_units, std::min<std::int64_t>(k + static_cast<std::int64_t>(i), 8));
        }
        QCOMPARE(model.taken_back, 0);
    }

    void arrivalDoesNotMatter_data() { eachWordWaitsForKUnits_data(); }
    void arrivalDoesNotMatter()
    {
        QFETCH(int, k);
        const std::string source = "Good morning, everyone. Nice  to\nsee\tyou.";
        ScriptedTranslator whole(sayInCapitals);
        const auto expected = translate(whole, waitK(k), source);
        for (const std::size_t piece : {1, 2, 5, 13}) {
            ScriptedTranslator model(sayInCapitals);
            const auto outcome = translate(model, waitK(k), source, piece);
            QCOMPARE(outcome.text(), expected.text());
            QCOMPARE(outcome.delays(), expected.delays());
        }
    }

    void theFirstTokenOfAWordHasSeenWhatItsWordMaySee()
    {
        // Every token says how many units had been read when it was predicted; the prediction that closed a word was made too early and is gone.
        ScriptedTranslator model([](const State &state) {
            const auto read = std::to_string(state.source.size() + (state.has_end ? 1 : 0));
            return state.target.size() >= 12 ? ScriptedTranslator::kEnd : (state.target.size() % 2 == 0 ? " " : "-") + read;
        });
        const auto outcome = translate(model, waitK(3), "a b c d e f");
        QCOMPARE(outcome.text(), std::string("3-3 4-4 5-5 6-6 7-7 7-7"));
    }

    void punctuationStaysWithItsWord()
    {
        ScriptedTranslator model(sayInCapitals);
        const auto outcome = translate(model, waitK(1), "bonjour, le monde.");
        QCOMPARE(outcome.text(), std::string("BONJOUR, LE MONDE."));
        QCOMPARE(outcome.words.size(), std::size_t{3});
        QCOMPARE(outcome.delays(), (std::vector<std::int64_t>{1, 2, 3}));  // no read more for the comma
        QCOMPARE(outcome.words[0].tokens.size(), std::size_t{3});
        QCOMPARE(outcome.words[0].probability, 0.5F);
    }

    void anEndTooEarlyAsksForMore()
    {
        // Says nothing until it has seen four words, then says them.
        ScriptedTranslator model([](const State &state) { return state.source.size() < 4 ? ScriptedTranslator::kEnd : sayInCapitals(state); });
        const auto outcome = translate(model, waitK(1), "a b c d e f");
        QCOMPARE(outcome.text(), std::string("A B C D E F"));
        // Held back at first; then again one word for each unit, until it is k behind.
        QCOMPARE(outcome.delays(), (std::vector<std::int64_t>{4, 4, 4, 4, 5, 6}));
        // A model that never says anything has its sentence ended by the source's end.
        ScriptedTranslator silent([](const State &) { return ScriptedTranslator::kEnd; });
        const auto nothing = translate(silent, waitK(2), "a b c d e f");
        QVERIFY(nothing.words.empty());
        QVERIFY(nothing.end == TranslationEnd::Said);
        QCOMPARE(silent.state.source.size(), std::size_t{6});
    }

    void itCatchesUpInFewPasses()
    {
        std::string source;
        for (int i = 0; i < 60; ++i) {
            source += "w" + std::to_string(i) + " ";
        }
        ScriptedTranslator slow(sayInCapitals);
        const auto by_units = translate(slow, waitK(3), source);
        ScriptedTranslator model(sayInCapitals);
        auto settings = waitK(3);
        settings.catch_up_units = 10;
        const auto outcome = translate(model, settings, source);
        QCOMPARE(outcome.text(), by_units.text());
        QVERIFY(slow.passes > 55);
        QVERIFY2(model.passes <= 3, qPrintable(QString::number(model.passes)));
        // Where the source comes no faster than it is read, nothing changes.
        ScriptedTranslator live(sayInCapitals);
        const auto in_pieces = translate(live, settings, source, 4);
        QCOMPARE(in_pieces.delays(), by_units.delays());
    }

    void nothingRunsAway()
    {
        // Never the same twice: what is said over and over ends earlier.
        ScriptedTranslator endless_word([](const State &state) { return std::string(1, static_cast<char>('a' + state.target.size() % 26)); });
        auto settings = waitK(1);
        settings.max_tokens_per_word = 10;
        settings.max_words_ahead = 5;
        auto outcome = translate(endless_word, settings, "a b");
        QVERIFY(outcome.end == TranslationEnd::TooFarAhead);
        QVERIFY(outcome.words.front().was_cut);
        QCOMPARE(outcome.words.front().text, std::string("abcdefghij"));
        QVERIFY(outcome.words[1].starts_without_space);
        QCOMPARE(outcome.words.size(), std::size_t{3 + 6});  // three units read, the end among them

        ScriptedTranslator endless_words([](const State &state) { return " y" + std::to_string(state.target.size()); });
        outcome = translate(endless_words, settings, "a b");
        QVERIFY(outcome.end == TranslationEnd::TooFarAhead);

        ScriptedTranslator endless_spaces([](const State &state) { return std::string(state.target.size() + 1, ' '); });
        settings.max_target_tokens = 100;
        outcome = translate(endless_spaces, settings, "a b");
        QVERIFY(outcome.end == TranslationEnd::TooManyTokens);
        QVERIFY(outcome.words.empty());

        ScriptedTranslator full(sayInCapitals);
        full.capacity = 9;
        outcome = translate(full, waitK(2), "a b c d e f");
        QVERIFY(outcome.end == TranslationEnd::NoRoom);
        ScriptedTranslator tiny(sayInCapitals);
        tiny.capacity = 1;
        outcome = translate(tiny, waitK(2), "a b c");
        QVERIFY(outcome.end == TranslationEnd::NoRoom);
    }

    void whatIsSaidOverAndOverEnds_data()
    {
        QTest::addColumn<std::vector<std::string>>("phrase");
        QTest::addColumn<std::string>("said");
        QTest::newRow("a word") << Texts{" la"} << std::string("la la la");
        QTest::newRow("a phrase") << Texts{" la", " la", " li"} << std::string("la la li la la li la la li");
        QTest::newRow("within a word") << Texts{" r", "ip", "t"} << std::string("ript");
    }
    void whatIsSaidOverAndOverEnds()
    {
        QFETCH(std::vector<std::string>, phrase);
        QFETCH(std::string, said);
        ScriptedTranslator model([&](const State &state) { return phrase[state.target.size() % phrase.size()]; });
        auto settings = waitK(2);
        const auto outcome = translate(model, settings, "one two three four five six seven eight nine ten");
        QVERIFY(outcome.end == TranslationEnd::Repetition);
        QVERIFY2(outcome.text().starts_with(said), outcome.text().c_str());
        QCOMPARE(model.state.target.size(), kMostRounds * phrase.size());
        QVERIFY(model.state.has_end);  // more of the source was tried first
    }

    void whatTheSourceSaysOftenMayBeSaidAsOften()
    {
        ScriptedTranslator model(sayInCapitals);
        const auto outcome = translate(model, waitK(3), "no no no no no no stop");
        QCOMPARE(outcome.text(), std::string("NO NO NO NO NO NO STOP"));
        QVERIFY(outcome.end == TranslationEnd::Said);
    }

    void moreOfTheSourceLeadsOutOfALoop()
    {
        ScriptedTranslator model([](const State &state) {
            const bool is_out = state.source.size() >= 6;
            return is_out ? std::string(state.target.back() == " out" ? ScriptedTranslator::kEnd : " out") : std::string(" la");
        });
        const auto outcome = translate(model, waitK(1), "one two three four five six");
        QCOMPARE(outcome.text(), std::string("la la la out"));
        QVERIFY(outcome.end == TranslationEnd::Said);
    }

    void settingsThatCannotBeAreRefused()
    {
        ScriptedTranslator model(sayInCapitals);
        for (const int k : {0, -1, 1001}) {
            QVERIFY_THROWS_EXCEPTION(Error, WaitKTranslator(model, waitK(k)));
        }
        auto settings = waitK(1);
        settings.target_unit = ReadingUnit::Segments;
        QVERIFY_THROWS_EXCEPTION(Error, WaitKTranslator(model, settings));
        WaitKTranslator translator(model, waitK(1));
        QVERIFY_THROWS_EXCEPTION(Error, translator.adjust(waitK(0)));
        translator.endSource();
        QVERIFY_THROWS_EXCEPTION(Error, translator.addSource("more"));
    }

    void aSourceWithoutWordsIsNoTranslation_data()
    {
        QTest::addColumn<QByteArray>("source");
        QTest::newRow("nothing") << QByteArray();
        QTest::newRow("spaces") << QByteArray(" \n\t \xe3\x80\x80 ");
        QTest::newRow("control characters") << QByteArray("\x01\x02\x1b\x7f \x00\x05", 7);
    }
    void aSourceWithoutWordsIsNoTranslation()
    {
        QFETCH(QByteArray, source);
        ScriptedTranslator model(sayInCapitals);
        const auto outcome = translate(model, waitK(3), source.toStdString());
        QVERIFY(outcome.end == TranslationEnd::NoSource);
        QCOMPARE(model.predictions, 0);
        QCOMPARE(model.passes, 0);
    }

    void kMayChangeInTheMiddle()
    {
        ScriptedTranslator model(sayInCapitals);
        WaitKTranslator translator(model, waitK(1));
        Outcome outcome;
        translator.addSource("a b c ");
        run(translator, outcome);
        QCOMPARE(outcome.words.size(), std::size_t{3});  // the word after the last waits; its prediction was not written
        translator.adjust(waitK(3));
        translator.addSource("d e ");
        run(translator, outcome);
        QCOMPARE(outcome.words.size(), std::size_t{3});  // two more must come first
        translator.addSource("f g ");
        translator.endSource();
        run(translator, outcome);
        QCOMPARE(outcome.text(), std::string("A B C D E F G"));
        QCOMPARE(outcome.delays(), (std::vector<std::int64_t>{1, 2, 3, 6, 7, 8, 8}));
    }

    void sentencesBeginAnewWithContext()
    {
        ScriptedTranslator model(sayInCapitals);
        WaitKTranslator translator(model, waitK(2));
        translator.addSource("unfinished business he");
        translator.beginSentence({"Before.", "AVANT."});
        QCOMPARE(model.contexts.back().source, std::string("Before."));
        Outcome outcome;
        translator.addSource("new one");
        translator.endSource();
        run(translator, outcome);
        QCOMPARE(outcome.text(), std::string("NEW ONE"));
        QVERIFY(translator.isFinished());
        QVERIFY(translator.step().action == TranslationAction::Finished);
    }

    void attentionIsOverUnits()
    {
        ScriptedTranslator model(sayInCapitals);
        auto settings = waitK(2);
        settings.attention = AttentionWanted::Yes;
        const auto outcome = translate(model, settings, "aa bb cc");
        const auto &first = outcome.words.front().attention;
        QCOMPARE(first.size(), std::size_t{2});
        QCOMPARE(first[0], 0.0F);
        QCOMPARE(first[1], 0.75F);                                        // the prompt's share is nobody's
        QCOMPARE(outcome.words.back().attention.size(), std::size_t{4});  // the end too
        ScriptedTranslator blind(sayInCapitals);
        QVERIFY(translate(blind, waitK(2), "aa bb").words.front().attention.empty());
    }

    void openWordOnlyGrows()
    {
        // A character in two tokens: its half is not shown.
        const std::vector<std::string> tokens = {"caf", "\xC3", "\xA9", "s"};
        ScriptedTranslator model(saying(tokens));
        WaitKTranslator translator(model, waitK(1));
        translator.addSource("coffees");
        translator.endSource();
        Texts shown;
        for (auto step = translator.step(); step.action != TranslationAction::ClosedWord; step = translator.step()) {
            QVERIFY(step.action != TranslationAction::Finished);
            shown.push_back(translator.openText());
        }
        QCOMPARE(shown, (Texts{"", "caf", "caf", "caf\u00e9", "caf\u00e9s"}));
    }

    void charactersAreUnitsWhereThereAreNoSpaces()
    {
        QCOMPARE(unitsOf(ReadingUnit::Characters, {"\u4f60\u597d\uff0c\u4e16\u754c\uff01"}), (Texts{"\u4f60", "+\u597d\uff0c", "+\u4e16", "+\u754c\uff01"}));
        QCOMPARE(unitsOf(ReadingUnit::Characters, {"\u300c\u65e5\u672c\u300dis iPhone15 \u306e"}),
                 (Texts{"\u300c\u65e5", "+\u672c\u300d", "+is", "iPhone15", "\u306e"}));
        QCOMPARE(unitsOf(ReadingUnit::Characters, {"\xe4", "\xbd", "\xa0\xe5\xa5"}), (Texts{"\u4f60\uFFFD"}));
        // The other way: each character said is counted, and its comma goes with it.
        const std::vector<std::string> tokens = {"\u4f60\u597d", "\uff0c", "\xe4\xb8", "\x96", "\u754c", "\uff01"};
        ScriptedTranslator model(saying(tokens));
        auto settings = waitK(1);
        settings.target_unit = ReadingUnit::Characters;
        const auto outcome = translate(model, settings, "hello big wide world");
        QCOMPARE(outcome.text(), std::string("\u4f60\u597d\uff0c\u4e16\u754c\uff01"));
        QCOMPARE(outcome.words.size(), std::size_t{3});
        QCOMPARE(outcome.words[0].text, std::string("\u4f60\u597d\uff0c"));
        QCOMPARE(outcome.words[0].units, std::int64_t{2});
        QCOMPARE(outcome.delays(), (std::vector<std::int64_t>{1, 3, 4}));
    }

    void wordsAreCutCleanly()
    {
        QCOMPARE(unitsOf(ReadingUnit::Words, {"  Hel", "lo,  wor", "ld!\n", "\x01", "x"}), (Texts{"Hello,", "world!", "x"}));
        QCOMPARE(unitsOf(ReadingUnit::Words, {"a\xff"
                                              "b c\xe2\x82"}),
                 (Texts{"a\uFFFDb", "c\uFFFD"}));
        const auto endless = unitsOf(ReadingUnit::Words, {std::string(1000, 'a')});
        QCOMPARE(endless.size(), (1000 + kMaxUnitCharacters - 1) / kMaxUnitCharacters);
        QCOMPARE(endless[1], "+" + std::string(kMaxUnitCharacters, 'a'));
        QCOMPARE(unitsOf(ReadingUnit::Segments, {" so it  goes ", "", " ", "and on"}), (Texts{"so it goes", "and on"}));
    }

    void sentencesEndWhereTheyEnd()
    {
        SentenceLimits limits;
        limits.soft_units = 4;
        limits.most_units = 6;
        SentenceBoundaries boundaries(limits);
        QVERIFY(boundaries.add("Yes.", 0) == SentenceCut::AfterWord);
        QVERIFY(boundaries.add("a,", 0) == SentenceCut::None);  // too soon for a comma
        QVERIFY(boundaries.add("b", 500) == SentenceCut::None);
        QVERIFY(boundaries.add("c", 2500) == SentenceCut::BeforeWord);
        QVERIFY(boundaries.add("No!", 2500) == SentenceCut::BeforeAndAfterWord);
        for (const char *word : {"a", "b", "c"}) {
            QVERIFY(boundaries.add(word, 0) == SentenceCut::None);
        }
        QVERIFY(boundaries.add("d,", 0) == SentenceCut::AfterWord);  // long enough
        for (const char *word : {"a", "b", "c", "d"}) {
            QVERIFY(boundaries.add(word, 0) == SentenceCut::None);
        }
        QVERIFY(boundaries.add("e", 450) == SentenceCut::BeforeWord);
        for (int i = 0; i < 4; ++i) {
            QVERIFY(boundaries.add("x", 0) == SentenceCut::None);
        }
        QVERIFY(boundaries.add("x", 0) == SentenceCut::AfterWord);  // the most
        boundaries.breakLine();
        QVERIFY(boundaries.add("first", 0) == SentenceCut::None);  // nothing before it
        boundaries.breakLine();
        QVERIFY(boundaries.add("second", 0) == SentenceCut::BeforeWord);
        QCOMPARE(boundaries.unitsInSentence(), 1);
    }

    void theNewestWholeSentencesGoAlong()
    {
        SentenceHistory history(3, 6);
        QVERIFY(history.context().source.empty());
        history.add("one two", "un deux");
        history.add("three four five", "trois quatre cinq");
        QCOMPARE(history.context().source, std::string("one two three four five"));
        history.add("six seven", "six sept huit");
        QCOMPARE(history.context().source, std::string("three four five six seven"));
        QCOMPARE(history.context().target, std::string("trois quatre cinq six sept huit"));
        history.add("a b c d e f g", "too long");
        QVERIFY(history.context().source.empty());  // never half a sentence
        history.add("x", "y");
        QCOMPARE(history.context().source, std::string("x"));
        history.clear();
        QVERIFY(history.context().target.empty());
    }
};

QTEST_APPLESS_MAIN(WaitKTest)
#include "tst_wait_k.moc"
