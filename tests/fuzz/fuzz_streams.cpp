// The first byte chooses: any text as a stream layout ('l'), a markdown table ('m'), a table of tokens ('t'), a
// conversation ('c'), or a user's script ('s'). What is accepted must
// be written and read again to the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/base/error.h"
#include "core/streams/conversation.h"
#include "core/streams/layout.h"
#include "core/streams/table.h"
#include "core/streams/user_script.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    using namespace braid::streams;
    if (size == 0) {
        return 0;
    }
    const std::string_view text(reinterpret_cast<const char *>(data) + 1, size - 1);
    const auto expect = [](bool held) {
        if (!held) {
            std::abort();
        }
    };
    try {
        if (data[0] == 'l') {
            const Layout layout = parseLayout(text, "fuzz");
            expect(parseLayout(layoutJson(layout), "again") == layout);
        } else if (data[0] == 'm') {
            const TextTable table = parseMarkdownTable(text, "fuzz", Ragged::Filled);
            expect(parseMarkdownTable(markdownTable(table), "again") == table);
        } else if (data[0] == 't') {
            const TokenTable table = parseTokenTable(text, "fuzz", 0, 1000, Ragged::Filled);
            expect(parseTokenTable(tokenTableJson(table, 1000), "again", 0, 1001) == table);
        } else if (data[0] == 'c') {
            const Conversation conversation = parseConversation(text, "fuzz");
            expect(conversationJson(parseConversation(conversationJson(conversation), "again")) == conversationJson(conversation));
            (void)conversation.table();
        } else if (data[0] == 's') {
            Layout layout;
            layout.streams.resize(2);
            layout.streams[0].role = StreamRole::User;
            layout.streams[1].role = StreamRole::Document;
            layout.streams[1].name = "Page";
            (void)parseUserScript(text, layout, "fuzz");
        }
    } catch (const braid::Error &) {
    }
    return 0;
}
