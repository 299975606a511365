// A translation session within its limits: what a sentence knows of those before it, and what happens where the model says too much or has no room.
#include <QtTest>

#include "tests/core/translation/translation_bench.h"

using namespace braid;
using namespace braid::translation;
using test::Bench;
using test::sayInCapitals;
using test::ScriptedTranslator;
using test::waiting;
using translation::TranslationEnd;

class TstTranslationLimits : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void theNextSentenceKnowsTheOneBefore();
    void contextKeepsItsLimitsAndEndsAtABlankLine();
    void aSentenceThatMetALimitIsNoContext();
    void whatALimitLeavesUnreadIsTranslatedByItself();
    void aModelWithLittleRoomTranslatesInParts();
    void aContextThatLeavesNoRoomIsLeftOut();
    void aUnitWithoutRoomIsToldAndLeftOut();
};

void TstTranslationLimits::theNextSentenceKnowsTheOneBefore()
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

void TstTranslationLimits::contextKeepsItsLimitsAndEndsAtABlankLine()
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

void TstTranslationLimits::aSentenceThatMetALimitIsNoContext()
{
    TranslationSettings settings = waiting(2);
    settings.wait_k.max_target_tokens = 20;
    Bench bench(settings, [](const ScriptedTranslator::State &state) {
        return state.source.front() == "babble." ? " bla" + std::to_string(state.target.size()) : sayInCapitals(state);
    });
    bench.session->addText("one. babble. two.");
    bench.session->endSource();
    bench.work();
    const auto ended = bench.all<SentenceEnded>();
    QCOMPARE(ended[1].end, TranslationEnd::TooManyTokens);
    QCOMPARE(ended[2].target, std::string("TWO."));
    QVERIFY(bench.model->contexts.back().source.empty());
}

void TstTranslationLimits::whatALimitLeavesUnreadIsTranslatedByItself()
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

void TstTranslationLimits::aModelWithLittleRoomTranslatesInParts()
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

void TstTranslationLimits::aContextThatLeavesNoRoomIsLeftOut()
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

void TstTranslationLimits::aUnitWithoutRoomIsToldAndLeftOut()
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

QTEST_APPLESS_MAIN(TstTranslationLimits)
#include "tst_translation_limits.moc"
