// Exports: what every format looks like, how cues are cut, what is escaped, and that writing as it grows equals writing the whole.
#include <QtTest>

#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "core/base/error.h"
#include "core/text/bilingual_writer.h"
#include "core/text/caption_cues.h"
#include "core/text/correction.h"
#include "core/text/display_width.h"
#include "core/text/transcript_json.h"
#include "core/text/transcript_writer.h"

using namespace braid;
using namespace braid::text;

namespace {

Word word(const std::string &text, double start_s, double end_s)
{
    Word made;
    made.text = text;
    made.start_sample = samplesFromSeconds(start_s);
    made.end_sample = samplesFromSeconds(end_s);
    made.probability = 0.9f;
    return made;
}

// The words of `sentence`, evenly spread from `start_s` on.
Transcript spoken(const std::string &sentence, double start_s, double seconds_per_word = 0.4)
{
    Transcript items;
    std::istringstream words(sentence);
    for (std::string text; words >> text; start_s += seconds_per_word) {
        items.emplace_back(word(text, start_s, start_s + seconds_per_word * 0.9));
    }
    return items;
}

std::vector<Cue> cuesOf(const Transcript &items, CueLimits limits = {})
{
    CueBuilder builder(limits);
    std::vector<Cue> cues;
    for (const auto &item : items) {
        for (auto &cue : builder.push(item)) {
            cues.push_back(std::move(cue));
        }
    }
    for (auto &cue : builder.finish()) {
        cues.push_back(std::move(cue));
    }
    return cues;
}

Transcript operator+(Transcript a, const Transcript &b)
{
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

}  // namespace

class TranscriptWriterTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void aCorrectedWordKeepsWhatWasHeard()
    {
        Word said = word("birch", 1, 2);
        correctWord(said, "beech\ttree ");
        QCOMPARE(said.text, std::string("beech tree"));
        QCOMPARE(heardText(said), std::string("birch"));
        correctWord(said, "\xFFoak");  // once more: what was heard stays, and text stays text
        QCOMPARE(said.text, std::string("\xEF\xBF\xBDoak"));
        QCOMPARE(heardText(said), std::string("birch"));
        correctWord(said, "birch");
        QVERIFY(!isCorrected(said));
        correctWord(said, std::string(100'000, 'a') + "\xC3\xA9");
        QCOMPARE(said.text.size(), kMostCorrectionBytes);
        correctWord(said, std::nullopt);
        QCOMPARE(said.text, std::string("birch"));
        QVERIFY(!isCorrected(said));
    }
    void exportsSayWhatWasCorrectedAndJsonWhatWasHeardAsWell()
    {
        Transcript items = spoken("the the birch tree.", 0);
        correctWord(std::get<Word>(items[1]), "");
        correctWord(std::get<Word>(items[2]), "beech");
        QCOMPARE(formatTranscript(items, TranscriptFormat::Text), std::string("the beech tree.\n"));
        QVERIFY(formatTranscript(items, TranscriptFormat::Srt).find("\nthe beech tree.\n") != std::string::npos);
        QCOMPARE(formatBilingual(items, {}, TranscriptFormat::Text), std::string("the beech tree.\n"));
        const auto json = nlohmann::ordered_json::parse(formatTranscript(items, TranscriptFormat::Json));
        QCOMPARE(json["text"].get<std::string>(), std::string("the beech tree.\n"));
        QVERIFY(!json["items"][0].contains("heard"));
        QCOMPARE(json["items"][1]["text"].get<std::string>(), std::string());
        QCOMPARE(json["items"][2]["heard"].get<std::string>(), std::string("birch"));
        const auto back = std::get<Word>(itemFromJson(json["items"][1]));
        QVERIFY(back.text.empty() && back.heard == "the");
        auto nothing = json["items"][1];
        nothing.erase("heard");
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(itemFromJson(nothing)), Error);
    }
    void bothLanguagesStandLineUnderLine()
    {
        const Transcript original = spoken("good morning", 0) + Transcript{LineBreak{16000}} + spoken("thank you", 2) +
                                    Transcript{Gap{64000, 32000, "the microphone was lost"}} + spoken("not translated", 7);
        const Transcript translated = spoken("guten Morgen", 0) + Transcript{LineBreak{32000}} + spoken("danke sehr", 2);
        QCOMPARE(formatBilingual(original, translated, TranscriptFormat::Text),
                 std::string("good morning\nguten Morgen\n\nthank you\ndanke sehr\n\n[2.0 s without sound: the microphone was lost]\n\nnot translated\n"));
        QCOMPARE(formatBilingual(original, translated, TranscriptFormat::Srt),
                 std::string("1\n00:00:00,000 --> 00:00:01,000\ngood morning\nguten Morgen\n\n2\n00:00:02,000 --> 00:00:03,000\nthank you\ndanke sehr\n\n"
                             "3\n00:00:07,000 --> 00:00:08,000\nnot translated\n\n"));
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(formatBilingual(original, translated, TranscriptFormat::Json)), Error);
    }
    void aTranslationIsSharedOutAmongTheSubtitlesOfItsLine()
    {
        // One long line in several cues: every translated word comes once, in order, in the cue that is shown while it is said; controls are spaces.
        const Transcript original =
            spoken("one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
                   "nineteen twenty twentyone twentytwo twentythree",
                   0, 0.6);
        Transcript translated = spoken("eins zwei drei vier fuenf sechs sieben acht neun zehn elf zwoelf dreizehn", 0, 1.0);
        std::get<Word>(translated[3]).text = "vi\ner-->";
        const std::string srt = formatBilingual(original, translated, TranscriptFormat::Srt);
        QVERIFY(srt.find("vi er->") != std::string::npos);
        std::size_t from = 0;
        for (const char *word : {"eins", "zwei", "drei", "vi er", "fuenf", "zehn", "elf", "zwoelf", "dreizehn"}) {
            from = srt.find(word, from);
            QVERIFY2(from != std::string::npos, word);
        }
        QVERIFY(srt.find("\n3\n") != std::string::npos);
        QVERIFY(srt.find("zehn") > srt.find("\n2\n"));
        // An empty original has nowhere to put it.
        QCOMPARE(formatBilingual({}, translated, TranscriptFormat::Vtt), std::string("WEBVTT\n\n"));
        QCOMPARE(formatBilingual({}, translated, TranscriptFormat::Text), std::string());
    }
    void textHasALineForEachParagraph()
    {
        const auto items = spoken("and so it begins", 0) + Transcript{LineBreak{32000}} + spoken("again", 3) +
                           Transcript{Gap{64000, 32000, "the microphone was lost"}} + spoken("back", 7);
        QCOMPARE(formatTranscript(items, TranscriptFormat::Text),
                 std::string("and so it begins\nagain\n[2.0 s without sound: the microphone was lost]\nback\n"));
        QCOMPARE(formatTranscript({}, TranscriptFormat::Text), std::string());
    }

    void languagesWithoutSpacesHaveNone()
    {
        auto second = word("界", 0.5, 1);
        second.starts_without_space = true;
        QCOMPARE(formatTranscript(Transcript{word("世", 0, 0.5), second}, TranscriptFormat::Text), std::string("世界\n"));
    }

    void srtAndVttLookAsPlayersExpect()
    {
        const auto items = spoken("ask not what your country", 3661.25);
        QCOMPARE(formatTranscript(items, TranscriptFormat::Srt), std::string("1\n01:01:01,250 --> 01:01:03,210\nask not what your country\n\n"));
        QCOMPARE(formatTranscript(items, TranscriptFormat::Vtt), std::string("WEBVTT\n\n01:01:01.250 --> 01:01:03.210\nask not what your country\n\n"));
        QCOMPARE(formatTranscript({}, TranscriptFormat::Srt), std::string());
        QCOMPARE(formatTranscript({}, TranscriptFormat::Vtt), std::string("WEBVTT\n\n"));
    }

    void markupInSpeechStaysText()
    {
        const Transcript items = {word("<b>&", 0, 1), word("-->", 1, 2), word("a\n\nb", 2, 3)};
        const auto vtt = formatTranscript(items, TranscriptFormat::Vtt);
        QVERIFY2(vtt.find("&lt;b&gt;&amp; --&gt; a  b\n") != std::string::npos, vtt.c_str());
        const auto srt = formatTranscript(items, TranscriptFormat::Srt);
        QVERIFY2(srt.find("<b>& -> a  b\n") != std::string::npos, srt.c_str());
    }

    void cuesHaveAtMostTwoLinesOf42Columns()
    {
        const auto cues = cuesOf(spoken("so my fellow americans ask not what your country can do for you ask what you can do for your country", 0, 0.2));
        QVERIFY(cues.size() >= 2);
        for (const auto &cue : cues) {
            QVERIFY(cue.lines.size() <= 2);
            for (const auto &line : cue.lines) {
                QVERIFY(displayWidth(line) <= 42);
            }
        }
        // Two lines are as even as words allow.
        QCOMPARE(cues[0].lines, (std::vector<std::string>{"so my fellow americans ask not what your", "country can do for you ask what you can do"}));
    }

    void aPauseALineBreakAndAGapEndACue()
    {
        QCOMPARE(cuesOf(spoken("one two", 0) + spoken("three", 1.5)).size(), std::size_t{1});
        QCOMPARE(cuesOf(spoken("one two", 0) + spoken("three", 1.7)).size(), std::size_t{2});
        QCOMPARE(cuesOf(spoken("one two", 0) + Transcript{LineBreak{}} + spoken("three", 0.8)).size(), std::size_t{2});
        QCOMPARE(cuesOf(spoken("one two", 0) + Transcript{Gap{12000, 800, ""}} + spoken("three", 0.8)).size(), std::size_t{2});
        QCOMPARE(cuesOf(Transcript{LineBreak{}, Gap{}}).size(), std::size_t{0});
    }

    void aSentenceEndClosesACueThatIsLongEnough()
    {
        QCOMPARE(cuesOf(spoken("no. yes we can", 0)).size(), std::size_t{1});
        QCOMPARE(cuesOf(spoken("this is a sentence of some length. yes", 0)).size(), std::size_t{2});
    }

    void shortCuesStayForASecondUnlessTheNextComes()
    {
        const auto cues = cuesOf(Transcript{word("hey", 5, 5.2), LineBreak{}, word("you", 5.6, 5.7), LineBreak{}, word("there", 9, 9.1)});
        QCOMPARE(cues.size(), std::size_t{3});
        QCOMPARE(cues[0].end_sample, samplesFromSeconds(5.6));
        QCOMPARE(cues[1].end_sample, samplesFromSeconds(6.6));
        QCOMPARE(cues[2].end_sample, samplesFromSeconds(10));
    }

    void aCueStaysUntilItIsReadButNotLongBehindItsWords()
    {
        // 39 columns in half a second are read in two; a second after the last word the cue goes all the same.
        const auto quick = cuesOf(Transcript{word("thirty-nine-columns-of-text-in-one-word", 2, 2.5), LineBreak{}, word("later", 9, 9.1)});
        QCOMPARE(quick[0].end_sample, samplesFromSeconds(3.5));
        const auto slow = cuesOf(Transcript{word("thirty-nine-columns-of-text-in-one-word", 2, 4.5), LineBreak{}, word("later", 9, 9.1)});
        QCOMPARE(slow[0].end_sample, samplesFromSeconds(4.5));
    }

    void noCueIsLongerThanSevenSecondsOrOverlapsTheNext()
    {
        std::mt19937 random(11);
        Transcript items;
        double at = 0;
        for (int i = 0; i < 3000; ++i) {
            const double length = 0.01 * static_cast<double>(random() % 900);
            items.emplace_back(word(std::string(1 + random() % 60, 'x'), at, at + length));
            at += random() % 3 == 0 ? 0 : length + 0.01 * static_cast<double>(random() % 200);
            if (random() % 20 == 0) {
                items.emplace_back(LineBreak{});
            }
        }
        std::size_t letters = 0;
        for (const auto &item : items) {
            letters += std::holds_alternative<Word>(item) ? std::get<Word>(item).text.size() : 0;
        }
        Sample before = 0;
        for (const auto &cue : cuesOf(items)) {
            QVERIFY(cue.start_sample >= before);
            QVERIFY(cue.end_sample > cue.start_sample);
            QVERIFY(cue.end_sample - cue.start_sample <= samplesFromSeconds(7));
            QVERIFY(cue.lines.size() <= 2);
            for (const auto &line : cue.lines) {
                QVERIFY(displayWidth(line) <= 42);
                letters -= static_cast<std::size_t>(std::count(line.begin(), line.end(), 'x'));
            }
            before = cue.end_sample;
        }
        QCOMPARE(letters, std::size_t{0});  // nothing said is missing
    }

    void jsonHoldsEverything()
    {
        auto spoken_word = word("ca\"fé", 1.2345625, 1.5);
        spoken_word.tokens = {{7, " ca", 0.5f, {{8, " co", 0.25f}}}};
        const auto text = formatTranscript(Transcript{spoken_word, LineBreak{32000}}, TranscriptFormat::Json,
                                           {"talk.mp4", "captions-en", "align-att", "2026-01-02T03:04:05Z"});
        const auto json = nlohmann::json::parse(text);
        QCOMPARE(json.at("format").get<std::string>(), std::string("braid-transcript"));
        QCOMPARE(json.at("version").get<int>(), 1);
        QCOMPARE(json.at("source").get<std::string>(), std::string("talk.mp4"));
        QCOMPARE(json.at("text").get<std::string>(), std::string("ca\"fé\n"));
        QCOMPARE(json.at("items").size(), std::size_t{2});
        QCOMPARE(json.at("items")[0].at("start_s").get<double>(), 1.2345625);
        QCOMPARE(json.at("items")[0].at("tokens")[0].at("rivals")[0].at("text").get<std::string>(), std::string(" co"));
        QVERIFY(nlohmann::json::parse(formatTranscript({}, TranscriptFormat::Json)).at("items").empty());
    }

    void brokenUtf8StillGivesValidJson()
    {
        const auto text = formatTranscript(Transcript{word("a\xFF\xC3", 0, 1)}, TranscriptFormat::Json, {"\xFE", "", "", ""});
        QVERIFY(nlohmann::json::accept(text));
    }

    void aHundredthOfAMillisecondSurvives()
    {
        for (Sample sample = 0; sample < samplesFromSeconds(1e9); sample = sample * 7 / 3 + 1) {
            QCOMPARE(sampleFromJsonSeconds(nlohmann::json::parse(nlohmann::json(jsonSeconds(sample)).dump()).get<double>()), sample);
        }
        QVERIFY_THROWS_EXCEPTION(Error, static_cast<void>(sampleFromJsonSeconds(-1)));
        QVERIFY_THROWS_EXCEPTION(Error, static_cast<void>(sampleFromJsonSeconds(std::nan(""))));
    }

    void widthsAreThoseOfATerminal_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("columns");
        QTest::newRow("plain") << "abc" << 3;
        QTest::newRow("accent") << QString::fromUtf8("é") << 1;
        QTest::newRow("combining accent") << QString::fromUtf8("e\u0301") << 1;
        QTest::newRow("Chinese") << QString::fromUtf8("世界") << 4;
        QTest::newRow("Hangul") << QString::fromUtf8("한") << 2;
        QTest::newRow("emoji") << QString::fromUtf8("😀") << 2;
        QTest::newRow("empty") << "" << 0;
    }
    void widthsAreThoseOfATerminal()
    {
        QFETCH(QString, text);
        QFETCH(int, columns);
        QCOMPARE(displayWidth(text.toStdString()), static_cast<std::size_t>(columns));
    }

    void textIsCutBetweenCharacters()
    {
        const std::string text = "a世e\u0301b";
        QCOMPARE(bytesThatFit(text, 0), std::size_t{0});
        QCOMPARE(bytesThatFit(text, 2), std::size_t{1});
        QCOMPARE(bytesThatFit(text, 3), std::size_t{4});
        QCOMPARE(bytesThatFit(text, 4), std::size_t{7});
        QCOMPARE(bytesThatFit(text, 99), text.size());
        QCOMPARE(bytesThatFit("\xFF\xFE", 1), std::size_t{1});
    }

    void formatsAreKnownByName()
    {
        QCOMPARE(transcriptFormatNamed(".SRT").value(), TranscriptFormat::Srt);
        QCOMPARE(transcriptFormatNamed("txt").value(), TranscriptFormat::Text);
        QVERIFY(!transcriptFormatNamed("docx"));
    }
};

QTEST_APPLESS_MAIN(TranscriptWriterTest)
#include "tst_transcript_writer.moc"
