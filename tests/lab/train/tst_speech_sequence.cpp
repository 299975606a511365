// What a language model that listens learns from: every row that learns sees exactly what a run sees when it predicts, waiting included.
#include <QTemporaryDir>
#include <QtTest>

#include <fstream>
#include <random>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "core/models/decoder_lm/translation_run.h"
#include "core/text/tokenizer_learner.h"
#include "lab/train/speech_lm/speech_sequence.h"
#include "tests/support/hashed_lm.h"

using namespace braid;
using namespace braid::train;

namespace {

constexpr std::int64_t kWidth = 14;

models::lm::DecoderLm smallModel()
{
    weights::LmConfig config;
    config.family = weights::LmFamily::Qwen3;
    config.vocabulary = 270;
    config.width = kWidth;
    config.mlp_width = 18;
    config.layers = 2;
    config.heads = 2;
    config.key_value_heads = 1;
    config.head_width = 6;
    config.context = 512;
    config.head_norms = true;
    config.attention_scale = 1 / std::sqrt(6.0);
    config.rope.width = 6;
    config.windows.assign(2, 0);
    weights::LmCheckpoint checkpoint = test::hashedLm("speech sequence/", config);
    return models::lm::DecoderLm(checkpoint, {});
}

std::int32_t idOf(char letter)
{
    return static_cast<std::int32_t>(static_cast<unsigned char>(letter));
}

}  // namespace

class tst_speech_sequence : public QObject {
    Q_OBJECT

    std::optional<text::TranslationFrame> m_frame;

  private Q_SLOTS:
    void initTestCase()
    {
        at::set_num_threads(1);
        at::manual_seed(1);
        const QTemporaryDir place;
        const std::filesystem::path file = std::filesystem::path(place.path().toStdString()) / "tokenizer.json";
        std::ofstream(file) << text::TokenizerLearner().json(270, {"<|source|>", "<|target|>", "<|end|>"});
        m_frame = text::TranslationFrame::of(text::LanguageTokenizer::load(file));
        QVERIFY(m_frame.has_value());
    }

    // Words wait for k segments and one more each, for their own sound, and the end waits for all.
    void whenWordsAreWritten()
    {
        SpeechReading reading;
        reading.k = 2;
        SpokenWords words{{{1}, {2}, {3}, {4}}, {}};
        QCOMPARE(segmentsRead(words, 6, reading), (std::vector<std::int64_t>{2, 3, 4, 5, 7}));
        QCOMPARE(segmentsRead(words, 3, reading), (std::vector<std::int64_t>{2, 3, 4, 4, 4}));  // the end counts as one
        words.ends = {100, 6400, 6401 + 3 * 6400, 6400 * 5};
        QCOMPARE(segmentsRead(words, 6, reading), (std::vector<std::int64_t>{2, 3, 5, 5, 7}));
        words.ends[3] = 6400 * 100;  // times beyond the sound
        QCOMPARE(segmentsRead(words, 6, reading), (std::vector<std::int64_t>{2, 3, 5, 6, 7}));
    }

    void rowsOfSegmentsByHand()
    {
        // 40 ms frames, ten a segment, three in a row: three, three, four rows; a look-ahead must be there for a whole segment.
        QCOMPARE(rowsOfSegments(3 * 6400, 6400, 0, 640, 3), (std::vector<std::int64_t>{3, 3, 4}));
        QCOMPARE(rowsOfSegments(3 * 6400, 6400, 40, 640, 3), (std::vector<std::int64_t>{3, 3, 4}));
        QCOMPARE(rowsOfSegments(3 * 6400 + 40, 6400, 40, 640, 3), (std::vector<std::int64_t>{3, 3, 4, 1}));
        QCOMPARE(rowsOfSegments(100, 6400, 40, 640, 3), (std::vector<std::int64_t>{1}));
        QVERIFY(rowsOfSegments(0, 6400, 40, 640, 3).empty());
    }

    // One word of two letters over three segments, by hand: tokens, labels, what further heads learn, and who sees whom.
    void byHand()
    {
        SpeechReading reading;
        reading.k = 1;
        reading.phi = 0.5;
        reading.heads = 3;
        const std::vector<std::int64_t> rows = {1, 2, 1};
        const SpokenWords words{{{idOf('a'), idOf('b')}}, {2 * 6400}};
        const Sequence sequence = speechSequence(*m_frame, rows, words, reading);
        const std::int32_t source = m_frame->prompt().front();
        const std::int32_t target = m_frame->header().front();
        const std::int32_t end = m_frame->end();
        const std::int32_t none = Sequence::kNoLabel;
        // The word waits for its second segment: one waiting row before it; behind it the end waits for two more.
        QCOMPARE(sequence.tokens, (std::vector<std::int32_t>{source, kSpeechRow, kSpeechRow, kSpeechRow, kSpeechRow, end, target, idOf('a'), idOf('b'), target,
                                                             idOf('b'), idOf('b')}));
        QCOMPARE(sequence.positions, (std::vector<double>{0, 1, 2, 3, 4, 5, 0.5, 1.5, 2.5, 0.5, 2.5, 2.5}));
        QCOMPARE(sequence.labels, (std::vector<std::int32_t>{none, none, none, none, none, none, idOf('a'), idOf('b'), end, end, end, end}));
        QCOMPARE(std::vector<std::int32_t>(sequence.later_labels.begin() + 12, sequence.later_labels.end()),
                 (std::vector<std::int32_t>{idOf('b'), end, end, none, none, none, none, none, none, none, none, none}));
        const auto seen = [&](std::size_t row) {
            std::string columns;
            for (std::size_t column = 0; column < sequence.size(); ++column) {
                columns += sequence.seen[row * sequence.size() + column] != 0 ? 'x' : '.';
            }
            return columns;
        };
        QCOMPARE(seen(3), std::string("xxxx........"));
        QCOMPARE(seen(6), std::string("xxxx..x....."));   // the header predicts the word: two segments
        QCOMPARE(seen(7), std::string("xxxx..xx...."));   // the word goes on
        QCOMPARE(seen(8), std::string("xxxxxxxxx..."));   // its last token predicts the end
        QCOMPARE(seen(9), std::string("xx.......x.."));   // while one segment was read
        QCOMPARE(seen(10), std::string("xxxx..xx..x."));  // the end is not said before all is heard: two segments,
        QCOMPARE(seen(11), std::string("xxxxx.xx...x"));  // three
    }

    // Against a run that reads and writes as a segment writer does, with the words given.
    void aRowSeesWhatARunSees()
    {
        const models::lm::DecoderLm model = smallModel();
        std::mt19937 random(5);
        for (int trial = 0; trial < 12; ++trial) {
            SpeechReading reading;
            reading.k = 1 + random() % 3;
            reading.phi = trial % 2 == 0 ? 0 : 7.5;
            reading.most_waiting_rows = 1000;
            std::vector<std::int64_t> lengths(3 + random() % 4);
            std::int64_t count = 0;
            for (std::int64_t &length : lengths) {
                length = 1 + random() % 3;
                count += length;
            }
            SpokenWords words;
            Sample end = 0;
            for (std::size_t word = 1 + random() % 5; word > 0; --word) {
                words.tokens.emplace_back();
                for (std::size_t token = 1 + random() % 2; token > 0; --token) {
                    words.tokens.back().push_back(idOf(static_cast<char>('a' + random() % 26)));
                }
                end += static_cast<Sample>(random() % 9000);
                words.ends.push_back(end);
            }
            if (trial % 3 == 0) {
                words.ends.clear();
            }
            const Sequence sequence = speechSequence(*m_frame, lengths, words, reading);
            const at::Tensor rows = at::randn({count, kWidth});

            // All at once.
            const auto size = static_cast<std::int64_t>(sequence.size());
            const at::Tensor tokens = at::tensor(std::vector<std::int64_t>(sequence.tokens.begin(), sequence.tokens.end()));
            at::Tensor embedded = model.weights().embedded(tokens.clamp_min(0));
            embedded = embedded.index_copy(0, tokens.eq(kSpeechRow).nonzero().squeeze(1), rows);
            at::Tensor seen = at::empty({1, size, size}, at::kBool);
            std::copy(sequence.seen.begin(), sequence.seen.end(), reinterpret_cast<std::uint8_t *>(seen.data_ptr<bool>()));
            const at::Tensor logits =
                model.logits(model.runRowsWhole(embedded.unsqueeze(0), at::tensor(sequence.positions, at::kDouble).unsqueeze(0), {}, seen)[0]);

            // As it goes.
            models::lm::TranslationRun run(model, paradigms::groupStreaming(reading.phi), 4);
            run.read(m_frame->prompt());
            run.write(m_frame->header());
            std::int64_t read = 0;
            std::int64_t given = 0;
            const std::vector<std::int32_t> closing = {m_frame->end()};
            const auto readUpTo = [&](std::int64_t units) {
                for (; read < units; ++read) {
                    if (read == static_cast<std::int64_t>(lengths.size())) {
                        run.read(closing);
                        continue;
                    }
                    const std::int64_t length = lengths[static_cast<std::size_t>(read)];
                    run.read({std::vector<std::int32_t>(static_cast<std::size_t>(length), nn::kRow), rows.narrow(0, given, length)});
                    given += length;
                }
            };
            const std::int64_t source = count + 2;
            std::int64_t row = source;  // of the next prediction of a word's token
            std::int64_t waiting = source + static_cast<std::int64_t>(run.target().size());
            for (const auto &word : words.tokens) {
                waiting += static_cast<std::int64_t>(word.size());
            }
            const auto same = [&](std::int64_t at) { return (run.predict() - logits[at]).abs().max().item<double>() < 2e-4; };
            const std::vector<std::int64_t> when = segmentsRead(words, static_cast<std::int64_t>(lengths.size()), reading);
            for (std::size_t word = 0; word <= words.tokens.size(); ++word) {
                readUpTo(std::max(read, std::min(reading.k + static_cast<std::int64_t>(word), static_cast<std::int64_t>(lengths.size()) + 1)));
                for (; read < when[word]; readUpTo(read + 1)) {
                    QCOMPARE(sequence.labels[static_cast<std::size_t>(waiting)], m_frame->end());
                    QVERIFY(same(waiting++));
                }
                for (const std::int32_t token : word < words.tokens.size() ? words.tokens[word] : closing) {
                    QCOMPARE(sequence.labels[static_cast<std::size_t>(row)], token);
                    QVERIFY(same(row++));
                    run.write(std::span(&token, 1));
                }
            }
            QCOMPARE(waiting, size);
        }
    }
};

QTEST_GUILESS_MAIN(tst_speech_sequence)
#include "tst_speech_sequence.moc"
