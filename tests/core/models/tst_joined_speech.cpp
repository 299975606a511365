// One long utterance heard by the model in the box says what its sentences say one by one: no word is lost or said twice where one window gives way to
// the next, in a pause or, where pauses are not used, with overlap.
#include <QtTest>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "core/audio/read_whole.h"
#include "core/captions/streaming_policy.h"
#include "core/metrics/text_normaliser.h"
#include "core/metrics/word_error_rate.h"
#include "core/models/whisper/whisper_model.h"
#include "core/models/whisper/whisper_streaming_recognizer.h"
#include "lab/corpus/read_corpus.h"
#include "lab/corpus/utterance_sound.h"

using namespace braid;
namespace fs = std::filesystem;

namespace {

const fs::path kSpeech = BRAID_SOURCE_DIR "/../shared/data/speech/librispeech-dev-clean";
const fs::path kBoxModel = BRAID_SOURCE_DIR "/resources/models/captions-en";
const fs::path kSample = BRAID_SOURCE_DIR "/resources/samples/caption-sample";

struct Speech {
    std::vector<float> sound;
    std::string text;
};

std::shared_ptr<models::whisper::Model> boxModel()
{
    weights::WhisperCheckpoint checkpoint = weights::readWhisperCheckpoint(kBoxModel);
    const auto tokenizer = text::WhisperTokenizer::load(checkpoint.tokenizer_path, checkpoint.dims.n_vocab);
    return std::make_shared<models::whisper::Model>(std::move(checkpoint), tokenizer, nn::Placement{});
}

struct Heard {
    metrics::WordErrors errors;
    std::string text;
    int windows = 0;
};

Heard hear(const std::shared_ptr<models::whisper::Model> &model, const Speech &speech, const captions::StreamingOptions &options)
{
    captions::StreamingPolicy policy(std::make_unique<models::whisper::WhisperStreamingRecognizer>(model, models::CaptionOptions{}), options);
    policy.beginUtterance(0);
    Heard heard;
    Sample before = 0;
    const auto take = [&](const captions::PolicyUpdate &update) {
        for (const text::Word &word : update.committed) {
            heard.text += (heard.text.empty() ? "" : " ") + word.text;
            QVERIFY(word.start_sample >= before);
            QVERIFY(word.end_sample > word.start_sample);
            before = word.end_sample;
        }
        heard.windows = std::max(heard.windows, policy.windows());
    };
    for (std::size_t at = 0; at < speech.sound.size();) {
        const std::size_t step = std::min(static_cast<std::size_t>(policy.stepSamples()), speech.sound.size() - at);
        policy.addSound(std::span(speech.sound).subspan(at, step));
        at += step;
        take(policy.step());
    }
    take(policy.endUtterance());
    heard.errors = metrics::countWordErrors(metrics::normalisedWords(speech.text), metrics::normalisedWords(heard.text));
    return heard;
}

// Errors of the same words heard in two ways differ by chance by about the root of how many there are.
bool isWithinChance(const metrics::WordErrors &joined, const metrics::WordErrors &apart)
{
    return static_cast<double>(joined.total()) <= static_cast<double>(apart.total()) + 2 * std::sqrt(static_cast<double>(apart.total()) + 1);
}

// Where every pause is passed over, a window is cut in the midst of speech every ten seconds: no more than four words may suffer at each join.
bool areJoinsCheap(const Heard &joined, const metrics::WordErrors &apart)
{
    return joined.errors.total() <= apart.total() + 4 * joined.windows;
}

std::string describe(const Heard &joined, const metrics::WordErrors &apart)
{
    const auto numbers = [](const metrics::WordErrors &errors) {
        return std::to_string(errors.total()) + " (" + std::to_string(errors.deletions) + " lost, " + std::to_string(errors.insertions) + " too many)";
    };
    return "joined " + numbers(joined.errors) + ", apart " + numbers(apart) + " in " + std::to_string(joined.windows) + " windows";
}

// Greedy decoding loses its way in long windows of unknown voices for reasons that are not the joins': the sample alone is asked of it.
void addRows(std::initializer_list<int> beams)
{
    QTest::addColumn<int>("beam");
    QTest::addColumn<bool>("in_pauses");
    for (const int beam : beams) {
        QTest::addRow("in pauses, beam %d", beam) << beam << true;
        QTest::addRow("with overlap, beam %d", beam) << beam << false;
    }
}

captions::StreamingOptions optionsFor(int beam, bool in_pauses)
{
    captions::StreamingOptions options;
    options.beam_size = beam;
    options.restart_after_samples = in_pauses ? 0 : samplesFromSeconds(1000);
    return options;
}

}  // namespace

class TestJoinedSpeech : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase()
    {
        if (!fs::exists(kBoxModel / "model.safetensors")) {
            QSKIP("the model in the box is not here");
        }
        m_model = boxModel();
    }

    void theSampleOverAndOver_data() { addRows({1, 5}); }
    void theSampleOverAndOver()
    {
        QFETCH(int, beam);
        QFETCH(bool, in_pauses);
#ifndef BRAID_HAS_MEDIA
        QSKIP("this build reads no FLAC");
#endif
        Speech once{audio::readWhole(kSample.string() + ".flac"), {}};
        std::ifstream truth(kSample.string() + ".txt");
        std::getline(truth, once.text);
        constexpr int kRounds = 6;
        Speech joined;
        for (int i = 0; i < kRounds; ++i) {
            joined.sound.insert(joined.sound.end(), once.sound.begin(), once.sound.end());
            joined.text += (joined.text.empty() ? "" : " ") + once.text;
        }
        // Joined, each round lies otherwise in its chunks; so it does apart.
        metrics::WordErrors apart;
        for (int i = 0; i < kRounds; ++i) {
            Speech shifted = once;
            shifted.sound.insert(shifted.sound.begin(), static_cast<std::size_t>(samplesFromMs(70 * i)), 0.0f);
            apart += hear(m_model, shifted, optionsFor(beam, true)).errors;
        }
        const Heard heard = hear(m_model, joined, optionsFor(beam, in_pauses));
        qInfo("%s", describe(heard, apart).c_str());
        QVERIFY(heard.windows > static_cast<int>(static_cast<Sample>(joined.sound.size()) / m_model->windowSamples()));
        QVERIFY2(in_pauses ? isWithinChance(heard.errors, apart) : areJoinsCheap(heard, apart), (describe(heard, apart) + "\n" + heard.text).c_str());
    }

    void sentencesOfManyPeopleOnEnd_data() { addRows({5}); }
    void sentencesOfManyPeopleOnEnd()
    {
        QFETCH(int, beam);
        QFETCH(bool, in_pauses);
        if (!fs::exists(kSpeech / "transcripts.tsv")) {
            QSKIP("LibriSpeech dev-clean is not here (../shared/data)");
        }
#ifndef BRAID_HAS_MEDIA
        QSKIP("this build reads no MP3");
#endif
        const corpus::Corpus corpus = corpus::readCorpus(kSpeech, corpus::TextForm::AsWritten);
        // Speakers that were not trained on: of the others, whole utterances are known by heart.
        std::vector<corpus::Utterance> unknown;
        std::copy_if(corpus.utterances.begin(), corpus.utterances.end(), std::back_inserter(unknown), [](const corpus::Utterance &utterance) {
            const std::string name = utterance.sound.stem().string();
            const std::string speaker = name.substr(0, name.find('-'));
            return speaker == "84" || speaker == "251" || speaker == "1272" || speaker == "2803";
        });
        QVERIFY(unknown.size() > 200);
        Speech joined;
        metrics::WordErrors apart;
        for (std::size_t i = 0; i < unknown.size(); i += 11) {
            Speech one{corpus::readSound(unknown[i]), unknown[i].text};
            apart += hear(m_model, one, optionsFor(beam, true)).errors;
            joined.sound.insert(joined.sound.end(), one.sound.begin(), one.sound.end());
            joined.text += (joined.text.empty() ? "" : " ") + one.text;
        }
        const Heard heard = hear(m_model, joined, optionsFor(beam, in_pauses));
        qInfo("%s", describe(heard, apart).c_str());
        QVERIFY2(in_pauses ? isWithinChance(heard.errors, apart) : areJoinsCheap(heard, apart), (describe(heard, apart) + "\n" + heard.text).c_str());
    }

  private:
    std::shared_ptr<models::whisper::Model> m_model;
};

QTEST_GUILESS_MAIN(TestJoinedSpeech)
#include "tst_joined_speech.moc"
