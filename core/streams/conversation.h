// A recorded run: its layout, what began it, and every event in order. Saved and opened as JSON (docs/formats.md, "Conversations of
// streams"), replayed by StreamsRun::replay(). Files may come from strangers: bounded and checked, so that what was read can be replayed.
// Thread: any. Errors: Error(Input) on reading, Error(Storage) on writing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/streams/layout.h"
#include "core/streams/streams_events.h"
#include "core/streams/table.h"

namespace braid::streams {

inline constexpr std::size_t kMostConversationBytes = 256u << 20;
inline constexpr std::size_t kMostEvents = 2'000'000;

struct Conversation {
    Layout layout;
    std::string model;   // what people call it
    std::string system;  // the system text
    std::uint64_t seed = 0;
    std::vector<StreamsEvent> events;

    // The rows that stand at the end, after every rewind.
    [[nodiscard]] TextTable table() const;
    bool operator==(const Conversation &) const = default;
};

[[nodiscard]] Conversation parseConversation(std::string_view json, const std::string &where);
[[nodiscard]] std::string conversationJson(const Conversation &conversation);
// What begins such a file (all but its events) and one event as they stand in it, without a line break: what a journal holds.
[[nodiscard]] std::string conversationHead(const Conversation &conversation);
[[nodiscard]] std::string eventLine(const StreamsEvent &event);

// A conversation read from these, piece by piece. What does not fit is refused and leaves what was read as it was.
class ConversationReader {
  public:
    ConversationReader(std::string_view head, const std::string &where);
    void addEvent(std::string_view line);
    [[nodiscard]] Conversation take() { return std::move(m_conversation); }

  private:
    std::string m_where;
    Conversation m_conversation;
    std::int64_t m_rows = 0;  // that stand
};

[[nodiscard]] Conversation openConversation(const std::filesystem::path &path);
void saveConversation(const std::filesystem::path &path, const Conversation &conversation);

}  // namespace braid::streams
