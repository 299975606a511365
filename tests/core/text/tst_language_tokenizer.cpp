// Tokenizers of language models give the ids of Hugging Face's tokenizers, go back to the same text, never show half a character, and
// refuse what they do not know. Numbers: tests/parity/language_tokenizers.json (make_language_tokenizers.py) and shared/data/tokenizers/vectors.
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <bit>
#include <fstream>
#include <sstream>

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/text/language_tokenizer.h"
#include "core/text/language_vocabulary.h"
#include "core/text/unicode_classes.h"
#include "core/text/unicode_normalisation.h"
#include "core/text/utf8.h"
#include "tests/core/text/gguf_vocabulary.h"
#include "tests/support/hex.h"

using namespace braid;
using braid::test::fromHex;
using namespace braid::text;
using nlohmann::json;
namespace fs = std::filesystem;
using Ids = std::vector<std::int32_t>;

namespace {

const fs::path kShared = BRAID_SOURCE_DIR "/../shared/data";

const json &parity()
{
    static const json numbers = json::parse(readTextFile(BRAID_SOURCE_DIR "/tests/parity/language_tokenizers.json"));
    return numbers;
}

LanguageTokenizer tokenizerFrom(const json &description)
{
    return LanguageTokenizer(readLanguageJson(description.dump(), "test"), "test");
}

std::string shown(const Ids &ids)
{
    std::string text;
    for (const auto id : ids) {
        text += std::to_string(id) + " ";
    }
    return text;
}

std::string streamed(const LanguageTokenizer &tokenizer, const Ids &ids, SpecialTokens special = SpecialTokens::Hidden)
{
    LanguageTokenizer::Stream stream(tokenizer, special);
    std::string text;
    for (const auto id : ids) {
        const auto part = stream.push(id);
        if (!isValidUtf8(part)) {
            return "half a character was shown";
        }
        text += part;
    }
    return text + stream.finish();
}

// The smallest tokenizer that loads, to be spoilt part by part.
json smallByteLevel()
{
    return parity()["families"]["qwen2"]["tokenizer"];
}

QString refusalOf(const std::string &file)
{
    try {
        (void)LanguageTokenizer(readLanguageJson(file, "FILE"), "FILE");
    } catch (const Error &problem) {
        return QString::fromUtf8(problem.what());
    }
    return "accepted";
}

// .inp: texts between marker lines; .out: a line of ids for each (llama.cpp's tests/test-tokenizer-0).
void compareWithVectors(const LanguageTokenizer &tokenizer, const std::string &name)
{
    const auto base = kShared / "tokenizers/vectors" / ("ggml-vocab-" + name + ".gguf");
    const auto input = readTextFile(base.string() + ".inp");
    std::istringstream output(readTextFile(base.string() + ".out"));
    const std::string marker = "\n__ggml_vocab_test__\n";
    int count = 0;
    for (std::size_t start = 0; start < input.size();) {
        const auto end = std::min(input.find(marker, start), input.size());
        std::string line;
        std::getline(output, line);
        Ids expected;
        std::istringstream numbers(line);
        for (std::int32_t id = 0; numbers >> id;) {
            expected.push_back(id);
        }
        const auto text = input.substr(start, end - start);
        const auto ids = tokenizer.encode(text);
        QVERIFY2(ids == expected, ("\"" + text + "\": " + shown(ids) + "in place of " + shown(expected)).c_str());
        QCOMPARE(QString::fromStdString(tokenizer.decode(ids)), QString::fromStdString(text));
        QCOMPARE(streamed(tokenizer, ids), text);
        ++count;
        start = end + marker.size();
    }
    QVERIFY(count > 40);
}

}  // namespace

class LanguageTokenizerTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void everyFamilyGivesTheReferenceIds_data()
    {
        QTest::addColumn<QString>("family");
        for (const auto &[family, entry] : parity()["families"].items()) {
            QTest::newRow(family.c_str()) << QString::fromStdString(family);
        }
    }
    void everyFamilyGivesTheReferenceIds()
    {
        QFETCH(QString, family);
        const auto &entry = parity()["families"][family.toStdString()];
        const auto tokenizer = tokenizerFrom(entry["tokenizer"]);
        const auto &texts = parity()["texts"];
        for (std::size_t i = 0; i < texts.size(); ++i) {
            const auto text = fromHex(texts[i]);
            const auto &expected = entry["texts"][i];
            const auto ids = expected["ids"].get<Ids>();
            const auto compare = [&](const char *how, const Ids &got, const Ids &wanted) {
                QVERIFY2(got == wanted, ("\"" + text + "\" " + how + ": " + shown(got) + "in place of " + shown(wanted)).c_str());
            };
            compare("alone", tokenizer.encode(text), ids);
            compare("with surroundings", tokenizer.encode(text, {Surroundings::Added}), expected.value("around", ids));
            compare("as plain text", tokenizer.encode(text, {Surroundings::None, SpecialTexts::PlainText}), expected.value("plain", ids));
            const auto back = fromHex(expected["text"]);
            QCOMPARE(QString::fromStdString(tokenizer.decode(ids)), QString::fromStdString(back));
            QCOMPARE(QString::fromStdString(streamed(tokenizer, ids)), QString::fromStdString(back));
            QCOMPARE(tokenizer.decode(ids, SpecialTokens::Shown), expected.contains("shown") ? fromHex(expected["shown"]) : back);
        }
    }

    void anyIdsDecodeAsTheReferenceDoes_data() { everyFamilyGivesTheReferenceIds_data(); }
    void anyIdsDecodeAsTheReferenceDoes()
    {
        QFETCH(QString, family);
        const auto &entry = parity()["families"][family.toStdString()];
        const auto tokenizer = tokenizerFrom(entry["tokenizer"]);
        for (const auto &scrambled : entry["scrambled"]) {
            const auto ids = scrambled[0].get<Ids>();
            QCOMPARE(QString::fromStdString(tokenizer.decode(ids, SpecialTokens::Shown)), QString::fromStdString(fromHex(scrambled[1])));
            QVERIFY(isValidUtf8(streamed(tokenizer, ids, SpecialTokens::Shown)));
        }
    }

    void everyCharacterIsNormalisedAsTheReferenceDoes_data()
    {
        QTest::addColumn<QString>("kind");
        for (const char *kind : {"composed", "decomposed", "lower"}) {
            QTest::newRow(kind) << kind;
        }
    }
    void everyCharacterIsNormalisedAsTheReferenceDoes()
    {
        QFETCH(QString, kind);
        const auto change = kind == "composed" ? composed : kind == "decomposed" ? decomposed : lowerCased;
        const auto newer = parity()["normalisation"]["newer"].get<std::vector<char32_t>>();
        QVERIFY(newer.size() < 200);
        for (const auto &[block, expected] : parity()["normalisation"][kind.toStdString()].items()) {
            const auto first = static_cast<char32_t>(std::stoul(block, nullptr, 16));
            std::uint64_t hash = 0xCBF29CE484222325u;
            for (auto point = first; point < first + 0x1000; ++point) {
                if ((point >= 0xD800 && point < 0xE000) || generalCategory(point) == GeneralCategory::Unassigned || std::ranges::binary_search(newer, point)) {
                    continue;
                }
                std::string text;
                appendUtf8(text, point);
                text += "\u0301\u0323";
                appendUtf8(text, point);
                for (const unsigned char byte : change(text + "\u11a8A") + "\n") {
                    hash = (hash ^ byte) * 0x100000001B3u;
                }
            }
            char shown_hash[17];
            std::snprintf(shown_hash, sizeof shown_hash, "%016llx", static_cast<unsigned long long>(hash));
            QCOMPARE(QString(shown_hash), QString::fromStdString(expected.get<std::string>()));
        }
    }

    void theVectorsOfGpt2()
    {
        const auto path = kShared / "tokenizers/vectors/ggml-vocab-gpt-2.gguf";
        if (!fs::exists(path)) {
            QSKIP("shared/data/tokenizers/vectors is not here");
        }
        const auto file = test::GgufReader(path.string()).read();
        json vocab;
        for (std::size_t id = 0; id < file.tokens.size(); ++id) {
            vocab[file.tokens[id]] = id;
        }
        const json description = {{"added_tokens", json::array()},
                                  {"normalizer", nullptr},
                                  {"pre_tokenizer", {{"type", "ByteLevel"}, {"add_prefix_space", false}, {"trim_offsets", true}}},
                                  {"decoder", {{"type", "ByteLevel"}}},
                                  {"model", {{"type", "BPE"}, {"vocab", vocab}, {"merges", file.merges}}}};
        compareWithVectors(tokenizerFrom(description), "gpt-2");
    }

    void theVectorsOfLlama2AndPhi3_data()
    {
        QTest::addColumn<QString>("name");
        QTest::newRow("llama-spm") << "llama-spm";
        QTest::newRow("phi-3") << "phi-3";
    }
    void theVectorsOfLlama2AndPhi3()
    {
        QFETCH(QString, name);
        const auto path = kShared / "tokenizers/vectors" / ("ggml-vocab-" + name.toStdString() + ".gguf");
        if (!fs::exists(path)) {
            QSKIP("shared/data/tokenizers/vectors is not here");
        }
        const auto file = test::GgufReader(path.string()).read();
        std::vector<SentencePiece> pieces;
        for (std::size_t id = 0; id < file.tokens.size(); ++id) {
            static constexpr PieceKind kinds[] = {PieceKind::Normal,      PieceKind::Unknown, PieceKind::Control,
                                                  PieceKind::UserDefined, PieceKind::Unused,  PieceKind::Byte};
            pieces.push_back({file.tokens[id], file.scores[id], kinds[file.kinds[id] - 1]});
        }
        compareWithVectors(LanguageTokenizer(fromSentencePieces(pieces, {true, 1}, "test"), "test"), name.toStdString());
    }

    void theVectorsOfQwen2WithQwensRanks()
    {
        const auto path = kShared / "tokenizers/qwen.tiktoken";
        if (!fs::exists(path)) {
            QSKIP("shared/data/tokenizers is not here");
        }
        const auto tokenizer = LanguageTokenizer::load(path);
        compareWithVectors(*tokenizer, "qwen2");
        QCOMPARE(tokenizer->encode("<|im_start|>user\n"), (Ids{151644, 872, 198}));
        QCOMPARE(tokenizer->idOf("<|im_end|>").value_or(-1), 151645);
        QVERIFY(tokenizer->isSpecial(151645));
        QVERIFY(!tokenizer->encode("<|im_end|>", {Surroundings::None, SpecialTexts::PlainText}).empty());
        QVERIFY(tokenizer->encode("<|im_end|>", {Surroundings::None, SpecialTexts::PlainText}) != (Ids{151645}));
    }

    void sentencePiecesOwnFileGivesTheVectorsOfLlama2()
    {
        const auto path = kShared / "weights/stories260K/tokenizer.model";
        if (!fs::exists(path)) {
            QSKIP("shared/data/weights/stories260K is not here");
        }
        const auto tokenizer = LanguageTokenizer::load(path);
        QCOMPARE(tokenizer->size(), 32000);
        compareWithVectors(*tokenizer, "llama-spm");
        QCOMPARE(tokenizer->encode("Hello", {Surroundings::Added}), (Ids{1, 15043}));
        // Words one by one are the whole, where they are said to go on.
        auto words = tokenizer->encode("The");
        for (const char *word : {" quick", " brown", " fox,", " isn't", " it?"}) {
            const auto more = tokenizer->encode(word, {Surroundings::None, SpecialTexts::PlainText, TextPosition::Continues});
            words.insert(words.end(), more.begin(), more.end());
        }
        QCOMPARE(words, tokenizer->encode("The quick brown fox, isn't it?"));
    }

    void llama2csFileGivesItsOwnGreedyReference()
    {
        const auto folder = kShared / "weights/stories260K";
        if (!fs::exists(folder / "tok512.bin")) {
            QSKIP("shared/data/weights/stories260K is not here");
        }
        const auto tokenizer = LanguageTokenizer::load(folder / "tok512.bin");
        QCOMPARE(tokenizer->size(), 512);
        const std::string text = "Once upon a time, there was a little girl named Lily. caf\u00e9 \U0001F600\n";
        const auto ids = tokenizer->encode(text);
        QVERIFY(ids.size() < text.size());  // merges happen
        QCOMPARE(tokenizer->decode(ids), text);
        QCOMPARE(streamed(*tokenizer, ids), text);
        QCOMPARE(tokenizer->encode("Once upon a time", {Surroundings::Added}), (Ids{1, 403, 407, 261, 378}));
    }

    void tokensAreReadable()
    {
        const auto tokenizer = tokenizerFrom(smallByteLevel());
        const auto ids = tokenizer.encode("\U0001F600");
        std::string bytes;
        std::string readable;
        for (const auto id : ids) {
            bytes += tokenizer.tokenBytes(id);
            readable += tokenizer.readableToken(id);
            QVERIFY(isValidUtf8(tokenizer.readableToken(id)));
        }
        QCOMPARE(bytes, std::string("\U0001F600"));
        QVERIFY(!readable.empty());
        QCOMPARE(tokenizer.writtenToken(-3), std::string_view());
        QCOMPARE(tokenizer.tokenBytes(99999999), std::string());
        QCOMPARE(tokenizer.decode(Ids{-1, 99999999}), std::string());
    }

    void brokenTextIsReadAsReplacementCharacters()
    {
        const auto tokenizer = tokenizerFrom(smallByteLevel());
        QCOMPARE(tokenizer.encode("a\xff"
                                  "b\xe2\x82"),
                 tokenizer.encode("a\uFFFDb\uFFFD"));
    }

    void whatIsNotKnownIsRefused_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("words");
        const auto row = [](const char *name, const char *path, const char *value, const char *words) { QTest::newRow(name) << path << value << words; };
        row("another model", "/model/type", R"("Unigram")", "not byte pair encoding");
        row("dropout", "/model/dropout", "0.1", "dropout");
        row("a suffix", "/model/end_of_word_suffix", R"("</w>")", "end_of_word_suffix");
        row("unknown model option", "/model/surprise", "1", "unknown part \"surprise\"");
        row("unknown part", "/surprise", "1", "unknown part \"surprise\"");
        row("unknown normalizer", "/normalizer", R"({"type":"NFKC"})", "normalizer of a kind that Braid does not know: \"NFKC\"");
        row("precompiled normalizer", "/normalizer", R"({"type":"Precompiled","precompiled_charsmap":"AA=="})", "Precompiled");
        row("regular expression in a normalizer", "/normalizer", R"({"type":"Replace","pattern":{"Regex":" +"},"content":" "})", "regular expression");
        row("unknown pattern", "/pre_tokenizer/pretokenizers/0/pattern/Regex", R"("\\w+|.")", "regular expression that Braid does not know: \"\\w+|.\"");
        row("unknown behaviour", "/pre_tokenizer/pretokenizers/0/behavior", R"("Sideways")", "Sideways");
        row("unknown pre-tokenizer", "/pre_tokenizer", R"({"type":"BertPreTokenizer"})", "BertPreTokenizer");
        row("bytes not last", "/pre_tokenizer/pretokenizers", R"([{"type":"ByteLevel"},{"type":"Digits"}])", "after making bytes");
        row("no decoder", "/decoder", "null", "no decoder");
        row("decoder does not fit", "/decoder", R"({"type":"Fuse"})", "do not agree");
        row("unknown decoder", "/decoder", R"({"type":"CTC"})", "CTC");
        row("unknown post-processor", "/post_processor", R"({"type":"RobertaProcessing"})", "RobertaProcessing");
        row("template without text", "/post_processor", R"({"type":"TemplateProcessing","single":[],"special_tokens":{}})", "leaves the text out");
        row("template with unexplained token", "/post_processor",
            R"({"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"<x>","type_id":0}},{"Sequence":{"id":"A","type_id":0}}],"special_tokens":{}})",
            "does not explain");
        row("a merge of nothing", "/model/merges", R"([["",""]])", "not two tokens");
        row("a merge of the unknown", "/model/merges", R"([["qqq","zzz"]])", "which the vocabulary does not have");
        row("a negative number", "/model/vocab/a", "-1", "no usable number");
        row("a huge number", "/model/vocab/a", "4000000000", "no usable number");
        row("the same number twice", "/model/vocab/b", "0", "the same number");
        row("added token without text", "/added_tokens", R"([{"id":3}])", "no text or no number");
        row("added token with more", "/added_tokens", R"([{"id":3,"content":"x","colour":"red"}])", "unknown part \"colour\"");
        row("unknown token missing", "/model/unk_token", R"("<nothing>")", "token for the unknown");
    }
    void whatIsNotKnownIsRefused()
    {
        QFETCH(QString, path);
        QFETCH(QString, value);
        QFETCH(QString, words);
        auto description = smallByteLevel();
        QCOMPARE(refusalOf(description.dump()), QString("accepted"));
        description[json::json_pointer(path.toStdString())] = json::parse(value.toStdString());
        const auto refusal = refusalOf(description.dump());
        QVERIFY2(refusal.contains(words) && refusal.startsWith("FILE: "), qPrintable(refusal));
    }

    void damagedFilesAreRefused()
    {
        const auto whole = smallByteLevel().dump();
        for (std::size_t length = 0; length < whole.size(); length += 97) {
            QVERIFY(refusalOf(whole.substr(0, length)) != "accepted");
        }
        for (const char *file : {"", "\n\x05", "\x0a\xff\xff\xff\xff\x7f", "\x1a\x02", "abc def ghi"}) {
            QVERIFY_THROWS_EXCEPTION(Error, (void)readSentencePiece(file, "FILE"));
            QVERIFY_THROWS_EXCEPTION(Error, (void)readLlama2c(file, "FILE"));
            QVERIFY_THROWS_EXCEPTION(Error, (void)readLanguageRanks(file, "FILE"));
        }
    }

    void aFolderIsSearched()
    {
        QTemporaryDir folder;
        const fs::path path = folder.path().toStdString();
        QVERIFY_THROWS_EXCEPTION(Error, (void)LanguageTokenizer::load(path));
        std::ofstream(path / "tokenizer.json") << smallByteLevel().dump();
        QCOMPARE(LanguageTokenizer::load(path)->idOf("<|im_end|>"), tokenizerFrom(smallByteLevel()).idOf("<|im_end|>"));
        QVERIFY_THROWS_EXCEPTION(Error, (void)LanguageTokenizer::load(path / "none.json"));
    }

    void hostileTextsTakeLinearTime()
    {
        const auto bytes = tokenizerFrom(parity()["families"]["o200k"]["tokenizer"]);
        const auto marked = tokenizerFrom(parity()["families"]["llama2"]["tokenizer"]);
        const auto spaces = tokenizerFrom(parity()["families"]["gemma"]["tokenizer"]);
        QElapsedTimer clock;
        clock.start();
        for (const char *unit : {" ", "a", "A", "\u65e5A", "\u0301", "<|end|> ", "<mask> ", "\n", "\u2581", "<", "'s"}) {
            std::string text;
            while (text.size() < 200000) {
                text += unit;
            }
            for (const auto *tokenizer : {&bytes, &marked, &spaces}) {
                QVERIFY(!tokenizer->encode(text).empty());
            }
        }
        QVERIFY2(clock.elapsed() < 60000, "quadratic time");
    }
};

QTEST_APPLESS_MAIN(LanguageTokenizerTest)
#include "tst_language_tokenizer.moc"
