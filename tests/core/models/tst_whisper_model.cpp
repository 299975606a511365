// A Whisper of any size: every tensor is used, adapters are switches, its recogniser, its step decoder and its offline decoding agree with each
// other. A small model with hashed weights says nothing sensible, but everything it does must be consistent with itself.
#include <QtTest>

#include <cmath>
#include <filesystem>

#include <QTemporaryDir>

#include "core/base/error.h"
#include "core/models/whisper/decode_window.h"
#include "core/models/whisper/transcribe.h"
#include "core/models/whisper/whisper_recognizer.h"
#include "core/models/whisper/whisper_step_decoder.h"
#include "tests/support/error_sentence.h"
#include "tests/support/small_whisper_folder.h"

using namespace braid;
using namespace braid::models;
using test::contains;
using test::sentenceOf;
namespace fs = std::filesystem;

namespace {

std::shared_ptr<whisper::Model> smallModel(const fs::path &folder, const nn::Placement &placement = {})
{
    weights::WhisperCheckpoint checkpoint = weights::readWhisperCheckpoint(folder);
    const auto tokenizer = text::WhisperTokenizer::load(checkpoint.tokenizer_path, checkpoint.dims.n_vocab);
    return std::make_shared<whisper::Model>(std::move(checkpoint), tokenizer, placement);
}

}  // namespace

class tst_whisper_model : public QObject {
    Q_OBJECT

    QTemporaryDir m_place;
    fs::path m_folder;

  private Q_SLOTS:
    void initTestCase();
    void everyTensorIsUsedOnce();
    void windowsAreAsLongAsTheSound();
    void windowsAreFilledUpWhereAskedFor();
    void adaptersAreSwitches();
    void recognizerGivesOrderedWordsInsideTheSound();
    void stepDecoderAgreesWithGreedy();
    void stepDecoderGoesBack();
    void samplingDependsOnTheSeedAlone();
    void hotterWhenTheTextIsBad();
    void cutsAtTheQuietestPlace();
    void bfloat16IsNear();
};

void tst_whisper_model::initTestCase()
{
    m_folder = fs::path(m_place.path().toStdString()) / "small-en";
    test::writeSmallWhisperFolder(m_folder);
}

void tst_whisper_model::everyTensorIsUsedOnce()
{
    const auto tokenizer = text::WhisperTokenizer::load(m_folder / "tokenizer.json", 260);
    test::HashedWhisper extra("x/", test::smallDims());
    const std::vector<float> number(1);
    weights::StoredTensor stray;
    stray.shape = {1};
    stray.bytes = std::as_bytes(std::span(number));
    extra.checkpoint().tensors.add("decoder.blocks.7.stray", stray);
    QVERIFY(contains(sentenceOf([&] { whisper::Model(extra.take(), tokenizer, {}); }), "decoder.blocks.7.stray"));

    test::HashedWhisper missing("x/", test::smallDims());
    missing.checkpoint().tensors.remove("encoder.blocks.1.attn.key.weight");
    QVERIFY(contains(sentenceOf([&] { whisper::Model(missing.take(), tokenizer, {}); }), "encoder.blocks.1.attn.key.weight"));

    weights::WhisperDims wrong = test::smallDims();
    test::HashedWhisper misshapen("x/", wrong);
    misshapen.checkpoint().dims.n_text_ctx = 41;
    QVERIFY(contains(sentenceOf([&] { whisper::Model(misshapen.take(), tokenizer, {}); }), "decoder.positional_embedding"));

    test::HashedWhisper heads("x/", test::smallDims());
    heads.checkpoint().alignment_heads = {{3, 0}};
    QVERIFY(contains(sentenceOf([&] { whisper::Model(heads.take(), tokenizer, {}); }), "(3, 0)"));

    wrong.n_vocab = 259;
    QVERIFY(contains(sentenceOf([&] { whisper::Model(test::HashedWhisper("x/", wrong).take(), tokenizer, {}); }), "260 tokens"));
}

void tst_whisper_model::windowsAreAsLongAsTheSound()
{
    const auto model = smallModel(m_folder);
    QCOMPARE(model->frameSamples(), 640);
    QCOMPARE(model->windowSamples(), 60 * 640);
    for (const auto &[samples, frames] : {std::pair(38400, 60), std::pair(38399, 60), std::pair(100000, 60), std::pair(16000, 25), std::pair(16001, 25),
                                          std::pair(16160, 26), std::pair(1, 10), std::pair(0, 10)}) {
        const whisper::SoundCache sound = model->listen(model->windowMel(test::hashedSound(static_cast<std::size_t>(samples))));
        QCOMPARE(sound.frames, frames);
    }
}

void tst_whisper_model::windowsAreFilledUpWhereAskedFor()
{
    // As if the model had been made for whole windows: the same words, as sure.
    const auto sound = test::hashedSound(16000);
    const auto heardBy = [&](weights::WindowPadding models_own, captions::WindowPadding choice) {
        test::HashedWhisper weights("x/", test::smallDims());
        weights.checkpoint().padding = models_own;
        const auto model =
            std::make_shared<const whisper::Model>(weights.take(), text::WhisperTokenizer::load(m_folder / "tokenizer.json", 260), nn::Placement{});
        CaptionOptions options;
        options.window_padding = choice;
        whisper::WhisperStepDecoder steps(model, options);
        steps.setSound(sound, 0);
        steps.begin("", {});
        const double sure = whisper::WhisperRecognizer(model, options).recognize({sound, 0, ""}).average_log_probability;
        return std::pair(sure, static_cast<double>(steps.next().token.probability));
    };
    const auto filled = heardBy(weights::WindowPadding::None, captions::WindowPadding::FullWindow);
    QCOMPARE(filled, heardBy(weights::WindowPadding::FullWindow, captions::WindowPadding::ModelsOwn));
    const auto as_it_is = heardBy(weights::WindowPadding::None, captions::WindowPadding::ModelsOwn);
    QVERIFY(filled.first != as_it_is.first && filled.second != as_it_is.second);
}

void tst_whisper_model::adaptersAreSwitches()
{
    const c10::InferenceMode inference;
    test::HashedWhisper weights("lora/", test::smallDims());
    for (const char *name : {"encoder.blocks.0.attn.query", "encoder.blocks.1.attn.out", "decoder.blocks.0.attn.value", "decoder.blocks.2.cross_attn.key",
                             "decoder.blocks.2.cross_attn.query"}) {
        weights.addAdapter(name, 3);
    }
    const auto tokenizer = text::WhisperTokenizer::load(m_folder / "tokenizer.json", 260);
    const whisper::Model base(test::HashedWhisper("lora/", test::smallDims()).take(), tokenizer, {});
    whisper::Model adapted(weights.take(), tokenizer, {});
    const at::Tensor mel = base.windowMel(test::hashedSound(20000));
    const std::vector<std::int32_t> tokens = {257, 258, 7, 8, 9};
    const auto logits = [&](const whisper::Model &model) {
        const whisper::SoundCache sound = model.listen(mel);
        nn::SelfCache cache = model.decoder().emptyCache(1);
        return model.decoder().logits(model.decoder().run(sound, cache, tokens));
    };
    const at::Tensor expected = logits(base);
    QVERIFY(adapted.hasAdapters());
    QVERIFY(at::equal(logits(adapted), expected));
    {
        const whisper::AdapterScope on(adapted);
        QVERIFY((logits(adapted) - expected).abs().max().item<float>() > 0.01f);
    }
    QVERIFY(at::equal(logits(adapted), expected));
}

void tst_whisper_model::recognizerGivesOrderedWordsInsideTheSound()
{
    CaptionOptions options;
    options.rival_count = 2;
    whisper::WhisperRecognizer recognizer(smallModel(m_folder), options);
    QCOMPARE(recognizer.maximumSamples(), 60 * 640);
    const std::vector<float> sound = test::hashedSound(30000);
    constexpr Sample kStart = 160000;
    const captions::Hypothesis first = recognizer.recognize({sound, kStart, "text before"});
    QVERIFY(!first.words.empty());
    QVERIFY(first.decoder_steps > 0);
    Sample before = kStart;
    for (const text::Word &word : first.words) {
        QVERIFY(word.start_sample >= before && word.end_sample >= word.start_sample && word.end_sample <= kStart + 30000);
        QVERIFY(!word.text.empty() && !word.tokens.empty());
        QCOMPARE(word.tokens.front().rivals.size(), 2u);
        QVERIFY(word.time_method == text::WordTimeMethod::CrossAttention);
        before = word.start_sample;
    }
    QVERIFY(first.attention != nullptr);
    QCOMPARE(first.attention->columns, 47);
    QCOMPARE(first.attention->first_column_sample, kStart);
    QCOMPARE(first.attention->weights.size(), static_cast<std::size_t>(first.attention->rows * first.attention->columns));

    const captions::Hypothesis again = recognizer.recognize({sound, kStart, "text before"});
    QCOMPARE(again.words.size(), first.words.size());
    QVERIFY(recognizer.recognize({{}, kStart, ""}).words.empty());
}

void tst_whisper_model::stepDecoderAgreesWithGreedy()
{
    const auto model = smallModel(m_folder);
    const std::vector<float> sound = test::hashedSound(30000);
    const whisper::DecodedWindow greedy = whisper::decodeWindow(*model, model->listen(model->windowMel(sound)), {});
    QVERIFY(greedy.tokens.size() > 3);
    whisper::WhisperStepDecoder decoder(model, {});
    decoder.setSound(sound, 0);
    decoder.begin("", {});
    QCOMPARE(decoder.frames(), 47);
    for (const std::int32_t expected : greedy.tokens) {
        const captions::DecodedStep step = decoder.next();
        QVERIFY(!step.is_end);
        QCOMPARE(step.token.id, expected);
        QCOMPARE(step.token.rivals.size(), 3u);
        QCOMPARE(step.attention.size(), 47u);
        float sum = 0;
        for (const float weight : step.attention) {
            sum += weight;
        }
        QVERIFY(std::abs(sum - 1) < 1e-4f);
        decoder.accept(step.token.id);
    }
}

void tst_whisper_model::stepDecoderGoesBack()
{
    const auto model = smallModel(m_folder);
    whisper::WhisperStepDecoder decoder(model, {});
    QVERIFY(!sentenceOf([&] { decoder.begin("", {}); }).empty());  // no sound yet
    decoder.setSound(test::hashedSound(25000), 0);
    decoder.begin("", {});
    std::vector<std::int32_t> tokens;
    std::vector<float> probabilities;
    for (int i = 0; i < 6; ++i) {
        const captions::DecodedStep step = decoder.next();
        QCOMPARE(decoder.next().token.probability, step.token.probability);  // asking changes nothing
        tokens.push_back(step.token.id);
        probabilities.push_back(step.token.probability);
        decoder.accept(step.token.id);
    }
    decoder.retract(4);
    QCOMPARE(decoder.next().token.id, tokens[2]);
    decoder.accept(99);  // another way
    static_cast<void>(decoder.next());
    decoder.retract(1);
    for (std::size_t i = 2; i < 6; ++i) {
        const captions::DecodedStep step = decoder.next();
        QCOMPARE(step.token.id, tokens[i]);
        QVERIFY(std::abs(step.token.probability - probabilities[i]) < 1e-5f);
        decoder.accept(step.token.id);
    }
    QVERIFY(!sentenceOf([&] { decoder.retract(7); }).empty());
    QVERIFY(!sentenceOf([&] { decoder.accept(260); }).empty());

    // Forced tokens are as good as accepted ones, and are not taken back.
    decoder.begin("", std::span(tokens).first(3));
    QCOMPARE(decoder.next().token.id, tokens[3]);
    QVERIFY(!sentenceOf([&] { decoder.retract(1); }).empty());

    // The end of the context is the end of the transcript.
    const std::vector<std::int32_t> many(39, 7);
    decoder.begin("", many);
    QVERIFY(decoder.next().is_end);

    const std::string text = " so, its";
    std::vector<text::Token> spoken;
    for (const std::int32_t id : model->tokenizer().encode(text)) {
        spoken.push_back({id, model->tokenizer().tokenBytes(id), 0.5f, {}});
    }
    const std::vector<text::Word> words = decoder.words(spoken);
    QCOMPARE(words.size(), 2u);
    QCOMPARE(words[0].text, "so,");
    QCOMPARE(words[1].text, "its");
    QCOMPARE(words[1].tokens.size(), 4u);
    QCOMPARE(words[1].probability, 0.5f);
    QCOMPARE(decoder.textOf(model->tokenizer().encode(text)), text);
}

void tst_whisper_model::samplingDependsOnTheSeedAlone()
{
    const auto model = smallModel(m_folder);
    const whisper::SoundCache sound = model->listen(model->windowMel(test::hashedSound(30000)));
    whisper::DecodeOptions options;
    options.temperature = 0.8f;
    options.seed = 5;
    const auto once = whisper::decodeWindow(*model, sound, options);
    QCOMPARE(whisper::decodeWindow(*model, sound, options).tokens, once.tokens);
    options.seed = 6;
    QVERIFY(whisper::decodeWindow(*model, sound, options).tokens != once.tokens);
    // Nearly cold sampling is greedy.
    options.temperature = 1e-4f;
    options.best_of = 1;
    whisper::DecodeOptions greedy;
    QCOMPARE(whisper::decodeWindow(*model, sound, options).tokens, whisper::decodeWindow(*model, sound, greedy).tokens);
}

void tst_whisper_model::hotterWhenTheTextIsBad()
{
    const auto model = smallModel(m_folder);
    const whisper::SoundCache sound = model->listen(model->windowMel(test::hashedSound(30000)));
    whisper::TranscribeOptions options;
    options.offline.temperatures = {0.0f, 0.4f, 0.8f};
    options.offline.compression_ratio_threshold = 1000;
    options.offline.log_probability_threshold = -1000;
    QCOMPARE(whisper::decodeWithFallback(*model, sound, {}, options).temperature, 0.0f);
    options.offline.compression_ratio_threshold = 0;  // nothing is good enough
    QCOMPARE(whisper::decodeWithFallback(*model, sound, {}, options).temperature, 0.8f);
    options.offline.compression_ratio_threshold = 1000;
    options.offline.log_probability_threshold = 1;
    options.offline.no_speech_threshold = -1;  // "it is silence" ends the search
    QCOMPARE(whisper::decodeWithFallback(*model, sound, {}, options).temperature, 0.0f);
}

void tst_whisper_model::cutsAtTheQuietestPlace()
{
    std::vector<float> sound = test::hashedNumbers("loud", 100000);
    std::fill(sound.begin() + 70000, sound.begin() + 74000, 0.01f);
    const std::size_t cut = whisper::quietestCut(sound);
    QVERIFY2(cut > 71000 && cut < 73500, std::to_string(cut).c_str());
    QCOMPARE(whisper::quietestCut(std::span(sound).first(3000)), 3000u);  // too short to choose
}

void tst_whisper_model::bfloat16IsNear()
{
    const nn::Placement half{at::kCPU, at::kBFloat16};
    try {
        nn::requireUsable(half);
    } catch (const Error &error) {
        QSKIP(error.what());
    }
    const c10::InferenceMode inference;
    const auto exact = smallModel(m_folder);
    const auto near = smallModel(m_folder, half);
    const at::Tensor mel = exact->windowMel(test::hashedSound(30000));
    const at::Tensor a = exact->encoder()(mel);
    const at::Tensor b = near->encoder()(mel).to(at::kFloat);
    QVERIFY((a - b).abs().mean().item<float>() < 0.05f * a.abs().mean().item<float>());
    const std::vector<std::int32_t> tokens = {257, 258, 7};
    nn::SelfCache cache_a = exact->decoder().emptyCache(1);
    nn::SelfCache cache_b = near->decoder().emptyCache(1);
    const at::Tensor x = exact->decoder().logits(exact->decoder().run(exact->decoder().listen(a), cache_a, tokens));
    const at::Tensor y = near->decoder().logits(near->decoder().run(near->decoder().listen(b), cache_b, tokens));
    QCOMPARE(y.scalar_type(), at::kFloat);
    QVERIFY((x - y).abs().mean().item<float>() < 0.1f * x.abs().mean().item<float>());
}

QTEST_GUILESS_MAIN(tst_whisper_model)
#include "tst_whisper_model.moc"
