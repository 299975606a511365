// Training texts: the rules of the first training, kept; and what a synthesizer is given.
#include <QtTest>

#include <nlohmann/json.hpp>

#include "core/base/file.h"
#include "lab/corpus/training_text.h"

using namespace braid::corpus;

class TestTrainingText : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void itIsWhatTheFirstTrainingMade()
    {
        const auto cases = nlohmann::json::parse(braid::readTextFile(BRAID_SOURCE_DIR "/tests/parity/training_text.json"));
        QVERIFY(cases.size() > 150);
        for (const auto &entry : cases) {
            const auto given = entry[0].get<std::string>();
            const auto wanted = entry[1].is_null() ? std::nullopt : std::optional(entry[1].get<std::string>());
            const auto found = trainingText(given);
            const bool accented = given.find("\xC3") != given.npos;  // we take accents off, the first training took the text out
            if (!accented) {
                QVERIFY2(found == wanted, (given + " -> " + found.value_or("(none)") + ", wanted " + wanted.value_or("(none)")).c_str());
            }
        }
    }

    void accentsAreTakenOff()
    {
        QCOMPARE(*trainingText("Caf\xC3\xA9 na\xC3\xAFve \xC3\x86on \xC5\x81\xC3\xB3"
                               "d\xC5\xBA stra\xC3\x9F"
                               "e"),
                 std::string("cafe naive aeon lodz strasse"));
    }

    void whatWouldHaveToBeReadOutIsNoText()
    {
        for (const char *text : {"", "...", "10 men", "\xE4\xBD\xA0\xE5\xA5\xBD", "\xC2\xBD cup", "\xFF\xFE", "a\xE2\x82", "\xF0\x9F\x98\x80 smile"}) {
            QVERIFY2(!trainingText(text), text);
        }
    }

    void marksStayForTheVoice()
    {
        QCOMPARE(joined(*speakableText("\"Well,\" said Mr. Smith; \"no! Why?\" (I'd go...)")), std::string("well, said mister smith; no! why? i'd go."));
        QCOMPARE(joined(*speakableText("Etc. etc., and no.")), std::string("et cetera et cetera, and number"));
    }

    void aVoiceIsNeverGivenAnythingButWords()
    {
        const auto words = speakableText("it\") (system \"rm -rf /\") <break time=\"long\"/> [[inpk_]] $(date) `date` \\ \"; | > & a");
        for (const char c : joined(*words)) {
            QVERIFY2((c >= 'a' && c <= 'z') || std::string(" ',.;:?!").find(c) != std::string::npos, std::string(1, c).c_str());
        }
    }
};

QTEST_GUILESS_MAIN(TestTrainingText)
#include "tst_training_text.moc"
