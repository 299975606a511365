// Roles as a file: which streams there are, who sees whom, who is sampled and how, when it ends. Plain values and their JSON
// (docs/formats.md, "Stream layouts"). Sources: "Multi-Stream LLMs" (arXiv 2605.12460), Method; the two published forms as
// resources/layouts/ten_streams.json (rows) and system_user_assistants.json (blocks).
// Files may come from strangers: everything is bounded, unknown keys are refused, contradictions are named with their streams.
// Thread: any. Errors: Error(Input) with file, stream and remedy.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace braid::streams {

inline constexpr std::size_t kMostStreams = 64;
inline constexpr std::size_t kMostNameBytes = 64;
inline constexpr std::size_t kMostWarmRows = 1000;
inline constexpr std::size_t kMostLayoutBytes = 1u << 20;

// Who puts the tokens into a stream.
enum class StreamRole : std::uint8_t {
    System = 1,  // a text given beforehand, read before everything else
    User,        // a person: typing, a file, live captions
    Document,    // text from outside (a page, a tool's result), fed like the user's but nobody's words
    Assistant,   // sampled from the model
};

// The two published forms.
enum class VisibilityForm : std::uint8_t {
    Rows = 1,  // an entry sees every earlier row and itself, never its neighbours in the same row
    Blocks,    // causal within a stream; across streams what stands at a strictly earlier position
};
enum class SameStep : std::uint8_t { Hidden = 1, Visible };           // Blocks: what other streams hold at the same position
enum class BetweenAssistants : std::uint8_t { Visible = 1, Hidden };  // Blocks: whether sampled streams see each other at all

enum class PositionRule : std::uint8_t {
    Row = 1,     // every entry stands at its row
    OwnCounter,  // every stream counts its own entries; in blocks all but System start where the system text ends
};

enum class SilenceRule : std::uint8_t {
    Stored = 1,  // an ordinary token, fed, cached and seen (as released for ten streams)
    Skipped,     // fed, so that its stream can go on, but never kept: neither memory nor the other streams notice
    Absent,      // there is no such token: a stream without a word feeds nothing and cannot begin again
};

// look.md, "Colours": the colour-blind-safe set of lanes.
enum class LaneColour : std::uint8_t { Blue = 1, Orange, Green, Pink, Sky, Vermilion, Yellow, Grey };
// All of them with the words that files use, in the order in which streams without one take them.
struct LaneColourWord {
    std::string_view word;
    LaneColour value;
};
inline constexpr std::array kLaneColours{LaneColourWord{"blue", LaneColour::Blue},     LaneColourWord{"orange", LaneColour::Orange},
                                         LaneColourWord{"green", LaneColour::Green},   LaneColourWord{"pink", LaneColour::Pink},
                                         LaneColourWord{"sky", LaneColour::Sky},       LaneColourWord{"vermilion", LaneColour::Vermilion},
                                         LaneColourWord{"yellow", LaneColour::Yellow}, LaneColourWord{"grey", LaneColour::Grey}};
[[nodiscard]] std::string_view hexOf(LaneColour colour) noexcept;  // "#0072B2"

struct Sampling {
    double temperature = 0;  // 0: the most probable
    int top_k = 0;           // 0: all
    double top_p = 1;
    bool operator==(const Sampling &) const = default;
};

enum class PenaltyTime : std::uint8_t { Always = 1, AfterUser };  // AfterUser: once the user's words have ended
struct SilencePenalty {
    double logits = 0;  // taken from the logit of silence
    PenaltyTime time = PenaltyTime::Always;
    int ramp_rows = 0;  // grows to its whole over so many rows
    bool operator==(const SilencePenalty &) const = default;
};

// When one stream has ended. What is 0 or empty ends nothing.
struct StreamStop {
    std::vector<std::string> tokens;  // one of these is its last
    int silent_rows = 0;              // so many in a row, after its first word
    int most_tokens = 0;
    bool operator==(const StreamStop &) const = default;
};

struct Stream {
    std::string name;
    std::string label;  // what people read over the lane; empty: the name
    StreamRole role = StreamRole::Assistant;
    LaneColour colour = LaneColour::Grey;
    std::vector<int> sees;  // streams by index, ascending, itself among them; filled by the reader
    Sampling sampling;
    std::uint64_t seed = 0;
    SilencePenalty penalty;
    StreamStop stop;
    std::vector<std::string> warm_start;  // Rows: its cells of the first rows; "" is silence
    std::string opening;                  // Blocks: fed whole before the first step ("<|im_start|>user\n")
    std::string closing;                  // fed after the last word of a person or a document ("<|im_end|>")
    double loss_weight = 1;               // in training; only for sampled streams

    [[nodiscard]] bool isSampled() const noexcept { return role == StreamRole::Assistant; }
    bool operator==(const Stream &) const = default;
};

// When the whole has ended. What is 0 or empty ends nothing.
struct RunStop {
    std::vector<int> all_ended;  // when all of these streams have ended
    int silent_rows = 0;         // so many rows in which no stream said anything, and nobody waits to
    std::int64_t most_rows = 0;
    bool operator==(const RunStop &) const = default;
};

struct Layout {
    std::string name;
    std::string about;
    std::vector<std::string> examples;  // what a person may say to its model to begin with, a line each
    VisibilityForm form = VisibilityForm::Rows;
    SameStep same_step = SameStep::Hidden;
    BetweenAssistants between_assistants = BetweenAssistants::Visible;
    PositionRule positions = PositionRule::Row;
    SilenceRule silence = SilenceRule::Skipped;
    std::string silence_text;      // the token of silence (" -"); empty where Absent
    std::int64_t window_rows = 0;  // an entry sees so many rows back; 0: all
    std::int64_t kept_rows = 0;    // the first rows stay visible however far back (with a window)
    RunStop stop;
    std::vector<Stream> streams;

    [[nodiscard]] std::size_t size() const noexcept { return streams.size(); }
    // -1 where there is none.
    [[nodiscard]] int indexOf(std::string_view stream_name) const noexcept;
    [[nodiscard]] std::vector<int> sampled() const;
    [[nodiscard]] bool mayRead(int reader, int read) const noexcept;  // `sees`, looked up
    // Rows of the longest warm start.
    [[nodiscard]] std::int64_t warmRows() const noexcept;
    bool operator==(const Layout &) const = default;
};

inline constexpr std::size_t kMostExamples = 12;
inline constexpr std::size_t kMostExampleBytes = 200;

// Throws Error(Input) where the values contradict each other; every layout that was read has passed.
void checkLayout(const Layout &layout, const std::string &where);

// Why a model that was trained for so many streams (0: for none in particular) cannot run the layout; empty where it can.
[[nodiscard]] std::string problemOf(const Layout &layout, std::int64_t streams_of_model);

[[nodiscard]] Layout parseLayout(std::string_view json, const std::string &where);
[[nodiscard]] Layout readLayout(const std::filesystem::path &path);
// What parseLayout() reads again to an equal value.
[[nodiscard]] std::string layoutJson(const Layout &layout);

}  // namespace braid::streams
