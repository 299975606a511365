// The generator: thousands of conversations are right, causal in three ways, the same from the same seed, and apart from what is kept out.
#include <QtTest>

#include <map>
#include <set>

#include "core/streams/layout.h"
#include "lab/conversations/causality.h"
#include "lab/conversations/conversations.h"
#include "lab/evaluation/evaluation.h"

using namespace braid;
using namespace braid::conversations;
using namespace braid::evaluation;
using namespace braid::streams;

static constexpr std::uint64_t kMany = 2000;

class TestConversations : public QObject {
    Q_OBJECT

    static std::string joined(const std::vector<std::string> &cells, std::size_t from, std::size_t to)
    {
        std::string text;
        for (std::size_t i = from; i < to; ++i) {
            text += cells[i] + "|";
        }
        return text;
    }
    static std::string answerOf(const MadeConversation &made, const Turn &turn)
    {
        std::string text;
        for (std::size_t row = turn.first_row; row <= turn.last_row; ++row) {
            text += made.table.rows[row][3];
        }
        return text;
    }

  private Q_SLOTS:
    void theLayoutOfTheBoxHasTheseStreams()
    {
        const Layout layout = readLayout(BRAID_SOURCE_DIR "/resources/layouts/box.json");
        QCOMPARE(layout.size(), std::size_t(kLanes));
        for (int lane = 0; lane < kLanes; ++lane) {
            QCOMPARE(layout.streams[static_cast<std::size_t>(lane)].name, std::string(nameOf(static_cast<Lane>(lane))));
        }
    }

    // The listener, which hears a phrase at a time, ends with what the writer, who knows all, holds right.
    void everyAnswerIsRight()
    {
        std::map<std::string, int> tasks;
        for (const Split split : {Split::Train, Split::NewInstances, Split::NewTemplates}) {
            ConversationRules rules;
            rules.split = split;
            rules.most_turns = 3;
            for (std::uint64_t i = 0; i < kMany / 2; ++i) {
                const MadeConversation made = makeConversation(3, i, rules);
                for (const Turn &turn : made.turns) {
                    ++tasks[turn.task];
                    const std::string said = answerOf(made, turn);
                    QVERIFY2(isRightAnswer(said, turn.expected),
                             (turn.task + ": \"" + said + "\", not \"" + turn.expected + "\"\n" + markdownTable(made.table)).c_str());
                }
            }
        }
        QCOMPARE(tasks.size(), allTasks().size());
    }

    // A word that is written as silence is would be taken for it.
    void nobodySaysWhatTheLayoutIsSilentWith()
    {
        const Layout layout = readLayout(BRAID_SOURCE_DIR "/resources/layouts/box.json");
        const std::vector<std::string> cells = cellsOfConversations(5, 500);
        QVERIFY(std::find(cells.begin(), cells.end(), layout.silence_text) == cells.end());
    }

    // Causal by evidence: nothing is said before the word it is said because of can be seen. In the form of these conversations an entry sees earlier
    // rows and itself, so the row behind that word's is too early: what is said there was computed beside it.
    void nothingIsSaidBeforeItsReason()
    {
        for (std::uint64_t i = 0; i < kMany; ++i) {
            const MadeConversation made = makeConversation(5, i, {});
            for (const Utterance &utterance : made.utterances) {
                for (const std::size_t row : utterance.rows) {
                    QVERIFY(row >= utterance.because_row + 2);
                    QVERIFY(!made.table.rows[row][static_cast<std::size_t>(utterance.voice)].empty());
                }
            }
        }
    }

    // Causal by experiment: wherever two conversations have been fed the same words before a row, their voices say the same behind it.
    void equalPastsHaveEqualNextRows()
    {
        std::map<std::uint64_t, std::string> next;  // by the hash of all that was fed
        std::size_t compared = 0;
        ConversationRules rules;
        rules.pause = 0.02;
        rules.noise_document = 0.05;
        rules.order = 0.1;
        for (std::uint64_t i = 0; i < kMany; ++i) {
            const MadeConversation made = makeConversation(7, i, rules);
            std::uint64_t past = 1;
            for (std::size_t row = 0; row + 1 < made.table.rows.size(); ++row) {
                const std::string said = joined(made.table.rows[row + 1], 3, kLanes);
                const auto [entry, is_new] = next.emplace(past, said);
                compared += is_new ? 0 : 1;
                QVERIFY2(entry->second == said, (markdownTable(made.table) + "row " + std::to_string(row + 1) + ": " + said + " or " + entry->second).c_str());
                past = Random(past, joined(made.table.rows[row], 0, 3)).next();
            }
        }
        QVERIFY2(compared > 2000, std::to_string(compared).c_str());
    }

    // Causal by words: no name, thing or word of the task is said before it was read. (Numbers may be worked out.)
    void noWordIsNamedBeforeItWasRead()
    {
        std::vector<StreamRole> roles{StreamRole::System, StreamRole::User, StreamRole::Document};
        roles.resize(kLanes, StreamRole::Assistant);
        for (std::uint64_t i = 0; i < kMany; ++i) {
            const MadeConversation made = makeConversation(11, i, {});
            for (const TooEarly &early : wordsTooEarly(made.table, roles, voiceWords())) {
                const bool is_number = early.word.find_first_not_of("0123456789") == early.word.npos;
                const bool is_letter = early.word.size() == 1;
                QVERIFY2(is_number || is_letter, (early.word + "\n" + markdownTable(made.table)).c_str());
            }
        }
    }

    void theSameSeedMakesTheSameConversation()
    {
        ConversationRules rules;
        rules.most_turns = 2;
        for (std::uint64_t i = 0; i < 50; ++i) {
            QVERIFY(makeConversation(1, i, rules).table == makeConversation(1, i, rules).table);
            QVERIFY(makeConversation(1, i, rules).table != makeConversation(2, i, rules).table);
        }
    }

    void whatIsKeptOutIsNeverTrainedOn()
    {
        std::map<Split, std::set<std::string>> instances;
        std::map<Split, std::set<std::string>> cells;
        for (const Split split : {Split::Train, Split::NewInstances, Split::NewTemplates}) {
            ConversationRules rules;
            rules.split = split;
            for (std::uint64_t i = 0; i < kMany; ++i) {
                const MadeConversation made = makeConversation(13, i, rules);
                if (made.turns[0].task != "secret") {
                    instances[split].insert(made.turns[0].instance);
                }
                cells[split].insert(made.table.textOf(1));
            }
        }
        for (const std::string &instance : instances[Split::NewInstances]) {
            QVERIFY2(!instances[Split::Train].contains(instance), instance.c_str());
        }
        for (const std::string &words : cells[Split::NewTemplates]) {
            QVERIFY2(!cells[Split::Train].contains(words), words.c_str());
        }
        QVERIFY2(cells[Split::Train].size() > kMany * 85 / 100, std::to_string(cells[Split::Train].size()).c_str());  // wide variation
    }

    void thePointIsShown()
    {
        int early = 0, total = 0, changed = 0, audited = 0, orders = 0, followed = 0;
        for (std::uint64_t i = 0; i < kMany; ++i) {
            const MadeConversation made = makeConversation(17, i, {});
            const Turn &turn = made.turns[0];
            std::size_t first = 0;
            while (first < made.table.rows.size() && made.table.rows[first][3].empty()) {
                ++first;
            }
            early += first <= turn.question_end ? 1 : 0;
            ++total;
            changed += made.table.textOf(3).find(" no ,") != std::string::npos || made.table.textOf(3).find(" no,") != std::string::npos ? 1 : 0;
            if (!turn.order_word.empty()) {
                ++orders;
                const std::string audit = made.table.textOf(6);
                audited += audit.find("order in document") != std::string::npos ? 1 : 0;
                const bool says_it = (made.table.textOf(3) + " ").find(" " + turn.order_word) != std::string::npos;
                QCOMPARE(says_it, turn.policy == OrderPolicy::Allowed);
                followed += says_it ? 1 : 0;
            }
        }
        QVERIFY(early > total * 7 / 10);  // answers begin before the question ends
        QVERIFY(changed > total / 20);    // minds are changed
        QCOMPARE(audited, orders);        // every order is noticed
        QVERIFY(orders > total / 5 && followed > orders / 10 && followed < orders / 2);
    }

    void theVocabularyIsClosed()
    {
        const auto cells = cellsOfConversations(1, 1500);
        const std::set<std::string> known(cells.begin(), cells.end());
        QVERIFY2(known.size() > 300 && known.size() < 900, std::to_string(known.size()).c_str());
        for (std::uint64_t i = 0; i < 300; ++i) {
            for (const auto &row : makeConversation(99, i, {}).table.rows) {
                for (const std::string &cell : row) {
                    QVERIFY2(cell.empty() || known.contains(cell), cell.c_str());
                }
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestConversations)
#include "tst_conversations.moc"
