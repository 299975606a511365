// A translation session copes with every source: in any pieces, spoken, without spaces, strange, or hours long.
#include <QtTest>

#include "core/base/sample_clock.h"
#include "tests/core/translation/translation_bench.h"

using namespace braid;
using namespace braid::translation;
using test::Bench;
using test::ScriptedTranslator;
using test::waiting;
using translation::TranslationEnd;

namespace {

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

class TstTranslationSources : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void piecesMakeNoDifference_data();
    void piecesMakeNoDifference();
    void spokenWordsKeepTheirTimesAndPausesEndSentences();
    void speechWithoutPunctuationIsCutAtBreaths();
    void charactersAreUnitsWhereThereAreNoSpaces();
    void strangeSourcesGiveSaneOutput_data();
    void strangeSourcesGiveSaneOutput();
    void hoursCostTheSame();
};

void TstTranslationSources::piecesMakeNoDifference_data()
{
    QTest::addColumn<QString>("source");
    QTest::newRow("words") << "one two, three four. five\n\n  six \r\n seven";
    QTest::newRow("accents") << QString::fromUtf8("él está aquí. ¿dónde? «ça va»");
    QTest::newRow("no space at its end") << "a b c d e f g h i";
}

void TstTranslationSources::piecesMakeNoDifference()
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

void TstTranslationSources::spokenWordsKeepTheirTimesAndPausesEndSentences()
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

void TstTranslationSources::speechWithoutPunctuationIsCutAtBreaths()
{
    TranslationSettings settings = waiting(2);
    settings.sentences = translation::kSpeechLimits;
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

void TstTranslationSources::charactersAreUnitsWhereThereAreNoSpaces()
{
    TranslationSettings settings = waiting(2);
    settings.wait_k.source_unit = translation::ReadingUnit::Characters;
    Bench bench(settings, [](const ScriptedTranslator::State &state) {
        return state.target.size() < state.source.size() ? " w" + std::to_string(state.target.size())
               : state.has_end                           ? std::string(ScriptedTranslator::kEnd)
                                                         : std::string(" x");
    });
    bench.session->addText("\xE4\xBD\xA0\xE5\xA5\xBD\xE3\x80\x82\xE5\x86\x8D\xE8\xA7\x81\xE3\x80\x82");  // two sentences of two characters
    bench.session->endSource();
    bench.work();
    QCOMPARE(bench.all<SentenceEnded>().size(), 2U);
    QCOMPARE(bench.all<SentenceEnded>()[0].source, std::string("\xE4\xBD\xA0\xE5\xA5\xBD\xE3\x80\x82"));
    QCOMPARE(bench.told(), std::string("w0 w1 | w0 w1"));
}

void TstTranslationSources::strangeSourcesGiveSaneOutput_data()
{
    QTest::addColumn<QByteArray>("source");
    QTest::newRow("nothing") << QByteArray();
    QTest::newRow("white space") << QByteArray("  \t \r ");
    QTest::newRow("line feeds") << QByteArray("\n\n\n");
    QTest::newRow("control characters") << QByteArray("\x01\x02\x7f\x1b[31m", 7);
    QTest::newRow("zero bytes") << QByteArray("a\0b c\0", 6);
    QTest::newRow("broken UTF-8") << QByteArray("\xff\xfe \xc3 caf\xc3");
    QTest::newRow("one endless word") << QByteArray(100000, 'x');
    QTest::newRow("mixed scripts") << QByteArray(
        "hello \xE4\xBD\xA0\xE5\xA5\xBD \xD0\xBF\xD1\x80\xD0\xB8 \xF0\x9F\x98\x80\xE2\x80\x8D\xF0\x9F\x91\xA9 \xD7\xA9\xD7\x9C");
    QTest::newRow("punctuation alone") << QByteArray(". . ! ? ... ,");
    QTest::newRow("no end of a sentence") << QByteArray("w ").repeated(5000);
}

void TstTranslationSources::strangeSourcesGiveSaneOutput()
{
    QFETCH(QByteArray, source);
    for (const int k : {1, 5, 1000}) {
        Bench bench(waiting(k), [](const ScriptedTranslator::State &state) {
            const std::string number = std::to_string(state.target.size());
            return state.target.size() < state.source.size() ? " y" + number : state.has_end ? std::string(ScriptedTranslator::kEnd) : " z" + number;
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

void TstTranslationSources::hoursCostTheSame()
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

QTEST_APPLESS_MAIN(TstTranslationSources)
#include "tst_translation_sources.moc"
