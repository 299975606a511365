// The speech-llm policy over a scripted transcriber: what is written is settled at once and in order, nothing is lost however sound comes, and windows
// follow one another for as long as somebody speaks.
#include <QtTest>

#include <random>

#include "core/captions/speech_llm_policy.h"

using namespace braid;
using namespace braid::captions;

namespace {

constexpr Sample kSegment = samplesFromMs(400);
constexpr Sample kLookAhead = 360;

// Says one word for every segment from the k-th on, "0.3" for the third of the first window; the rest at the end.
class CountingTranscriber final : public SegmentTranscriber {
  public:
    CountingTranscriber(std::int64_t k, std::int64_t most_segments)
        : m_k(k)
        , m_most(most_segments)
    {
    }

    void begin() override
    {
        ++window;
        m_sound = m_read = m_said = 0;
        m_finished = false;
    }
    void addSound(std::span<const float> sound) override
    {
        m_sound += static_cast<Sample>(sound.size());
        heard += static_cast<Sample>(sound.size());
    }
    bool segmentReady() const override { return m_sound >= (m_read + 1) * kSegment + kLookAhead; }
    SegmentStep readSegment() override
    {
        QTEST_ASSERT(segmentReady() && !isFull() && !m_finished);
        ++m_read;
        SegmentStep step;
        step.decoder_passes = 1;
        if (m_read >= m_k) {
            say(step);
        }
        return step;
    }
    SegmentStep finish() override
    {
        QTEST_ASSERT(!m_finished);
        m_finished = true;
        SegmentStep step;
        while (m_said < m_read) {
            say(step);
        }
        return step;
    }
    bool isFull() const override { return m_read >= m_most; }
    Sample segmentSamples() const override { return kSegment; }
    Sample lookAheadSamples() const override { return kLookAhead; }
    std::int64_t segmentsAhead() const override { return m_k; }

    int window = -1;
    Sample heard = 0;

  private:
    void say(SegmentStep &step)
    {
        WrittenWord &written = step.words.emplace_back();
        written.word.text = std::to_string(window) + "." + std::to_string(++m_said);
        written.segments_read = m_read;
    }

    std::int64_t m_k;
    std::int64_t m_most;
    Sample m_sound = 0;
    std::int64_t m_read = 0;
    std::int64_t m_said = 0;
    bool m_finished = false;
};

struct Policy {
    CountingTranscriber *transcriber = nullptr;
    std::unique_ptr<SpeechLlmPolicy> policy;

    explicit Policy(std::int64_t k = 3, std::int64_t most_segments = 1000, SpeechLlmOptions options = {})
    {
        auto owned = std::make_unique<CountingTranscriber>(k, most_segments);
        transcriber = owned.get();
        policy = std::make_unique<SpeechLlmPolicy>(std::move(owned), options);
        policy->beginUtterance(0);
        transcriber->window = 0;
    }
};

std::vector<float> loud(Sample samples)
{
    std::vector<float> sound(static_cast<std::size_t>(samples));
    std::mt19937 random(4);
    for (float &value : sound) {
        value = static_cast<float>(random() % 2000) / 2000.0f - 0.5f;
    }
    return sound;
}

std::vector<std::string> textsOf(const std::vector<text::Word> &words)
{
    std::vector<std::string> texts;
    for (const text::Word &word : words) {
        texts.push_back(word.text);
    }
    return texts;
}

}  // namespace

class tst_speech_llm_policy : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void writtenIsSettled()
    {
        Policy one(3);
        QCOMPARE(one.policy->stepSamples(), kSegment + kLookAhead);
        std::vector<std::size_t> settled;
        for (int segment = 0; segment < 5; ++segment) {
            one.policy->addSound(loud(one.policy->stepSamples()));
            const PolicyUpdate update = one.policy->step();
            QVERIFY(update.tail.empty());
            settled.push_back(update.committed.size());
            QCOMPARE(update.decoded_until_sample, (segment + 1) * kSegment);
        }
        QCOMPARE(settled, (std::vector<std::size_t>{0, 0, 1, 1, 1}));
        QCOMPARE(textsOf(one.policy->endUtterance().committed), (std::vector<std::string>{"0.4", "0.5"}));
    }

    // A word stands in the segment that wait-k pairs it with; those written at the end share what is left.
    void wordTimes()
    {
        Policy one(2);
        one.policy->beginUtterance(1600);
        one.policy->addSound(loud(4 * kSegment + kLookAhead));
        std::vector<text::Word> words = one.policy->step().committed;
        QCOMPARE(words.size(), std::size_t(3));
        for (std::size_t i = 0; i < words.size(); ++i) {
            QCOMPARE(words[i].start_sample, 1600 + static_cast<Sample>(i) * kSegment);
            QCOMPARE(words[i].end_sample, 1600 + static_cast<Sample>(i + 1) * kSegment);
            QVERIFY(words[i].time_method == text::WordTimeMethod::ChunkArrival);
            QCOMPARE(words[i].committed_sample, 1600 + 4 * kSegment + kLookAhead);
        }
        const std::vector<text::Word> last = one.policy->endUtterance().committed;
        QCOMPARE(last.size(), std::size_t(1));
        QCOMPARE(last.front().start_sample, words.back().end_sample);
        QCOMPARE(last.front().end_sample, 1600 + 4 * kSegment + kLookAhead);
    }

    // The same words at the same times, in pieces of any size and after any number of segments a step.
    void piecesDoNotMatter()
    {
        const std::vector<float> sound = loud(23 * kSegment + 777);
        const auto words = [&](std::mt19937 random, Sample most) {
            Policy one(3, 7);
            std::vector<text::Word> all;
            const auto take = [&all](PolicyUpdate update) { all.insert(all.end(), update.committed.begin(), update.committed.end()); };
            for (std::size_t given = 0; given < sound.size();) {
                const std::size_t count = std::min<std::size_t>(1 + random() % static_cast<std::size_t>(most), sound.size() - given);
                one.policy->addSound(std::span<const float>(sound).subspan(given, count));
                given += count;
                take(one.policy->step());
            }
            take(one.policy->endUtterance());
            std::vector<std::tuple<std::string, Sample, Sample>> told;
            for (const text::Word &word : all) {
                told.emplace_back(word.text, word.start_sample, word.end_sample);
            }
            return told;
        };
        const auto at_once = words(std::mt19937(1), 1000000);
        QVERIFY(at_once.size() >= 23);
        for (std::size_t i = 1; i < at_once.size(); ++i) {
            QVERIFY(std::get<1>(at_once[i]) >= std::get<2>(at_once[i - 1]));
            QVERIFY(std::get<2>(at_once[i]) >= std::get<1>(at_once[i]));
        }
        for (const Sample most : {200, 5000, 20000, 90000}) {
            QVERIFY(words(std::mt19937(2), most) == at_once);
        }
    }

    // A window that is full is written to its end, and the next one begins where it ended.
    void windowsFollowOneAnother()
    {
        Policy one(3, 5);
        one.policy->addSound(loud(12 * kSegment + kLookAhead));
        QCOMPARE(textsOf(one.policy->step().committed), (std::vector<std::string>{"0.1", "0.2", "0.3", "0.4", "0.5", "1.1", "1.2", "1.3", "1.4", "1.5"}));
        QCOMPARE(one.policy->windows(), 3);
        // What stands behind a window's last segment is heard by both: nothing more.
        QCOMPARE(one.transcriber->heard, 12 * kSegment + kLookAhead + 2 * kLookAhead);
        QCOMPARE(textsOf(one.policy->endUtterance().committed), (std::vector<std::string>{"2.1", "2.2"}));
    }

    void aPauseBeginsANewWindow()
    {
        SpeechLlmOptions options;
        options.restart_after_samples = 4 * kSegment;
        Policy one(3, 1000, options);
        one.policy->addSound(loud(6 * kSegment));
        one.policy->addSound(std::vector<float>(static_cast<std::size_t>(2 * kSegment), 0.0f));
        one.policy->addSound(loud(2 * kSegment));
        static_cast<void>(one.policy->step());
        QVERIFY(one.policy->windows() >= 2);
        Policy without(3, 1000, options);
        without.policy->addSound(loud(10 * kSegment));
        static_cast<void>(without.policy->step());
        QCOMPARE(without.policy->windows(), 1);
    }

    void utterancesAreApart()
    {
        Policy one(2);
        one.policy->addSound(loud(3 * kSegment));
        static_cast<void>(one.policy->step());
        static_cast<void>(one.policy->endUtterance());
        one.policy->beginUtterance(100 * kSegment);
        QCOMPARE(one.policy->stepSamples(), kSegment + kLookAhead);
        one.policy->addSound(loud(2 * kSegment + kLookAhead));
        const std::vector<text::Word> words = one.policy->step().committed;
        QCOMPARE(words.size(), std::size_t(1));
        QCOMPARE(words.front().start_sample, 100 * kSegment);
        QVERIFY(one.policy->endUtterance().tail.empty());
        QVERIFY(one.policy->endUtterance().committed.empty());  // nothing was heard
    }
};

QTEST_GUILESS_MAIN(tst_speech_llm_policy)
#include "tst_speech_llm_policy.moc"
