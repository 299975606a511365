// A language model that listens, from its folder to captions: loaded strictly, its segments are what the encoder gives of the whole sound, its words are the
// same however sound comes and however many tokens a step it predicts.
#include <QTemporaryDir>
#include <QtTest>

#include <random>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "core/base/error.h"
#include "core/captions/caption_session.h"
#include "core/model_access/model_access.h"
#include "core/models/models.h"
#include "core/models/speech_lm/segment_writer.h"
#include "tests/support/error_sentence.h"
#include "tests/support/hashed_numbers.h"
#include "tests/support/small_speech_lm_folder.h"
#include "tests/support/small_whisper_folder.h"

using namespace braid;
using namespace braid::models;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

const DeviceChoice kCpu = {"cpu", NumberType::Float32, 1};

CaptionOptions withHeads(std::int64_t heads, drafting::Verification verification = drafting::Verification::Greedy)
{
    CaptionOptions options;
    options.policy = "speech-llm";
    options.speech_llm.drafting.heads = heads;
    options.speech_llm.drafting.verification = verification;
    return options;
}

struct Said {
    std::vector<std::string> words;
    std::vector<std::int32_t> tokens;
    int passes = 0;
    friend bool operator==(const Said &a, const Said &b) { return a.words == b.words && a.tokens == b.tokens; }
};

void add(Said &said, const text::Word &word)
{
    said.words.push_back((word.starts_without_space ? "" : " ") + word.text);
    for (const text::Token &token : word.tokens) {
        said.tokens.push_back(token.id);
    }
}

Said written(const std::shared_ptr<const speech::SpeechLm> &model, const CaptionOptions &options, std::span<const float> sound, std::size_t piece)
{
    speech::SegmentWriter writer(model, options);
    Said said;
    const auto take = [&said](const captions::SegmentStep &step) {
        said.passes += step.decoder_passes;
        for (const captions::WrittenWord &word : step.words) {
            add(said, word.word);
        }
    };
    for (std::size_t given = 0; given < sound.size(); given += piece) {
        writer.addSound(sound.subspan(given, std::min(piece, sound.size() - given)));
        while (writer.segmentReady() && !writer.isFull()) {
            take(writer.readSegment());
        }
    }
    take(writer.finish());
    return said;
}

}  // namespace

class tst_speech_lm : public QObject {
    Q_OBJECT

    QTemporaryDir m_place;
    fs::path m_folder;
    std::vector<float> m_sound;

    [[nodiscard]] std::shared_ptr<const speech::SpeechLm> model() const { return speech::loadSpeechLm(m_folder, {}); }
    [[nodiscard]] std::shared_ptr<CaptionModel> captionModel() const { return makeModelLoader()->loadCaptionModel({m_folder, kCpu}, {}, {}); }

  private Q_SLOTS:
    void initTestCase()
    {
        at::set_num_threads(1);
        m_folder = fs::path(m_place.path().toStdString()) / "small-listener";
        test::writeSmallSpeechLmFolder(m_folder, {weights::LmHeadKind::Latent, 4});
        m_sound = test::hashedSound(static_cast<std::size_t>(samplesFromMs(4100)));
    }

    // Rows of the segments, one after the other, are those of the whole sound under the encoder's mask.
    void segmentsAreTheWhole()
    {
        const auto lm = model();
        const captions::Chunking segments = speech::segmentsOf(lm->config);
        const at::Tensor whole = lm->encoder->whole(m_sound, segments);
        QCOMPARE(whole.size(1), lm->config.language_model.width);
        QCOMPARE(whole.size(0), (103 + 2) / 3);  // frames of 40 ms, three in a row, the last filled up
        const auto stream = lm->encoder->begin(segments);
        std::vector<at::Tensor> rows;
        std::vector<std::int64_t> lengths;
        for (std::size_t given = 0; given < m_sound.size(); given += 6400) {
            rows.push_back(stream->add(std::span<const float>(m_sound).subspan(given, std::min<std::size_t>(6400, m_sound.size() - given))));
            lengths.push_back(rows.back().size(0));
        }
        rows.push_back(stream->finish());
        QVERIFY((at::cat(rows) - whole).abs().max().item<double>() < 1e-4);
        QCOMPARE(std::vector<std::int64_t>(lengths.begin(), lengths.begin() + 3), (std::vector<std::int64_t>{3, 3, 4}));
    }

    void piecesDoNotMatter()
    {
        const auto lm = model();
        const Said at_once = written(lm, withHeads(1), m_sound, m_sound.size());
        QVERIFY2(at_once.words.size() >= 3 && at_once.tokens.size() >= 10, qPrintable(QString("%1 words").arg(at_once.words.size())));
        for (const std::size_t piece : {std::size_t{160}, std::size_t{1777}, std::size_t{6400}, std::size_t{20000}}) {
            QVERIFY(written(lm, withHeads(1), m_sound, piece) == at_once);
        }
    }

    // Every paradigm that streams speech says the same with and without further heads; the others are refused.
    void verifiedGreedyIsGreedy()
    {
        const auto lm = model();
        for (const char *paradigm : {"group", "batch", "batch-all", "batch-positions", "interleaved"}) {
            CaptionOptions plain = withHeads(1);
            plain.speech_llm.paradigm = paradigm;
            const Said wanted = written(lm, plain, m_sound, 5000);
            for (std::int64_t heads = 2; heads <= 4; ++heads) {
                CaptionOptions drafted = withHeads(heads);
                drafted.speech_llm.paradigm = paradigm;
                const Said found = written(lm, drafted, m_sound, 5000);
                QVERIFY2(found == wanted, paradigm);
                QVERIFY(found.passes <= wanted.passes);
            }
        }
        for (const char *paradigm : {"offline", "no-positions", "no-source-positions", "sideways"}) {
            CaptionOptions refused = withHeads(1);
            refused.speech_llm.paradigm = paradigm;
            QVERIFY2(test::sentenceOf(ErrorKind::Usage, [&] { speech::SegmentWriter(lm, refused); }).find(paradigm) != std::string::npos, paradigm);
        }
    }

    // The other ways of accepting need fewer passes: every step says as many tokens as it can.
    void looserVerificationSavesPasses()
    {
        const auto lm = model();
        CaptionOptions loose = withHeads(4, drafting::Verification::Threshold);
        loose.speech_llm.drafting.threshold = 0.001;
        const Said plain = written(lm, withHeads(1), m_sound, 5000);
        const Said sure = written(lm, loose, m_sound, 5000);
        QVERIFY(static_cast<double>(sure.passes) / static_cast<double>(sure.tokens.size()) <
                static_cast<double>(plain.passes) / static_cast<double>(plain.tokens.size()));
        CaptionOptions ranked = withHeads(4, drafting::Verification::TopM);
        ranked.speech_llm.drafting.top_m = 100;
        const Said taken = written(lm, ranked, m_sound, 5000);
        QVERIFY(static_cast<double>(taken.passes) / static_cast<double>(taken.tokens.size()) <
                static_cast<double>(plain.passes) / static_cast<double>(plain.tokens.size()));
    }

    // phi moves the text's positions, k says how much is heard first.
    void settingsAreHeard()
    {
        const auto lm = model();
        const Said own = written(lm, withHeads(1), m_sound, 5000);
        CaptionOptions moved = withHeads(1);
        moved.speech_llm.phi = 64;
        QVERIFY(!(written(lm, moved, m_sound, 5000) == own));
        moved.speech_llm.phi = 0.5;  // its own
        QVERIFY(written(lm, moved, m_sound, 5000) == own);
        CaptionOptions late = withHeads(1);
        late.speech_llm.wait_k = 6;
        speech::SegmentWriter writer(lm, late);
        QCOMPARE(writer.segmentsAhead(), 6);
        writer.addSound(m_sound);
        for (int segment = 1; segment <= 6; ++segment) {
            QCOMPARE(writer.readSegment().words.size(), std::size_t(segment == 6 ? 1 : 0));
        }
    }

    // Live captions for longer than the encoder's window: the session gets every word once, in order, and nothing is taken back.
    void throughTheSession()
    {
        const auto lm = captionModel();
        QVERIFY(lm->summary().kind == CaptionModelKind::SpeechLm);
        QCOMPARE(lm->summary().token_heads, 4);
        const CaptionPolicies policies;
        bool in_order = true;
        const auto run = [&](const CaptionOptions &options, std::size_t piece) {
            std::vector<text::Word> words;
            captions::CaptionSession session(policies.make(*lm, options), {}, [&words](captions::SessionUpdate update) {
                QVERIFY(update.tail.empty());
                for (const text::TranscriptItem &item : update.committed) {
                    if (const auto *word = std::get_if<text::Word>(&item)) {
                        words.push_back(*word);
                    }
                }
            });
            const std::vector<float> sound = test::hashedSound(static_cast<std::size_t>(samplesFromMs(9000)));  // the encoder holds six seconds
            session.beginUtterance();
            for (std::size_t given = 0; given < sound.size(); given += piece) {
                session.hear(std::span<const float>(sound).subspan(given, std::min(piece, sound.size() - given)), captions::StepPacing::EveryStep);
            }
            session.endUtterance();
            session.finish();
            Said said;
            Sample until = 0;
            in_order = in_order && session.statistics().committed_words == static_cast<std::int64_t>(words.size());
            for (const text::Word &word : words) {
                in_order = in_order && word.start_sample >= until && word.end_sample >= word.start_sample && word.end_sample <= samplesFromMs(9000);
                until = word.end_sample;
                add(said, word);
            }
            return said;
        };
        const Said wanted = run(withHeads(1), 1000);
        QVERIFY2(wanted.words.size() >= 6 && wanted.tokens.size() >= 20, qPrintable(QString("%1 words").arg(wanted.words.size())));
        QVERIFY(run(withHeads(1), 7777) == wanted);
        QVERIFY(run(withHeads(4), 3000) == wanted);
        CaptionOptions unasked;
        QVERIFY(run(unasked, 3000) == wanted);  // the model's choice
        QVERIFY(in_order);
    }

    void otherKindsAreRefused()
    {
        const CaptionPolicies policies;
        const auto lm = captionModel();
        for (const char *policy : {"streaming", "local-agreement", "align-att"}) {
            CaptionOptions options;
            options.policy = policy;
            const std::string sentence = test::sentenceOf(ErrorKind::Usage, [&] { static_cast<void>(policies.make(*lm, options)); });
            QVERIFY2(sentence.find("speech-llm") != std::string::npos, sentence.c_str());
        }
        QVERIFY(test::sentenceOf(ErrorKind::Usage, [&] { static_cast<void>(lm->transcribe(m_sound, {})); }).find("speech-llm") != std::string::npos);
        QVERIFY(test::sentenceOf(ErrorKind::Usage, [&] { static_cast<void>(policies.make(*lm, withHeads(5))); }).find("4 heads") != std::string::npos);
        CaptionOptions french;
        french.language = "fr";
        QVERIFY(test::sentenceOf(ErrorKind::Usage, [&] { static_cast<void>(policies.make(*lm, french)); }).find("fr") != std::string::npos);

        const fs::path whisper = fs::path(m_place.path().toStdString()) / "small-whisper";
        test::writeSmallWhisperFolder(whisper);
        const auto other = makeModelLoader()->loadCaptionModel({whisper, kCpu}, {}, {});
        for (const CaptionOptions &options : {withHeads(1), [] {
                                                  CaptionOptions heads;
                                                  heads.speech_llm.drafting.heads = 2;
                                                  return heads;
                                              }()}) {
            const std::string sentence = test::sentenceOf(ErrorKind::Usage, [&] { static_cast<void>(policies.make(*other, options)); });
            QVERIFY2(sentence.find("small-whisper is none") != std::string::npos, sentence.c_str());
        }
        for (const CaptionPolicyEntry &entry : policies.entries()) {
            const bool follows = entry.name == "models-choice";
            QCOMPARE(runsOn(entry, lm->summary()), follows || entry.name == "speech-llm");
            QCOMPARE(runsOn(entry, other->summary()), entry.name != "speech-llm" && entry.name != "streaming");
        }
    }

    void isListedAmongModels()
    {
        const std::vector<ModelSummary> listed = makeModelLoader()->captionModels(std::vector<fs::path>{m_place.path().toStdString()});
        const auto found = std::find_if(listed.begin(), listed.end(), [](const ModelSummary &one) { return one.name == "small-listener"; });
        QVERIFY(found != listed.end());
        QVERIFY(found->problem.empty());
        QVERIFY(found->kind == CaptionModelKind::SpeechLm);
        QVERIFY2(found->description.find("listens") != std::string::npos && found->description.find("4 tokens a step") != std::string::npos,
                 found->description.c_str());
    }

    void damagedFoldersAreRefused_data()
    {
        QTest::addColumn<QString>("patch");  // JSON merge patch of config.json
        QTest::addColumn<QString>("says");
        const auto row = [](const char *name, const char *patch, const char *says) { QTest::newRow(name) << QString(patch) << QString(says); };
        row("an unknown encoder", R"({"encoder": {"kind": "ears"}})", "causal-whisper");
        row("an unknown setting of the encoder", R"({"encoder": {"dropout": 0.1}})", "dropout");
        row("an unknown setting", R"({"speed": 2})", "speed");
        row("no adapter", R"({"adapter": null})", "adapter");
        row("an adapter to another width", R"({"adapter": {"widths": [25]}})", "25");
        row("an adapter without layers", R"({"adapter": {"widths": []}})", "widths");
        row("half a layer", R"({"adapter": {"widths": [23.5, 24]}})", "widths");
        row("a segment of half a frame", R"({"segment_ms": 410})", "410");
        row("a segment shorter than a row", R"({"segment_ms": 80})", "stack");
        row("a segment longer than the window", R"({"segment_ms": 8000})", "longer");
        row("a negative phi", R"({"phi": [-1]})", "phi");
        row("no phi", R"({"phi": []})", "phi");
        row("languages that are none", R"({"languages": [3]})", "languages");
        row("heads that do not divide", R"({"encoder": {"heads": 4}})", "heads");
        row("a width of billions", R"({"encoder": {"width": 1000000000}})", "width");
        row("a language model of another family", R"({"language_model": {"model_type": "bert"}})", "bert");
        row("streams", R"({"language_model": {"num_channels": 3}})", "parallel streams");
        row("other sizes than the weights", R"({"encoder": {"mlp_width": 29}})", "shape");
        row("a layer more", R"({"encoder": {"layers": 3}})", "missing");
        row("a layer less", R"({"encoder": {"layers": 1}})", "no place");
        row("a head more", R"({"language_model": {"braid_token_heads": {"kind": "latent", "count": 5}}})", "missing");
    }
    void damagedFoldersAreRefused()
    {
        QFETCH(QString, patch);
        QFETCH(QString, says);
        const QTemporaryDir place;
        const fs::path folder = fs::path(place.path().toStdString()) / "damaged";
        fs::create_directories(folder);
        for (const char *name : {"config.json", "model.safetensors", "tokenizer.json"}) {
            fs::copy_file(m_folder / name, folder / name);
        }
        json config = test::smallSpeechLmConfig({weights::LmHeadKind::Latent, 4});
        config.merge_patch(json::parse(patch.toStdString()));
        std::ofstream(folder / "config.json") << config.dump();
        const std::string sentence = test::sentenceOf(ErrorKind::Model, [&] {
            static_cast<void>(makeModelLoader()->loadCaptionModel({folder, kCpu}, {}, {}));
        });
        QVERIFY2(sentence.find(says.toStdString()) != std::string::npos, sentence.c_str());
    }

    void aVocabularyWithoutMarksIsRefused()
    {
        const QTemporaryDir place;
        const fs::path folder = fs::path(place.path().toStdString()) / "unmarked";
        test::writeSmallLmFolder(folder, test::SmallLmKind::Chat);  // its tokenizer
        for (const char *name : {"config.json", "model.safetensors"}) {
            fs::copy_file(m_folder / name, folder / name, fs::copy_options::overwrite_existing);
        }
        const auto load = [&] { static_cast<void>(makeModelLoader()->loadCaptionModel({folder, kCpu}, {}, {})); };
        QVERIFY(test::sentenceOf(ErrorKind::Model, load).find("<|source|>") != std::string::npos);
        fs::remove(folder / "tokenizer.json");
        QVERIFY(!test::sentenceOf(ErrorKind::Model, load).empty());
    }

    void loadingCanBeStopped()
    {
        std::stop_source stop;
        stop.request_stop();
        QVERIFY_THROWS_EXCEPTION(Error, static_cast<void>(makeModelLoader()->loadCaptionModel({m_folder, kCpu}, {}, stop.get_token())));
    }
};

QTEST_GUILESS_MAIN(tst_speech_lm)
#include "tst_speech_lm.moc"
