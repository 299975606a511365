// Layouts: the two published ones are in the box, what is written is read again, and contradictions are named with their streams.
#include <QtTest>

#include <algorithm>

#include "core/base/error.h"
#include "core/streams/layout.h"

using namespace braid;
using namespace braid::streams;

// JSON with ' for ".
static std::string json(std::string text)
{
    std::replace(text.begin(), text.end(), '\'', '"');
    return text;
}

static std::string layoutOf(const std::string &streams, const std::string &more = "'silence':{'rule':'skipped','text':' -'}")
{
    return json("{'format':'braid-streams-layout','version':1,'name':'x'," + more + ",'streams':[" + streams + "]}");
}

static const std::string kUser = "{'name':'User','role':'user'}";
static const std::string kAnswer = "{'name':'Answer','role':'assistant'}";
static const std::string kAudit = "{'name':'Audit','role':'assistant'}";

class TestLayout : public QObject {
    Q_OBJECT

    static std::string refusal(const std::string &text)
    {
        try {
            (void)parseLayout(text, "mine.json");
        } catch (const Error &error) {
            return error.kind() == ErrorKind::Input ? error.what() : "wrong kind";
        }
        return "accepted";
    }

  private Q_SLOTS:
    void theTenStreamsArePublishedAsTheyAre()
    {
        const Layout layout = readLayout(BRAID_SOURCE_DIR "/resources/layouts/ten_streams.json");
        const std::vector<std::string> names{"User", "Output", "Analytical", "Skeptical", "Intuitive", "Between", "Curious", "Void", "Instinct", "Synthesis"};
        QCOMPARE(layout.size(), names.size());
        for (std::size_t i = 0; i < names.size(); ++i) {
            QCOMPARE(layout.streams[i].name, names[i]);
            QCOMPARE(layout.streams[i].sees.size(), names.size());
        }
        QCOMPARE(layout.form, VisibilityForm::Rows);
        QCOMPARE(layout.positions, PositionRule::Row);
        QCOMPARE(layout.silence, SilenceRule::Stored);
        QCOMPARE(layout.sampled().size(), std::size_t(9));
        QCOMPARE(layout.warmRows(), std::int64_t(1));
        QCOMPARE(layout.streams[3].warm_start[0], std::string(" checking"));
        const Stream &output = layout.streams[1];
        QCOMPARE(output.sampling.top_k, 20);
        QCOMPARE(output.penalty.logits, 10.0);
        QCOMPARE(output.penalty.ramp_rows, 5);
        QCOMPARE(output.penalty.time, PenaltyTime::AfterUser);
    }

    void theSystemUserAssistantFormIsPublishedAsItIs()
    {
        const Layout layout = readLayout(BRAID_SOURCE_DIR "/resources/layouts/system_user_assistants.json");
        QCOMPARE(layout.form, VisibilityForm::Blocks);
        QCOMPARE(layout.positions, PositionRule::OwnCounter);
        QCOMPARE(layout.silence, SilenceRule::Absent);
        QCOMPARE(layout.streams[0].sees, std::vector<int>{0});  // the system text is read before the others begin
        QCOMPARE(layout.streams[2].sees, (std::vector<int>{0, 1, 2, 3}));
        QCOMPARE(layout.stop.all_ended, (std::vector<int>{2, 3}));
    }

    void whatIsWrittenIsReadAgain()
    {
        for (const char *file : {"box", "ten_streams", "system_user_assistants"}) {
            const Layout layout = readLayout(std::string(BRAID_SOURCE_DIR "/resources/layouts/") + file + ".json");
            const std::string written = layoutJson(layout);
            QVERIFY(parseLayout(written, "again") == layout);
            QCOMPARE(layoutJson(parseLayout(written, "again")), written);
        }
        const Layout odd =
            parseLayout(layoutOf("{'name':'U \xC3\xA9|','role':'user','hidden_from':['Audit'],'closing':'\\n'}," + kAnswer +
                                     ",{'name':'Audit','role':'assistant','sees':['Answer','Audit'],'seed':7,'loss_weight':0.5,'colour':'pink',"
                                     "'sampling':{'temperature':0.5,'top_k':3,'top_p':0.25},'stop':{'silent_rows':4,'most_tokens':9,'tokens':['a']}}",
                                 "'silence':{'rule':'stored','text':'-'},'window_rows':50,'kept_rows':2,'positions':'own_counter'"),
                        "odd");
        QVERIFY(parseLayout(layoutJson(odd), "again") == odd);
        QCOMPARE(odd.streams[2].sees, (std::vector<int>{1, 2}));
    }

    void hiddenFromTakesAwayWhatIsSeenOtherwise()
    {
        const Layout layout = parseLayout(layoutOf(kUser + "," + kAnswer + ",{'name':'Audit','role':'assistant','hidden_from':['Answer']}"), "x");
        QCOMPARE(layout.streams[1].sees, (std::vector<int>{0, 1}));
        QCOMPARE(layout.streams[2].sees, (std::vector<int>{0, 1, 2}));
        QVERIFY(!layout.mayRead(1, 2) && layout.mayRead(2, 1));
    }

    void assistantsApartDoNotSeeEachOther()
    {
        const Layout layout = parseLayout(layoutOf(kUser + "," + kAnswer + "," + kAudit, "'visibility':{'form':'blocks','between_assistants':'hidden'}"), "x");
        QCOMPARE(layout.streams[1].sees, (std::vector<int>{0, 1}));
        QCOMPARE(layout.streams[2].sees, (std::vector<int>{0, 2}));
    }

    void contradictionsAreNamed_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("says");
        const auto row = [](const char *name, const std::string &text, const char *says) { QTest::newRow(name) << QString::fromStdString(text) << says; };
        row("sees what is hidden",
            layoutOf(kUser + ",{'name':'Answer','role':'assistant','sees':['Answer','Audit']},{'name':'Audit','role':'assistant','hidden_from':['Answer']}"),
            "\"Answer\" is said to see \"Audit\", and \"Audit\" to be hidden from \"Answer\"");
        row("an example of two lines", layoutOf(kUser + "," + kAnswer, "'examples':['a\\nb']"), "\"examples\" is not a list");
        row("blind to itself", layoutOf(kUser + ",{'name':'Answer','role':'assistant','sees':['User']}"), "\"Answer\" does not see itself");
        row("hidden from itself", layoutOf(kUser + ",{'name':'Answer','role':'assistant','hidden_from':['Answer']}"), "\"Answer\" is hidden from itself");
        row("nobody", layoutOf(kUser + ",{'name':'Answer','role':'assistant','sees':['Answer','Nobody']}"), "\"Nobody\", which is no stream");
        row("seen twice", layoutOf(kUser + ",{'name':'Answer','role':'assistant','sees':['Answer','Answer']}"), "names \"Answer\" twice");
        row("apart and seen",
            layoutOf(kUser + ",{'name':'Answer','role':'assistant','sees':['Answer','Audit']}," + kAudit,
                     "'visibility':{'form':'blocks','between_assistants':'hidden'}"),
            "\"Answer\" is said to see \"Audit\", but \"between_assistants\" is \"hidden\"");
        row("a system that looks ahead",
            layoutOf("{'name':'S','role':'system','sees':['S','User']}," + kUser + "," + kAnswer, "'visibility':{'form':'blocks'}"),
            "\"S\" is said to see \"User\"");
        row("rows that see their neighbours", layoutOf(kUser + "," + kAnswer, "'visibility':{'form':'rows','same_step':'visible'},'silence':{'text':'-'}"),
            "never see each other");
        row("two users", layoutOf(kUser + ",{'name':'Other','role':'user'}," + kAnswer), "more than one stream is the user's");
        row("one name twice", layoutOf(kUser + ",{'name':'user','role':'assistant'}"), "two streams are called");
        row("nobody speaks", layoutOf(kUser), "no stream is sampled");
        row("a sampled user", layoutOf("{'name':'User','role':'user','sampling':{'temperature':1}}," + kAnswer), "\"User\" is not sampled, but is told how");
        row("waits for ever", layoutOf(kUser + "," + kAnswer, "'silence':{'text':'-'},'stop':{'all_ended':['Answer']}"), "waits for the end of \"Answer\"");
        row("no silence in rows", layoutOf(kUser + "," + kAnswer, "'window_rows':3"), "it has no silence");
        row("silence without text", layoutOf(kUser + "," + kAnswer, "'silence':{'rule':'stored'}"), "has no text");
        row("a penalty on nothing", layoutOf(kUser + ",{'name':'A','role':'assistant','silence_penalty':{'logits':1}}", "'visibility':{'form':'blocks'}"),
            "there is no silence");
        row("kept without window", layoutOf(kUser + "," + kAnswer, "'silence':{'text':'-'},'kept_rows':3"), "means nothing");
        row("warm start in blocks", layoutOf(kUser + ",{'name':'A','role':'assistant','warm_start':['x']}", "'visibility':{'form':'blocks'}"), "warm_start");
    }
    void contradictionsAreNamed()
    {
        QFETCH(QString, text);
        QFETCH(QString, says);
        const QString sentence = QString::fromStdString(refusal(text.toStdString()));
        QVERIFY2(sentence.contains(says), qPrintable(sentence));
        QVERIFY2(sentence.startsWith("mine.json: "), qPrintable(sentence));
    }

    void malformedFilesAreRefused_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("says");
        const auto row = [](const char *name, const std::string &text, const char *says) { QTest::newRow(name) << QString::fromStdString(text) << says; };
        row("empty", "", "not valid JSON");
        row("a list", "[]", "not a JSON object");
        row("another format", json("{'format':'braid-journal','version':1}"), "not a stream layout");
        row("a later version", json("{'format':'braid-streams-layout','version':2}"), "version");
        row("a misspelt key", layoutOf(kUser + ",{'name':'A','role':'assistant','seess':['A']}"), "seess");
        row("an unknown key of the whole", layoutOf(kUser + "," + kAnswer, "'windows':3"), "windows");
        row("a key twice", layoutOf("{'name':'A','name':'B','role':'assistant'}"), "twice");
        row("an unknown role", layoutOf("{'name':'A','role':'narrator'}"), "\"assistant\"");
        row("no role", layoutOf("{'name':'A'}"), "has no \"role\"");
        row("an unknown colour", layoutOf("{'name':'A','role':'assistant','colour':'#FFF'}"), "\"vermilion\"");
        row("no streams", layoutOf(""), "1 to 64 streams");
        row("a name with a line break", layoutOf("{'name':'A\\nB','role':'assistant'}"), "no usable name");
        row("no name", layoutOf("{'role':'assistant'}"), "no usable name");
        row("top_p of 0", layoutOf("{'name':'A','role':'assistant','sampling':{'top_p':0}}"), "top_p");
        row("half a top_k", layoutOf("{'name':'A','role':'assistant','sampling':{'top_k':1.5}}"), "whole number");
        row("a huge top_k", layoutOf("{'name':'A','role':'assistant','sampling':{'top_k':18446744073709551615}}"), "whole number");
        row("a negative window", layoutOf(kUser + "," + kAnswer, "'window_rows':-1"), "whole number");
        row("a seed beyond doubles", layoutOf("{'name':'A','role':'assistant','seed':18446744073709551615}"), "whole number");
        row("a text for a number", layoutOf("{'name':'A','role':'assistant','loss_weight':'1'}"), "not a number");
        std::string many;
        for (int i = 0; i < 65; ++i) {
            many += (i > 0 ? "," : "") + std::string("{'name':'s") + std::to_string(i) + "','role':'assistant'}";
        }
        row("65 streams", layoutOf(many), "1 to 64 streams");
    }
    void malformedFilesAreRefused()
    {
        QFETCH(QString, text);
        QFETCH(QString, says);
        const QString sentence = QString::fromStdString(refusal(text.toStdString()));
        QVERIFY2(sentence.contains(says), qPrintable(sentence));
    }

    void coloursAreThoseOfTheLanes()
    {
        QCOMPARE(hexOf(LaneColour::Blue), std::string_view("#0072B2"));
        QCOMPARE(hexOf(LaneColour::Vermilion), std::string_view("#D55E00"));
    }
};

QTEST_GUILESS_MAIN(TestLayout)
#include "tst_layout.moc"
