// Tokenizers give exactly the ids of tiktoken, openai-whisper and tokenizers, go back to exactly the same bytes, and never show half a
// character. The numbers are tests/parity/tokenizers.json, made by make_tokenizer_vectors.py.
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QtTest>

#include <fstream>
#include <random>

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/text/languages.h"
#include "core/text/utf8.h"
#include "core/text/whisper_tokenizer.h"
#include "tests/support/hex.h"

using namespace braid;
using braid::test::fromHex;
using namespace braid::text;
using nlohmann::json;
namespace fs = std::filesystem;
using Ids = std::vector<std::int32_t>;

namespace {

const fs::path kShared = BRAID_SOURCE_DIR "/../shared/data/tokenizers";

std::uint64_t fnvByte(std::uint64_t hash, unsigned char byte)
{
    return (hash ^ byte) * 0x100000001B3u;
}

std::string hexOf(std::uint64_t hash)
{
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
    return text;
}

std::string fnv(const Ids &ids)
{
    std::uint64_t hash = 0xCBF29CE484222325u;
    for (const auto id : ids) {
        for (int shift = 0; shift < 32; shift += 8) {
            hash = fnvByte(hash, static_cast<unsigned char>(id >> shift));
        }
    }
    return hexOf(hash);
}

std::string repeated(std::string_view part, int count)
{
    std::string text;
    for (int i = 0; i < count; ++i) {
        text += part;
    }
    return text;
}

// The long texts of make_tokenizer_vectors.py.
std::string longText(const std::string &key)
{
    if (key == "spaces_10000") {
        return std::string(10000, ' ');
    }
    if (key == "spaces_10000_x") {
        return std::string(10000, ' ') + "x";
    }
    if (key == "newlines_5000") {
        return std::string(5000, '\n');
    }
    if (key == "a_3000") {
        return std::string(3000, 'a');
    }
    if (key == "emoji_500") {
        return repeated("\xF0\x9F\x91\xA8\xE2\x80\x8D\xF0\x9F\x91\xA9", 500);
    }
    std::string text;
    for (long long i = 0; i < 20000; ++i) {
        appendUtf8(text, static_cast<char32_t>(0x21 + (i * i * 7 + i) % 0x24f));
        text += i % 7 == 0 ? " " : "";
    }
    return text;
}

// A small tokenizer.json whose parts can be changed.
struct SmallTokenizer {
    QTemporaryDir folder;
    json document;

    explicit SmallTokenizer(json from)
        : document(std::move(from))
    {
    }
    [[nodiscard]] std::shared_ptr<const WhisperTokenizer> load(std::int64_t n_vocab = 0) const
    {
        const auto path = fs::path(folder.path().toStdString()) / "tokenizer.json";
        std::ofstream(path) << document.dump();
        return WhisperTokenizer::load(path, n_vocab);
    }
    [[nodiscard]] std::string problem() const
    {
        try {
            (void)load();
        } catch (const Error &error) {
            return error.kind() == ErrorKind::Model ? error.sentence() : std::string();
        }
        return {};
    }
};

}  // namespace

class WhisperTokenizerTest : public QObject {
    Q_OBJECT
  private:
    json m_parity;
    std::vector<std::string> m_texts;
    std::shared_ptr<const WhisperTokenizer> m_english;
    std::shared_ptr<const WhisperTokenizer> m_multilingual;
    std::shared_ptr<const WhisperTokenizer> m_large_v3;

    [[nodiscard]] std::shared_ptr<const WhisperTokenizer> model(const QString &name) const
    {
        return name == "english" ? m_english : name == "multilingual" ? m_multilingual : m_large_v3;
    }
    [[nodiscard]] json small() const { return m_parity["hugging_face"]["plain"]["tokenizer"]; }

  private Q_SLOTS:
    void initTestCase()
    {
        m_parity = json::parse(readTextFile(BRAID_SOURCE_DIR "/tests/parity/tokenizers.json"));
        for (const auto &text : m_parity["texts"]) {
            m_texts.push_back(fromHex(text.get<std::string>()));
        }
        QVERIFY(m_texts.size() > 100);
        if (fs::exists(kShared / "whisper/multilingual.tiktoken")) {
            m_english = WhisperTokenizer::load(kShared / "whisper/gpt2.tiktoken", 51864);
            m_multilingual = WhisperTokenizer::load(kShared / "whisper/multilingual.tiktoken", 51865);
            m_large_v3 = WhisperTokenizer::load(kShared / "whisper/multilingual.tiktoken", 51866);
        }
    }

    void idsAreTiktokens_data()
    {
        QTest::addColumn<QString>("name");
        QTest::newRow("english") << "english";
        QTest::newRow("multilingual") << "multilingual";
    }

    void idsAreTiktokens()
    {
        QFETCH(const QString, name);
        const auto tokenizer = model(name);
        if (!tokenizer) {
            QSKIP("shared/data is not here");
        }
        const auto &facts = m_parity["models"][name.toStdString()];
        for (std::size_t i = 0; i < m_texts.size(); ++i) {
            const auto ids = tokenizer->encode(m_texts[i]);
            QVERIFY2(ids == facts["ids"][i].get<Ids>(), m_texts[i].c_str());
            QCOMPARE(tokenizer->decodeBytes(ids), m_texts[i]);
        }
        for (const auto &[key, wanted] : facts["long"].items()) {
            const auto text = longText(key);
            const auto ids = tokenizer->encode(text);
            QCOMPARE(ids.size(), wanted["count"].get<std::size_t>());
            QCOMPARE(fnv(ids), wanted["hash"].get<std::string>());
            QCOMPARE(tokenizer->decodeBytes(ids), text);
        }
    }

    // All 1,112,064 characters: each between letters and digits, so that its class shows in the cut.
    void everyCharacterIsCutAsTiktokenCutsIt()
    {
        if (!m_multilingual) {
            QSKIP("shared/data is not here");
        }
        for (const auto &[block, wanted] : m_parity["models"]["multilingual"]["single_characters"].items()) {
            const auto first = static_cast<char32_t>(std::stoul(block, nullptr, 16));
            Ids all;
            for (char32_t c = first; c < first + 0x1000; ++c) {
                if (c >= 0xD800 && c < 0xE000) {
                    continue;
                }
                std::string text = "a";
                appendUtf8(text, c);
                text += '1';
                appendUtf8(text, c);
                text += 'a';
                const auto ids = m_multilingual->encode(text);
                all.insert(all.end(), ids.begin(), ids.end());
            }
            QVERIFY2(fnv(all) == wanted.get<std::string>(), block.c_str());
        }
    }

    void specialTokensAreOpenAis_data()
    {
        QTest::addColumn<QString>("name");
        for (const char *name : {"english", "multilingual", "large-v3"}) {
            QTest::newRow(name) << name;
        }
    }

    void specialTokensAreOpenAis()
    {
        QFETCH(const QString, name);
        const auto tokenizer = model(name);
        if (!tokenizer) {
            QSKIP("shared/data is not here");
        }
        const auto &facts = m_parity["models"][name.toStdString()];
        QCOMPARE(tokenizer->size(), facts["n_vocab"].get<std::int64_t>());
        QCOMPARE(tokenizer->endOfText(), facts["eot"].get<std::int32_t>());
        QCOMPARE(tokenizer->startOfTranscript(), facts["sot"].get<std::int32_t>());
        QCOMPARE(tokenizer->transcribe().value(), facts["transcribe"].get<std::int32_t>());
        QCOMPARE(tokenizer->translate().value(), facts["translate"].get<std::int32_t>());
        QCOMPARE(tokenizer->startOfLanguageModel().value(), facts["sot_lm"].get<std::int32_t>());
        QCOMPARE(tokenizer->startOfPrevious().value(), facts["sot_prev"].get<std::int32_t>());
        QCOMPARE(tokenizer->noSpeech().value(), facts["no_speech"].get<std::int32_t>());
        QCOMPARE(tokenizer->noTimestamps().value(), facts["no_timestamps"].get<std::int32_t>());
        QCOMPARE(tokenizer->timestampBegin().value(), facts["timestamp_begin"].get<std::int32_t>());
        QCOMPARE(tokenizer->timestampCount(), 1501);
        QCOMPARE(tokenizer->tokenBytes(tokenizer->timestampBegin().value() + 1500), std::string("<|30.00|>"));
        QCOMPARE(tokenizer->nonSpeechTokens(), facts["non_speech_tokens"].get<Ids>());
        QCOMPARE(tokenizer->languages().size(), facts["languages"].size());
        QCOMPARE(tokenizer->isMultilingual(), name != "english");
        for (const auto &[code, id] : facts["languages"].items()) {
            QCOMPARE(tokenizer->language(code).value_or(-1), id.get<std::int32_t>());
        }
        const auto with = tokenizer->prompt("en", WhisperTokenizer::Task::Transcribe, WhisperTokenizer::Timestamps::With);
        QCOMPARE(with, facts["sot_sequence"].get<Ids>());
        const auto without = tokenizer->prompt("en", WhisperTokenizer::Task::Translate, WhisperTokenizer::Timestamps::Without);
        QCOMPARE(without.back(), tokenizer->noTimestamps().value());
        QCOMPARE(without.size(), with.size() + 1);
    }

    void anUnknownLanguageIsAnError()
    {
        if (!m_multilingual) {
            QSKIP("shared/data is not here");
        }
        QVERIFY(!m_multilingual->language("yue") && m_large_v3->language("yue"));
        QVERIFY_EXCEPTION_THROWN((void)m_multilingual->prompt("tlh", WhisperTokenizer::Task::Transcribe, WhisperTokenizer::Timestamps::With), Error);
    }

    void wordsAreOpenAis()
    {
        if (!m_large_v3) {
            QSKIP("shared/data is not here");
        }
        for (const auto &example : m_parity["words"]) {
            const auto words = m_large_v3->splitIntoWords(example["ids"].get<Ids>(), example["language"].get<std::string>());
            std::vector<std::string> texts;
            std::vector<Ids> ids;
            for (const auto &word : words) {
                texts.push_back(QByteArray::fromStdString(word.text).toHex().toStdString());
                ids.push_back(word.ids);
            }
            QCOMPARE(texts, example["words"].get<std::vector<std::string>>());
            QCOMPARE(ids, example["word_ids"].get<std::vector<Ids>>());
        }
    }

    void wordsSkipSpecialTokensAndNeverCutACharacter()
    {
        if (!m_large_v3) {
            QSKIP("shared/data is not here");
        }
        auto ids = m_large_v3->encode(" one \xF0\x9F\x91\xA8\xE2\x80\x8D\xF0\x9F\x91\xA9 two");
        ids.insert(ids.begin() + 3, m_large_v3->timestampBegin().value());
        ids.push_back(m_large_v3->endOfText());
        const auto words = m_large_v3->splitIntoWords(ids, "en");
        QCOMPARE(words.size(), 3u);
        QCOMPARE(words[1].text, std::string(" \xF0\x9F\x91\xA8\xE2\x80\x8D\xF0\x9F\x91\xA9"));
        // Cut in the middle of the emoji: the half is not shown.
        const auto half = m_large_v3->encode(" one \xF0\x9F\x91\xA8");
        const auto cut = m_large_v3->splitIntoWords(std::span(half).first(half.size() - 1), "en");
        for (const auto &word : cut) {
            QVERIFY(isValidUtf8(word.text));
        }
    }

    void gpt2VectorsAgree()
    {
        const auto base = kShared / "vectors/ggml-vocab-gpt-2.gguf";
        if (!m_english || !fs::exists(base.string() + ".inp")) {
            QSKIP("shared/data is not here");
        }
        const auto input = QByteArray::fromStdString(readTextFile(base.string() + ".inp"));
        const auto output = QByteArray::fromStdString(readTextFile(base.string() + ".out")).split('\n');
        const QByteArray marker = "\n__ggml_vocab_test__\n";
        qsizetype at = 0;
        int line = 0;
        while (at < input.size()) {
            auto end = input.indexOf(marker, at);
            const auto text = input.mid(at, end < 0 ? -1 : end - at);
            at = end < 0 ? input.size() : end + marker.size();
            Ids wanted;
            for (const auto &number : output.value(line++).split(' ')) {
                if (!number.isEmpty()) {
                    wanted.push_back(number.toInt());
                }
            }
            QCOMPARE(m_english->encode(text.toStdString()), wanted);
        }
        QVERIFY(line > 40);
    }

    void smallVocabulariesAgreeWithTokenizers_data()
    {
        QTest::addColumn<QString>("kind");
        QTest::newRow("plain") << "plain";
        QTest::newRow("ignore_merges") << "ignore_merges";
    }

    // In the form our own models ship: four special tokens, no languages, no timestamps.
    void smallVocabulariesAgreeWithTokenizers()
    {
        QFETCH(const QString, kind);
        const auto &facts = m_parity["hugging_face"][kind.toStdString()];
        const auto tokenizer = SmallTokenizer(facts["tokenizer"]).load();
        for (std::size_t i = 0; i < facts["texts"].size(); ++i) {
            const auto text = fromHex(facts["texts"][i].get<std::string>());
            const auto ids = tokenizer->encode(text);
            QVERIFY2(ids == facts["ids"][i].get<Ids>(), text.c_str());
            QCOMPARE(tokenizer->decodeBytes(ids), text);
        }
        QVERIFY(!tokenizer->isMultilingual() && !tokenizer->timestampBegin() && !tokenizer->transcribe());
        QCOMPARE(tokenizer->timestampCount(), 0);
        QVERIFY(tokenizer->noSpeech().has_value());
        const Ids prompt = {tokenizer->startOfTranscript(), tokenizer->noTimestamps().value()};
        QCOMPARE(tokenizer->prompt("en", WhisperTokenizer::Task::Transcribe, WhisperTokenizer::Timestamps::Without), prompt);
        QVERIFY(tokenizer->isSpecial(tokenizer->endOfText()));
        QVERIFY(!tokenizer->nonSpeechTokens().empty());
    }

    void vocabAndMergesReadLikeTokenizerJson()
    {
        const auto document = small();
        QTemporaryDir temporary;
        const fs::path folder = temporary.path().toStdString();
        std::ofstream(folder / "vocab.json") << document["model"]["vocab"].dump();
        std::ofstream merges(folder / "merges.txt");
        merges << "#version: 0.2\n";
        for (const auto &merge : document["model"]["merges"]) {
            merges << merge[0].get<std::string>() << ' ' << merge[1].get<std::string>() << '\n';
        }
        merges.close();
        json added;
        for (const auto &token : document["added_tokens"]) {
            added[token["content"].get<std::string>()] = token["id"];
        }
        std::ofstream(folder / "added_tokens.json") << added.dump();
        const auto old_form = WhisperTokenizer::load(folder / "vocab.json", 0);
        const auto new_form = SmallTokenizer(document).load();
        QCOMPARE(old_form->size(), new_form->size());
        for (const auto &text : m_texts) {
            QCOMPARE(old_form->encode(text), new_form->encode(text));
        }
        fs::remove(folder / "added_tokens.json");
        QVERIFY_EXCEPTION_THROWN((void)WhisperTokenizer::load(folder / "vocab.json", 0), Error);  // no <|endoftext|>
    }

    void mergesMayBeStrings()
    {
        auto document = small();
        for (auto &merge : document["model"]["merges"]) {
            merge = merge[0].get<std::string>() + " " + merge[1].get<std::string>();
        }
        const auto text = " the quick brown fox";
        QCOMPARE(SmallTokenizer(document).load()->encode(text), SmallTokenizer(small()).load()->encode(text));
    }

    void timestampsThatTheFileLeavesOutAreThere()
    {
        auto document = small();
        // <|notimestamps|> last, as in the first folders on Hugging Face.
        std::swap(document["added_tokens"][2]["content"], document["added_tokens"][3]["content"]);
        const auto last = document["added_tokens"][3]["id"].get<std::int64_t>();
        const SmallTokenizer tokenizer(document);
        QVERIFY(!tokenizer.load(last + 1)->timestampBegin());
        const auto with = tokenizer.load(last + 1 + 1501);
        QCOMPARE(with->timestampBegin().value(), static_cast<std::int32_t>(last + 1));
        QCOMPARE(with->timestampCount(), 1501);
        QVERIFY_EXCEPTION_THROWN((void)tokenizer.load(last), Error);  // the model has fewer tokens than the vocabulary
    }

    void addedTextIsOneToken()
    {
        auto document = small();
        const auto id = document["added_tokens"][3]["id"].get<std::int32_t>() + 1;
        document["added_tokens"].push_back(
            {{"id", id}, {"content", "Quilter"}, {"special", false}, {"single_word", false}, {"lstrip", false}, {"rstrip", false}, {"normalized", false}});
        const auto tokenizer = SmallTokenizer(document).load();
        const auto ids = tokenizer->encode("Mister Quilter");
        QCOMPARE(ids.back(), id);
        QCOMPARE(tokenizer->decodeBytes(ids), std::string("Mister Quilter"));
        QVERIFY(!tokenizer->isSpecial(id));
    }

    void whatIsNotUnderstoodIsRefused_data()
    {
        QTest::addColumn<QByteArray>("pointer");
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<QString>("part");
        const auto row = [](const char *pointer, const char *value, const char *part) {
            QTest::newRow((std::string(pointer) + value).c_str()) << QByteArray(pointer) << QByteArray(value) << part;
        };
        row("/normalizer", R"({"type":"NFC"})", "normalizer");
        row("/pre_tokenizer", R"({"type":"Whitespace"})", "pre-tokenizer");
        row("/pre_tokenizer", "null", "pre-tokenizer");
        row("/pre_tokenizer/add_prefix_space", "true", "adds a space");
        row("/decoder", R"({"type":"Metaspace"})", "decoder");
        row("/post_processor", R"({"type":"Unheard"})", "post-processor");
        row("/model/type", R"("WordPiece")", "not byte pair encoding");
        row("/model/dropout", "0.1", "dropout");
        row("/model/byte_fallback", "true", "byte_fallback");
        row("/model/something", "1", "unknown part");
        row("/something", "1", "unknown part");
        row("/model/vocab/x y", "600001", "not written in GPT-2's byte alphabet");
        row("/model/vocab/zzz", "5", "have the same number");
        row("/model/vocab/zzz", "-1", "no usable number");
        row("/model/vocab/zzz", "99999999999", "no usable number");
        row("/model/vocab/A", "600000", "");
        row("/model/merges/0", R"(["zz", "qq"])", "which the vocabulary does not have");
        row("/model/merges/0", R"("a")", "not two tokens");
        row("/model/merges/0", "7", "not two tokens");
        row("/added_tokens/0/content", R"("")", "no <|endoftext|>");
        row("/added_tokens/0/content", R"("<|other|>")", "no <|endoftext|>");
        row("/added_tokens/0/id", "1", "have the same number");
    }

    void whatIsNotUnderstoodIsRefused()
    {
        QFETCH(const QByteArray, pointer);
        QFETCH(const QByteArray, value);
        QFETCH(const QString, part);
        SmallTokenizer tokenizer(small());
        tokenizer.document[json::json_pointer(pointer.toStdString())] = json::parse(value.toStdString());
        const auto sentence = QString::fromStdString(tokenizer.problem());
        if (part.isEmpty()) {
            QCOMPARE(sentence, QString());  // a high number alone is fine
        } else {
            QVERIFY2(sentence.contains(part) && sentence.contains("tokenizer.json"), qPrintable("\"" + sentence + "\" should speak of \"" + part + "\""));
        }
    }

    void aByteWithoutTokenIsRefused()
    {
        auto document = small();
        document["model"]["vocab"].erase("A");
        json kept = json::array();
        for (const auto &merge : document["model"]["merges"]) {
            if (merge[0].get<std::string>().find('A') == std::string::npos && merge[1].get<std::string>().find('A') == std::string::npos) {
                kept.push_back(merge);
            }
        }
        document["model"]["merges"] = kept;
        QVERIFY(SmallTokenizer(document).problem().find("no token for the byte 65") != std::string::npos);
    }

    void brokenTiktokenFilesAreRefused()
    {
        QTemporaryDir temporary;
        const auto path = fs::path(temporary.path().toStdString()) / "x.tiktoken";
        const auto problem = [&](const std::string &content, std::int64_t n_vocab = 51865) {
            std::ofstream(path, std::ios::binary) << content;
            try {
                (void)WhisperTokenizer::load(path, n_vocab);
            } catch (const Error &error) {
                return error.sentence();
            }
            return std::string();
        };
        QVERIFY(problem("").find("no token for the byte 0") != std::string::npos);
        QVERIFY(problem("IQ== 1\n").find("where 0 is due") != std::string::npos);
        QVERIFY(problem("IQ== 0\nIQ== 1\n").find("there twice") != std::string::npos);
        for (const char *line : {"IQ==", "I 0", "!!!! 0", "IQ== x", "IQ== 0x", "==== 0", "IQ== 99999999999999999999"}) {
            QVERIFY2(problem(line).find("line 1 is not a token") != std::string::npos, line);
        }
        std::string bytes_only;
        for (int byte = 0; byte < 256; ++byte) {
            bytes_only += QByteArray(1, static_cast<char>(byte)).toBase64().toStdString() + " " + std::to_string(byte) + "\n";
        }
        QVERIFY(problem(bytes_only).find("does not fit a Whisper with 51865") != std::string::npos);
        QCOMPARE(problem(bytes_only, 256 + 2 + 99 + 6 + 1501), std::string());
    }

    // Any bytes at all: what goes in comes out.
    void anyBytesComeBack()
    {
        const auto tokenizer = m_multilingual ? m_multilingual : SmallTokenizer(small()).load();
        std::mt19937 random(5);
        for (int round = 0; round < 300; ++round) {
            std::string text;
            for (auto left = random() % 60; left > 0; --left) {
                text += static_cast<char>(random() % 3 == 0 ? random() % 256 : " 'sé\xE2\x80\x99 1,"[random() % 12]);
            }
            QCOMPARE(tokenizer->decodeBytes(tokenizer->encode(text)), text);
        }
    }

    void aMegabyteWithoutASpaceIsQuick()
    {
        const auto tokenizer = m_multilingual ? m_multilingual : SmallTokenizer(small()).load();
        std::string text;
        for (std::size_t i = 0; i < (1u << 20); ++i) {
            text += static_cast<char>('a' + i * i % 26);
        }
        QElapsedTimer timer;
        timer.start();
        const auto ids = tokenizer->encode(text);
        QCOMPARE(tokenizer->decodeBytes(ids), text);
        QVERIFY2(timer.elapsed() < 20000, qPrintable(QString::number(timer.elapsed()) + " ms"));  // quadratic would take hours
    }

    void halfACharacterIsNeverShown()
    {
        const auto tokenizer = m_multilingual ? m_multilingual : SmallTokenizer(small()).load();
        for (const auto &text : m_texts) {
            IncrementalDecoder decoder(tokenizer);
            std::string shown;
            for (const auto id : tokenizer->encode(text)) {
                const auto part = decoder.push(id);
                QVERIFY(isValidUtf8(part));
                shown += part;
                QVERIFY(toValidUtf8(text).starts_with(shown));
            }
            shown += decoder.finish();
            QCOMPARE(shown, toValidUtf8(text));
        }
        IncrementalDecoder decoder(tokenizer);
        for (const auto id : tokenizer->encode("\xF0\x9F\x91")) {
            QCOMPARE(decoder.push(id), std::string());
        }
        QCOMPARE(decoder.push(tokenizer->endOfText()), std::string());
        QCOMPARE(decoder.finish(), std::string("\xEF\xBF\xBD"));
        QCOMPARE(decoder.finish(), std::string());
    }

    void tokensAreReadable()
    {
        const auto tokenizer = SmallTokenizer(small()).load();
        QCOMPARE(tokenizer->readableToken(tokenizer->encode("\xE2").front()), std::string("<E2>"));
        QCOMPARE(tokenizer->readableToken(tokenizer->encode("\x01").front()), std::string("<01>"));
        QCOMPARE(tokenizer->readableToken(tokenizer->encode("q").front()), std::string("q"));
        QCOMPARE(tokenizer->readableToken(tokenizer->endOfText()), std::string("<|endoftext|>"));
        QCOMPARE(tokenizer->readableToken(-1), std::string());
        QCOMPARE(tokenizer->decode(Ids{-5, 1 << 30}), std::string());
    }

    void languagesHaveNames()
    {
        QCOMPARE(whisperLanguages().size(), 100u);
        QCOMPARE(languageName("de"), std::string_view("German"));
        QCOMPARE(languageCode("GERMAN"), std::string_view("de"));
        QCOMPARE(languageCode("castilian"), std::string_view("es"));
        QCOMPARE(languageCode("EN"), std::string_view("en"));
        QVERIFY(languageCode("klingon").empty() && languageName("xx").empty());
    }

    void ourOwnModelLoads()
    {
        const fs::path path = BRAID_SOURCE_DIR "/resources/models/captions-en/tokenizer.json";
        if (!fs::exists(path)) {
            QSKIP("the model in the box is not there yet");
        }
        const auto tokenizer = WhisperTokenizer::load(path, 0);
        QCOMPARE(tokenizer->decode(tokenizer->encode(" ask not what your country can do for you")), std::string(" ask not what your country can do for you"));
        QVERIFY(tokenizer->noSpeech() && tokenizer->noTimestamps());
    }
};

QTEST_APPLESS_MAIN(WhisperTokenizerTest)
#include "tst_whisper_tokenizer.moc"
