// What a training window is made of: the words that were said by each time point and at each frame, the teacher's rows beside them, and that all of it
// moves together where a disturbance makes the sound longer or shorter.
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include <c10/util/Half.h>

#include "core/base/file.h"
#include "lab/train/window_maker.h"
#include "tests/lab/train/tone_speech.h"

using namespace braid;
using namespace braid::train;
using nlohmann::json;

namespace {

// Five words in 1.92 s, which are 48 frames of 40 ms: word i lies in frames 9i + 3 to 9i + 9, its space in the first half of them and its letter
// in the second. The teacher knows the first 24 frames, and its rows say their own number.
const std::vector<std::string> kWords = {"a", "b", "c", "d", "a"};
constexpr double kFrames = 48;
constexpr double kKnownFrames = 24;
constexpr std::int32_t kEnd = 256;

double startOf(std::size_t word)
{
    return 9.0 * static_cast<double>(word) + 3;
}
double middleOf(std::size_t word)
{
    return startOf(word) + 3;
}
double endOf(std::size_t word)
{
    return startOf(word) + 6;
}

struct Studio : test::ToneSpeech {
    explicit Studio(const json &disturbance)
        : ToneSpeech({kWords})
        , disturbing(recipe({{"teacher", "teacher.safetensors"},
                             {"corpora", {{{"manifest", "tones.jsonl"}, {"features", true}}}},
                             {"chunks", {{"first_ms", 120}, {"chunk_ms", {120}}}},
                             {"points", {{"fraction", 1}, {"least", 1}, {"most", 100}}},
                             {"disturbance", disturbance}}))
        , library(disturbing, *tokenizer, {})
        , speech(library.corpora()[0].speech[0])
    {
        std::vector<c10::Half> rows;
        for (int i = 0; i < static_cast<int>(kKnownFrames); ++i) {
            rows.emplace_back(static_cast<float>(i));
            rows.emplace_back(100.0f);
        }
        KeyedStore(folder / "features").add(speech.key, std::as_bytes(std::span(rows)));
        const std::vector<float> statistics = {0, 0, 1, 1};  // means, then deviations
        writeFileAtomically(folder / "features.stats", {reinterpret_cast<const char *>(statistics.data()), 16});
        features.emplace(folder / "features", 2);
        maker.emplace(library, &*features, disturbing, test::smallDims(), kEnd, 38);
    }
    // The whole utterance in a window, as the batch of this number would have it.
    [[nodiscard]] Batch batch(std::uint64_t number = 0) const
    {
        return maker->make({{{{&speech, 0, static_cast<Sample>(speech.sound.size())}}, 0}}, 0, number);
    }

    Recipe disturbing;
    SpeechLibrary library;
    const Speech &speech;
    std::optional<FeatureLibrary> features;
    std::optional<WindowMaker> maker;
};

// The band that is loudest at a place in encoder frames, and how loud it is.
std::pair<std::int64_t, float> loudestAt(const Batch &batch, double frame)
{
    const auto first = batch.mel.begin() + std::lround(frame * 4) * batch.bands;  // a mel frame every 10 ms
    const auto loudest = std::max_element(first, first + batch.bands);
    return {loudest - first, *loudest};
}

// Sound, words and the teacher's rows are all where they were, times `scale`.
void checkScaled(const Batch &batch, const Studio &studio, double scale)
{
    // The sound: words are heard where they should be, and nothing between them.
    QCOMPARE(batch.mel_frames, batch.frames * 4);
    for (std::size_t word = 0; word < kWords.size(); ++word) {
        const float said = loudestAt(batch, middleOf(word) * scale).second;
        const float pause = loudestAt(batch, (endOf(word) + 1.5) * scale).second;
        QVERIFY2(said > 0.8f && pause < 0.2f, qPrintable(QStringLiteral("word %1: %2 and then %3").arg(word).arg(said).arg(pause)));
    }
    // A time point has the words that ended by then, each token in its frame. (What falls on an edge may go to either side.)
    for (const TextRow &row : batch.rows) {
        const bool is_whole = row.visible_frames == batch.frames;
        std::string words;
        bool is_on_edge = false;
        for (std::size_t word = 0; word < kWords.size(); ++word) {
            const double left = static_cast<double>(row.visible_frames) - endOf(word) * scale;
            is_on_edge = is_on_edge || (!is_whole && std::abs(left) < 1e-6);
            words += is_whole || left >= 0 ? " " + kWords[word] : "";
        }
        if (is_on_edge) {
            continue;
        }
        QCOMPARE(studio.tokenizer->decode(row.tokens), words);
        for (std::size_t i = 0; i < row.token_frames.size(); ++i) {
            const double middle = (startOf(i / 2) + (i % 2 == 0 ? 1.5 : 4.5)) * scale;
            QVERIFY(std::abs(row.token_frames[i] + 0.5 - middle) < 0.5 + 1e-6);
        }
    }
    QCOMPARE(batch.rows.back().visible_frames, batch.frames);
    // A frame is labelled with what is said in its middle.
    for (std::int64_t frame = 0; frame < batch.frames; ++frame) {
        const double at = (static_cast<double>(frame) + 0.5) / scale;
        std::int32_t wanted = kEnd;
        bool is_on_edge = false;
        for (std::size_t word = 0; word < kWords.size(); ++word) {
            for (const double edge : {startOf(word), middleOf(word), endOf(word)}) {
                is_on_edge = is_on_edge || std::abs(at - edge) < 1e-6;
            }
            if (at >= startOf(word) && at < endOf(word)) {
                wanted = at < middleOf(word) ? ' ' : kWords[word][0];
            }
        }
        QVERIFY2(is_on_edge || batch.frame_labels[static_cast<std::size_t>(frame)] == wanted, std::to_string(frame).c_str());
    }
    // The teacher's rows: as many as it knew, scaled, and each beside the sound that it was computed from.
    QCOMPARE(batch.feature_width, 2);
    std::int64_t known = 0;
    for (std::int64_t frame = 0; frame < batch.frames; ++frame) {
        const auto at = static_cast<std::size_t>(frame);
        if (batch.feature_known[at] > 0) {
            QCOMPARE(frame, known);
            ++known;
            QVERIFY(std::abs(batch.features[2 * at] - static_cast<double>(frame) / scale) < 0.5);
            QVERIFY(std::abs(batch.features[2 * at + 1] - 100) < 0.1);
        }
    }
    QVERIFY2(std::abs(static_cast<double>(known) - kKnownFrames * scale) <= 1, std::to_string(known).c_str());
}

}  // namespace

class tst_training_windows : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void batchesSayWhatWasSpoken()
    {
        const test::ToneSpeech tones({{"c", "d", "a"}});
        json changes;
        changes["losses"] = {{"frames", 1}, {"frame_delay_ms", 80}};
        changes["points"] = {{"fraction", 1}, {"least", 1}, {"most", 100}};
        const Recipe recipe = tones.recipe(changes);
        const SpeechLibrary library(recipe, *tones.tokenizer, {});
        const WindowMaker maker(library, nullptr, recipe, test::smallDims(), 256, 38);
        const Speech &speech = library.corpora()[0].speech[0];  // words at 120..360, 480..720, 840..1080 ms, 1200 ms long
        const Batch batch = maker.makePlain({&speech}, maker.chunking(120), 0);
        QCOMPARE(batch.frames, 30);
        QCOMPARE(batch.mel_frames, 120);
        QCOMPARE(batch.seconds, 1.2);
        // Blocks end at 120, 240, ..., 1080 ms; the last row is the end.
        QCOMPARE(batch.rows.size(), std::size_t{10});
        for (const TextRow &row : batch.rows) {
            std::string words;
            for (const auto &[end_ms, letters] : {std::pair<int, const char *>{360, " c"}, {720, " d"}, {1080, " a"}}) {
                words += row.visible_frames * 40 >= end_ms ? letters : "";
            }
            QCOMPARE(tones.tokenizer->decode(row.tokens), words);
            QCOMPARE(row.tokens.size(), row.token_frames.size());
        }
        QCOMPARE(batch.rows.back().visible_frames, 30);
        QCOMPARE(batch.rows.back().token_frames, (std::vector<std::int32_t>{4, 7, 13, 16, 22, 25}));
        // 80 ms late: " " of " c" is spoken at 120..240 ms, so from frame 5 (its middle 80 ms ago was at 140 ms) to frame 7.
        for (std::size_t frame = 0; frame < 30; ++frame) {
            const double spoken_ms = static_cast<double>(frame) * 40 + 20 - 80;
            std::int32_t wanted = 256;
            for (const SpokenToken &token : speech.tokens) {
                if (spoken_ms * 16 >= static_cast<double>(token.start) && spoken_ms * 16 < static_cast<double>(token.end)) {
                    wanted = token.id;
                }
            }
            QCOMPARE(batch.frame_labels[frame], wanted);
        }
    }

    void theWindowsEndIsATimePointAlwaysOrDrawnLikeTheOthers()
    {
        const test::ToneSpeech tones({{"c", "d", "a"}});
        int with_the_end = 0;
        for (const char *end : {"always", "drawn"}) {
            json changes;
            changes["chunks"] = {{"first_ms", 120}, {"chunk_ms", {120}}};
            changes["points"] = {{"fraction", 0.3}, {"least", 1}, {"most", 100}, {"end", end}};
            const Recipe recipe = tones.recipe(changes);
            const SpeechLibrary library(recipe, *tones.tokenizer, {});
            const WindowMaker maker(library, nullptr, recipe, test::smallDims(), 256, 38);
            const Speech &speech = library.corpora()[0].speech[0];
            const bool is_drawn = recipe.points.end == WindowEnd::Drawn;
            for (std::uint64_t number = 0; number < 100; ++number) {
                const Batch batch = maker.make({{{{&speech, 0, static_cast<Sample>(speech.sound.size())}}, 0}}, 0, number);
                // Nine blocks end before the window does, and three in ten of what can be drawn are.
                QCOMPARE(batch.rows.size(), is_drawn ? std::size_t{3} : std::size_t{4});
                QVERIFY(is_drawn || batch.rows.back().visible_frames == batch.frames);
                with_the_end += is_drawn && batch.rows.back().visible_frames == batch.frames ? 1 : 0;
            }
            QCOMPARE(maker.makePlain({&speech}, maker.chunking(120), 1).rows.back().visible_frames, 30);  // what is validated has it always
        }
        QVERIFY2(with_the_end > 15 && with_the_end < 45, std::to_string(with_the_end).c_str());
    }

    void speedStretchesAllThatBelongsToTheSound()
    {
        const Studio studio(json{{"speed", 1}, {"least_speed", 0.8}, {"most_speed", 0.8}});
        const Batch batch = studio.batch();
        QCOMPARE(batch.frames, 60);
        QCOMPARE(batch.seconds, 2.4);
        checkScaled(batch, studio, 1 / 0.8);
    }

    void fasterSpeechTakesLessOfEverything()
    {
        const Studio studio(json{{"speed", 1}, {"least_speed", 1.2}, {"most_speed", 1.2}});
        const Batch batch = studio.batch();
        QCOMPARE(batch.frames, 40);
        checkScaled(batch, studio, 1 / 1.2);
    }

    void aSpeedThatWouldNotFitTheWindowIsLeftOut()
    {
        const Studio studio(json{{"speed", 1}, {"least_speed", 0.5}, {"most_speed", 0.5}});  // 96 frames, where the model has 60
        const Batch batch = studio.batch();
        QCOMPARE(batch.frames, 48);
        checkScaled(batch, studio, 1);
    }

    void tempoStretchesAllThatBelongsToTheSound()
    {
        const Studio studio(json{{"tempo", 1}, {"most_tempo", 0.24}});
        std::set<std::int64_t> lengths;
        for (std::uint64_t number = 0; number < 8; ++number) {
            const Batch batch = studio.batch(number);
            QVERIFY(batch.frames >= 36 && batch.frames <= 60);
            checkScaled(batch, studio, static_cast<double>(batch.frames) / kFrames);
            lengths.insert(batch.frames);
        }
        QVERIFY(*lengths.begin() < 44 && *lengths.rbegin() > 52);
    }

    void speedLowersThePitchAndTempoKeepsIt()
    {
        const Batch plain = Studio(json::object()).batch();
        const Batch slow = Studio(json{{"speed", 1}, {"least_speed", 0.8}, {"most_speed", 0.8}}).batch();
        const Batch other = Studio(json{{"tempo", 1}, {"most_tempo", 0.24}}).batch();
        for (std::size_t word = 0; word < kWords.size(); ++word) {
            const std::int64_t band = loudestAt(plain, middleOf(word)).first;
            QVERIFY(loudestAt(slow, middleOf(word) * 1.25).first <= band - 2);
            QCOMPARE(loudestAt(other, middleOf(word) * static_cast<double>(other.frames) / kFrames).first, band);
        }
    }
};

QTEST_GUILESS_MAIN(tst_training_windows)
#include "tst_training_windows.moc"
