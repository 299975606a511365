// Words are written as a person wants them before they are committed, and never after: what may be the beginning of an entry waits in the tail.
#include <QtTest>

#include "core/captions/caption_session.h"
#include "core/captions/written_words.h"
#include "tests/support/engine_fakes.h"

using namespace braid;
using namespace braid::testing;
using namespace braid::captions;

namespace {

// Settles one word a step, and leaves the next in its tail.
class WordByWord final : public CaptionPolicy {
  public:
    explicit WordByWord(std::vector<text::Word> words)
        : m_words(std::move(words))
    {
    }
    [[nodiscard]] std::string name() const override { return "word-by-word"; }
    [[nodiscard]] Sample stepSamples() const override { return samplesFromSeconds(1); }
    void beginUtterance(Sample) override {}
    void addSound(std::span<const float>) override {}
    [[nodiscard]] PolicyUpdate step() override
    {
        PolicyUpdate update;
        if (m_next < m_words.size()) {
            update.committed = {m_words[m_next++]};
        }
        if (m_next < m_words.size()) {
            update.tail = {m_words[m_next]};
        }
        return update;
    }
    [[nodiscard]] PolicyUpdate endUtterance() override
    {
        PolicyUpdate update;
        update.committed.assign(m_words.begin() + static_cast<std::ptrdiff_t>(m_next), m_words.end());
        m_next = m_words.size();
        return update;
    }

  private:
    std::vector<text::Word> m_words;
    std::size_t m_next = 0;
};

text::Word word(const std::string &text, double start_s, double end_s)
{
    text::Word made;
    made.text = text;
    made.start_sample = samplesFromSeconds(start_s);
    made.end_sample = samplesFromSeconds(end_s);
    return made;
}

// A run of such words, by a list.
struct Stage {
    Stage(std::vector<text::Word> words, const char *list)
        : session(writtenBy(book, std::make_unique<WordByWord>(std::move(words))), {}, [this](const SessionUpdate &update) { take(update); })
    {
        book->set(text::WordRules::parse(list, "list"));
        session.beginUtterance();
    }
    void take(const SessionUpdate &update)
    {
        for (const text::TranscriptItem &item : update.committed) {
            items.push_back(item);
        }
        tail = update.tail;
    }
    void hear(double seconds) { session.hear(speech(seconds), StepPacing::EveryStep); }
    [[nodiscard]] QStringList committed() const
    {
        QStringList texts;
        for (const text::TranscriptItem &item : items) {
            const auto *said = std::get_if<text::Word>(&item);
            texts << (said != nullptr ? QString::fromStdString(said->text) : QStringLiteral("|"));
        }
        return texts;
    }
    [[nodiscard]] QStringList unsettled() const
    {
        QStringList texts;
        for (const text::Word &said : tail) {
            texts << QString::fromStdString(said.text);
        }
        return texts;
    }
    [[nodiscard]] const text::Word &newest() const { return std::get<text::Word>(items.back()); }

    std::shared_ptr<WordBook> book = std::make_shared<WordBook>();
    text::Transcript items;
    std::vector<text::Word> tail;
    CaptionSession session;
};

}  // namespace

class WrittenWordsTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void anEntryOverABoundaryOfCommitmentWaits()
    {
        Stage stage({word("use", 0, 0.3), word("lib", 0.4, 0.6), word("torch,", 0.7, 0.9), word("braid", 1, 1.3), word("lib", 1.4, 1.6)},
                    "lib torch -> libtorch\nbraid -> Braid");
        stage.hear(1);
        QCOMPARE(stage.committed(), (QStringList{"use"}));
        QCOMPARE(stage.unsettled(), (QStringList{"lib"}));
        stage.hear(1);
        QCOMPARE(stage.committed(), (QStringList{"use"}));  // "lib" is settled by the policy, and waits
        QCOMPARE(stage.unsettled(), (QStringList{"libtorch,"}));
        QCOMPARE(stage.tail.front().committed_sample, Sample{0});
        QCOMPARE(stage.session.statistics().committed_words, std::int64_t{1});
        stage.hear(1);
        QCOMPARE(stage.committed(), (QStringList{"use", "libtorch,"}));
        QCOMPARE(stage.newest().heard, std::string("lib torch,"));
        QCOMPARE(stage.newest().start_sample, samplesFromSeconds(0.4));
        QCOMPARE(stage.newest().end_sample, samplesFromSeconds(0.9));
        QCOMPARE(stage.newest().committed_sample, samplesFromSeconds(3));
        QCOMPARE(stage.unsettled(), (QStringList{"Braid"}));
        stage.hear(2);
        QCOMPARE(stage.committed(), (QStringList{"use", "libtorch,", "Braid"}));
        QCOMPARE(stage.unsettled(), (QStringList{"lib"}));
        stage.session.finish();  // nothing follows any more
        QCOMPARE(stage.committed(), (QStringList{"use", "libtorch,", "Braid", "lib"}));
        QCOMPARE(stage.newest().heard, std::string());
        QVERIFY(stage.tail.empty());
        QCOMPARE(stage.session.statistics().committed_words, std::int64_t{4});
    }
    void noEntryGoesOverAPauseOrAnUtterance()
    {
        Stage stage({word("lib", 0, 0.3), word("torch", 2, 2.3), word("lib", 2.4, 2.6)}, "lib torch -> libtorch");
        stage.hear(3);
        stage.session.endUtterance();
        QCOMPARE(stage.committed(), (QStringList{"lib", "|", "torch", "lib"}));
    }
    void anotherListHoldsFromTheNextStep()
    {
        Stage stage({word("braid", 0, 0.3), word("braid", 0.4, 0.6), word("lib", 0.7, 0.9), word("braid", 1, 1.2)}, "");
        stage.hear(1);
        stage.book->set(text::WordRules::parse("braid -> Braid\nlib torch -> libtorch", "list"));
        stage.hear(1);
        QCOMPARE(stage.committed(), (QStringList{"braid", "Braid"}));  // committed is for ever
        stage.hear(1);
        QCOMPARE(stage.committed(), (QStringList{"braid", "Braid"}));
        stage.book->set({});
        stage.hear(1);
        QCOMPARE(stage.committed(), (QStringList{"braid", "Braid", "lib", "braid"}));  // what waited does so no more
        stage.session.finish();
    }
    void anotherPolicyLosesNothing()
    {
        Stage stage({word("use", 0, 0.3), word("lib", 0.4, 0.6)}, "lib torch -> libtorch");
        stage.hear(2);
        QCOMPARE(stage.committed(), (QStringList{"use"}));
        stage.session.changePolicy(writtenBy(stage.book, std::make_unique<WordByWord>(std::vector<text::Word>{word("torch", 0.7, 0.9)})));
        QCOMPARE(stage.committed(), (QStringList{"use", "lib"}));
        stage.hear(1);
        QCOMPARE(stage.committed(), (QStringList{"use", "lib", "torch"}));
        QCOMPARE(writtenBy(stage.book, std::make_unique<WordByWord>(std::vector<text::Word>{}))->name(), std::string("word-by-word"));
    }
    // The same words, whatever a step brings: a policy that knows all at the end is written as one that settles word by word.
    void theResultDoesNotDependOnTheSteps()
    {
        std::vector<text::Word> said;
        for (const char *text : {"lib", "torch", "audio", "lib", "lib", "torch", "braid", "darn", "lib"}) {
            const auto at = static_cast<double>(said.size()) * 0.4;
            said.push_back(word(text, at, at + 0.3));
        }
        const char *list = "lib torch -> libtorch\nlib torch audio -> torchaudio\nbraid -> Braid\n* darn";
        Stage slowly(said, list);
        slowly.hear(12);
        slowly.session.finish();
        Stage at_once(said, list);
        at_once.session.finish();
        QCOMPARE(slowly.committed(), at_once.committed());
        QCOMPARE(slowly.committed(), (QStringList{"torchaudio", "lib", "libtorch", "Braid", "d***", "lib"}));
    }
};

QTEST_APPLESS_MAIN(WrittenWordsTest)
#include "tst_written_words.moc"
