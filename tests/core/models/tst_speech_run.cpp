// A run whose source is no text: rows of numbers in segments, as an encoder of speech gives them, behind an instruction in tokens. The rules are those of text.
#include <QtTest>

#include <random>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "core/base/error.h"
#include "core/models/decoder_lm/translation_run.h"
#include "tests/support/hashed_lm.h"

using namespace braid;
using namespace braid::models;
using namespace braid::paradigms;

namespace {

constexpr std::int32_t kVocabulary = 11;
constexpr std::int64_t kWidth = 14;

lm::DecoderLm smallModel(std::uint32_t number, std::int64_t token_heads = 1)
{
    weights::LmConfig config;
    config.family = weights::LmFamily::Qwen3;
    config.vocabulary = kVocabulary;
    config.width = kWidth;
    config.mlp_width = 18;
    config.layers = 2;
    config.heads = 4;
    config.key_value_heads = 2;
    config.head_width = 6;
    config.context = 512;
    config.head_norms = true;
    config.attention_scale = 1 / std::sqrt(6.0);
    config.rope.width = 6;
    config.rope.theta = 100;
    config.windows.assign(2, 0);
    config.token_heads = {number % 2 == 0 ? weights::LmHeadKind::Latent : weights::LmHeadKind::Independent, token_heads};
    weights::LmCheckpoint checkpoint = test::hashedLm("speech run " + std::to_string(number) + "/", config);
    return lm::DecoderLm(checkpoint, {});
}

// Source: an instruction and an end in tokens, segments of rows between them. Target: header, words, end.
struct Utterance {
    std::vector<std::int32_t> instruction;
    std::vector<at::Tensor> segments;  // [rows, width] each
    std::vector<std::int32_t> end;
    std::vector<std::vector<std::int32_t>> target;

    // Of every source unit: the instruction, the segments, the end.
    [[nodiscard]] std::size_t units() const { return segments.size() + 2; }
    [[nodiscard]] lm::LmInput unit(std::size_t index, std::vector<std::int32_t> &memory) const
    {
        if (index == 0 || index + 1 == units()) {
            return {index == 0 ? std::span(instruction) : std::span(end)};
        }
        const at::Tensor &rows = segments[index - 1];
        memory.assign(static_cast<std::size_t>(rows.size(0)), nn::kRow);
        return {memory, rows};
    }
    [[nodiscard]] std::vector<std::int64_t> sourceLengths() const
    {
        std::vector<std::int64_t> lengths = {static_cast<std::int64_t>(instruction.size())};
        for (const at::Tensor &rows : segments) {
            lengths.push_back(rows.size(0));
        }
        lengths.push_back(static_cast<std::int64_t>(end.size()));
        return lengths;
    }
    [[nodiscard]] std::vector<std::int64_t> targetLengths() const
    {
        std::vector<std::int64_t> lengths;
        for (const auto &word : target) {
            lengths.push_back(static_cast<std::int64_t>(word.size()));
        }
        return lengths;
    }
};

std::vector<std::int32_t> randomTokens(std::mt19937 &random)
{
    std::vector<std::int32_t> tokens(1 + random() % 3);
    for (std::int32_t &token : tokens) {
        token = static_cast<std::int32_t>(random() % kVocabulary);
    }
    return tokens;
}

Utterance randomUtterance(std::mt19937 &random)
{
    Utterance utterance{randomTokens(random), {}, randomTokens(random), {}};
    for (std::size_t i = 3 + random() % 4; i > 0; --i) {
        utterance.segments.push_back(at::randn({1 + static_cast<std::int64_t>(random() % 4), kWidth}));
    }
    for (std::size_t i = 4 + random() % 4; i > 0; --i) {
        utterance.target.push_back(randomTokens(random));
    }
    return utterance;
}

// Wait-k with the target given: the prediction of every target token behind the header [predictions, vocabulary].
at::Tensor streamed(const lm::DecoderLm &model, const Paradigm &paradigm, const Utterance &utterance, std::size_t k)
{
    lm::TranslationRun run(model, paradigm, 4);
    const bool one_queue = paradigm.visibility == causal();
    std::size_t read = 0;
    const auto readUpTo = [&](std::size_t units) {
        for (; read < std::min(units, utterance.units()); ++read) {
            std::vector<std::int32_t> memory;
            run.read(utterance.unit(read, memory));
        }
    };
    std::vector<at::Tensor> predictions;
    readUpTo(one_queue ? k + 1 : k);
    run.write(utterance.target.front());
    run.feed();
    for (std::size_t word = 1; word < utterance.target.size(); ++word) {
        readUpTo(k + word);
        for (const std::int32_t token : utterance.target[word]) {
            predictions.push_back(run.predict());
            run.write(std::span(&token, 1));
        }
        run.feed();
    }
    return at::stack(predictions);
}

// The same at once, under the mask that is trained with.
at::Tensor masked(const lm::DecoderLm &model, const Paradigm &paradigm, const TrainingTokens &tokens, const Utterance &utterance)
{
    const auto embedded = [&model](const std::vector<std::int32_t> &ids) {
        return model.weights().embedded(at::tensor(std::vector<std::int64_t>(ids.begin(), ids.end())));
    };
    std::vector<at::Tensor> all = {embedded(utterance.instruction)};
    all.insert(all.end(), utterance.segments.begin(), utterance.segments.end());
    all.push_back(embedded(utterance.end));
    for (const auto &word : utterance.target) {
        all.push_back(embedded(word));
    }
    const at::Tensor rows = at::cat(all).index_select(0, at::tensor(tokens.token_of));
    const auto count = static_cast<std::int64_t>(tokens.entries.size());
    const at::Tensor positions = at::empty({1, count}, at::kDouble);
    const at::Tensor seen = at::empty({1, count, count}, at::kBool);
    std::vector<std::int64_t> counting;
    for (std::int64_t i = 0; i < count; ++i) {
        positions.data_ptr<double>()[i] = tokens.entries[static_cast<std::size_t>(i)].position;
        if (tokens.counts[static_cast<std::size_t>(i)] != 0) {
            counting.push_back(i);
        }
    }
    std::vector<std::uint8_t> bytes;
    visibleEntries(paradigm.visibility, tokens.entries, 0, 0, bytes);
    std::copy(bytes.begin(), bytes.end(), reinterpret_cast<std::uint8_t *>(seen.data_ptr<bool>()));
    const at::Tensor hidden = model.runRowsWhole(rows.unsqueeze(0), positions, {}, seen)[0];
    return model.logits(hidden.index_select(0, at::tensor(counting)));
}

std::int32_t mostProbable(const at::Tensor &logits)
{
    return static_cast<std::int32_t>(logits.argmax().item<std::int64_t>());
}

}  // namespace

class tst_speech_run : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase()
    {
        at::set_num_threads(1);
        at::manual_seed(3);
    }

    void cacheEqualsTrainingMask()
    {
        const lm::DecoderLm model = smallModel(1);
        std::mt19937 random(1);
        for (int trial = 0; trial < 6; ++trial) {
            const Utterance utterance = randomUtterance(random);
            const std::size_t k = 1 + random() % 3;
            for (const Paradigm &paradigm : {groupStreaming(0), groupStreaming(0.5), groupStreaming(256), batchStreaming(Reencoding::None), interleaved()}) {
                const TrainingTokens tokens = waitKTokens(paradigm, utterance.sourceLengths(), utterance.targetLengths(), static_cast<std::int64_t>(k));
                const double difference = (streamed(model, paradigm, utterance, k) - masked(model, paradigm, tokens, utterance)).abs().max().item<double>();
                QVERIFY2(difference < 2e-4, qPrintable(QString::number(difference)));
            }
        }
    }

    // At every prediction the same as one fresh pass over what is there, source then target.
    void fullReencodingEqualsFreshRuns()
    {
        const lm::DecoderLm model = smallModel(2);
        std::mt19937 random(2);
        const Utterance utterance = randomUtterance(random);
        lm::TranslationRun run(model, batchStreaming(Reencoding::All), 4);
        std::vector<std::int32_t> memory;
        run.read(utterance.unit(0, memory));
        run.write(utterance.target.front());
        std::vector<at::Tensor> rows;
        for (std::size_t word = 1; word < std::min(utterance.segments.size(), utterance.target.size()); ++word) {
            run.read(utterance.unit(word, memory));
            rows.push_back(utterance.segments[word - 1]);
            for (const std::int32_t token : utterance.target[word]) {
                std::vector<std::int32_t> all = run.source();
                QVERIFY(std::count(all.begin(), all.end(), nn::kRow) == at::cat(rows).size(0));
                all.insert(all.end(), run.target().begin(), run.target().end());
                std::vector<Entry> entries;
                for (std::size_t i = 0; i < all.size(); ++i) {
                    entries.push_back({kSource, static_cast<double>(i), 0, EntryKind::Token});
                }
                nn::StreamCache fresh = model.emptyCache(64);
                const at::Tensor hidden = model.run(fresh, {all, at::cat(rows)}, entries, causal());
                QVERIFY((run.predict() - model.logits(hidden[hidden.size(0) - 1])).abs().max().item<double>() < 2e-4);
                run.write(std::span(&token, 1));
            }
        }
    }

    // In one queue the last row of a segment predicts: it leaves the cache and comes back where somebody looks.
    void theLastRowPredictsAgain()
    {
        const lm::DecoderLm model = smallModel(3);
        lm::TranslationRun run(model, interleaved(), 4);
        run.read(std::vector<std::int32_t>{1, 2});
        run.write(std::vector<std::int32_t>{3});
        const std::vector<std::int32_t> two(2, nn::kRow);
        run.read({two, at::randn({2, kWidth})});
        const at::Tensor plain = run.predict();
        nn::AttentionLook look;
        QVERIFY((run.predict(&look) - plain).abs().max().item<double>() < 1e-5);
        QCOMPARE(look.weights.size(1), run.cache().length());
        run.write(std::vector<std::int32_t>{4, 5});
        static_cast<void>(run.predict());
        run.unwrite(2);
        QVERIFY((run.predict() - plain).abs().max().item<double>() < 1e-5);
    }

    // Thousands of tokens: heads propose, the text is the one without them, and passes are saved.
    void verifiedGreedyEqualsGreedy()
    {
        std::mt19937 random(11);
        std::int64_t saved = 0;
        std::int64_t written = 0;
        for (std::uint32_t number = 0; number < 45; ++number) {
            const lm::DecoderLm model = smallModel(number, 2 + static_cast<std::int64_t>(random() % 4));
            for (const auto &[name, title, description, make, offered] : allParadigms()) {
                if (offered != Offered::Everywhere || name == "offline") {
                    continue;
                }
                const Utterance utterance = randomUtterance(random);
                lm::TranslationRun plain(model, make(3.5), 4);
                lm::TranslationRun drafted(model, make(3.5), 4, {model.config().token_heads.count});
                for (std::size_t unit = 0; unit < utterance.units(); ++unit) {
                    std::vector<std::int32_t> memory;
                    const lm::LmInput input = utterance.unit(unit, memory);
                    for (lm::TranslationRun *run : {&plain, &drafted}) {
                        run->read(input);
                        if (unit == 0) {
                            run->write(utterance.target.front());
                        }
                    }
                    for (std::uint32_t token = random() % 4; token > 0; --token) {
                        const at::Tensor wanted = plain.predict();
                        const at::Tensor found = drafted.predict();
                        QVERIFY2((wanted - found).abs().max().item<double>() < 2e-4, name.data());
                        const std::int32_t said = mostProbable(wanted);
                        QCOMPARE(mostProbable(found), said);
                        plain.write(std::span(&said, 1));
                        drafted.write(std::span(&said, 1));
                        ++written;
                    }
                }
                QCOMPARE(drafted.target(), plain.target());
                saved += plain.targetPasses() - drafted.targetPasses();
            }
        }
        QVERIFY2(written > 2000, qPrintable(QString::number(written)));
        QVERIFY2(saved > 50, qPrintable(QString::number(saved)));
    }
};

QTEST_GUILESS_MAIN(tst_speech_run)
#include "tst_speech_run.moc"
