// CTranslate2's Whisper folders read as any other Whisper: written by pip's ctranslate2 (tests/parity/make_ct2_whisper.py) from the weights of
// hashed_whisper.h.
#include <QTemporaryDir>
#include <QtTest>

#include <fstream>

#include "core/weights/ct2_whisper.h"
#include "tests/core/weights/tensor_checks.h"
#include "tests/support/error_sentence.h"
#include "tests/support/hashed_whisper.h"

using namespace braid;
using namespace braid::weights;
using braid::test::contains;
using braid::test::sentenceOf;
namespace fs = std::filesystem;

namespace {

const fs::path kFiles = BRAID_SOURCE_DIR "/tests/parity/weights";

WhisperDims sizes()
{
    WhisperDims dims;
    dims.n_mels = 3;
    dims.n_audio_ctx = 10;
    dims.n_audio_state = dims.n_text_state = 16;
    dims.n_audio_head = dims.n_text_head = 2;
    dims.n_audio_layer = 1;
    dims.n_text_layer = 2;
    dims.n_vocab = 11;
    dims.n_text_ctx = 7;
    return dims;
}

}  // namespace

class Ct2WhisperTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_place;

    // What the folder gives with other bytes in its file.
    [[nodiscard]] std::string problem(const std::string &bytes, const std::string &config = "{}") const
    {
        const fs::path folder = m_place.path().toStdString();
        std::ofstream(folder / "model.bin", std::ios::binary | std::ios::trunc) << bytes;
        std::ofstream(folder / "config.json") << config;
        return sentenceOf(ErrorKind::Model, [&] { (void)readCt2Whisper(folder); });
    }
    static std::string whole()
    {
        std::ifstream file(kFiles / "ct2-int8/model.bin", std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }
    // The file with other bytes `behind` bytes after the end of a name.
    static std::string changed(const std::string &name, std::size_t behind, const std::string &bytes)
    {
        std::string file = whole();
        return file.replace(file.find(name + '\0') + name.size() + 1 + behind, bytes.size(), bytes);
    }

  private Q_SLOTS:
    void everyTensor_data()
    {
        QTest::addColumn<QString>("folder");
        QTest::addColumn<double>("bound");  // of a number, as a share of the greatest of its row
        QTest::newRow("float16") << "ct2-float16" << 0x1p-11;
        QTest::newRow("int8") << "ct2-int8" << 0.5 / 127 + 1e-6;
    }

    void everyTensor()
    {
        QFETCH(const QString, folder);
        QFETCH(const double, bound);
        const fs::path path = kFiles / folder.toStdString();
        QVERIFY(isCt2Whisper(path));
        QVERIFY(!isCt2Whisper(kFiles / "hf"));
        QCOMPARE(readWhisperHeader(path).dims.n_text_layer, 2);
        WhisperCheckpoint read = readWhisperCheckpoint(path);
        QCOMPARE(read.dims.n_vocab, 11);
        QCOMPARE(read.dims.n_audio_mlp, 64);
        QCOMPARE(read.alignment_heads, (std::vector<std::pair<int, int>>{{0, 1}, {1, 0}}));
        QCOMPARE(read.suppressed_tokens, (std::vector<std::int32_t>{4, 5}));
        const WhisperCheckpoint original = test::HashedWhisper("ct2/", sizes()).take();
        QCOMPARE(read.tensors.names(), original.tensors.names());
        int rounded = 0;
        for (const std::string &name : read.tensors.names()) {
            const StoredTensor ours = read.tensors.take(name, original.tensors.peek(name)->shape);
            const std::vector<double> wanted = test::numbersOf(*original.tensors.peek(name));
            std::vector<double> numbers = test::numbersOf(ours);
            QCOMPARE(numbers.size(), wanted.size());
            const std::size_t row = wanted.size() / static_cast<std::size_t>(ours.shape.front());
            rounded += ours.row_scales != nullptr ? 1 : 0;
            for (std::size_t i = 0; i < wanted.size(); ++i) {
                double most = 0;
                for (std::size_t j = i - i % row; j < i - i % row + row; ++j) {
                    most = std::max(most, std::abs(wanted[j]));
                }
                const double scale = ours.row_scales != nullptr ? static_cast<double>(ours.row_scales->at(i / row)) : 1;
                QVERIFY2(std::abs(numbers[i] * scale - wanted[i]) <= bound * most + 0x1p-25, qPrintable(QString::fromStdString(name)));
            }
        }
        QCOMPARE(rounded, folder == "ct2-int8" ? 29 : 0);
    }

    // A list of a million times the same head would cost a million heads' attention.
    void aHeadCountsOnce()
    {
        QCOMPARE(problem(whole(), R"({"alignment_heads": [[1, 1], [0, 1], [1, 1]], "suppress_ids": [-1, 4]})"), std::string());
        const WhisperCheckpoint read = readCt2Whisper(m_place.path().toStdString());
        QCOMPARE(read.alignment_heads, (std::vector<std::pair<int, int>>{{1, 1}, {0, 1}}));
        QCOMPARE(read.suppressed_tokens, (std::vector<std::int32_t>{4}));
    }

    void brokenFilesSaySo()
    {
        const std::string file = whole();
        QCOMPARE(problem(file), std::string());
        for (std::size_t length = 0; length < file.size(); length += 1 + length / 24) {
            QVERIFY2(!problem(file.substr(0, length)).empty(), qPrintable(QString::number(length)));
        }
        QVERIFY(contains(problem(file + "x"), "belong to nothing"));
        QVERIFY(contains(problem(std::string(file).replace(0, 1, "\5")), "version 5"));
        QVERIFY(contains(problem(std::string(file).replace(8, 1, "X")), "no Whisper"));
        QVERIFY(contains(problem(changed("decoder/embeddings/weight", 0, "\4")), "dimensions"));
        QVERIFY(contains(problem(changed("decoder/embeddings/weight", 1, std::string(4, '\0'))), "impossible size"));
        QVERIFY(contains(problem(changed("decoder/embeddings/weight", 1, "\xFF\xFF\xFF\xFF")), "bytes of its shape"));
        QVERIFY(contains(problem(changed("decoder/embeddings/weight", 9, "\x09")), "unknown type"));
        QVERIFY(contains(problem(changed("decoder/embeddings/weight_scale", 10, std::string(4, '\0'))), "impossible"));  // infinite
        QVERIFY(contains(problem(changed("decoder/pre_norm", 6, std::string(1, '\0'))), "not what it is in every Whisper"));
        QVERIFY(contains(problem(file, R"({"alignment_heads": [[2, 0]]})"), "alignment_heads"));
        QVERIFY(contains(problem(file, R"({"alignment_heads": {}})"), "not a list"));
        QVERIFY(contains(problem(file, R"({"suppress_ids": [11]})"), "suppress_ids"));
        QVERIFY(contains(problem(file, R"({"suppress_ids": "none"})"), "not a list"));
        QVERIFY(!problem(file, "[").empty());
    }
};

QTEST_APPLESS_MAIN(Ct2WhisperTest)
#include "tst_ct2_whisper.moc"
