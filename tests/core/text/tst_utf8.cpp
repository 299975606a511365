// UTF-8: what is a character, what is broken, what may still become one. Cases are Unicode's own (3.9, table 3-8) and Python's.
#include <QtTest>

#include "core/text/language_splitters.h"
#include "core/text/unicode_classes.h"
#include "core/text/utf8.h"

using namespace braid::text;

namespace {

const std::string kBroken = "\xEF\xBF\xBD";

std::string repeated(const std::string &part, int count)
{
    std::string text;
    for (int i = 0; i < count; ++i) {
        text += part;
    }
    return text;
}

}  // namespace

class Utf8Test : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void everyCharacterSurvivesTheRoundTrip()
    {
        for (char32_t c = 0; c < 0x110000; ++c) {
            if (c >= 0xD800 && c < 0xE000) {
                continue;
            }
            std::string text;
            appendUtf8(text, c);
            const auto character = characterAt(text, 0);
            if (character.state != Utf8State::Valid || character.code_point != c || character.length != text.size()) {
                QFAIL(qPrintable(QString::number(c, 16)));
            }
        }
    }

    void brokenSequencesBecomeOneReplacementEach_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QByteArray>("shown");
        const auto row = [](const char *name, const std::string &bytes, const std::string &shown) {
            QTest::newRow(name) << QByteArray::fromStdString(bytes) << QByteArray::fromStdString(shown);
        };
        row("valid", "a\xC3\xA9\xF0\x9F\x98\x80", "a\xC3\xA9\xF0\x9F\x98\x80");
        row("a lone continuation",
            "a\x80"
            "b",
            "a" + kBroken + "b");
        row("an overlong slash", "\xC0\xAF", repeated(kBroken, 2));
        row("three bytes for a null", "\xE0\x80\x80", repeated(kBroken, 3));
        row("a surrogate", "\xED\xA0\x80", repeated(kBroken, 3));
        row("above the last character", "\xF4\x90\x80\x80", repeated(kBroken, 4));
        row("five-byte form", "\xF8\x88\x80\x80\x80", repeated(kBroken, 5));
        row("cut short before a letter",
            "\xE2\x80"
            "a",
            kBroken + "a");
        row("cut short at the end", "\xF0\x9F\x98", kBroken);
        row("table 3-8", "\x61\xF1\x80\x80\xE1\x80\xC2\x62\x80\x63\x80\xBF\x64", "a" + repeated(kBroken, 3) + "b" + kBroken + "c" + repeated(kBroken, 2) + "d");
    }

    void brokenSequencesBecomeOneReplacementEach()
    {
        QFETCH(const QByteArray, bytes);
        QFETCH(const QByteArray, shown);
        QCOMPARE(QByteArray::fromStdString(toValidUtf8(bytes.toStdString())), shown);
        QCOMPARE(isValidUtf8(bytes.toStdString()), bytes == shown);
        QVERIFY(isValidUtf8(shown.toStdString()));
        QCOMPARE(characterCount(bytes.toStdString()), characterCount(shown.toStdString()));
        QCOMPARE(characterBoundaries(bytes.toStdString()).size(), characterCount(shown.toStdString()) + 1);
    }

    void onlyAnIncompleteEndWaits()
    {
        QCOMPARE(completeLength(""), 0u);
        QCOMPARE(completeLength("abc"), 3u);
        QCOMPARE(completeLength("ab\xF0\x9F\x98"), 2u);
        QCOMPARE(completeLength("ab\xF0\x9F\x98\x80"), 6u);
        QCOMPARE(completeLength("\xE2"), 0u);
        QCOMPARE(completeLength("\xE2\x80"), 0u);
        QCOMPARE(completeLength("\xE2\x41"), 2u);
        QCOMPARE(completeLength("\x80\x80\x80\x80"), 4u);  // never a character: nothing to wait for
        QCOMPARE(completeLength("\xED\xA0"), 2u);          // a surrogate: neither
    }

    void charactersHaveClasses()
    {
        QCOMPARE(characterClass(U'a'), CharacterClass::Letter);
        QCOMPARE(characterClass(0x4E09), CharacterClass::Letter);  // three, in Chinese
        QCOMPARE(characterClass(0x0663), CharacterClass::Number);  // three, in Arabic
        QCOMPARE(characterClass(0x2167), CharacterClass::Number);  // Roman eight
        QCOMPARE(characterClass(0x00A0), CharacterClass::Space);
        QCOMPARE(characterClass(0x200B), CharacterClass::Other);  // zero width space is none
        QCOMPARE(characterClass(0x0301), CharacterClass::Other);  // a combining mark is no letter
        QCOMPARE(characterClass(0x1F600), CharacterClass::Other);
        QCOMPARE(characterClass(0x10FFFF), CharacterClass::Other);
    }

    void textIsCutLikeGpt2Cuts()
    {
        using Pieces = std::vector<std::string_view>;
        QCOMPARE(splitBy(SplitPattern::Gpt2, ""), Pieces());
        QCOMPARE(splitBy(SplitPattern::Gpt2, "I'm here, it's 3:45"), (Pieces{"I", "'m", " here", ",", " it", "'s", " 3", ":", "45"}));
        QCOMPARE(splitBy(SplitPattern::Gpt2, "I'M"), (Pieces{"I", "'", "M"}));
        QCOMPARE(splitBy(SplitPattern::Gpt2, "a   b"), (Pieces{"a", "  ", " b"}));
        QCOMPARE(splitBy(SplitPattern::Gpt2, "a  "), (Pieces{"a", "  "}));
        QCOMPARE(splitBy(SplitPattern::Gpt2, "a \n\nb"), (Pieces{"a", " \n", "\n", "b"}));
        QCOMPARE(splitBy(SplitPattern::Gpt2, " 's"), (Pieces{" '", "s"}));
    }
};

QTEST_APPLESS_MAIN(Utf8Test)
#include "tst_utf8.moc"
