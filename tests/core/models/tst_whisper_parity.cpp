// Whisper computes what openai/whisper computes, on small random weights: tests/parity/whisper_parity.json, written by the script beside it.
// Every dimension of the first models is different, so that a transposed or swapped tensor cannot pass.
#include <QtTest>

#include <cmath>
#include <filesystem>
#include <fstream>

#include <ATen/ATen.h>
#include <nlohmann/json.hpp>

#include "core/models/whisper/decode_window.h"
#include "core/models/whisper/transcribe.h"
#include "core/models/whisper/whisper_model.h"
#include "core/models/whisper/word_alignment.h"
#include "tests/support/hashed_whisper.h"
#include "tests/support/json_distance.h"

using namespace braid;
using namespace braid::models::whisper;
using nlohmann::json;
using test::distance;

namespace {

const std::filesystem::path kVocabulary = BRAID_SOURCE_DIR "/../shared/data/tokenizers/whisper/multilingual.tiktoken";

weights::WhisperDims dimsFrom(const json &dims)
{
    weights::WhisperDims result;
    result.n_mels = dims.at("n_mels");
    result.n_audio_ctx = dims.at("n_audio_ctx");
    result.n_audio_state = dims.at("n_audio_state");
    result.n_audio_head = dims.at("n_audio_head");
    result.n_audio_layer = dims.at("n_audio_layer");
    result.n_vocab = dims.at("n_vocab");
    result.n_text_ctx = dims.at("n_text_ctx");
    result.n_text_state = dims.at("n_text_state");
    result.n_text_head = dims.at("n_text_head");
    result.n_text_layer = dims.at("n_text_layer");
    return result;
}

at::Tensor hashedMel(const char *name, std::int64_t bands, std::int64_t frames)
{
    const std::vector<float> values = test::hashedNumbers(name, static_cast<std::size_t>(bands * frames));
    return at::from_blob(const_cast<float *>(values.data()), {bands, frames}).clone();
}

}  // namespace

class tst_whisper_parity : public QObject {
    Q_OBJECT

    json m_numbers;
    std::unique_ptr<Model> m_speaking;
    std::optional<SoundCache> m_sound;

    void compareNumbers(const char *name, const char *mel_name, std::int64_t encoded_step);

  private Q_SLOTS:
    void initTestCase();
    void encoderAndDecoder() { compareNumbers("small", "mel", 1); }
    void encoderAndDecoderOf128Bands() { compareNumbers("wide", "mel128", 3); }
    void decodedTokens_data();
    void decodedTokens();
    void languages();
    void wordTimes();
    void punctuation();
    void longSound_data();
    void longSound();
};

void tst_whisper_parity::initTestCase()
{
    std::ifstream file(BRAID_SOURCE_DIR "/tests/parity/whisper_parity.json");
    m_numbers = json::parse(file);
    if (!std::filesystem::exists(kVocabulary)) {
        return;
    }
    const weights::WhisperDims dims = dimsFrom(m_numbers["speaking"]["dims"]);
    m_speaking =
        std::make_unique<Model>(test::HashedWhisper("speaking/", dims).take(), text::WhisperTokenizer::load(kVocabulary, dims.n_vocab), nn::Placement());
    const std::vector<float> sound = test::hashedSound(70 * 16000);
    m_sound = m_speaking->listen(m_speaking->windowMel(std::span(sound).first(7 * 16000)));
}

void tst_whisper_parity::compareNumbers(const char *name, const char *mel_name, std::int64_t encoded_step)
{
    const c10::InferenceMode inference;
    const json &expected = m_numbers[name];
    const weights::WhisperDims dims = dimsFrom(expected["dims"]);
    test::HashedWhisper weights(std::string(name) + "/", dims);
    const Encoder encoder(weights.checkpoint(), {});
    const Decoder decoder(weights.checkpoint(), {});
    weights.checkpoint().tensors.requireAllTaken();

    const at::Tensor encoded = encoder(hashedMel(mel_name, dims.n_mels, 2 * dims.n_audio_ctx));
    QCOMPARE(encoded.size(0), dims.n_audio_ctx);
    QVERIFY2(distance(encoded.slice(0, 0, {}, encoded_step), expected["encoded"]) < 2e-5, "encoder");

    // Whole, token by token, in uneven pieces, and after going back: always the same.
    const std::vector<std::int32_t> tokens = expected["tokens"];
    const SoundCache sound = decoder.listen(encoded);
    for (const std::vector<std::size_t> &pieces :
         {std::vector<std::size_t>{tokens.size()}, std::vector<std::size_t>(tokens.size(), 1), std::vector<std::size_t>{2, tokens.size() - 2}}) {
        nn::SelfCache cache = decoder.emptyCache(1);
        const std::vector<std::int32_t> astray = {7, 7};
        static_cast<void>(decoder.run(sound, cache, astray));
        cache.truncate(0);
        std::vector<at::Tensor> logits;
        std::size_t begin = 0;
        for (const std::size_t length : pieces) {
            logits.push_back(decoder.logits(decoder.run(sound, cache, std::span(tokens).subspan(begin, length))));
            begin += length;
        }
        QVERIFY2(distance(at::cat(logits, 1), expected["logits"]) < 1e-4, "decoder");
    }
}

void tst_whisper_parity::decodedTokens_data()
{
    QTest::addColumn<int>("index");
    const json &cases = m_numbers["speaking"]["decoded"];
    for (std::size_t i = 0; i < cases.size(); ++i) {
        QTest::newRow(cases[i]["case"]["name"].get<std::string>().c_str()) << static_cast<int>(i);
    }
}

void tst_whisper_parity::decodedTokens()
{
    if (!m_speaking) {
        QSKIP("OpenAI's vocabulary is not here (../shared/data)");
    }
    QFETCH(int, index);
    const json &expected = m_numbers["speaking"]["decoded"][static_cast<std::size_t>(index)];
    const json &given = expected["case"];
    DecodeOptions options;
    options.language = given.at("language");
    options.task = given.value("task", "") == "translate" ? Task::Translate : Task::Transcribe;
    options.timestamps = given.value("without_timestamps", false) ? Timestamps::Without : Timestamps::With;
    options.beam_size = given.value("beam_size", 1);
    options.patience = given.value("patience", 1.0f);
    if (given.contains("length_penalty")) {
        options.length_penalty = given["length_penalty"].get<float>();
    }
    options.previous_tokens = given.value("prompt", std::vector<std::int32_t>());
    options.max_tokens = 48;
    const DecodedWindow window = decodeWindow(*m_speaking, *m_sound, options);
    QCOMPARE(window.tokens, expected["tokens"].get<std::vector<std::int32_t>>());
    QCOMPARE(QString::fromStdString(window.text), QString::fromStdString(expected["text"]));
    QVERIFY(std::abs(window.average_log_probability - expected["avg_logprob"].get<float>()) < 1e-4f);
    QVERIFY(std::abs(window.no_speech_probability - expected["no_speech_prob"].get<float>()) < 1e-3f * expected["no_speech_prob"].get<float>());
    QVERIFY(std::abs(window.compression_ratio - expected["compression_ratio"].get<float>()) < 1e-4f);
}

void tst_whisper_parity::languages()
{
    if (!m_speaking) {
        QSKIP("OpenAI's vocabulary is not here (../shared/data)");
    }
    const auto ours = detectLanguage(*m_speaking, *m_sound);
    const json &theirs = m_numbers["speaking"]["languages"];
    QCOMPARE(ours.size(), 99u);
    for (std::size_t i = 0; i < theirs.size(); ++i) {
        QCOMPARE(ours[i].first, theirs[i][0].get<std::string>());
        QVERIFY(std::abs(ours[i].second - theirs[i][1].get<float>()) < 1e-4f);
    }
}

void tst_whisper_parity::wordTimes()
{
    if (!m_speaking) {
        QSKIP("OpenAI's vocabulary is not here (../shared/data)");
    }
    const json &given = m_numbers["speaking"];
    const std::vector<std::int32_t> tokens = given["text_tokens"];
    Alignment alignment = alignWords(*m_speaking, *m_sound, tokens, given["frames"].get<std::int64_t>() / 2, {"en", Task::Transcribe, 3, true});
    const json &words = given["words"];
    QCOMPARE(alignment.words.size(), words.size());
    for (std::size_t i = 0; i < words.size(); ++i) {
        const TimedWord &word = alignment.words[i];
        QCOMPARE(word.text, words[i]["word"].get<std::string>());
        QVERIFY2(std::abs(word.start_s - words[i]["start"].get<double>()) < 1e-6, word.text.c_str());
        QVERIFY2(std::abs(word.end_s - words[i]["end"].get<double>()) < 1e-6, word.text.c_str());
        const double probability = words[i]["probability"];
        QVERIFY2(std::abs(word.probability - probability) <= 1e-3 * probability, word.text.c_str());
    }
    QCOMPARE(alignment.attention.size(), tokens.size() * static_cast<std::size_t>(alignment.frames));
    for (std::size_t row = 0; row < tokens.size(); ++row) {
        double sum = 0;
        for (std::int64_t column = 0; column < alignment.frames; ++column) {
            sum += alignment.attention[row * static_cast<std::size_t>(alignment.frames) + static_cast<std::size_t>(column)];
        }
        QVERIFY(std::abs(sum - 1) < 1e-4);
    }
    for (const text::Token &token : alignment.tokens) {
        QCOMPARE(token.rivals.size(), 3u);
        QVERIFY(token.rivals[0].probability >= token.rivals[1].probability);
        QVERIFY(token.rivals[0].token_id != token.id);
    }
}

void tst_whisper_parity::punctuation()
{
    if (!m_speaking) {
        QSKIP("OpenAI's vocabulary is not here (../shared/data)");
    }
    const json &given = m_numbers["speaking"];
    std::vector<TimedWord> words;
    for (auto &piece : m_speaking->tokenizer().splitIntoWords(given["text_tokens"].get<std::vector<std::int32_t>>(), "en")) {
        words.push_back({piece.text, piece.ids, 0, 0, 0});
    }
    mergePunctuation(words);
    QCOMPARE(words.size(), given["merged"].size());
    for (std::size_t i = 0; i < words.size(); ++i) {
        QCOMPARE(words[i].text, given["merged"][i][0].get<std::string>());
        QCOMPARE(words[i].ids, given["merged"][i][1].get<std::vector<std::int32_t>>());
    }
}

void tst_whisper_parity::longSound_data()
{
    QTest::addColumn<int>("index");
    for (std::size_t i = 0; i < m_numbers["long"].size(); ++i) {
        QTest::newRow(m_numbers["long"][i]["options"].dump().c_str()) << static_cast<int>(i);
    }
}

void tst_whisper_parity::longSound()
{
    if (!m_speaking) {
        QSKIP("OpenAI's vocabulary is not here (../shared/data)");
    }
    QFETCH(int, index);
    const json &expected = m_numbers["long"][static_cast<std::size_t>(index)];
    TranscribeOptions options;
    options.offline.language = "en";
    options.offline.temperatures = {0.0f};
    options.offline.no_speech_threshold = 2;  // never taken for silence
    options.offline.beam_size = expected["options"].value("beam_size", 1);
    options.offline.condition_on_previous_text = expected["options"].value("condition_on_previous_text", true);
    options.word_times = expected["options"]["word_timestamps"].get<bool>() ? WordTimes::With : WordTimes::Without;
    options.max_tokens = expected["sample_len"];
    double heard = 0;
    const LongTranscript ours = transcribeSound(*m_speaking, test::hashedSound(70 * 16000), options, [&heard](double fraction, const std::string &) {
        QVERIFY(fraction >= heard);
        heard = fraction;
    });
    QCOMPARE(heard, 1.0);
    const json &segments = expected["segments"];
    QCOMPARE(ours.segments.size(), segments.size());
    for (std::size_t i = 0; i < segments.size(); ++i) {
        const Segment &segment = ours.segments[i];
        QCOMPARE(segment.tokens, segments[i]["tokens"].get<std::vector<std::int32_t>>());
        const std::string times = std::to_string(i) + ": " + std::to_string(segment.start_s) + " to " + std::to_string(segment.end_s) + ", not " +
                                  segments[i]["start"].dump() + " to " + segments[i]["end"].dump();
        QCOMPARE(std::llround(segment.window_start_s * 100), segments[i]["seek"].get<long long>());
        if (segment.tokens.empty()) {
            // Emptied: what is left at the end is a window of one frame, in which the published path steps outside the sound (column -1).
            QVERIFY(segment.words.empty() && segment.text.empty());
            QVERIFY(segment.start_s >= segment.window_start_s);
            continue;
        }
        QVERIFY2(std::abs(segment.start_s - segments[i]["start"].get<double>()) < 2e-3, times.c_str());
        QVERIFY2(std::abs(segment.end_s - segments[i]["end"].get<double>()) < 2e-3, times.c_str());
        QCOMPARE(segment.words.size(), segments[i]["words"].size());
        for (std::size_t w = 0; w < segment.words.size(); ++w) {
            const json &word = segments[i]["words"][w];
            QCOMPARE(segment.words[w].text, word[0].get<std::string>());
            QVERIFY(std::abs(segment.words[w].start_s - word[1].get<double>()) < 2e-3);
            QVERIFY(std::abs(segment.words[w].end_s - word[2].get<double>()) < 2e-3);
        }
    }
}

QTEST_GUILESS_MAIN(tst_whisper_parity)
#include "tst_whisper_parity.moc"
