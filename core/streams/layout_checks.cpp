// What a layout may not say, each with a sentence that names the streams.
#include <algorithm>
#include <cmath>

#include "core/base/ascii.h"
#include "core/base/error.h"
#include "core/streams/layout.h"
#include "core/text/utf8.h"

namespace braid::streams {
namespace {

[[noreturn]] void refuse(const std::string &what, const std::string &where, const std::string &remedy = {})
{
    throw Error(ErrorKind::Input, what, where, remedy);
}

std::string quoted(const Stream &stream)
{
    return "\"" + stream.name + "\"";
}

void checkNames(const Layout &layout, const std::string &where)
{
    for (std::size_t i = 0; i < layout.size(); ++i) {
        const std::string &name = layout.streams[i].name;
        const bool has_control = std::any_of(name.begin(), name.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; });
        if (name.empty() || name.size() > kMostNameBytes || has_control || !text::isValidUtf8(name) || name.front() == ' ' || name.back() == ' ') {
            refuse("stream " + std::to_string(i + 1) + " has no usable name", where, "A name has 1 to 64 bytes, no line breaks, and no space around it");
        }
        for (std::size_t j = 0; j < i; ++j) {
            if (lowerAscii(layout.streams[j].name) == lowerAscii(name)) {
                refuse("two streams are called " + quoted(layout.streams[i]), where, "Give each a name of its own; capitals alone do not tell them apart");
            }
        }
    }
}

void checkExamples(const Layout &layout, const std::string &where)
{
    const bool fits = layout.examples.size() <= kMostExamples && std::all_of(layout.examples.begin(), layout.examples.end(), [](const std::string &example) {
                          const bool has_control = std::any_of(example.begin(), example.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; });
                          return !example.empty() && example.size() <= kMostExampleBytes && !has_control && text::isValidUtf8(example);
                      });
    if (!fits) {
        refuse("\"examples\" is not a list of at most 12 lines of 1 to 200 bytes", where);
    }
}

void checkVisibility(const Layout &layout, const std::string &where)
{
    const int count = static_cast<int>(layout.size());
    for (int reader = 0; reader < count; ++reader) {
        const Stream &stream = layout.streams[static_cast<std::size_t>(reader)];
        if (!std::is_sorted(stream.sees.begin(), stream.sees.end(), std::less_equal<>()) || stream.sees.empty() || stream.sees.front() < 0 ||
            stream.sees.back() >= count) {
            refuse("what " + quoted(stream) + " sees is not a list of streams", where);
        }
        if (!layout.mayRead(reader, reader)) {
            refuse(quoted(stream) + " does not see itself", where, "A stream that goes on from its own words has to see them; add it to its \"sees\"");
        }
        for (const int read : stream.sees) {
            const Stream &other = layout.streams[static_cast<std::size_t>(read)];
            if (read == reader) {
                continue;
            }
            if (layout.form == VisibilityForm::Blocks && stream.role == StreamRole::System) {
                refuse(quoted(stream) + " is said to see " + quoted(other) + ", but the system text is read before the others begin", where,
                       "Leave \"sees\" out there");
            }
            if (layout.between_assistants == BetweenAssistants::Hidden && stream.isSampled() && other.isSampled()) {
                refuse(quoted(stream) + " is said to see " + quoted(other) + ", but \"between_assistants\" is \"hidden\"", where, "Take one of the two back");
            }
        }
    }
    if (layout.form == VisibilityForm::Rows && layout.same_step == SameStep::Visible) {
        refuse("\"same_step\" is \"visible\", but with \"form\": \"rows\" the cells of one row never see each other", where,
               "Use \"form\": \"blocks\", or leave it out");
    }
}

void checkStops(const Layout &layout, const std::string &where)
{
    for (const int ended : layout.stop.all_ended) {
        if (ended < 0 || ended >= static_cast<int>(layout.size())) {
            refuse("\"stop\" names a stream that does not exist", where);
        }
        const Stream &stream = layout.streams[static_cast<std::size_t>(ended)];
        if (stream.isSampled() && stream.stop.tokens.empty() && stream.stop.silent_rows == 0 && stream.stop.most_tokens == 0) {
            refuse("the whole waits for the end of " + quoted(stream) + ", which has no \"stop\" of its own", where, "Give it one");
        }
    }
    if (layout.stop.silent_rows < 0 || layout.stop.most_rows < 0 || layout.window_rows < 0 || layout.kept_rows < 0 || layout.window_rows > 100'000'000 ||
        layout.kept_rows > 100'000'000) {
        refuse("a count of rows is below zero or over a hundred million", where);
    }
    if (layout.kept_rows > 0 && layout.window_rows == 0) {
        refuse("\"kept_rows\" without \"window_rows\" means nothing", where, "Without a window every row is kept");
    }
    if (layout.silence == SilenceRule::Absent && layout.stop.silent_rows > 0) {
        refuse("it stops after silent rows, but there is no silence in it", where, "Give \"silence\" a token, or stop otherwise");
    }
}

void checkStream(const Layout &layout, const Stream &stream, const std::string &where)
{
    const std::string name = quoted(stream);
    if (!(stream.sampling.temperature >= 0 && stream.sampling.temperature <= 100) || stream.sampling.top_k < 0 ||
        !(stream.sampling.top_p > 0 && stream.sampling.top_p <= 1)) {
        refuse(name + " cannot be sampled so", where, "temperature is 0 to 100, top_k 0 or more, top_p above 0 and at most 1");
    }
    if (!(std::abs(stream.penalty.logits) <= 1000) || stream.penalty.ramp_rows < 0) {
        refuse("the silence penalty of " + name + " is not between -1000 and 1000, or its ramp is below zero", where);
    }
    if (!(stream.loss_weight >= 0 && stream.loss_weight <= 1e6)) {
        refuse("the loss weight of " + name + " is not between 0 and a million", where);
    }
    if (stream.stop.silent_rows < 0 || stream.stop.most_tokens < 0) {
        refuse("a stop rule of " + name + " is below zero", where);
    }
    if (!stream.isSampled()) {
        if (stream.sampling != Sampling() || stream.penalty != SilencePenalty() || stream.stop != StreamStop() || stream.seed != 0 || stream.loss_weight != 1) {
            refuse(name + " is not sampled, but is told how", where,
                   "Only streams with \"role\": \"assistant\" take sampling, seed, silence_penalty, stop and loss_weight");
        }
    } else if (!stream.closing.empty()) {
        refuse(name + " is sampled and ends by itself, but has a \"closing\"", where, "Give it \"stop\": {\"tokens\": [...]} instead");
    }
    if (layout.silence == SilenceRule::Absent && (stream.penalty.logits != 0 || stream.stop.silent_rows > 0)) {
        refuse(name + " has a rule about silence, but there is no silence in this layout", where);
    }
    if (layout.form == VisibilityForm::Rows && !stream.opening.empty()) {
        refuse(name + " has an \"opening\", which only \"form\": \"blocks\" has", where, "Use \"warm_start\"");
    }
    if (layout.form == VisibilityForm::Blocks && !stream.warm_start.empty()) {
        refuse(name + " has a \"warm_start\", which only \"form\": \"rows\" has", where, "Use \"opening\"");
    }
    if (stream.warm_start.size() > kMostWarmRows) {
        refuse("the warm start of " + name + " has more than 1000 rows", where);
    }
}

}  // namespace

void checkLayout(const Layout &layout, const std::string &where)
{
    if (layout.streams.empty() || layout.size() > kMostStreams) {
        refuse("has no streams, or more than 64", where);
    }
    checkNames(layout, where);
    checkExamples(layout, where);
    if ((layout.silence == SilenceRule::Absent) != layout.silence_text.empty()) {
        refuse("\"silence\" has a text but is absent, or is there but has no text", where);
    }
    if (layout.form == VisibilityForm::Rows && layout.silence == SilenceRule::Absent) {
        refuse("its form is \"rows\", where every stream has a cell in every row, but it has no silence", where, "Give \"silence\" a text");
    }
    for (const Stream &stream : layout.streams) {
        checkStream(layout, stream, where);
    }
    if (layout.sampled().empty()) {
        refuse("no stream is sampled", where, "Give one the \"role\": \"assistant\"");
    }
    if (std::count_if(layout.streams.begin(), layout.streams.end(), [](const Stream &s) { return s.role == StreamRole::User; }) > 1) {
        refuse("more than one stream is the user's", where, "Further texts from outside have the \"role\": \"document\"");
    }
    if (std::count_if(layout.streams.begin(), layout.streams.end(), [](const Stream &s) { return s.role == StreamRole::System; }) > 1) {
        refuse("more than one stream is the system's", where);
    }
    checkVisibility(layout, where);
    checkStops(layout, where);
}

}  // namespace braid::streams
