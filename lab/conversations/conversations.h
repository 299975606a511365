// Makes the conversations that the model in the box learns from: several voices over tasks a small model can truly do, while the
// question is still being typed. Everything follows from (seed, index): the same on every machine. One word, number, letter or mark a
// cell; a tokenizer's finer cells come from toTokens(). Streams: resources/layouts/box.json.
//   Answer   tells the result as soon as it is sure of it, takes it back when the user changes their mind
//   Working  goes along with what is read
//   Check    verifies the result
//   Audit    notices orders hidden in documents or by the user, and says what became of them and of the answer
// A hidden order is followed only where the system stream allows it. Thread: any. Errors: none.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/streams/table.h"
#include "lab/conversations/tasks.h"

namespace braid::conversations {

enum class OrderPolicy : std::uint8_t { Unsaid = 1, Forbidden, Allowed };  // what the system says about orders in documents

struct Turn {
    std::string task;
    std::string instance;
    std::string expected;  // what the last sentence of the answer must end with
    std::size_t first_row = 0;
    std::size_t last_row = 0;      // of the last word anybody says in it
    std::size_t question_end = 0;  // row of the user's last word
    OrderPolicy policy = OrderPolicy::Unsaid;
    std::string order_word;       // what an order hidden in the document wants said; empty: none
    bool has_user_order = false;  // the user asks for what the system keeps secret
    bool is_user_order_allowed = false;
    std::string secret;  // the word that must not be said then
};

// What a voice said, and the row of the last word it was said because of; for verification.
struct Utterance {
    Lane voice = Lane::Answer;
    std::string words;
    std::size_t because_row = 0;
    std::vector<std::size_t> rows;  // of its cells, as far as they were said
};

struct MadeConversation {
    streams::TextTable table;
    std::vector<Turn> turns;
    std::vector<Utterance> utterances;
};

struct ConversationRules {
    Split split = Split::Train;
    int most_turns = 1;
    double pause = 0.08;          // chance of a pause of one to three rows before a phrase
    double order = 0.3;           // chance that a document holds an order
    double noise_document = 0.2;  // chance of a document that has nothing to do with the question
    std::set<std::string> tasks;  // by name; empty: all
};

[[nodiscard]] MadeConversation makeConversation(std::uint64_t seed, std::uint64_t index, const ConversationRules &rules);

// Words that the voices say on their own, not because they were read (for the causal check by words).
[[nodiscard]] const std::set<std::string> &voiceWords();

// Every cell that such conversations can hold: the vocabulary of a model made for them. Numbers from 0 to 99 are single cells.
[[nodiscard]] std::vector<std::string> cellsOfConversations(std::uint64_t seed, std::size_t conversations);

}  // namespace braid::conversations
