// Getting at a model without libtorch: the registry of caption policies, where models lie, and one loaded model for all who ask.
#include <QtTest>

#include <fstream>

#include <QTemporaryDir>

#include "core/base/error.h"
#include "core/model_access/box_tokenizer.h"
#include "core/model_access/disk_models.h"
#include "core/model_access/model_access.h"
#include "tests/support/error_sentence.h"

using namespace braid;
using namespace braid::models;
using test::contains;
using test::sentenceOf;
namespace fs = std::filesystem;

namespace {

class SilentPolicy : public captions::CaptionPolicy {
  public:
    [[nodiscard]] std::string name() const override { return "silent"; }
    [[nodiscard]] Sample stepSamples() const override { return samplesFromMs(250); }
    void beginUtterance(Sample) override {}
    void addSound(std::span<const float>) override {}
    [[nodiscard]] captions::PolicyUpdate step() override { return {}; }
    [[nodiscard]] captions::PolicyUpdate endUtterance() override { return {}; }
};

class EmptyModel : public CaptionModel {
  public:
    [[nodiscard]] ModelSummary summary() const override { return {}; }
    [[nodiscard]] std::unique_ptr<captions::WindowRecognizer> makeWindowRecognizer(const CaptionOptions &) override { return nullptr; }
    [[nodiscard]] std::unique_ptr<captions::StepDecoder> makeStepDecoder(const CaptionOptions &) override { return nullptr; }
    [[nodiscard]] std::unique_ptr<captions::StreamingRecognizer> makeStreamingRecognizer(const CaptionOptions &) override { return nullptr; }
    [[nodiscard]] text::Transcript transcribe(std::span<const float>, const OfflineOptions &, const Progress &, std::stop_token) override { return {}; }
};

// Counts what is asked of it.
class CountingLoader : public ModelLoader {
  public:
    [[nodiscard]] std::vector<ModelSummary> captionModels(std::span<const fs::path>) const override { return {}; }
    [[nodiscard]] std::vector<LanguageModelSummary> languageModels(std::span<const fs::path>) const override { return language_models; }
    [[nodiscard]] std::string describe(const DeviceChoice &) const override { return "nowhere"; }
    void useThreads(const DeviceChoice &device) const override { threads = device.threads; }
    [[nodiscard]] std::shared_ptr<CaptionModel> loadCaptionModel(const ModelChoice &, const Progress &, std::stop_token) const override
    {
        ++loads;
        return std::make_shared<EmptyModel>();
    }
    [[nodiscard]] std::shared_ptr<LanguageModel> loadLanguageModel(const ModelChoice &, const Progress &, std::stop_token) const override { return nullptr; }

    std::vector<LanguageModelSummary> language_models;
    mutable int loads = 0;
    mutable int threads = 0;
};

}  // namespace

class tst_model_access : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void aPolicyIsRegisteredInOneLine()
    {
        CaptionPolicies policies;
        policies.add({"silent", "sil", "Silent", "Says nothing", PolicyRuns::OnAnyModel, {}, [](CaptionModel &, const CaptionOptions &) {
                          return std::make_unique<SilentPolicy>();
                      }});
        CaptionOptions options;
        options.policy = "silent";
        EmptyModel model;
        QCOMPARE(policies.make(model, options)->name(), std::string("silent"));
        QCOMPARE(policies.parse("sil", {}).policy, std::string("silent"));
        QVERIFY(contains(sentenceOf([&] { static_cast<void>(policies.parse("wish", {})); }), "a policy is streaming, la, aa, slm, offline or sil"));
        QVERIFY(contains(sentenceOf([&] { static_cast<void>(policies.parse("sil:beam=2", {})); }), "is no setting of sil"));
        options.policy = "offline";
        QVERIFY(contains(sentenceOf([&] { static_cast<void>(policies.make(model, options)); }), "speech-llm and silent"));
    }

    void aTranslatorIsFoundByItsLanguages()
    {
        const auto made = [](const char *name, const char *source, const char *target, const char *problem = "") {
            LanguageModelSummary summary;
            summary.name = name;
            summary.path = fs::path("/models") / name;
            summary.source_language = source;
            summary.target_language = target;
            summary.problem = problem;
            return summary;
        };
        const auto loader = std::make_shared<CountingLoader>();
        loader->language_models = {made("chat", "", ""), made("broken", "en", "de", "its weights are missing"), made("en-de", "en", "de"),
                                   made("fr-en", "fr", "en")};
        ModelAccess access;
        access.loader = loader;
        QCOMPARE(findTranslator(access, "", "de"), fs::path("/models/en-de"));
        QCOMPARE(findTranslator(access, "en", "de"), fs::path("/models/en-de"));
        QCOMPARE(findTranslator(access, "fr", ""), fs::path("/models/fr-en"));
        const std::string sentence = sentenceOf([&] { static_cast<void>(findTranslator(access, "en", "fi")); });
        QVERIFY2(contains(sentence, "from en to fi") && contains(sentence, "en to de (en-de), fr to en (fr-en)"), sentence.c_str());
        // Nothing asked for: the one in the box.
        QTemporaryDir folder;
        fs::create_directories(folder.filePath(kTranslatorInTheBox).toStdString());
        std::ofstream(folder.filePath(kTranslatorInTheBox).toStdString() + "/config.json") << R"({"model_type": "qwen3"})";
        access.folders = {folder.path().toStdString()};
        QCOMPARE(findTranslator(access, "", ""), fs::path(folder.filePath(kTranslatorInTheBox).toStdString()));
    }

    void settingsGoWhereTheyBelong()
    {
        const CaptionPolicies policies;
        CaptionOptions common;
        common.language = "en";
        const CaptionOptions streaming =
            policies.parse("streaming:beam=5,step=300,first=600,reencode=900,look-back=0,stability=v2,word-times=paper,cache=across,doubt=20", common);
        QCOMPARE(streaming.language, std::string("en"));
        QCOMPARE((std::array{streaming.beam_size, streaming.step_ms, streaming.first_chunk_ms, streaming.look_back_tokens}), (std::array{5, 300, 600, 0}));
        QCOMPARE(streaming.reencode_ms, 900);
        QCOMPARE(streaming.stability, captions::StabilityRule::ReleasedV2);
        QCOMPARE(streaming.word_times, captions::WordTimeRule::Paper);
        QCOMPARE(streaming.token_cache, captions::TokenCache::AcrossChunks);
        QCOMPARE(streaming.doubt.least_probability, 0.2f);
        const CaptionOptions aligned = policies.parse("aa:threshold=120,last=300,prompt=7,pad=full", {});
        QCOMPARE(aligned.align_att.frame_threshold_samples, samplesFromMs(120));
        QCOMPARE(aligned.align_att.last_word_guard_samples, samplesFromMs(300));
        QCOMPARE(aligned.align_att.prompt.characters, std::size_t{7});
        QCOMPARE(aligned.window_padding, captions::WindowPadding::FullWindow);
        QCOMPARE(policies.parse("local-agreement:guard=300", {}).local_agreement.commit_guard_samples, samplesFromMs(300));
        const OfflineOptions offline = offlineOptions(policies.parse("offline:beam=2,temperature=0", common));
        QCOMPARE(offline.beam_size, 2);
        QCOMPARE(offline.temperatures, std::vector<float>{0.0f});
        for (const auto &[text, says] : {std::pair{"streaming:hope=1", "is no setting of streaming"},
                                         {"la:beam=0", "needs a number from 1 to 20"},
                                         {"aa:beam=5", "There are chunk=MS, threshold=MS"},
                                         {"offline:temperature=hot", "temperature=0|rising"},
                                         {"models-choice", "a policy is"}}) {
            const std::string sentence = sentenceOf([&, asked = text] { static_cast<void>(policies.parse(asked, {})); });
            QVERIFY2(contains(sentence, says), sentence.c_str());
        }
    }

    void modelsLieInSeveralFolders()
    {
        const QTemporaryDir place;
        const fs::path root = place.path().toStdString();
        for (const char *name : {"a/one", "b/two"}) {
            fs::create_directories(root / name);
            std::ofstream(root / name / "config.json") << "{}";
        }
        qputenv("BRAID_MODELS", QByteArray::fromStdString((root / "a").string() + "::" + (root / "gone").string() + ":" + (root / "b").string()));
        qputenv("XDG_DATA_HOME", QByteArray::fromStdString((root / "data").string()));
        const std::vector<fs::path> folders = modelFolders();
        QVERIFY(folders.size() >= 2);
        QCOMPARE(folders[0], root / "a");
        QCOMPARE(folders[1], root / "b");
        QCOMPARE(findModel("two", folders), root / "b" / "two");
        QCOMPARE(userDataFolder(), root / "data" / "braid");
        // A model that is not there is never replaced by another.
        for (const std::string &name : {std::string("three"), std::string(), (root / "gone").string()}) {
            QVERIFY(contains(sentenceOf([&] { static_cast<void>(findModel(name, folders)); }), "there is no model of this name"));
            QVERIFY(contains(sentenceOf([&] { static_cast<void>(findLanguageModel(name, folders)); }), "there is no language model of this name"));
        }
    }

    // Never in whatever folder the program happens to be in.
    void withoutAHomeThereIsNoPlaceForJournals()
    {
        const QByteArray data = qgetenv("XDG_DATA_HOME");
        const QByteArray home = qgetenv("HOME");
        qunsetenv("XDG_DATA_HOME");
        qunsetenv("HOME");
        const fs::path none = userDataFolder();
        const std::string sentence = sentenceOf([] { static_cast<void>(journalsFolder()); });
        static_cast<void>(resourceFolders("models"));
        qputenv("HOME", home);
        const fs::path own = journalsFolder();
        qputenv("XDG_DATA_HOME", data);
        QVERIFY2(none.empty(), none.c_str());
        QVERIFY2(contains(sentence, "neither HOME nor XDG_DATA_HOME") && contains(sentence, "--journal"), sentence.c_str());
        QCOMPARE(own, fs::path(home.toStdString()) / ".local/share/braid/sessions");
    }

    void anInstalledProgramLooksIntoInstalledPlacesAlone()
    {
        const QTemporaryDir place;
        const fs::path root = place.path().toStdString();
        fs::create_directories(root / "bin");
        QCOMPARE(programsResources(root / "bin"), fs::path(BRAID_SOURCE_DIR "/resources"));
        fs::create_directories(root / "share/braid");
        QCOMPARE(programsResources(root / "bin"), root / "share/braid");
    }

    void modelsOfOtherProgramsAreFoundWhereTheyLie()
    {
        const QTemporaryDir place;
        const fs::path root = place.path().toStdString();
        const auto write = [&root](const char *path, const std::string &text) {
            fs::create_directories((root / path).parent_path());
            std::ofstream(root / path) << text;
        };
        qunsetenv("HF_HOME");
        qunsetenv("HF_HUB_CACHE");
        qputenv("XDG_CACHE_HOME", QByteArray::fromStdString(root.string()));
        qputenv("XDG_DATA_HOME", QByteArray::fromStdString((root / "data").string()));
        write("whisper/small.pt", "weights");
        write("whisper/ggml-base.bin", "weights");
        // The snapshot that a ref names, not the older one; the files are links to blobs, as Hugging Face keeps them.
        write("huggingface/hub/models--owner--talker/refs/main", "abc123");
        write("huggingface/hub/models--owner--talker/snapshots/000fff/config.json", "{}");
        write("huggingface/hub/models--owner--talker/snapshots/abc123/config.json", "{}");
        write("huggingface/hub/models--owner--talker/blobs/card", "---\nlanguage: en\nlicense: apache-2.0\n---\n# Talker");
        fs::create_symlink("../../blobs/card", root / "huggingface/hub/models--owner--talker/snapshots/abc123/README.md");
        write("huggingface/hub/datasets--owner--talks/snapshots/abc123/config.json", "{}");
        const fs::path talker = root / "huggingface/hub/models--owner--talker/snapshots/abc123";
        QCOMPARE(cacheFolders(), (std::vector<fs::path>{root / "whisper", talker}));
        const std::vector<fs::path> folders = modelFolders();
        QCOMPARE(findModel("small", folders), root / "whisper/small.pt");
        QCOMPARE(findModel("talker", folders), talker);
        QCOMPARE(modelName(talker), std::string("talker"));
        QCOMPARE(statedLicence(talker), std::string("apache-2.0"));
        QCOMPARE(statedLicence(root / "whisper/small.pt"), std::string());
        // What cannot be used is named with a word why.
        const auto unread = unreadModels({});
        const auto ggml = std::find_if(unread.begin(), unread.end(), [](const UnreadModel &model) { return model.name == "ggml-base"; });
        QVERIFY(ggml != unread.end());
        QCOMPARE(ggml->kind, std::string("ggml"));
        QVERIFY(contains(ggml->problem, "no Whisper of whisper.cpp"));
        qunsetenv("XDG_CACHE_HOME");
    }

    // Of whisper.cpp, llama.cpp, LM Studio and Ollama: by their first bytes, and Ollama's by their manifests.
    void filesOfOtherProgramsAreFoundWhereTheyLie()
    {
        const QTemporaryDir place;
        const fs::path root = place.path().toStdString();
        const auto write = [&root](const fs::path &file, const std::string &text) {
            fs::create_directories((root / file).parent_path());
            std::ofstream(root / file) << text;
        };
        const QByteArray home = qgetenv("HOME");
        qputenv("HOME", QByteArray::fromStdString(root.string()));
        qunsetenv("XDG_CACHE_HOME");
        write(".cache/whisper.cpp/ggml-tiny.bin", "lmgg");
        write("whisper.cpp/models/ggml-small.bin", "lmgg");
        write("whisper.cpp/models/notes.bin", "none");
        write(".cache/llama.cpp/qwen.gguf", "GGUF");
        write(".lmstudio/models/owner/talker/talker-Q4_K_M.gguf", "GGUF");
        write(".ollama/models/blobs/sha256-00aa", "GGUF");
        write(".ollama/models/blobs/sha256-00bb", "{}");
        write(".ollama/models/manifests/registry/library/qwen2.5/0.5b",
              R"({"layers": [{"mediaType": "application/vnd.ollama.image.template", "digest": "sha256:00bb"},
                            {"mediaType": "application/vnd.ollama.image.model", "digest": "sha256:00aa"}]})");
        write(".ollama/models/manifests/registry/library/broken/latest", "{");
        write(".ollama/models/manifests/registry/library/away/latest",
              R"({"layers": [{"mediaType": "application/vnd.ollama.image.model", "digest": "sha256:../../secret"}]})");
        const std::vector<fs::path> folders = cacheFolders();
        const std::vector<fs::path> found = modelsIn(folders);
        const fs::path blob = root / ".ollama/models/blobs/sha256-00aa";
        for (const fs::path &path : {root / ".cache/whisper.cpp/ggml-tiny.bin", root / "whisper.cpp/models/ggml-small.bin", root / ".cache/llama.cpp/qwen.gguf",
                                     root / ".lmstudio/models/owner/talker/talker-Q4_K_M.gguf", blob}) {
            QVERIFY2(std::find(found.begin(), found.end(), path) != found.end(), path.c_str());
        }
        QCOMPARE(std::count_if(found.begin(), found.end(), [&](const fs::path &path) { return path.string().starts_with(root.string()); }), 5);
        QCOMPARE(modelName(blob), std::string("qwen2.5:0.5b"));
        QCOMPARE(findLanguageModel("qwen2.5:0.5b", folders), blob);
        QCOMPARE(findLanguageModel("talker-Q4_K_M", folders).filename(), fs::path("talker-Q4_K_M.gguf"));
        QCOMPARE(findModel("ggml-tiny", folders), root / ".cache/whisper.cpp/ggml-tiny.bin");
        qputenv("HOME", home);
    }

    void whispersVocabulariesAreInTheBox()
    {
        QCOMPARE(tokenizerInTheBox(51864).filename(), fs::path("gpt2.tiktoken"));
        QCOMPARE(tokenizerInTheBox(51865).filename(), fs::path("multilingual.tiktoken"));
        QCOMPARE(tokenizerInTheBox(51866).filename(), fs::path("multilingual.tiktoken"));
        QVERIFY(tokenizerInTheBox(9999).empty());
    }

    void oneLoadedModelServesAllWhoAsk()
    {
        const auto loader = std::make_shared<CountingLoader>();
        CaptionModelCache cache(loader);
        const ModelChoice choice{"/models/one", {"cpu", NumberType::Float32, 2}};
        const auto first = cache.take(choice, {}, {});
        QCOMPARE(cache.take(choice, {}, {}), first);
        QCOMPARE(loader->loads, 1);
        QCOMPARE(loader->threads, 2);  // whoever takes it computes as chosen
        ModelChoice other = choice;
        other.device.threads = 3;
        QVERIFY(cache.take(other, {}, {}) != first);
        cache.clear();
        static_cast<void>(cache.take(other, {}, {}));
        QCOMPARE(loader->loads, 3);
    }

    void aBuildWithoutLibtorchSaysSo()
    {
        ModelAccess access;
        QCOMPARE(access.loader->describe({}), std::string("built without libtorch"));
        QVERIFY(contains(sentenceOf([&] {
                             static_cast<void>(access.captionCache()->take({"/models/one", {}}, {}, {}));
                         }),
                         "this build of Braid computes nothing"));
        QVERIFY(contains(sentenceOf([&] { static_cast<void>(access.languageCache()->take({"/models/one", {}}, {}, {})); }), "made without libtorch"));
    }
};

QTEST_GUILESS_MAIN(tst_model_access)
#include "tst_model_access.moc"
