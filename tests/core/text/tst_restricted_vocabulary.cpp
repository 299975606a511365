// A part of a vocabulary chosen by texts: what is met often enough, all it is merged from, and every byte; texts come out of it as before.
#include <QByteArray>
#include <QTemporaryDir>
#include <QtTest>

#include <fstream>

#include "core/text/restricted_vocabulary.h"
#include "core/text/whisper_tokenizer.h"
#include "tests/support/error_sentence.h"

using namespace braid;
using namespace braid::text;
namespace fs = std::filesystem;

namespace {

const std::vector<std::string> kSpecial = {"<|endoftext|>", "<|startoftranscript|>", "<|nospeech|>", "<|notimestamps|>"};

struct Place {
    QTemporaryDir temporary;
    fs::path folder = temporary.path().toStdString();

    // All bytes and `tokens` behind them, by rank.
    [[nodiscard]] fs::path tiktoken(const std::vector<std::string> &tokens) const
    {
        std::ofstream file(folder / "small.tiktoken");
        int rank = 0;
        const auto add = [&](const QByteArray &bytes) { file << bytes.toBase64().toStdString() << ' ' << rank++ << '\n'; };
        for (int byte = 0; byte < 256; ++byte) {
            add(QByteArray(1, static_cast<char>(byte)));
        }
        for (const std::string &token : tokens) {
            add(QByteArray::fromStdString(token));
        }
        return folder / "small.tiktoken";
    }

    [[nodiscard]] std::shared_ptr<const WhisperTokenizer> load(const RestrictedVocabulary::Choice &choice) const
    {
        std::ofstream(folder / "tokenizer.json") << choice.tokenizer_json;
        return WhisperTokenizer::load(folder / "tokenizer.json", choice.tokens);
    }
};

std::vector<std::string> piecesOf(const WhisperTokenizer &tokenizer, std::string_view text)
{
    std::vector<std::string> pieces;
    for (const std::int32_t id : tokenizer.encode(text)) {
        pieces.push_back(tokenizer.tokenBytes(id));
    }
    return pieces;
}

}  // namespace

class tst_restricted_vocabulary : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void whatIsMetOftenIsKeptWithItsParts()
    {
        const Place place;
        RestrictedVocabulary vocabulary(place.tiktoken({"he", " t", " the", "in", "ing", " s", " si", " sing", "ab"}));
        for (int i = 0; i < 5; ++i) {
            vocabulary.add("the sing");
        }
        vocabulary.add("the si");
        const auto choice = vocabulary.choose(5, kSpecial);
        const auto tokenizer = place.load(choice);
        // " the" of " t" and "he"; " sing" of " s" and "ing", this of "in" and "g". " si" is merged before " sing" is ever tried, but met once.
        QCOMPARE(choice.tokens, 256 + 7 + 4);
        QCOMPARE(tokenizer->size(), choice.tokens);
        QCOMPARE(tokenizer->endOfText(), 263);
        QCOMPARE(piecesOf(*tokenizer, " the"), (std::vector<std::string>{" the"}));
        QCOMPARE(piecesOf(*tokenizer, " si"), (std::vector<std::string>{" s", "i"}));
        QCOMPARE(piecesOf(*tokenizer, "ab"), (std::vector<std::string>{"a", "b"}));
        QCOMPARE(tokenizer->decode(tokenizer->encode(" \xE2\x80\x9Cthe\xE2\x80\x9D Zo\xC3\xAB")), std::string(" \xE2\x80\x9Cthe\xE2\x80\x9D Zo\xC3\xAB"));
    }

    void seldomTokensCountForTheirParts()
    {
        const Place place;
        RestrictedVocabulary vocabulary(place.tiktoken({"an", "and", "ant"}));
        vocabulary.add(" and ant");  // a space is no part of these
        const auto tokenizer = place.load(vocabulary.choose(2, kSpecial));
        QCOMPARE(piecesOf(*tokenizer, "and"), (std::vector<std::string>{"an", "d"}));
    }

    void gpt2sTokensStayWhereAllAreKept()
    {
        const fs::path gpt2 = BRAID_SOURCE_DIR "/../shared/data/tokenizers/whisper/gpt2.tiktoken";
        if (!fs::exists(gpt2)) {
            QSKIP("needs ../shared/data/tokenizers/whisper/gpt2.tiktoken");
        }
        const std::vector<std::string> texts = {"The quick brown fox, who'd never met Zo\xC3\xAB, said: \"It's five o'clock!\"",
                                                "Mr. Quilter is the apostle of the middle classes.", "Na\xC3\xAFve caf\xC3\xA9s \xE2\x80\x94 aren't they?",
                                                "unbelievably antidisestablishmentarian"};
        RestrictedVocabulary vocabulary(gpt2);
        for (const std::string &text : texts) {
            vocabulary.add(text);
        }
        const Place place;
        const auto small = place.load(vocabulary.choose(1, kSpecial));
        const auto whole = WhisperTokenizer::load(gpt2, 51864);
        QVERIFY(small->size() < 500);
        for (const std::string &text : texts) {
            QCOMPARE(piecesOf(*small, " " + text), piecesOf(*whole, " " + text));
        }
        const std::string unknown = " Something else entirely, \xF0\x9F\x98\x80 too.";
        QCOMPARE(small->decode(small->encode(unknown)), unknown);
    }

    void otherFilesAreRefused()
    {
        const Place place;
        QVERIFY(test::sentenceOf([&] { RestrictedVocabulary(place.folder / "tokenizer.json"); }).find("*.tiktoken") != std::string::npos);
        QVERIFY(!test::sentenceOf([&] { RestrictedVocabulary(place.folder / "missing.tiktoken"); }).empty());
        // A token that no two others make.
        QVERIFY(test::sentenceOf([&] { RestrictedVocabulary vocabulary(place.tiktoken({"abcd"})); }).find("cannot be merged") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(tst_restricted_vocabulary)
#include "tst_restricted_vocabulary.moc"
