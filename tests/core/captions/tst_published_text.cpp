// Published checkpoints give published text: through the whole policy, with everything it does beside decoding, the released rules say after
// every chunk what the released programs say (reference_decoders.h), greedy and with a beam. What the released programs take back from
// behind words that have settled is where the two must part: what settled stays. That is rare, and counted.
#include <QtTest>

#include "core/captions/streaming_policy.h"
#include "tests/core/captions/function_recognizer.h"
#include "tests/core/captions/random_talks.h"

using namespace braid;
using namespace braid::captions;
using namespace braid::test;

namespace {

constexpr int kChunks = 12;

void appendIds(Tokens &ids, std::span<const text::Word> words)
{
    for (const text::Word &word : words) {
        for (const text::Token &token : word.tokens) {
            ids.push_back(token.id);
        }
    }
}

bool beginsWith(const Tokens &row, const Tokens &beginning)
{
    return row.size() >= beginning.size() && std::equal(beginning.begin(), beginning.end(), row.begin());
}

}  // namespace

Q_DECLARE_METATYPE(braid::captions::StabilityRule)

class TestPublishedText : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void thePolicySaysWhatTheReleasedProgramsSay_data()
    {
        QTest::addColumn<StabilityRule>("rule");
        QTest::addColumn<int>("beam");
        for (const int beam : {1, 2, 5}) {
            QTest::addRow("v1, %d rows", beam) << StabilityRule::ReleasedV1 << beam;
            QTest::addRow("v2, %d rows", beam) << StabilityRule::ReleasedV2 << beam;
        }
    }
    void thePolicySaysWhatTheReleasedProgramsSay()
    {
        QFETCH(StabilityRule, rule);
        QFETCH(int, beam);
        int compared = 0, parted = 0, settled_words = 0;
        for (unsigned number = 1; number <= 200; ++number) {
            RandomTalk talk(number, rule, beam);
            talk.settings.most_calls = 28;  // the policy has the released limits
            talk.settings.most_tokens = 448;
            ReferenceGreedy greedy(talk.model, talk.settings);
            ReferenceBeam rows(talk.model, talk.settings);
            StreamingOptions options;
            options.beam_size = beam;
            options.look_back_tokens = talk.settings.look_back;
            options.stability = rule;
            StreamingPolicy policy(std::make_unique<FunctionRecognizer>(talk.model, talk.settings), options);
            Tokens settled;
            for (std::int64_t chunk = 0; chunk < kChunks; ++chunk) {
                policy.addSound(std::vector<float>(static_cast<std::size_t>(policy.stepSamples())));
                const PolicyUpdate update = policy.step();
                const std::int64_t frames = Chunking{}.blockEnd(chunk);
                Tokens expected = beam > 1 ? rows.chunk(frames) : greedy.chunk(frames);
                expected.erase(expected.begin(), expected.begin() + static_cast<std::ptrdiff_t>(std::min(expected.size(), talk.settings.prompt.size())));
                const bool takes_settled_back = !beginsWith(expected, settled);
                appendIds(settled, update.committed);
                Tokens found = settled;
                appendIds(found, update.tail);
                // Of a beam, rows that disagree with what has settled are dropped: that may tell only later.
                if (takes_settled_back || (beam > 1 && !settled.empty() && found != expected)) {
                    ++parted;
                    break;
                }
                QVERIFY2(found == expected,
                         qPrintable(QString("talk %1, chunk %2: %3 tokens, expected %4").arg(number).arg(chunk).arg(found.size()).arg(expected.size())));
                ++compared;
            }
            settled_words += static_cast<int>(settled.size());
        }
        QVERIFY2(compared > 2300 && settled_words > 400 && parted < 16,
                 qPrintable(QString("%1 compared, %2 settled, %3 parted").arg(compared).arg(settled_words).arg(parted)));
    }
};

QTEST_APPLESS_MAIN(TestPublishedText)
#include "tst_published_text.moc"
