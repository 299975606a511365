// A translation session cuts a source that grows into sentences, has them translated one after the other, and tells everything once.
#include <QtTest>

#include "core/base/error.h"
#include "tests/core/translation/translation_bench.h"

using namespace braid;
using namespace braid::translation;
using test::Bench;
using test::ScriptedTranslator;
using test::waiting;
using translation::TranslationEnd;

class TstTranslationSession : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void everySentenceIsTranslatedInOrder();
    void eventsComeInTheOrderInWhichThingsHappen();
    void linesEndInOrderAlsoEmptyOnes();
    void wordsAreWrittenKBehind();
    void aSentenceThatIsNotOverWaitsForItsEnd();
    void endingASentenceByHandWritesTheRest();
    void lagIsMeasuredAgainstTheUnitOfTheSameNumber();
    void attentionCoversTheUnitsOfTheSentence();
    void kCountsAtOnceTheModelFromTheNextSentence();
    void strangeSettingsAreRefused();
};

void TstTranslationSession::everySentenceIsTranslatedInOrder()
{
    Bench bench(waiting(2));
    bench.session->addText("one two three. four five.\nsix seven");
    bench.session->endSource();
    QCOMPARE(bench.work(), TranslationSession::Step::Over);
    QCOMPARE(bench.told(), std::string("ONE TWO THREE. | FOUR FIVE. | SIX SEVEN"));
    const auto ended = bench.all<SentenceEnded>();
    QCOMPARE(ended.size(), 3U);
    QCOMPARE(ended[0].source, std::string("one two three."));
    QCOMPARE(ended[0].target, std::string("ONE TWO THREE."));
    QCOMPARE(ended[0].end, TranslationEnd::Said);
    QCOMPARE(ended[2].target, std::string("SIX SEVEN"));
    const auto statistics = bench.session->statistics();
    QCOMPARE(statistics.sentences, 3);
    QCOMPARE(statistics.source_units, 7);
    QCOMPARE(statistics.target_words, 7);
}

void TstTranslationSession::eventsComeInTheOrderInWhichThingsHappen()
{
    Bench bench(waiting(1));
    bench.session->addText("go on.\n");
    bench.session->endSource();
    bench.work();
    std::vector<std::size_t> kinds;
    for (const auto &event : bench.events) {
        kinds.push_back(event.index());
    }
    // Begins, two units arrive (the second ends with the line), closes; then reads and words take turns (k = 1), the end is read, ends, the line ends.
    const std::vector<std::size_t> expected = {0, 1, 1, 2, 3, 4, 3, 4, 3, 5, 6};
    QCOMPARE(kinds, expected);
}

void TstTranslationSession::linesEndInOrderAlsoEmptyOnes()
{
    Bench bench(waiting(3));
    bench.session->addText("\none. two.\n\n\nthree\nfour");
    bench.session->endSource();
    bench.work();
    std::vector<std::int64_t> lines;
    for (const auto &ended : bench.all<LineEnded>()) {
        lines.push_back(ended.line);
    }
    QCOMPARE(lines, (std::vector<std::int64_t>{0, 1, 2, 3, 4, 5}));
    std::vector<std::int64_t> of_sentences;
    for (const auto &began : bench.all<SentenceBegan>()) {
        of_sentences.push_back(began.line);
    }
    QCOMPARE(of_sentences, (std::vector<std::int64_t>{1, 1, 4, 5}));
    // A line ends behind the words of its last sentence.
    std::size_t words = 0;
    for (const auto &event : bench.events) {
        words += std::holds_alternative<WordWritten>(event) ? 1 : 0;
        if (const auto *ended = std::get_if<LineEnded>(&event)) {
            QCOMPARE(words, (std::vector<std::size_t>{0, 2, 2, 2, 3, 4})[static_cast<std::size_t>(ended->line)]);
        }
    }
}

void TstTranslationSession::wordsAreWrittenKBehind()
{
    Bench bench(waiting(3));
    bench.session->addText("a b c d e f.");
    bench.session->endSource();
    bench.work();
    // Word i has seen k + i - 1 units; the sentence's end is the seventh.
    QCOMPARE(bench.delays(), (std::vector<std::int64_t>{3, 4, 5, 6, 7, 7}));
    for (const auto &written : bench.all<WordWritten>()) {
        QVERIFY(written.lag_units <= 3);
    }
    QCOMPARE(bench.all<WordWritten>()[0].lag_units, 3);
}

void TstTranslationSession::aSentenceThatIsNotOverWaitsForItsEnd()
{
    Bench bench(waiting(3));
    bench.session->addText("a b c d ");
    QCOMPARE(bench.work(), TranslationSession::Step::Idle);
    QCOMPARE(bench.told(), std::string("A B"));  // the second word has seen four units, the third wants five
    bench.session->addText("e");
    QCOMPARE(bench.session->progress().growing_unit, std::string("e"));
    QCOMPARE(bench.session->progress().units_waiting, 0);
    bench.session->endSource();
    QCOMPARE(bench.work(), TranslationSession::Step::Over);
    QCOMPARE(bench.told(), std::string("A B C D E"));
}

void TstTranslationSession::endingASentenceByHandWritesTheRest()
{
    Bench bench(waiting(5));
    bench.session->addText("now or never ");
    bench.work();
    QCOMPARE(bench.told(), std::string());
    bench.session->endSentence();
    bench.work();
    QCOMPARE(bench.told(), std::string("NOW OR NEVER"));
    bench.session->addText("again ");
    bench.session->endSource();
    bench.work();
    QCOMPARE(bench.told(), std::string("NOW OR NEVER | AGAIN"));
    QCOMPARE(bench.all<SentenceBegan>()[1].line, 0);  // still the same line
    QCOMPARE(bench.all<LineEnded>().size(), 1U);
}

void TstTranslationSession::lagIsMeasuredAgainstTheUnitOfTheSameNumber()
{
    Bench bench(waiting(2));
    const char *const words[] = {"a ", "b ", "c ", "d "};
    for (int i = 0; i < 4; ++i) {
        bench.now_ms = i * 1000;
        bench.session->arrivedAt(bench.now_ms);
        bench.session->addText(words[i]);
        bench.now_ms += 50;
        bench.work();
    }
    // The first word is sure once the second unit was read and the third gave it its end: it was written after b came.
    const auto written = bench.all<WordWritten>();
    QVERIFY(!written.empty());
    QCOMPARE(written[0].word.text, std::string("A"));
    QCOMPARE(written[0].lag_ms, written[0].written_ms - 0);
    QCOMPARE(written[0].compute_ms, written[0].written_ms - 1000.0 * static_cast<double>(written[0].word.read_units - 1));
    QCOMPARE(written[1].lag_ms, written[1].written_ms - 1000);
}

void TstTranslationSession::attentionCoversTheUnitsOfTheSentence()
{
    TranslationSettings settings = waiting(2);
    settings.wait_k.attention = AttentionWanted::Yes;
    Bench bench(settings);
    bench.session->addText("a b cc. d ee.");
    bench.session->endSource();
    bench.work();
    for (const auto &written : bench.all<WordWritten>()) {
        QCOMPARE(static_cast<std::int64_t>(written.word.attention.size()), written.word.read_units);
    }
}

void TstTranslationSession::kCountsAtOnceTheModelFromTheNextSentence()
{
    Bench bench(waiting(4));
    bench.session->addText("a b c d e f g ");
    bench.work();
    const auto before = bench.told();
    bench.session->adjust(waiting(1));
    bench.work();
    QVERIFY(bench.told().size() > before.size());  // no new source was needed
    bench.session->changeModel(std::make_unique<ScriptedTranslator>([](const ScriptedTranslator::State &state) {
        return state.target.size() < state.source.size() ? std::string(" new") : state.has_end ? ScriptedTranslator::kEnd : std::string(" x");
    }));
    QVERIFY(bench.session->modelWaits());
    bench.session->addText("hh. ii jj.");
    bench.session->endSource();
    bench.work();
    QVERIFY(!bench.session->modelWaits());
    QCOMPARE(bench.told(), std::string("A B C D E F G HH. | new new"));
}

void TstTranslationSession::strangeSettingsAreRefused()
{
    for (const int k : {0, -1, 1001}) {
        QVERIFY_THROWS_EXCEPTION(Error, requireUsable(waiting(k)));
    }
    requireUsable(waiting(1000));
    TranslationSettings settings;
    settings.sentences.soft_units = 0;
    QVERIFY_THROWS_EXCEPTION(Error, requireUsable(settings));
    settings.sentences.soft_units = 70;
    QVERIFY_THROWS_EXCEPTION(Error, requireUsable(settings));
    settings = {};
    settings.context_units = -1;
    QVERIFY_THROWS_EXCEPTION(Error, requireUsable(settings));
    Bench bench(waiting(2));
    QVERIFY_THROWS_EXCEPTION(Error, bench.session->adjust(waiting(0)));
    bench.session->addText("a bb.");
    bench.session->endSource();
    bench.work();
    QCOMPARE(bench.told(), std::string("A BB."));
}

QTEST_APPLESS_MAIN(TstTranslationSession)
#include "tst_translation_session.moc"
