// A translation session cuts a source that grows into sentences, has them translated one after the other, and tells everything once.
#include <QtTest>

#include "core/base/error.h"
#include "core/sessions/translation_session.h"
#include "tests/core/decoding/scripted_translator.h"

using namespace braid;
using namespace braid::sessions;
using decoding::TranslationEnd;
using test::sayInCapitals;
using test::ScriptedTranslator;

namespace {

// A session over a script, with a clock that stands still but where a test moves it.
struct Bench {
    explicit Bench(const TranslationSettings &settings, ScriptedTranslator::Script script = sayInCapitals)
    {
        auto made = std::make_unique<ScriptedTranslator>(std::move(script));
        model = made.get();
        session.emplace(std::move(made), settings, [this] { return now_ms; }, [this](TranslationSessionEvent event) { events.push_back(std::move(event)); });
    }

    // Steps until there is nothing to do.
    TranslationSession::Step work()
    {
        for (int steps = 0;; ++steps) {
            const auto step = session->step();
            if (step != TranslationSession::Step::Worked) {
                return step;
            }
            if (steps > 100000) {
                qFatal("it runs away");
            }
        }
    }
    template <typename Event>
    std::vector<Event> all() const
    {
        std::vector<Event> found;
        for (const auto &event : events) {
            if (const auto *one = std::get_if<Event>(&event)) {
                found.push_back(*one);
            }
        }
        return found;
    }
    // The translation as the words were told: sentences parted by " | ".
    std::string told() const
    {
        std::string text;
        std::int64_t sentence = 0;
        for (const auto &written : all<WordWritten>()) {
            if (!text.empty()) {
                text += written.sentence != sentence ? " | " : written.word.starts_without_space ? "" : " ";
            }
            sentence = written.sentence;
            text += written.word.text;
        }
        return text;
    }
    std::vector<std::int64_t> delays() const
    {
        std::vector<std::int64_t> read;
        for (const auto &written : all<WordWritten>()) {
            read.push_back(written.word.read_units);
        }
        return read;
    }

    double now_ms = 0;
    std::vector<TranslationSessionEvent> events;
    ScriptedTranslator *model = nullptr;
    std::optional<TranslationSession> session;
};

TranslationSettings waiting(int k)
{
    TranslationSettings settings;
    settings.wait_k.k = k;
    return settings;
}

std::string translated(const TranslationSettings &settings, std::string_view source, std::size_t piece)
{
    Bench bench(settings);
    for (std::size_t at = 0; at < source.size(); at += piece) {
        bench.session->addText(source.substr(at, piece));
        bench.work();
    }
    bench.session->endSource();
    bench.work();
    return bench.told();
}

}  // namespace

class TstTranslationSession : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void everySentenceIsTranslatedInOrder();
    void eventsComeInTheOrderInWhichThingsHappen();
    void piecesMakeNoDifference_data();
    void piecesMakeNoDifference();
    void linesEndInOrderAlsoEmptyOnes();
    void wordsAreWrittenKBehind();
    void aSentenceThatIsNotOverWaitsForItsEnd();
    void endingASentenceByHandWritesTheRest();
    void theNextSentenceKnowsTheOneBefore();
    void contextKeepsItsLimitsAndEndsAtABlankLine();
    void aSentenceThatMetALimitIsNoContext();
    void whatALimitLeavesUnreadIsTranslatedByItself();
    void aModelWithLittleRoomTranslatesInParts();
    void aContextThatLeavesNoRoomIsLeftOut();
    void aUnitWithoutRoomIsToldAndLeftOut();
    void spokenWordsKeepTheirTimesAndPausesEndSentences();
    void speechWithoutPunctuationIsCutAtBreaths();
    void lagIsMeasuredAgainstTheUnitOfTheSameNumber();
    void attentionCoversTheUnitsOfTheSentence();
    void kCountsAtOnceTheModelFromTheNextSentence();
    void charactersAreUnitsWhereThereAreNoSpaces();
    void strangeSourcesGiveSaneOutput_data();
    void strangeSourcesGiveSaneOutput();
    void hoursCostTheSame();
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

void TstTranslationSession::piecesMakeNoDifference_data()
{
    QTest::addColumn<QString>("source");
    QTest::newRow("words") << "one two, three four. five\n\n  six \r\n seven";
    QTest::newRow("accents") << QString::fromUtf8("él está aquí. ¿dónde? «ça va»");
    QTest::newRow("no space at its end") << "a b c d e f g h i";
}

void TstTranslationSession::piecesMakeNoDifference()
{
    QFETCH(QString, source);
    const std::string text = source.toStdString();
    for (const int k : {1, 3, 1000}) {
        const std::string whole = translated(waiting(k), text, text.size());
        for (const std::size_t piece : {1U, 2U, 5U}) {
            QCOMPARE(translated(waiting(k), text, piece), whole);
        }
    }
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

void TstTranslationSession::theNextSentenceKnowsTheOneBefore()
{
    Bench bench(waiting(2));
    bench.session->addText("a cat. it sleeps. good.");
    bench.session->endSource();
    bench.work();
    const auto &contexts = bench.model->contexts;
    QCOMPARE(contexts.back().source, std::string("it sleeps."));
    QCOMPARE(contexts.back().target, std::string("IT SLEEPS."));
    QCOMPARE(contexts[contexts.size() - 2].source, std::string("a cat."));
    QCOMPARE(contexts[contexts.size() - 3].source, std::string());
}

void TstTranslationSession::contextKeepsItsLimitsAndEndsAtABlankLine()
{
    TranslationSettings settings = waiting(2);
    settings.context_sentences = 2;
    settings.context_units = 4;
    Bench bench(settings);
    bench.session->addText("aa bb. cc dd. ee ff gg. hh.\n\nii. ");
    bench.session->endSource();
    bench.work();
    std::vector<std::string> sources;
    for (const auto &context : bench.model->contexts) {
        sources.push_back(context.source);
    }
    QVERIFY(sources.size() >= 5);
    sources.erase(sources.begin(), sources.end() - 5);
    QCOMPARE(sources, (std::vector<std::string>{"", "aa bb.", "aa bb. cc dd.", "ee ff gg.", ""}));

    settings.context_sentences = 0;
    Bench alone(settings);
    alone.session->addText("aa bb. cc dd.");
    alone.session->endSource();
    alone.work();
    QVERIFY(alone.model->contexts.back().source.empty());
}

void TstTranslationSession::aSentenceThatMetALimitIsNoContext()
{
    TranslationSettings settings = waiting(2);
    settings.wait_k.max_target_tokens = 20;
    Bench bench(settings, [](const ScriptedTranslator::State &state) { return state.source.front() == "babble." ? std::string(" bla") : sayInCapitals(state); });
    bench.session->addText("one. babble. two.");
    bench.session->endSource();
    bench.work();
    const auto ended = bench.all<SentenceEnded>();
    QCOMPARE(ended[1].end, TranslationEnd::TooManyTokens);
    QCOMPARE(ended[2].target, std::string("TWO."));
    QVERIFY(bench.model->contexts.back().source.empty());
}

void TstTranslationSession::whatALimitLeavesUnreadIsTranslatedByItself()
{
    TranslationSettings settings = waiting(2);
    settings.wait_k.max_target_tokens = 5;  // two words and a bit
    Bench bench(settings);
    bench.session->addText("aa bb cc dd ee ff gg.");
    bench.session->endSource();
    QCOMPARE(bench.work(), TranslationSession::Step::Over);
    // Every unit was read, in order, once; the words of each part say what that part read.
    const auto ended = bench.all<SentenceEnded>();
    QCOMPARE(ended.size(), 1U);
    QCOMPARE(ended[0].source, std::string("aa bb cc dd ee ff gg."));
    std::int64_t read = 0;
    for (const auto &event : bench.all<UnitsRead>()) {
        QVERIFY(event.read_units > read);
        read = event.read_units;
    }
    QVERIFY(read >= 7);
    // Three words a part, the third cut short; no unit is passed over.
    QCOMPARE(bench.told(), std::string("AA BB C DD EE F GG."));
}

void TstTranslationSession::aModelWithLittleRoomTranslatesInParts()
{
    for (const int k : {1, 3, 1000}) {
        Bench bench(waiting(k));
        bench.model->capacity = 13;  // a unit takes two, a word two, the end one
        bench.session->addText("aa bb cc dd ee ff gg hh.");
        bench.session->endSource();
        QCOMPARE(bench.work(), TranslationSession::Step::Over);
        QVERIFY(bench.all<SessionNotice>().empty());
        for (const char *word : {"AA", "BB", "CC", "DD", "EE", "FF", "GG", "HH."}) {
            QVERIFY2(bench.told().find(word) != std::string::npos, bench.told().c_str());
        }
        QCOMPARE(bench.all<SentenceEnded>().size(), 1U);
        QCOMPARE(bench.all<SentenceEnded>()[0].end, TranslationEnd::NoRoom);
    }
}

void TstTranslationSession::aContextThatLeavesNoRoomIsLeftOut()
{
    Bench bench(waiting(1));
    bench.session->addText("one. ");
    bench.work();
    // From now on there is no room while a context stands before the sentence.
    bench.model->capacity_with_context = 0;
    bench.session->addText("two.");
    bench.session->endSource();
    bench.work();
    QCOMPARE(bench.told(), std::string("ONE. | TWO."));
    QVERIFY(bench.all<SessionNotice>().empty());
}

void TstTranslationSession::aUnitWithoutRoomIsToldAndLeftOut()
{
    Bench bench(waiting(1));
    bench.model->capacity = 1;  // a unit takes two
    bench.session->addText("one two.");
    bench.session->endSource();
    QCOMPARE(bench.work(), TranslationSession::Step::Over);
    const auto notices = bench.all<SessionNotice>();
    QCOMPARE(notices.size(), 2U);
    QVERIFY(notices[0].sentence.find("one") != std::string::npos);
    QCOMPARE(bench.all<SentenceEnded>().size(), 1U);
}

void TstTranslationSession::spokenWordsKeepTheirTimesAndPausesEndSentences()
{
    Bench bench(waiting(2));
    const auto say = [&](const char *word, int from_ms, int to_ms) {
        bench.session->addSpokenWord(word, false, {samplesFromMs(from_ms), samplesFromMs(to_ms)});
    };
    say("hello", 0, 400);
    say("there", 450, 800);
    say("well", 3500, 3900);  // more than two seconds of silence
    bench.session->endSpokenLine();
    bench.session->endSpokenLine();  // makes no empty line
    say("done", 9000, 9300);
    bench.session->endSource();
    bench.work();
    QCOMPARE(bench.told(), std::string("HELLO THERE | WELL | DONE"));
    const auto arrived = bench.all<UnitsArrived>();
    QCOMPARE(arrived[1].units[0].text, std::string("there"));
    QCOMPARE(arrived[1].units[0].sound->start_sample, samplesFromMs(450));
    QCOMPARE(arrived[1].units[0].sound->end_sample, samplesFromMs(800));
    QCOMPARE(bench.all<SentenceBegan>()[1].line, 0);
    QCOMPARE(bench.all<SentenceBegan>()[2].line, 1);
}

void TstTranslationSession::speechWithoutPunctuationIsCutAtBreaths()
{
    TranslationSettings settings = waiting(2);
    settings.sentences = decoding::kSpeechLimits;
    Bench bench(settings);
    int at_ms = 0;
    for (const char *word : {"we", "are", "late", "again", "and", "it", "rains", "so", "we", "run"}) {
        const int pause_ms = std::string(word) == "so" ? 300 : std::string(word) == "late" ? 300 : 20;  // a breath after two words is none
        bench.session->addSpokenWord(word, false, {samplesFromMs(at_ms + pause_ms), samplesFromMs(at_ms + pause_ms + 200)});
        at_ms += pause_ms + 200;
    }
    bench.session->endSource();
    bench.work();
    QCOMPARE(bench.told(), std::string("WE ARE LATE AGAIN AND IT RAINS | SO WE RUN"));
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
    settings.wait_k.attention = decoding::AttentionWanted::Yes;
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

void TstTranslationSession::charactersAreUnitsWhereThereAreNoSpaces()
{
    TranslationSettings settings = waiting(2);
    settings.wait_k.source_unit = decoding::ReadingUnit::Characters;
    Bench bench(settings, [](const ScriptedTranslator::State &state) {
        return state.target.size() < state.source.size() ? " w" + std::to_string(state.target.size()) : state.has_end ? std::string(ScriptedTranslator::kEnd) : std::string(" x");
    });
    bench.session->addText("\xE4\xBD\xA0\xE5\xA5\xBD\xE3\x80\x82\xE5\x86\x8D\xE8\xA7\x81\xE3\x80\x82");  // two sentences of two characters
    bench.session->endSource();
    bench.work();
    QCOMPARE(bench.all<SentenceEnded>().size(), 2U);
    QCOMPARE(bench.all<SentenceEnded>()[0].source, std::string("\xE4\xBD\xA0\xE5\xA5\xBD\xE3\x80\x82"));
    QCOMPARE(bench.told(), std::string("w0 w1 | w0 w1"));
}

void TstTranslationSession::strangeSourcesGiveSaneOutput_data()
{
    QTest::addColumn<QByteArray>("source");
    QTest::newRow("nothing") << QByteArray();
    QTest::newRow("white space") << QByteArray("  \t \r ");
    QTest::newRow("line feeds") << QByteArray("\n\n\n");
    QTest::newRow("control characters") << QByteArray("\x01\x02\x7f\x1b[31m", 7);
    QTest::newRow("zero bytes") << QByteArray("a\0b c\0", 6);
    QTest::newRow("broken UTF-8") << QByteArray("\xff\xfe \xc3 caf\xc3");
    QTest::newRow("one endless word") << QByteArray(100000, 'x');
    QTest::newRow("mixed scripts") << QByteArray("hello \xE4\xBD\xA0\xE5\xA5\xBD \xD0\xBF\xD1\x80\xD0\xB8 \xF0\x9F\x98\x80\xE2\x80\x8D\xF0\x9F\x91\xA9 \xD7\xA9\xD7\x9C");
    QTest::newRow("punctuation alone") << QByteArray(". . ! ? ... ,");
    QTest::newRow("no end of a sentence") << QByteArray("w ").repeated(5000);
}

void TstTranslationSession::strangeSourcesGiveSaneOutput()
{
    QFETCH(QByteArray, source);
    for (const int k : {1, 5, 1000}) {
        Bench bench(waiting(k), [](const ScriptedTranslator::State &state) {
            return state.target.size() < state.source.size() ? std::string(" y") : state.has_end ? std::string(ScriptedTranslator::kEnd) : std::string(" z");
        });
        bench.session->addText(std::string_view(source.constData(), static_cast<std::size_t>(source.size())));
        bench.session->endSource();
        QCOMPARE(bench.work(), TranslationSession::Step::Over);
        std::size_t units = 0;
        for (const auto &arrived : bench.all<UnitsArrived>()) {
            units += arrived.units.size();
        }
        // A word for every unit: nothing was lost and nothing made up.
        QCOMPARE(bench.all<WordWritten>().size(), units);
        for (const auto &ended : bench.all<SentenceEnded>()) {
            QCOMPARE(ended.end, TranslationEnd::Said);
        }
    }
}

void TstTranslationSession::hoursCostTheSame()
{
    // Forty thousand words, about five hours of speech.
    Bench bench(waiting(3));
    std::vector<std::int64_t> fed;
    for (int part = 0; part < 10; ++part) {
        const std::int64_t before = bench.session->statistics().cost.cache_entries;
        std::int64_t most = before;
        for (int sentence = 0; sentence < 500; ++sentence) {
            bench.session->addText("the quick fox did not see it.  ");
            bench.session->addText("no.\n");
            bench.work();
            most = std::max(most, bench.session->statistics().cost.cache_entries);
        }
        fed.push_back(most);
        bench.events.clear();
    }
    QCOMPARE(fed.front(), fed.back());
    QCOMPARE(bench.session->statistics().sentences, 10000);
    QVERIFY(bench.session->progress().units_waiting == 0);
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
