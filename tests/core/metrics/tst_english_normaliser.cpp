// Whisper's English normaliser: the same text, character for character, as the original over a hostile battery (tests/parity/normaliser.json, made
// by make_normaliser_parity.py), and nothing that strangers write breaks it.
#include <QFile>
#include <QtTest>
#include <random>

#include <nlohmann/json.hpp>

#include "core/metrics/english_normaliser.h"
#include "core/text/utf8.h"

using namespace braid::metrics;

class TestEnglishNormaliser : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void numbersContractionsAndSpelling_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("expected");
        QTest::newRow("contraction") << "I won't, she's been"
                                     << "i will not she has been";
        QTest::newRow("title") << "Mr. Smith"
                               << "mister smith";
        QTest::newRow("filler") << "well, um, yes"
                                << "well yes";
        QTest::newRow("number") << "two hundred and one dollars"
                                << "$201";
        QTest::newRow("year") << "the nineteen eighties"
                              << "the 1980s";
        QTest::newRow("digits") << "double oh seven"
                                << "007";
        QTest::newRow("half") << "two and a half million"
                              << "2500000";
        QTest::newRow("cents") << "two dollars and seven cents"
                               << "$2.07";
        QTest::newRow("spelling") << "my favourite colour"
                                  << "my favorite color";
        QTest::newRow("diacritics") << "naïve Łódź"
                                    << "naive lodz";
        QTest::newRow("brackets") << "[music] he said (laughing) so"
                                  << "he said so";
    }
    void numbersContractionsAndSpelling()
    {
        QFETCH(QString, text);
        QFETCH(QString, expected);
        QStringList words;
        for (const std::string &word : englishWords(text.toStdString())) {
            words << QString::fromStdString(word);
        }
        QCOMPARE(words.join(' '), expected);
    }

    void equalsTheOriginal()
    {
        QFile file(QStringLiteral(BRAID_SOURCE_DIR "/tests/parity/normaliser.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto parity = nlohmann::json::parse(file.readAll().toStdString());
        QVERIFY(parity.at("cases").size() > 400);
        QStringList differences;
        for (const auto &one : parity.at("cases")) {
            const std::string found = englishNormalised(one.at(0).get<std::string>());
            if (found != one.at(1).get<std::string>()) {
                differences << QString("%1\n  original %2\n  ours     %3")
                                   .arg(QString::fromStdString(one.at(0).get<std::string>()), QString::fromStdString(one.at(1).get<std::string>()),
                                        QString::fromStdString(found));
            }
        }
        QVERIFY2(differences.isEmpty(), qPrintable(QString::number(differences.size()) + " differ\n" + differences.join('\n').left(6000)));
    }

    void anyBytesAreTaken()
    {
        std::mt19937 random(1);
        const std::string parts = "0123456789.,$%'\" abcdnsthe\xC3\xA9\xE2\x82\xAC\xFF\x80[](){}<>";
        for (int round = 0; round < 2000; ++round) {
            std::string text;
            for (unsigned i = random() % 40; i > 0; --i) {
                text += parts[random() % parts.size()];
            }
            const std::string normal = englishNormalised(text);
            QVERIFY2(braid::text::isValidUtf8(normal) && normal.find("  ") == std::string::npos, text.c_str());
        }
        QVERIFY(englishNormalised(std::string(100000, '9') + " thousand").size() > 100000);
        QVERIFY(englishWords("").empty());
    }
};

QTEST_APPLESS_MAIN(TestEnglishNormaliser)
#include "tst_english_normaliser.moc"
