// Tokenizers in GGUF files: llama.cpp's own vectors, and those that are refused.
#include <QTemporaryDir>
#include <QtTest>

#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>

#include "core/models/decoder_lm/lm_texts.h"
#include "tests/support/error_sentence.h"
#include "tests/support/gguf_writer.h"

using namespace braid;
using namespace braid::models;
using test::contains;
using test::GgufWriter;
namespace fs = std::filesystem;

class tst_gguf_tokenizers : public QObject {
    Q_OBJECT

    QTemporaryDir m_place;

    fs::path write(const std::string &bytes) const
    {
        const fs::path path = fs::path(m_place.path().toStdString()) / "model.gguf";
        std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
        return path;
    }

  private Q_SLOTS:
    // llama.cpp's own vectors: texts and their ids, of vocabularies that are GGUF files without tensors.
    void tokenizersOfLlamaCpp_data()
    {
        QTest::addColumn<QString>("name");
        for (const char *name : {"gpt-2", "llama-spm", "phi-3"}) {
            QTest::newRow(name) << name;
        }
    }

    void tokenizersOfLlamaCpp()
    {
        QFETCH(const QString, name);
        const fs::path path = fs::path(BRAID_SOURCE_DIR "/../shared/data/tokenizers/vectors") / ("ggml-vocab-" + name.toStdString() + ".gguf");
        if (!fs::exists(path)) {
            QSKIP("shared/data/tokenizers/vectors is not here");
        }
        const auto tokenizer = lm::tokenizerOf(path);
        std::ifstream in(path.string() + ".inp");
        std::ifstream out(path.string() + ".out");
        const std::string texts((std::istreambuf_iterator<char>(in)), {});
        constexpr std::string_view kMark = "\n__ggml_vocab_test__\n";
        std::size_t at = 0;
        int compared = 0;
        for (std::string line; std::getline(out, line) && at < texts.size(); ++compared) {
            const std::size_t end = std::min(texts.find(kMark, at), texts.size());
            const std::string text = texts.substr(at, end - at);
            at = end + kMark.size();
            std::istringstream ids(line);
            QCOMPARE(tokenizer->encode(text), (std::vector<std::int32_t>(std::istream_iterator<std::int32_t>(ids), {})));
        }
        QVERIFY(compared > 30);
    }

    void tokenizersThatAreRefused()
    {
        const auto problem = [&](const std::function<void(GgufWriter &)> &fill) {
            GgufWriter writer;
            writer.text("general.architecture", "llama");
            fill(writer);
            const fs::path path = write(writer.finished());
            return test::sentenceOf(ErrorKind::Model, [&] { (void)lm::tokenizerOf(path); });
        };
        const auto tokens = [](GgufWriter &writer, const char *model, const char *pre) {
            writer.text("tokenizer.ggml.model", model);
            writer.text("tokenizer.ggml.pre", pre);
            writer.texts("tokenizer.ggml.tokens", {"a", "b"});
        };
        QVERIFY(contains(problem([&](GgufWriter &) {}), "no tokens"));
        QVERIFY(contains(problem([&](GgufWriter &w) { tokens(w, "bert", ""); }), "\"bert\""));
        QVERIFY(contains(problem([&](GgufWriter &w) { tokens(w, "gpt2", "deepseek-v9"); }), "\"deepseek-v9\""));
        QVERIFY(contains(problem([&](GgufWriter &w) { tokens(w, "llama", ""); }), "equally many"));
        QVERIFY(contains(problem([&](GgufWriter &w) {
                             tokens(w, "gpt2", "qwen2");
                             w.kinds("tokenizer.ggml.token_type", {1, 7});
                         }),
                         "unknown kind"));
        QVERIFY(contains(problem([&](GgufWriter &w) {
                             tokens(w, "gpt2", "qwen2");
                             w.whole("tokenizer.ggml.bos_token_id", 2);
                         }),
                         "beginning token"));
        QVERIFY(contains(problem([&](GgufWriter &w) {
                             tokens(w, "gpt2", "qwen2");
                             w.texts("tokenizer.ggml.merges", {"a c"});
                         }),
                         "merge"));
        QVERIFY(contains(problem([&](GgufWriter &w) { w.text("tokenizer.ggml.tokens", "a"); }), "not a list of texts"));
    }
};

QTEST_APPLESS_MAIN(tst_gguf_tokenizers)
#include "tst_gguf_tokenizers.moc"
