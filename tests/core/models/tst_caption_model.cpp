// The door: models on disk, what is wrong with them in plain sentences, and what a loaded one does. A small model with hashed weights
// says nothing sensible, but everything it does must be consistent with itself.
#include <QtTest>

#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>

#include <QTemporaryDir>

#include "core/base/error.h"
#include "core/models/caption_model.h"
#include "core/models/whisper/decode_window.h"
#include "core/models/whisper/transcribe.h"
#include "core/models/whisper/whisper_recognizer.h"
#include "core/models/whisper/whisper_step_decoder.h"
#include "tests/support/small_whisper_folder.h"

using namespace braid;
using namespace braid::models;
namespace fs = std::filesystem;

namespace {

std::string sentenceOf(const std::function<void()> &work)
{
    try {
        work();
    } catch (const Error &error) {
        return error.sentence();
    }
    return {};
}

bool contains(const std::string &text, const std::string &part)
{
    return text.find(part) != std::string::npos;
}

std::shared_ptr<whisper::Model> smallModel(const fs::path &folder, const nn::Placement &placement = {})
{
    weights::WhisperCheckpoint checkpoint = weights::readWhisperCheckpoint(folder);
    const auto tokenizer = text::WhisperTokenizer::load(checkpoint.tokenizer_path, checkpoint.dims.n_vocab);
    return std::make_shared<whisper::Model>(std::move(checkpoint), tokenizer, placement);
}

const DeviceChoice kCpu{"cpu", NumberType::Float32, 1};

}  // namespace

class tst_caption_model : public QObject {
    Q_OBJECT

    QTemporaryDir m_place;
    fs::path m_folder;

    // A fresh copy of the small model, to be broken.
    fs::path copyOf(const char *name)
    {
        const fs::path copy = fs::path(m_place.path().toStdString()) / name;
        fs::copy(m_folder, copy, fs::copy_options::recursive);
        return copy;
    }

  private Q_SLOTS:
    void initTestCase();
    void everyTensorIsUsedOnce();
    void brokenModelsSaySo();
    void modelsAreListedAndFound();
    void devicesAreChosenByName();
    void loadingShowsProgressAndCanBeCancelled();
    void windowsAreAsLongAsTheSound();
    void adaptersAreSwitches();
    void recognizerGivesOrderedWordsInsideTheSound();
    void stepDecoderAgreesWithGreedy();
    void stepDecoderGoesBack();
    void samplingDependsOnTheSeedAlone();
    void hotterWhenTheTextIsBad();
    void longSoundWithoutTimestamps();
    void transcriptionCanBeCancelled();
    void cutsAtTheQuietestPlace();
    void languagesAndTasksAreChecked();
    void policiesRun();
    void causalModelsChooseToStream();
    void bfloat16IsNear();
};

void tst_caption_model::initTestCase()
{
    m_folder = fs::path(m_place.path().toStdString()) / "small-en";
    test::writeSmallWhisperFolder(m_folder);
}

void tst_caption_model::everyTensorIsUsedOnce()
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

void tst_caption_model::brokenModelsSaySo()
{
    const auto load = [](const fs::path &path) { return sentenceOf([&] { static_cast<void>(CaptionModel::load(path, kCpu)); }); };
    QVERIFY(contains(load(fs::path(m_place.path().toStdString()) / "nowhere"), "nowhere"));

    const fs::path no_tokenizer = copyOf("no-tokenizer");
    fs::remove(no_tokenizer / "tokenizer.json");
    QVERIFY(contains(load(no_tokenizer), "tokenizer"));

    const fs::path truncated = copyOf("truncated");
    fs::resize_file(truncated / "model.safetensors", fs::file_size(truncated / "model.safetensors") - 1000);
    QVERIFY(contains(load(truncated), "model.safetensors"));

    const fs::path empty = copyOf("empty");
    fs::resize_file(empty / "model.safetensors", 0);
    QVERIFY(contains(load(empty), "model.safetensors"));

    const fs::path other_sizes = copyOf("other-sizes");
    std::ifstream in(other_sizes / "config.json");
    nlohmann::json config = nlohmann::json::parse(in);
    config["d_model"] = 30;
    std::ofstream(other_sizes / "config.json") << config.dump();
    QVERIFY(!load(other_sizes).empty());

    const fs::path garbage = copyOf("garbage");
    std::ofstream(garbage / "config.json") << "{\"model_type\": \"whis";
    QVERIFY(contains(load(garbage), "config.json"));
}

void tst_caption_model::modelsAreListedAndFound()
{
    const fs::path place = fs::path(m_place.path().toStdString()) / "list";
    fs::create_directories(place / "notes");
    fs::copy(m_folder, place / "good", fs::copy_options::recursive);
    fs::copy(m_folder, place / "bad", fs::copy_options::recursive);
    std::ofstream(place / "bad" / "config.json") << "no json";
    std::ofstream(place / "readme.txt") << "not a model";
    const std::vector<fs::path> folders = {place, place / "missing", m_folder};
    const std::vector<ModelSummary> models = listModels(folders);
    QCOMPARE(models.size(), 3u);
    QCOMPARE(models[0].name, "bad");
    QVERIFY(!models[0].problem.empty());
    QCOMPARE(models[1].name, "good");
    QVERIFY2(models[1].problem.empty(), models[1].problem.c_str());
    QVERIFY(contains(models[1].description, "Whisper") && contains(models[1].description, "English"));
    QVERIFY(models[1].bytes > fs::file_size(place / "good" / "model.safetensors"));
    QCOMPARE(models[1].languages, std::vector<std::string>{"en"});
    QCOMPARE(models[2].name, "small-en");

    QCOMPARE(findModel("good", folders), place / "good");
    QCOMPARE(findModel(m_folder.string(), {}), m_folder);
    const std::string sentence = sentenceOf([&] { static_cast<void>(findModel("tiny", folders)); });
    QVERIFY2(contains(sentence, "tiny") && contains(sentence, "good") && contains(sentence, "small-en"), sentence.c_str());
}

void tst_caption_model::devicesAreChosenByName()
{
    QCOMPARE(applyDeviceChoice({"cpu", NumberType::Float32, 2}), "cpu, 2 threads, float32");
    QCOMPARE(applyDeviceChoice({"cpu", NumberType::Float32, 1}), "cpu, 1 thread, float32");
    QVERIFY(resolveThreads(0) >= 1);
    for (const char *nonsense : {"gpu", "cuda1", "cuda:x", "cuda:", ""}) {
        QVERIFY2(contains(sentenceOf([&] { static_cast<void>(applyDeviceChoice({nonsense, NumberType::Float32, 1})); }), "is no device"), nonsense);
    }
    QVERIFY(contains(sentenceOf([] { static_cast<void>(applyDeviceChoice({"cuda:99", NumberType::Float32, 1})); }), "GPU"));
}

void tst_caption_model::loadingShowsProgressAndCanBeCancelled()
{
    double last = -1;
    int reports = 0;
    const auto model = CaptionModel::load(m_folder, kCpu, [&](double fraction, const std::string &what) {
        QVERIFY(fraction >= last && fraction <= 1);
        QVERIFY(contains(what, "small-en"));
        last = fraction;
        ++reports;
    });
    QCOMPARE(last, 1.0);
    QVERIFY(reports > 10);
    QCOMPARE(model->summary().name, "small-en");
    QVERIFY(model->summary().bytes > 0);

    std::stop_source stop;
    try {
        static_cast<void>(CaptionModel::load(m_folder, kCpu, [&stop](double fraction, const std::string &) {
            if (fraction > 0.3) {
                stop.request_stop();
            }
        }, stop.get_token()));
        QFAIL("was not cancelled");
    } catch (const Error &error) {
        QCOMPARE(error.kind(), ErrorKind::Cancelled);
    }
}

void tst_caption_model::windowsAreAsLongAsTheSound()
{
    const auto model = smallModel(m_folder);
    QCOMPARE(model->frameSamples(), 640);
    QCOMPARE(model->windowSamples(), 60 * 640);
    for (const auto &[samples, frames] : {std::pair(38400, 60), std::pair(38399, 60), std::pair(100000, 60), std::pair(16000, 25), std::pair(16001, 25), std::pair(16160, 26), std::pair(1, 10), std::pair(0, 10)}) {
        const whisper::SoundCache sound = model->listen(model->windowMel(test::hashedSound(static_cast<std::size_t>(samples))));
        QCOMPARE(sound.frames, frames);
    }
}

void tst_caption_model::adaptersAreSwitches()
{
    const c10::InferenceMode inference;
    test::HashedWhisper weights("lora/", test::smallDims());
    for (const char *name : {"encoder.blocks.0.attn.query", "encoder.blocks.1.attn.out", "decoder.blocks.0.attn.value", "decoder.blocks.2.cross_attn.key", "decoder.blocks.2.cross_attn.query"}) {
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

void tst_caption_model::recognizerGivesOrderedWordsInsideTheSound()
{
    CaptionOptions options;
    options.rival_count = 2;
    whisper::WhisperRecognizer recognizer(smallModel(m_folder), options);
    QCOMPARE(recognizer.maximumSamples(), 60 * 640);
    const std::vector<float> sound = test::hashedSound(30000);
    constexpr Sample kStart = 160000;
    const decoding::Hypothesis first = recognizer.recognize({sound, kStart, "text before"});
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

    const decoding::Hypothesis again = recognizer.recognize({sound, kStart, "text before"});
    QCOMPARE(again.words.size(), first.words.size());
    QVERIFY(recognizer.recognize({{}, kStart, ""}).words.empty());
}

void tst_caption_model::stepDecoderAgreesWithGreedy()
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
        const decoding::DecodedStep step = decoder.next();
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

void tst_caption_model::stepDecoderGoesBack()
{
    const auto model = smallModel(m_folder);
    whisper::WhisperStepDecoder decoder(model, {});
    QVERIFY(!sentenceOf([&] { decoder.begin("", {}); }).empty());  // no sound yet
    decoder.setSound(test::hashedSound(25000), 0);
    decoder.begin("", {});
    std::vector<std::int32_t> tokens;
    std::vector<float> probabilities;
    for (int i = 0; i < 6; ++i) {
        const decoding::DecodedStep step = decoder.next();
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
        const decoding::DecodedStep step = decoder.next();
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

void tst_caption_model::samplingDependsOnTheSeedAlone()
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

void tst_caption_model::hotterWhenTheTextIsBad()
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

void tst_caption_model::longSoundWithoutTimestamps()
{
    const auto model = CaptionModel::load(m_folder, kCpu);
    OfflineOptions options;
    options.beam_size = 2;
    options.temperatures = {0.0f};
    options.log_probability_threshold = -1000;
    const std::vector<float> sound = test::hashedSound(200000);  // 12.5 s, windows of at most 2.4 s
    double last = 0;
    const text::Transcript transcript = model->transcribe(sound, options, [&last](double fraction, const std::string &) { last = fraction; });
    QCOMPARE(last, 1.0);
    Sample before = 0;
    Sample latest = 0;
    for (const text::TranscriptItem &item : transcript) {
        if (const auto *word = std::get_if<text::Word>(&item)) {
            QVERIFY(word->start_sample >= before && word->end_sample >= word->start_sample && word->end_sample <= 200000);
            before = word->start_sample;
            latest = word->end_sample;
        }
    }
    QVERIFY(latest > 150000);  // windows up to the end were heard
    QVERIFY(model->transcribe({}, options).empty());
    QVERIFY(model->transcribe(std::vector<float>(100000, 0.0f), options).empty());  // nothing but silence
}

void tst_caption_model::transcriptionCanBeCancelled()
{
    const auto model = CaptionModel::load(m_folder, kCpu);
    std::stop_source stop;
    try {
        static_cast<void>(model->transcribe(test::hashedSound(200000), {}, [&stop](double fraction, const std::string &) {
            if (fraction > 0.2) {
                stop.request_stop();
            }
        }, stop.get_token()));
        QFAIL("was not cancelled");
    } catch (const Error &error) {
        QCOMPARE(error.kind(), ErrorKind::Cancelled);
    }
}

void tst_caption_model::cutsAtTheQuietestPlace()
{
    std::vector<float> sound = test::hashedNumbers("loud", 100000);
    std::fill(sound.begin() + 70000, sound.begin() + 74000, 0.01f);
    const std::size_t cut = whisper::quietestCut(sound);
    QVERIFY2(cut > 71000 && cut < 73500, std::to_string(cut).c_str());
    QCOMPARE(whisper::quietestCut(std::span(sound).first(3000)), 3000u);  // too short to choose
}

void tst_caption_model::languagesAndTasksAreChecked()
{
    const auto model = CaptionModel::load(m_folder, kCpu);
    CaptionOptions options;
    options.language = "de";
    QVERIFY(contains(sentenceOf([&] { static_cast<void>(model->makePolicy(options)); }), "\"de\""));
    options.language = "en";
    options.task = SpeechTask::Translate;
    QVERIFY(contains(sentenceOf([&] { static_cast<void>(model->makePolicy(options)); }), "translate"));
    OfflineOptions offline;
    offline.task = SpeechTask::Translate;
    QVERIFY(contains(sentenceOf([&] { static_cast<void>(model->transcribe({}, offline)); }), "translate"));
}

void tst_caption_model::policiesRun()
{
    const auto model = CaptionModel::load(m_folder, kCpu);
    for (const auto &[kind, name] : {std::pair{PolicyKind::LocalAgreement, "local-agreement"}, {PolicyKind::AlignAtt, "align-att"}, {PolicyKind::Streaming, "streaming"},
                                     {PolicyKind::ModelsChoice, "align-att"}}) {
        CaptionOptions options;
        options.policy = kind;
        options.step_ms = 500;
        const auto policy = model->makePolicy(options);
        QVERIFY(policy->stepSamples() > 0);
        QCOMPARE(policy->name(), std::string(name));
        policy->beginUtterance(0);
        const std::vector<float> sound = test::hashedSound(40000);
        for (std::size_t begin = 0; begin < sound.size(); begin += 8000) {
            policy->addSound(std::span(sound).subspan(begin, 8000));
            static_cast<void>(policy->step());
        }
        QVERIFY(policy->endUtterance().tail.empty());
    }
}

void tst_caption_model::causalModelsChooseToStream()
{
    const fs::path causal = copyOf("causal");
    std::ifstream in(causal / "config.json");
    nlohmann::json config = nlohmann::json::parse(in);
    config["braid_streaming"] = {{"first_chunk_ms", 400}, {"default_chunk_ms", 200}, {"chunk_ms_min", 100}, {"chunk_ms_max", 1000}};
    std::ofstream(causal / "config.json") << config.dump();
    const ModelSummary listed = listModels(std::vector<fs::path>{causal})[0];
    QVERIFY(listed.made_for_streaming);
    QCOMPARE((std::array{listed.least_chunk_ms, listed.most_chunk_ms, listed.own_chunk_ms, listed.first_chunk_ms}), (std::array{100, 1000, 200, 400}));
    QVERIFY(!listModels(std::vector<fs::path>{m_folder})[0].made_for_streaming);
    QCOMPARE(listModels(std::vector<fs::path>{m_folder})[0].most_chunk_ms, 0);
    const auto model = CaptionModel::load(causal, kCpu);
    QVERIFY(model->summary().made_for_streaming);
    const auto policy = model->makePolicy({});
    QCOMPARE(policy->name(), std::string("streaming"));
    // It serves all policies and the whole file in turn, each as if it were alone.
    const std::vector<float> sound = test::hashedSound(30000);
    const auto wordsOf = [&](PolicyKind kind) {
        CaptionOptions options;
        options.policy = kind;
        const auto one = model->makePolicy(options);
        one->beginUtterance(0);
        one->addSound(sound);
        static_cast<void>(one->step());
        std::string all;
        for (const text::Word &word : one->endUtterance().committed) {
            all += word.text + "|";
        }
        return all;
    };
    OfflineOptions offline;
    offline.beam_size = 1;
    offline.temperatures = {0};
    const auto whole = model->transcribe(sound, offline).size();
    const std::string streamed = wordsOf(PolicyKind::Streaming);
    const std::string aligned = wordsOf(PolicyKind::AlignAtt);
    QCOMPARE(model->transcribe(sound, offline).size(), whole);
    QCOMPARE(wordsOf(PolicyKind::Streaming), streamed);
    QCOMPARE(wordsOf(PolicyKind::AlignAtt), aligned);
    QVERIFY(!wordsOf(PolicyKind::LocalAgreement).empty() || !aligned.empty() || !streamed.empty());
}

void tst_caption_model::bfloat16IsNear()
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

QTEST_GUILESS_MAIN(tst_caption_model)
#include "tst_caption_model.moc"
