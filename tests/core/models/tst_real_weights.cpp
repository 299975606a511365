// Real weights, where they are: the encoder of OpenAI's tiny.en against its golden outputs, and the model in the box on a real voice.
#include <QProcess>
#include <QtTest>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <ATen/ATen.h>
#include <nlohmann/json.hpp>

#include "core/audio/read_whole.h"
#include "core/features/log_mel.h"
#include "core/metrics/text_normaliser.h"
#include "core/metrics/word_error_rate.h"
#include "core/models/models.h"
#include "core/models/whisper/decode_window.h"
#include "core/models/whisper/encoder.h"
#include "core/models/whisper/streaming_mel.h"
#include "core/models/whisper/whisper_model.h"
#include "core/weights/safetensors.h"

using namespace braid;
namespace fs = std::filesystem;

namespace {

const fs::path kData = BRAID_SOURCE_DIR "/../shared/data";
const fs::path kBoxModel = BRAID_SOURCE_DIR "/resources/models/captions-en";
const fs::path kSample = BRAID_SOURCE_DIR "/resources/samples/caption-sample";

// As the golden numbers were made: 16 bit samples at 16 kHz from the ffmpeg program, whose resampler is not ours. Empty without that program.
std::vector<float> readSoundWithFfmpeg(const fs::path &path)
{
    QProcess ffmpeg;
    ffmpeg.start(QStringLiteral("ffmpeg"),
                 {QStringLiteral("-v"), QStringLiteral("error"), QStringLiteral("-i"), QString::fromStdString(path.string()), QStringLiteral("-f"),
                  QStringLiteral("s16le"), QStringLiteral("-ac"), QStringLiteral("1"), QStringLiteral("-ar"), QStringLiteral("16000"), QStringLiteral("-")});
    if (!ffmpeg.waitForFinished()) {
        return {};
    }
    const QByteArray bytes = ffmpeg.readAllStandardOutput();
    std::vector<float> sound(static_cast<std::size_t>(bytes.size()) / 2);
    for (std::size_t i = 0; i < sound.size(); ++i) {
        std::int16_t sample = 0;
        std::memcpy(&sample, bytes.constData() + 2 * i, 2);
        sound[i] = static_cast<float>(sample) / 32768.0f;
    }
    return sound;
}

// A float32 array of NumPy's .npy, version 1, row-major.
std::vector<float> readNumbers(const fs::path &path)
{
    std::ifstream file(path, std::ios::binary);
    char start[10];
    file.read(start, sizeof start);
    const int header = static_cast<unsigned char>(start[8]) + 256 * static_cast<unsigned char>(start[9]);
    file.seekg(10 + header);
    const auto bytes = fs::file_size(path) - 10 - static_cast<std::size_t>(header);
    std::vector<float> numbers(bytes / sizeof(float));
    file.read(reinterpret_cast<char *>(numbers.data()), static_cast<std::streamsize>(bytes));
    return numbers;
}

}  // namespace

class tst_real_weights : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void tinyEncoder_data();
    void tinyEncoder();
    void boxModelComputesWhatItsTrainerDid();
    void boxModelHearsTheSample();
};

void tst_real_weights::tinyEncoder_data()
{
    QTest::addColumn<QString>("sound");
    QTest::addColumn<QString>("golden");
    QTest::addColumn<double>("greatest_allowed");
    QTest::addColumn<double>("mean_allowed");
    QTest::newRow("1272-128104-0000") << "1272-128104-0000.wav"
                                      << "tiny.en_1272-128104-0000_encoder_out.f32.npy" << 1e-4 << 5e-6;
    // This recording is not at 16 kHz: the golden numbers come from another resampler than ours, which is most of the difference.
    QTest::newRow("jfk") << "jfk.flac"
                         << "tiny.en_jfk_encoder_out.f32.npy" << 0.3 << 2e-3;
}

void tst_real_weights::tinyEncoder()
{
    QFETCH(QString, sound);
    QFETCH(QString, golden);
    QFETCH(double, greatest_allowed);
    QFETCH(double, mean_allowed);
    const fs::path file = kData / "weights/whisper-tiny.en-encoder.fp16.safetensors";
    if (!fs::exists(file)) {
        QSKIP("the encoder of tiny.en is not here (../shared/data)");
    }
    const c10::InferenceMode inference;
    weights::WhisperCheckpoint checkpoint(file.string());
    checkpoint.tensors = weights::readSafetensors(file).tensors;
    const models::whisper::Encoder encoder(checkpoint, {});
    checkpoint.tensors.requireAllTaken();
    const fs::path clip = kData / "speech/clips" / sound.toStdString();
    const std::vector<float> samples = clip.extension() == ".wav" ? audio::readWhole(clip) : readSoundWithFfmpeg(clip);
    if (samples.empty()) {
        QSKIP("the ffmpeg program is not here");
    }
    const features::LogMel mel(80);
    const at::Tensor window = models::whisper::melTensor(mel.compute(samples, 30 * 16000)).narrow(1, 0, 3000);
    // The published window: the log-mel of the sound followed by silence, cut after 30 s.
    const at::Tensor ours = encoder(window).contiguous();
    const std::vector<float> theirs = readNumbers(kData / "golden" / golden.toStdString());
    QCOMPARE(static_cast<std::size_t>(ours.numel()), theirs.size());
    double greatest = 0;
    double total = 0;
    for (std::size_t i = 0; i < theirs.size(); ++i) {
        const double difference = std::abs(static_cast<double>(ours.data_ptr<float>()[i]) - theirs[i]);
        greatest = std::max(greatest, difference);
        total += difference;
    }
    qInfo("greatest difference %.2g, mean %.2g", greatest, total / static_cast<double>(theirs.size()));
    QVERIFY(greatest < greatest_allowed);
    QVERIFY(total / static_cast<double>(theirs.size()) < mean_allowed);
}

void tst_real_weights::boxModelComputesWhatItsTrainerDid()
{
    const fs::path expected_file = BRAID_SOURCE_DIR "/tests/parity/box_model_expected.json";
    if (!fs::exists(kBoxModel / "model.safetensors") || !fs::exists(kSample.string() + ".flac") || !fs::exists(expected_file)) {
        QSKIP("the model in the box, its sample or its expected numbers are not here");
    }
#ifndef BRAID_HAS_MEDIA
    QSKIP("this build reads no FLAC");
#endif
    const c10::InferenceMode inference;
    std::ifstream file(expected_file);
    const nlohmann::json expected = nlohmann::json::parse(file);
    const std::vector<float> all = audio::readWhole(kSample.string() + ".flac");
    const std::span<const float> sound = std::span(all).first(std::min<std::size_t>(all.size(), 15 * 16000));
    weights::WhisperCheckpoint checkpoint = weights::readWhisperCheckpoint(kBoxModel);
    const auto tokenizer = text::WhisperTokenizer::load(checkpoint.tokenizer_path, checkpoint.dims.n_vocab);
    const models::whisper::Model model(std::move(checkpoint), tokenizer, {});

    const at::Tensor mel = model.windowMel(sound);
    QCOMPARE(mel.size(1), expected["mel_frames"].get<std::int64_t>());
    const std::int64_t frames = (mel.size(1) + 3) / 4;
    const at::Tensor encoded =
        model.isCausal() ? model.encoder().masked(mel, models::whisper::blockEnds(model.defaultChunking(), frames)) : model.encoder()(mel);
    QCOMPARE(encoded.size(0), expected["encoder_frames"].get<std::int64_t>());
    for (std::size_t row = 0; row < 3; ++row) {
        for (std::size_t column = 0; column < 16; ++column) {
            const float ours = encoded[static_cast<std::int64_t>(100 * row)][static_cast<std::int64_t>(column)].item<float>();
            const float theirs = expected["encoder_rows_0_100_200_first_16"][row][column];
            QVERIFY2(std::abs(ours - theirs) < 2e-3f, std::to_string(ours - theirs).c_str());
        }
    }
    const models::whisper::SoundCache cache = model.decoder().listen(encoded);
    nn::SelfCache tokens = model.decoder().emptyCache(1);
    const std::vector<std::int32_t> prompt = expected["prompt"];
    QCOMPARE(models::whisper::makePrompt(model, "en", models::whisper::Task::Transcribe, models::whisper::Timestamps::With, {}).tokens, prompt);
    const at::Tensor logits = model.decoder().logits(model.decoder().run(cache, tokens, prompt))[0][-1];
    for (const auto &[key, begin] : {std::pair("first_logits_0_16", 0), std::pair("first_logits_256_272", 256)}) {
        for (int i = 0; i < 16; ++i) {
            const float difference = logits[begin + i].item<float>() - expected[key][static_cast<std::size_t>(i)].get<float>();
            QVERIFY2(std::abs(difference) < 5e-3f, std::to_string(difference).c_str());
        }
    }
    QCOMPARE(models::whisper::decodeWindow(model, cache, {}).tokens, expected["greedy_tokens"].get<std::vector<std::int32_t>>());
}

void tst_real_weights::boxModelHearsTheSample()
{
    if (!fs::exists(kBoxModel / "model.safetensors") || !fs::exists(kSample.string() + ".flac")) {
        QSKIP("the model in the box or its sample is not here");
    }
#ifndef BRAID_HAS_MEDIA
    QSKIP("this build reads no FLAC");
#endif
    const std::vector<float> sound = audio::readWhole(kSample.string() + ".flac");
    std::ifstream truth(kSample.string() + ".txt");
    std::string words;
    std::getline(truth, words);
    const auto model = models::loadCaptionModel(kBoxModel, {"cpu", models::NumberType::Float32, 1});
    const text::Transcript transcript = model->transcribe(sound, {});
    std::string said;
    Sample before = 0;
    for (const text::TranscriptItem &item : transcript) {
        if (const auto *word = std::get_if<text::Word>(&item)) {
            QVERIFY(word->start_sample >= before && word->end_sample >= word->start_sample && word->end_sample <= static_cast<Sample>(sound.size()));
            before = word->start_sample;
            said += (said.empty() ? "" : " ") + word->text;
        }
    }
    const metrics::WordErrors errors = metrics::countWordErrors(metrics::normalisedWords(words), metrics::normalisedWords(said));
    qInfo("word error rate on the sample: %.1f %%\n%s", 100 * errors.rate(), said.c_str());
    QVERIFY2(errors.rate() < 0.2, said.c_str());
}

QTEST_GUILESS_MAIN(tst_real_weights)
#include "tst_real_weights.moc"
