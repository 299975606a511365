// Vocabularies learnt from texts, and the frame around translations: what the files say, read again as any tokenizer.
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <fstream>
#include <map>
#include <random>

#include "core/base/error.h"
#include "core/text/language_splitters.h"
#include "core/text/tokenizer_learner.h"
#include "core/text/translation_frame.h"

using namespace braid;
using namespace braid::text;

namespace {

std::shared_ptr<const LanguageTokenizer> read(const QTemporaryDir &folder, const std::string &json)
{
    const std::filesystem::path path = std::filesystem::path(folder.path().toStdString()) / "tokenizer.json";
    std::ofstream(path) << json;
    return LanguageTokenizer::load(path);
}

// Algorithm 1 of the paper as it stands: every pair counted anew after every merge.
std::vector<std::string> naiveMerges(const std::map<std::string, std::int64_t> &pieces, std::size_t most)
{
    std::map<std::vector<std::string>, std::int64_t> words;
    for (const auto &[piece, count] : pieces) {
        std::vector<std::string> symbols;
        for (const char byte : piece) {
            symbols.emplace_back(1, byte);
        }
        words[symbols] += count;
    }
    std::map<std::string, int> ids;  // in the order of their making
    for (int byte = 0; byte < 256; ++byte) {
        ids[std::string(1, static_cast<char>(byte))] = byte;
    }
    std::vector<std::string> merged;
    while (merged.size() < most) {
        std::map<std::pair<int, int>, std::pair<std::int64_t, std::string>> counts;
        for (const auto &[symbols, count] : words) {
            for (std::size_t i = 0; i + 1 < symbols.size(); ++i) {
                auto &entry = counts[{ids.at(symbols[i]), ids.at(symbols[i + 1])}];
                entry.first += count;
                entry.second = symbols[i] + "|" + symbols[i + 1];
            }
        }
        const auto best = std::max_element(counts.begin(), counts.end(), [](const auto &a, const auto &b) { return a.second.first < b.second.first; });
        if (best == counts.end() || best->second.first < 2) {
            break;
        }
        const std::string left = best->second.second.substr(0, best->second.second.find('|'));
        const std::string right = best->second.second.substr(left.size() + 1);
        std::map<std::vector<std::string>, std::int64_t> next;
        for (const auto &[symbols, count] : words) {
            std::vector<std::string> joined;
            for (std::size_t i = 0; i < symbols.size(); ++i) {
                const bool joins = i + 1 < symbols.size() && symbols[i] == left && symbols[i + 1] == right;
                joined.push_back(joins ? left + right : symbols[i]);
                i += joins ? 1 : 0;
            }
            next[joined] += count;
        }
        words = next;
        ids.emplace(left + right, static_cast<int>(ids.size()));
        merged.push_back(left + right);
    }
    return merged;
}

}  // namespace

class tst_tokenizer_learner : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    // Counting anew after every merge and keeping counts up to date give the same pieces, in the same order.
    void mergesAreThoseOfTheNaiveAlgorithm()
    {
        std::mt19937 random(3);
        for (int trial = 0; trial < 20; ++trial) {
            TokenizerLearner learner;
            std::map<std::string, std::int64_t> pieces;
            for (int i = 0; i < 40; ++i) {
                std::string word = " ";
                for (std::size_t letters = 1 + random() % 7; letters > 0; --letters) {
                    word += static_cast<char>('a' + random() % 3);
                }
                learner.add(word);
                for (const std::string_view piece : splitBy(SplitPattern::Qwen2, word)) {
                    ++pieces[std::string(piece)];
                }
            }
            const QTemporaryDir folder;
            const auto tokenizer = read(folder, learner.json(256 + 30 + 1, {"<|end|>"}));
            const std::vector<std::string> wanted = naiveMerges(pieces, 30);
            for (std::size_t i = 0; i < wanted.size(); ++i) {
                QCOMPARE(QString::fromStdString(tokenizer->tokenBytes(256 + static_cast<std::int32_t>(i))), QString::fromStdString(wanted[i]));
            }
            QCOMPARE(tokenizer->size(), 256 + static_cast<std::int32_t>(wanted.size()) + 1);
        }
    }

    void anyTextComesBack()
    {
        TokenizerLearner learner;
        learner.add("The old man and the sea, the old man and the boat.", 20);
        const QTemporaryDir folder;
        const auto tokenizer = read(folder, learner.json(320, {"<|source|>", "<|end|>"}));
        for (const std::string text :
             {"the old man", " The sea\n\n", "\u00c9t\u00e9 \u00e0 No\u00ebl \u2014 10:30, 2 \u20ac", "\U0001F600\U0001F468\u200D\U0001F469", "a<|end|>b"}) {
            LanguageTokenizer::EncodeOptions plain;
            plain.special = SpecialTexts::PlainText;
            QCOMPARE(QString::fromStdString(tokenizer->decode(tokenizer->encode(text, plain))), QString::fromStdString(text));
        }
        QCOMPARE(tokenizer->encode(" the").size(), std::size_t{1});
        QCOMPARE(tokenizer->encode("2024").size(), std::size_t{4});  // digit by digit
        QCOMPARE(tokenizer->encode("<|end|>"), std::vector<std::int32_t>{tokenizer->size() - 1});
        QVERIFY(tokenizer->isSpecial(tokenizer->size() - 1));
    }

    void equalTextsGiveEqualFiles()
    {
        TokenizerLearner forwards;
        TokenizerLearner backwards;
        const std::vector<std::string> texts = {"one two three", "two three four", "three four five", "cinq six sept"};
        for (std::size_t i = 0; i < texts.size(); ++i) {
            forwards.add(texts[i]);
            backwards.add(texts[texts.size() - 1 - i]);
        }
        QCOMPARE(forwards.json(290, {}), backwards.json(290, {}));
    }

    // For a closed language: every piece a token, anything else bytes.
    void wholePiecesAreTokens()
    {
        TokenizerLearner learner(TokenizerPieces::Whole);
        for (const char *cell : {" cat", " 42", " 4", ".", " -", " category"}) {
            learner.add(cell);
        }
        const QTemporaryDir folder;
        const auto tokenizer = read(folder, learner.json(1000, {"<|User|>"}));
        QCOMPARE(tokenizer->size(), 256 + 5 + 1);  // "." is a byte
        for (const char *cell : {" cat", " 42", " 4", ".", " -", " category"}) {
            QCOMPARE(tokenizer->encode(cell).size(), std::size_t{1});
        }
        QCOMPARE(tokenizer->encode(" cats").size(), std::size_t{5});
        QCOMPARE(tokenizer->decode(tokenizer->encode(" cats")), std::string(" cats"));
        QCOMPARE(tokenizer->encode(" cat 42. -").size(), std::size_t{4});
    }

    void aVocabularyTooSmallIsRefused() { QVERIFY_THROWS_EXCEPTION(Error, (void)TokenizerLearner().json(257, {"<|a|>", "<|b|>"})); }

    void theFrameStandsAroundTexts()
    {
        TokenizerLearner learner;
        learner.add(" Where is Tom? O\u00f9 est Tom ?", 5);
        const QTemporaryDir folder;
        QVERIFY(!TranslationFrame::of(read(folder, learner.json(300, {"<|source|>", "<|end|>"}))));
        const auto tokenizer = read(folder, learner.json(300, {"<|source|>", "<|target|>", "<|end|>"}));
        const auto frame = TranslationFrame::of(tokenizer);
        QVERIFY(frame.has_value());
        const auto shown = [&tokenizer](const std::vector<std::int32_t> &tokens) {
            return QString::fromStdString(tokenizer->decode(tokens, SpecialTokens::Shown));
        };
        QCOMPARE(shown(frame->prompt()), QString("<|source|>"));
        QCOMPARE(shown(frame->header()), QString("<|target|>"));
        QCOMPARE(shown(frame->prompt("Where is Tom?")), QString("<|source|> Where is Tom?<|end|>"));
        QCOMPARE(shown(frame->header("O\u00f9 est Tom ?")), QString::fromUtf8("<|target|> O\u00f9 est Tom ?<|end|>"));
        // With or without a space a word has the same tokens, and what people write is never a mark.
        QCOMPARE(frame->textTokens("Tom"), frame->textTokens(" Tom"));
        QVERIFY(frame->textTokens("<|end|>") != std::vector<std::int32_t>{frame->end()});
        QVERIFY(frame->textTokens("").empty());
    }
};

QTEST_GUILESS_MAIN(tst_tokenizer_learner)
#include "tst_tokenizer_learner.moc"
