// Several tokens a step over the one cache: whatever is read, written and taken back, a run with proposals predicts what one without them predicts, in every
// paradigm, and needs fewer passes.
#include <QtTest>

#include <random>

#include <ATen/Parallel.h>

#include "core/base/error.h"
#include "core/models/decoder_lm/translation_run.h"
#include "tests/support/hashed_lm.h"

using namespace braid;
using namespace braid::models;
using namespace braid::paradigms;

namespace {

constexpr std::int32_t kVocabulary = 7;  // few, so that a head is right now and then

weights::LmConfig smallConfig(std::mt19937 &random)
{
    weights::LmConfig config;
    config.family = weights::LmFamily::Qwen3;
    config.vocabulary = kVocabulary;
    config.width = 10;
    config.mlp_width = 12;
    config.layers = 1 + static_cast<std::int64_t>(random() % 2);
    config.heads = 2;
    config.key_value_heads = 1;
    config.head_width = 6;
    config.context = 512;
    config.head_norms = true;
    config.attention_scale = 1 / std::sqrt(6.0);
    config.rope.width = 6;
    config.rope.theta = 100;
    config.windows.assign(static_cast<std::size_t>(config.layers), random() % 4 == 0 ? 5 : 0);
    config.token_heads.kind = random() % 2 == 0 ? weights::LmHeadKind::Latent : weights::LmHeadKind::Independent;
    config.token_heads.count = 2 + static_cast<std::int64_t>(random() % 5);
    return config;
}

lm::DecoderLm modelOf(const weights::LmConfig &config, std::uint32_t number)
{
    weights::LmCheckpoint checkpoint = test::hashedLm("drafting " + std::to_string(number) + "/", config);
    return lm::DecoderLm(checkpoint, {});
}

std::vector<std::int32_t> randomTokens(std::mt19937 &random, std::size_t most)
{
    std::vector<std::int32_t> tokens(1 + random() % most);
    for (std::int32_t &token : tokens) {
        token = static_cast<std::int32_t>(random() % kVocabulary);
    }
    return tokens;
}

std::int32_t mostProbable(const at::Tensor &logits)
{
    return static_cast<std::int32_t>(logits.argmax().item<std::int64_t>());
}

struct Case {
    std::string paradigm;
    drafting::DraftSettings drafting;
    std::vector<std::int32_t> written;
    std::int64_t passes = 0;
    std::int64_t drafted_passes = 0;
    std::string problem;
};

// One life of a translation with and without proposals, side by side: reads, words, tokens that somebody else decided on, tokens taken back, looks.
Case lived(std::mt19937 &random, const lm::DecoderLm &model)
{
    Case result;
    const auto all = allParadigms();
    const ParadigmEntry &entry = all[random() % all.size()];
    result.paradigm = entry.name;
    const Paradigm paradigm = entry.make(random() % 2 == 0 ? 0 : 3.5);
    result.drafting.heads = 1 + static_cast<std::int64_t>(random() % static_cast<std::uint32_t>(model.config().token_heads.count));
    result.drafting.verification = random() % 3 == 0 ? drafting::Verification::TopM : drafting::Verification::Greedy;
    const bool reads_on = entry.name != "offline";
    lm::TranslationRun plain(model, paradigm, 4);
    lm::TranslationRun drafted(model, paradigm, 4, result.drafting);
    const auto both = [&](const auto &act) {
        act(plain);
        act(drafted);
    };
    const std::vector<std::int32_t> prompt = randomTokens(random, 4);
    const std::vector<std::int32_t> header = randomTokens(random, 2);
    both([&](lm::TranslationRun &run) {
        run.read(prompt);
        run.write(header);
    });
    for (int step = 0; step < 14 && result.problem.empty(); ++step) {
        const std::uint32_t what = random() % 16;
        if (what < 2 && reads_on) {
            const std::vector<std::int32_t> tokens = randomTokens(random, 3);
            both([&](lm::TranslationRun &run) { run.read(tokens); });
        } else if (what == 2) {
            const auto count = static_cast<std::int64_t>(random() % 3);
            const std::int64_t taken = std::min(count, static_cast<std::int64_t>(plain.target().size() - header.size()));
            both([&](lm::TranslationRun &run) { run.unwrite(taken); });
        } else if (what == 3) {
            const std::vector<std::int32_t> tokens = randomTokens(random, 3);
            both([&](lm::TranslationRun &run) { run.write(tokens); });
        } else {
            nn::AttentionLook look;
            nn::AttentionLook drafted_look;
            const bool looks = what == 4;
            const at::Tensor wanted = plain.predict(looks ? &look : nullptr);
            const at::Tensor found = drafted.predict(looks ? &drafted_look : nullptr);
            if ((wanted - found).abs().max().item<double>() > 2e-4) {
                result.problem = "other logits at step " + std::to_string(step);
            }
            if (looks) {
                // Of what was proposed behind it, a row sees nothing.
                const std::int64_t columns = look.weights.size(1);
                const at::Tensor seen = drafted_look.weights.narrow(1, 0, columns);
                const at::Tensor unseen = drafted_look.weights.narrow(1, columns, drafted_look.weights.size(1) - columns);
                if ((look.weights - seen).abs().max().item<double>() > 1e-4 || unseen.abs().sum().item<double>() != 0) {
                    result.problem = "another look at step " + std::to_string(step);
                }
            }
            const std::int32_t token = mostProbable(wanted);
            if (mostProbable(found) != token) {
                result.problem = "another token at step " + std::to_string(step);
            }
            both([&](lm::TranslationRun &run) { run.write(std::span(&token, 1)); });
        }
    }
    result.written = plain.target();
    if (drafted.target() != plain.target()) {
        result.problem = "another text";
    }
    result.passes = plain.targetPasses();
    result.drafted_passes = drafted.targetPasses();
    return result;
}

}  // namespace

class tst_token_drafting : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() { at::set_num_threads(1); }

    void proposalsChangeNothingThatIsPredicted()
    {
        constexpr int kModels = 40;
        constexpr int kCases = 50;
        std::mt19937 random(11);
        std::map<std::string, std::int64_t> saved;
        for (int number = 0; number < kModels; ++number) {
            const lm::DecoderLm model = modelOf(smallConfig(random), static_cast<std::uint32_t>(number));
            for (int i = 0; i < kCases; ++i) {
                const Case one = lived(random, model);
                QVERIFY2(one.problem.empty(), qPrintable(QString("model %1, case %2, %3, %4 of %5 heads: %6")
                                                             .arg(number)
                                                             .arg(i)
                                                             .arg(QString::fromStdString(one.paradigm))
                                                             .arg(one.drafting.heads)
                                                             .arg(model.config().token_heads.count)
                                                             .arg(QString::fromStdString(one.problem))));
                saved[one.paradigm] += one.passes - one.drafted_passes;
            }
        }
        for (const ParadigmEntry &entry : allParadigms()) {
            QVERIFY2(saved[std::string(entry.name)] > 20, qPrintable(QString("%1: %2").arg(entry.name.data()).arg(saved[std::string(entry.name)])));
        }
    }

    // Heads that are always right: a model that says one token over and over, whose heads are its own output. Each pass then settles as many tokens as there
    // are heads, and the cache holds no more than what was written and is proposed.
    void headsThatAreRightSaveAllPassesButOneInK()
    {
        std::mt19937 random(3);
        weights::LmConfig config = smallConfig(random);
        config.token_heads = {weights::LmHeadKind::Latent, 4};
        config.windows.assign(static_cast<std::size_t>(config.layers), 0);
        std::map<std::string, at::Tensor> tensors;
        for (const weights::ExpectedTensor &tensor : weights::expectedLmTensors(config)) {
            const bool is_norm = tensor.shape.size() == 1;
            tensors[tensor.name] = is_norm ? at::ones(tensor.shape) : at::zeros(tensor.shape);  // blocks add nothing
            if (tensor.name.starts_with("token_heads.")) {
                tensors[tensor.name] = at::eye(config.width);
            } else if (tensor.name == "embed_tokens.weight" || tensor.name == "lm_head.weight") {
                tensors[tensor.name] = at::eye(config.vocabulary, config.width);  // what was said is said again
            }
        }
        const lm::DecoderLm model(config, {}, tensors);
        for (std::int64_t heads = 1; heads <= 4; ++heads) {
            lm::TranslationRun run(model, groupStreaming(0), 4, {heads});
            run.read(std::vector<std::int32_t>{1, 2});
            run.write(std::vector<std::int32_t>{5});
            constexpr std::int64_t kTokens = 25;
            for (std::int64_t i = 0; i < kTokens; ++i) {
                const std::int32_t token = mostProbable(run.predict());
                QCOMPARE(token, 5);
                run.write(std::span(&token, 1));
                QVERIFY(run.cache().length() <= 2 + 1 + i + heads);
            }
            QCOMPARE(run.targetPasses(), 1 + (kTokens - 1 + heads - 1) / heads);
        }
    }

    // What was predicted before a read is proposed after it, and stands where the model still says it: one pass instead of one a token.
    void whatAReadOvertakesIsProposedAgain()
    {
        std::mt19937 random(5);
        std::int64_t with = 0;
        std::int64_t without = 0;
        for (std::uint32_t number = 0; number < 40; ++number) {
            const lm::DecoderLm model = modelOf(smallConfig(random), 100 + number);
            for (const auto verification : {drafting::Verification::Greedy, drafting::Verification::TopM}) {
                lm::TranslationRun run(model, groupStreaming(0), 4, {2, verification});
                run.read(std::vector<std::int32_t>{1, 2});
                run.write(std::vector<std::int32_t>{3});
                static_cast<void>(run.predict());
                run.read(std::vector<std::int32_t>{4});
                const std::int32_t token = mostProbable(run.predict());
                QVERIFY(run.proposed().has_value() == (verification == drafting::Verification::Greedy));
                run.write(std::span(&token, 1));
                static_cast<void>(run.predict());
                (verification == drafting::Verification::Greedy ? with : without) += run.targetPasses();
            }
        }
        QCOMPARE(without, 3 * 40);
        QVERIFY(with < without);
    }

    void headsThatTheModelLacksAreRefused()
    {
        std::mt19937 random(7);
        weights::LmConfig config = smallConfig(random);
        config.token_heads.count = 1;
        const lm::DecoderLm model = modelOf(config, 0);
        QVERIFY_THROWS_EXCEPTION(Error, lm::TranslationRun(model, groupStreaming(0), 4, {2}));
    }
};

QTEST_GUILESS_MAIN(tst_token_drafting)
#include "tst_token_drafting.moc"
