#include "lab/conversations/conversation_lines.h"

#include <nlohmann/json.hpp>

namespace braid::conversations {

std::string conversationLine(const MadeConversation &made)
{
    constexpr std::string_view policies[] = {"unsaid", "forbidden", "allowed"};
    nlohmann::ordered_json root;
    root["streams"] = made.table.streams;
    root["turns"] = nlohmann::ordered_json::array();
    for (const Turn &turn : made.turns) {
        nlohmann::ordered_json object;
        object["task"] = turn.task;
        object["expected"] = turn.expected;
        object["first_row"] = turn.first_row;
        object["question_end"] = turn.question_end;
        object["last_row"] = turn.last_row;
        object["orders"] = policies[static_cast<std::size_t>(turn.policy) - 1];
        if (!turn.order_word.empty()) {
            object["order_word"] = turn.order_word;
        }
        if (turn.has_user_order) {
            object["secret"] = turn.secret;
            object["secret_allowed"] = turn.is_user_order_allowed;
        }
        root["turns"].push_back(std::move(object));
    }
    root["rows"] = made.table.rows;
    return root.dump();
}

}  // namespace braid::conversations
