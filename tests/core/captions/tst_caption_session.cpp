// A session turns utterances into committed items and a tail: silence costs nothing, what is committed never changes, the result
// depends on the sound and not on how it arrives, gaps and pauses are marked.
#include <QtTest>

#include <random>

#include "core/captions/caption_session.h"
#include "tests/support/engine_fakes.h"

using namespace braid;
using namespace braid::testing;
using namespace braid::captions;

namespace {

// What a session gave out.
struct Record {
    text::Transcript items;
    std::vector<std::string> log;  // every update, as text
    std::vector<text::Word> tail;

    void take(const SessionUpdate &update)
    {
        std::string line;
        for (const auto &item : update.committed) {
            items.push_back(item);
            line += describe(item) + " ";
        }
        line += "|";
        for (const auto &word : update.tail) {
            line += " " + describe(word);
        }
        log.push_back(line);
        tail = update.tail;
    }
    static std::string describe(const text::TranscriptItem &item)
    {
        if (const auto *word = std::get_if<text::Word>(&item)) {
            return word->text + "@" + std::to_string(word->start_sample) + "-" + std::to_string(word->end_sample) + "/" +
                   std::to_string(word->committed_sample);
        }
        if (const auto *line = std::get_if<text::LineBreak>(&item)) {
            return "break@" + std::to_string(line->sample);
        }
        const auto &gap = std::get<text::Gap>(item);
        return "gap@" + std::to_string(gap.start_sample) + "+" + std::to_string(gap.length_samples) + "(" + gap.reason + ")";
    }
    [[nodiscard]] std::vector<std::string> kinds() const
    {
        std::vector<std::string> kinds;
        for (const auto &item : items) {
            kinds.push_back(std::holds_alternative<text::Word>(item) ? "word" : describe(item));
        }
        return kinds;
    }
    [[nodiscard]] std::vector<text::Word> words() const
    {
        std::vector<text::Word> words;
        for (const auto &item : items) {
            if (const auto *word = std::get_if<text::Word>(&item)) {
                words.push_back(*word);
            }
        }
        return words;
    }
};

CaptionSession sessionFor(Record &record, std::unique_ptr<captions::CaptionPolicy> policy = std::make_unique<HalfSecondWords>(), SessionOptions options = {})
{
    return CaptionSession(std::move(policy), std::move(options), [&record](SessionUpdate update) { record.take(update); });
}

// Says what the test tells it to, whatever it hears.
class Saying final : public captions::CaptionPolicy {
  public:
    explicit Saying(std::vector<text::Word> at_end)
        : m_at_end(std::move(at_end))
    {
    }
    [[nodiscard]] std::string name() const override { return "saying"; }
    [[nodiscard]] Sample stepSamples() const override { return samplesFromSeconds(1000); }
    void beginUtterance(Sample) override {}
    void addSound(std::span<const float>) override {}
    [[nodiscard]] captions::PolicyUpdate step() override { return {}; }
    [[nodiscard]] captions::PolicyUpdate endUtterance() override { return {m_at_end, {}, nullptr, 0, 0, nullptr}; }

  private:
    std::vector<text::Word> m_at_end;
};

// Waits for a long first chunk, then for short ones, as a causal model does.
class LongFirstChunk final : public HalfSecondWords {
  public:
    using HalfSecondWords::HalfSecondWords;
    std::vector<Sample> steps;
    void beginUtterance(Sample start) override
    {
        HalfSecondWords::beginUtterance(start);
        m_new = 0;
        m_first = true;
    }
    [[nodiscard]] Sample stepSamples() const override { return samplesFromMs(m_first ? 700 : 200); }
    void addSound(std::span<const float> sound) override
    {
        HalfSecondWords::addSound(sound);
        m_new += static_cast<Sample>(sound.size());
    }

  protected:
    void beforeStep() override
    {
        HalfSecondWords::beforeStep();
        steps.push_back(std::exchange(m_new, 0));
        m_first = false;
    }

  private:
    Sample m_new = 0;
    bool m_first = true;
};

text::Word word(const std::string &text, Sample start = 0, Sample end = 0)
{
    text::Word made;
    made.text = text;
    made.start_sample = start;
    made.end_sample = end;
    return made;
}

}  // namespace

class CaptionSessionTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void piecesEqualTheWhole()
    {
        const auto first = speech(7.3);
        const auto second = speech(4.123, 2);
        const auto play = [&](auto cut) {
            Record record;
            auto session = sessionFor(record);
            const auto hear = [&](std::span<const float> sound) {
                while (!sound.empty()) {
                    const auto take = std::min<std::size_t>(sound.size(), cut());
                    session.hear(sound.first(take), StepPacing::EveryStep);
                    sound = sound.subspan(take);
                }
            };
            session.skip(8000);
            session.beginUtterance();
            hear(first);
            session.endUtterance();
            for (Sample left = 30000; left > 0;) {
                const auto take = std::min<Sample>(left, static_cast<Sample>(cut()));
                session.skip(take);
                left -= take;
            }
            session.beginUtterance();
            hear(second);
            session.finish();
            return record;
        };
        const auto whole = play([] { return std::size_t{1000000}; });
        QVERIFY(whole.words().size() > 20);
        std::mt19937 random(7);
        for (int round = 0; round < 10; ++round) {
            const auto pieces = play([&] { return std::size_t{1} + random() % 9001; });
            QCOMPARE(pieces.log, whole.log);
        }
    }

    void stepsComeAtMultiplesOfTheChunk()
    {
        Record record;
        auto log = std::make_shared<PolicyLog>();
        auto session = sessionFor(record, std::make_unique<HalfSecondWords>(log, samplesFromMs(300)));
        session.beginUtterance();
        session.hear(speech(0.299), StepPacing::EveryStep);
        QCOMPARE(log->steps.load(), 0);
        session.hear(speech(0.001), StepPacing::EveryStep);
        QCOMPARE(log->steps.load(), 1);
        session.hear(speech(3.0), StepPacing::EveryStep);
        QCOMPARE(log->steps.load(), 11);
        QCOMPARE(log->longest_step_samples.load(), samplesFromMs(300));
    }

    void catchingUpTakesSeveralChunksInOneStepAndLosesNothing()
    {
        Record record;
        auto log = std::make_shared<PolicyLog>();
        auto session = sessionFor(record, std::make_unique<HalfSecondWords>(log, samplesFromMs(300)));
        session.beginUtterance();
        session.hear(speech(12.0), StepPacing::CatchUp);
        QCOMPARE(log->steps.load(), 3);  // 5 + 5 + 2 seconds
        QCOMPARE(log->longest_step_samples.load(), samplesFromSeconds(5));
        QCOMPARE(session.statistics().decoded_samples, samplesFromSeconds(12));
        session.finish();
        QCOMPARE(record.words().size(), std::size_t{24});
    }

    void silenceDoesNotTouchTheModel()
    {
        Record record;
        auto log = std::make_shared<PolicyLog>();
        auto session = sessionFor(record, std::make_unique<HalfSecondWords>(log));
        session.skip(samplesFromSeconds(36000));
        session.hear(silence(1), StepPacing::EveryStep);  // outside an utterance, sound is silence
        session.finish();
        QCOMPARE(log->utterances.load(), 0);
        QCOMPARE(log->steps.load(), 0);
        QVERIFY(record.items.empty());
        QCOMPARE(session.statistics().decoded_samples, samplesFromSeconds(36001));
    }

    void wordsAfterSilenceStandOnTheSessionClock()
    {
        Record record;
        auto session = sessionFor(record);
        session.skip(samplesFromSeconds(100));
        session.beginUtterance();
        session.hear(speech(1.0), StepPacing::EveryStep);
        session.endUtterance();
        QCOMPARE(record.words().at(0).start_sample, samplesFromSeconds(100));
        QCOMPARE(record.words().at(1).end_sample, samplesFromSeconds(101));
        QVERIFY(record.tail.empty());
    }

    void aLongPauseBreaksTheLineAndAShortOneDoesNot()
    {
        // The gate's hang-over (0.7 s) and pre-roll (0.4 s) are part of a pause of 1.2 s: 0.1 s between utterances is the limit.
        for (const auto &[pause_ms, broken] : {std::pair{90, false}, std::pair{110, true}}) {
            Record record;
            SessionOptions options;
            options.lines.pause_samples = samplesFromMs(1200);
            auto session = sessionFor(record, std::make_unique<HalfSecondWords>(), options);
            session.beginUtterance();
            session.hear(speech(0.5), StepPacing::EveryStep);
            session.endUtterance();
            session.skip(samplesFromMs(pause_ms));
            session.beginUtterance();
            session.hear(speech(0.5), StepPacing::EveryStep);
            session.finish();
            const auto expected = broken ? std::vector<std::string>{"word", "break@8000", "word"} : std::vector<std::string>{"word", "word"};
            QCOMPARE(record.kinds(), expected);
        }
    }

    void aSentenceEndBreaksTheLineAtOnce_data()
    {
        QTest::addColumn<QString>("last");
        QTest::addColumn<bool>("ends");
        QTest::newRow("full stop") << "done." << true;
        QTest::newRow("question in quotes") << "done?\u201D" << true;
        QTest::newRow("full-width") << QString::fromUtf8("完了。") << true;
        QTest::newRow("ellipsis") << QString::fromUtf8("well…") << true;
        QTest::newRow("comma") << "done," << false;
        QTest::newRow("title") << "Dr." << false;
        QTest::newRow("bare") << "done" << false;
        QTest::newRow("only a bracket") << ")" << false;
    }
    void aSentenceEndBreaksTheLineAtOnce()
    {
        QFETCH(QString, last);
        QFETCH(bool, ends);
        Record record;
        auto session = sessionFor(record, std::make_unique<Saying>(std::vector{word("all"), word(last.toStdString())}));
        session.beginUtterance();
        session.hear(speech(0.5), StepPacing::EveryStep);
        session.endUtterance();
        QCOMPARE(record.items.size(), ends ? std::size_t{3} : std::size_t{2});
    }

    // Of ten minutes without a pause, too, nobody has to read one paragraph.
    void aLongMonologueIsBrokenAtSentenceEnds()
    {
        std::vector<text::Word> monologue;
        for (int i = 0; i < 200; ++i) {
            monologue.push_back(word(i % 10 == 9 ? "stop." : "word"));
        }
        Record record;
        auto session = sessionFor(record, std::make_unique<Saying>(monologue));
        session.beginUtterance();
        session.hear(speech(0.5), StepPacing::EveryStep);
        session.endUtterance();
        std::size_t line = 0;
        std::size_t breaks = 0;
        for (const auto &item : record.items) {
            const auto *spoken = std::get_if<text::Word>(&item);
            breaks += spoken == nullptr ? 1 : 0;
            line = spoken == nullptr ? 0 : line + spoken->text.size() + 1;
            QVERIFY(line < 240 + 60);
        }
        QVERIFY(breaks >= 4);
    }

    void theSettingSaysWhereALineEndsAndAfterHowLong_data()
    {
        QTest::addColumn<int>("ends");
        QTest::addColumn<int>("pause_ms");
        QTest::addColumn<QString>("lines");
        const auto row = [](const char *name, text::LineEnds ends, int pause_ms, const char *lines) {
            QTest::newRow(name) << static_cast<int>(ends) << pause_ms << lines;
        };
        row("pauses of 700 ms", text::LineEnds::AtPauses, 700, "one two. | three four | five");
        row("pauses of 300 ms", text::LineEnds::AtPauses, 300, "one | two. | three four | five");
        row("pauses of 900 ms", text::LineEnds::AtPauses, 900, "one two. three four | five");
        row("sentences", text::LineEnds::AtSentences, 300, "one two. | three four five");
        row("both", text::LineEnds::AtBoth, 900, "one two. | three four | five");
    }
    void theSettingSaysWhereALineEndsAndAfterHowLong()
    {
        QFETCH(int, ends);
        QFETCH(int, pause_ms);
        QFETCH(QString, lines);
        const auto at = [](const char *text, int start_ms) { return word(text, samplesFromMs(start_ms), samplesFromMs(start_ms + 200)); };
        SessionOptions options;
        options.lines.ends = static_cast<text::LineEnds>(ends);
        options.lines.pause_samples = samplesFromMs(pause_ms);
        options.lines.sentence_characters = 0;
        Record record;
        // Pauses of 300, 800, 0 and 1000 ms, in one utterance.
        auto session = sessionFor(
            record, std::make_unique<Saying>(std::vector{at("one", 0), at("two.", 500), at("three", 1500), at("four", 1700), at("five", 2900)}), options);
        session.beginUtterance();
        session.hear(speech(4), StepPacing::EveryStep);
        session.endUtterance();
        QString said;
        for (const auto &item : record.items) {
            const auto *spoken = std::get_if<text::Word>(&item);
            said += (said.isEmpty() ? "" : " ") + (spoken == nullptr ? QString("|") : QString::fromStdString(spoken->text));
        }
        QCOMPARE(said, lines);
    }

    void timesAreOrderedAndNeverInTheFutureWhateverThePolicySays()
    {
        Record record;
        const auto far = samplesFromSeconds(99);
        auto session = sessionFor(
            record, std::make_unique<Saying>(std::vector{word("a", 4000, 2000), word("b", 1000, far), word("c", far, 5), word("", 1, 2), word("d", -7, -9)}));
        session.beginUtterance();
        session.hear(speech(1.0), StepPacing::EveryStep);
        session.endUtterance();
        const auto words = record.words();
        QCOMPARE(words.size(), std::size_t{4});
        Sample before = 0;
        for (const auto &spoken : words) {
            QVERIFY(spoken.start_sample >= before);
            QVERIFY(spoken.end_sample >= spoken.start_sample);
            QVERIFY(spoken.end_sample <= samplesFromSeconds(1));
            QCOMPARE(spoken.committed_sample, samplesFromSeconds(1));
            before = spoken.end_sample;
        }
    }

    void aGapEndsTheUtteranceAndIsMarkedOnce()
    {
        Record record;
        auto session = sessionFor(record);
        session.beginUtterance();
        session.hear(speech(0.5), StepPacing::EveryStep);
        for (int i = 0; i < 30; ++i) {
            session.gap(1600, i == 0 ? "the microphone was lost" : "still waiting");
        }
        QVERIFY(!session.inUtterance());
        QCOMPARE(record.kinds(), (std::vector<std::string>{"word"}));
        session.skip(100);
        QCOMPARE(record.kinds(), (std::vector<std::string>{"word", "gap@8000+48000(the microphone was lost)"}));
        QCOMPARE(session.position(), Sample{8000 + 48000 + 100});
    }

    void aGapAtTheEndIsNotForgotten()
    {
        Record record;
        auto session = sessionFor(record);
        session.skip(100);
        session.gap(50, "unplugged");
        session.finish();
        QCOMPARE(record.kinds(), (std::vector<std::string>{"gap@100+50(unplugged)"}));
    }

    void aStoppedSessionTakesNoFurtherStep()
    {
        std::stop_source cancel;
        auto log = std::make_shared<PolicyLog>();
        Record record;
        CaptionSession session(std::make_unique<DisturbedPolicy>(log, [&] { cancel.request_stop(); }), {},
                               [&record](SessionUpdate update) { record.take(update); });
        session.beginUtterance();
        session.hear(speech(60), StepPacing::EveryStep, cancel.get_token());
        QCOMPARE(log->steps.load(), 1);
    }

    void statisticsCountComputeTimeAndRevisions()
    {
        double now = 0;
        SessionOptions options;
        options.seconds_clock = [&now] { return now; };
        double cost = 0.1;
        Record record;
        CaptionSession session(std::make_unique<DisturbedPolicy>(std::make_shared<PolicyLog>(), [&] { now += cost; }), options,
                               [&record](SessionUpdate update) { record.take(update); });
        session.beginUtterance();
        session.hear(speech(3.0), StepPacing::EveryStep);
        cost = 1.0;
        session.finish();
        const auto statistics = session.statistics();
        QCOMPARE(statistics.steps, 11);
        QCOMPARE(statistics.decoder_steps, 11);
        QVERIFY(qAbs(statistics.compute_seconds - 2.0) < 1e-9);
        QVERIFY(qAbs(statistics.step_times.median_ms - 100) < 1);
        QVERIFY(statistics.step_times.p95_ms > 100);
        QCOMPARE(statistics.committed_words, 6);
        QCOMPARE(statistics.revised_words, 0);
    }

    void theTailTellsHowLongWordsAreHeldBack()
    {
        Record record;
        auto session = sessionFor(record);
        session.beginUtterance();
        session.hear(speech(1.2), StepPacing::EveryStep);
        // Words end at 0.5, 1.0 and (incomplete) 1.2 s; half a second is held back.
        QCOMPARE(record.words().size(), std::size_t{1});
        QCOMPARE(session.statistics().decoded_samples - session.statistics().tail_start_sample, samplesFromMs(700));
    }

    void anotherPolicyGoesOnWhereTheFirstHasCommitted()
    {
        const auto sound = speech(4.1);
        Record record;
        const auto first = std::make_shared<PolicyLog>();
        const auto second = std::make_shared<PolicyLog>();
        auto session = sessionFor(record, std::make_unique<HalfSecondWords>(first));
        session.beginUtterance();
        session.hear(std::span(sound).first(33000), StepPacing::EveryStep);
        QVERIFY(!record.tail.empty());
        session.changePolicy(std::make_unique<HalfSecondWords>(second));
        QVERIFY(record.tail.empty());
        QCOMPARE(record.words().back().end_sample, 33000);
        session.hear(std::span(sound).subspan(33000), StepPacing::EveryStep);
        session.finish();
        QCOMPARE(first->heard_samples + second->heard_samples, static_cast<std::int64_t>(sound.size()));
        const auto words = record.words();
        for (std::size_t index = 1; index < words.size(); ++index) {
            QCOMPARE(words[index].start_sample, words[index - 1].end_sample);
        }
        QCOMPARE(record.kinds().size(), words.size());  // no break between them
        // Between utterances it only takes the place.
        session = sessionFor(record);
        session.skip(1000);
        session.changePolicy(std::make_unique<HalfSecondWords>(second));
        QVERIFY(!session.inUtterance());
    }

    void everyRevisionIsToldOnce()
    {
        RevisionLog log;
        auto rice = word("rice", 1000, 2000);
        const auto dish = word("dish", 0, 1000);
        QVERIFY(log.update({}, std::vector{dish, rice}, 3000).empty());
        rice.text = "rise";
        rice.revision_count = 1;
        rice.revised_from = "rice";
        const auto told = log.update({}, std::vector{dish, rice}, 6000);
        QCOMPARE(told.size(), std::size_t(1));
        QCOMPARE(told[0].before, std::string("rice"));
        QCOMPARE(told[0].after, std::string("rise"));
        QCOMPARE(told[0].heard_sample, 6000);
        // Timed anew, not reached for a step, back again, committed: the same revision.
        rice.start_sample += 3000;
        rice.end_sample += 3000;
        QVERIFY(log.update({}, std::vector{dish, rice}, 9000).empty());
        QVERIFY(log.update({}, std::vector{dish}, 12000).empty());
        QVERIFY(log.update({}, std::vector{dish, rice}, 15000).empty());
        QVERIFY(log.update(std::vector{dish}, std::vector{rice}, 18000).empty());
        // Revised again, and in the same step committed.
        rice.text = "rice";
        rice.revision_count = 2;
        rice.revised_from = "rise";
        const auto again = log.update(std::vector{rice}, {}, 21000);
        QCOMPARE(again.size(), std::size_t(1));
        QCOMPARE(again[0].before, std::string("rise"));
        // The same change in another place is another one, even side by side.
        auto one = word("a", 30000, 31000);
        one.revision_count = 1;
        one.revised_from = "the";
        auto other = word("a", 33000, 34000);
        other.revision_count = 1;
        other.revised_from = "the";
        QCOMPARE(log.update({}, std::vector{one, other}, 36000).size(), std::size_t(2));
        QVERIFY(log.update({}, std::vector{one, other}, 39000).empty());
    }

    void theChunkIsAskedForAnewAtEveryStep()
    {
        Record record;
        auto policy = std::make_unique<LongFirstChunk>();
        const LongFirstChunk &chunks = *policy;
        auto session = sessionFor(record, std::move(policy));
        const auto sound = speech(1.5);
        session.beginUtterance();
        session.hear(sound, StepPacing::EveryStep);
        QCOMPARE(chunks.steps, (std::vector<Sample>{samplesFromMs(700), samplesFromMs(200), samplesFromMs(200), samplesFromMs(200), samplesFromMs(200)}));
        session.endUtterance();
        session.beginUtterance();
        for (std::size_t at = 0; at < sound.size(); at += 100) {
            session.hear(std::span(sound).subspan(at, 100), StepPacing::EveryStep);
        }
        QCOMPARE(chunks.steps.size(), std::size_t(11));
        QCOMPARE(chunks.steps[6], samplesFromMs(700));
    }
};

QTEST_APPLESS_MAIN(CaptionSessionTest)
#include "tst_caption_session.moc"
