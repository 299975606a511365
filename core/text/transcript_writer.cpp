#include "core/text/transcript_writer.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/ascii.h"
#include "core/text/transcript_json.h"

namespace braid::text {
namespace {

class TextWriter final : public TranscriptWriter {
  public:
    explicit TextWriter(Sink sink)
        : m_sink(std::move(sink))
    {
    }
    void write(const TranscriptItem &item) override
    {
        if (const auto *word = std::get_if<Word>(&item)) {
            if (word->text.empty()) {
                return;  // struck out
            }
            m_sink((m_in_line && !word->starts_without_space ? " " : "") + word->text);
            m_in_line = true;
        } else {
            endLine();
            if (const auto *gap = std::get_if<Gap>(&item)) {
                m_sink(gapText(*gap) + "\n");
            }
        }
    }
    void finish() override { endLine(); }

  private:
    void endLine()
    {
        if (std::exchange(m_in_line, false)) {
            m_sink("\n");
        }
    }
    Sink m_sink;
    bool m_in_line = false;
};

std::string escapedForVtt(const std::string &line)
{
    std::string escaped;
    for (const char character : line) {
        if (character == '&') {
            escaped += "&amp;";
        } else if (character == '<') {
            escaped += "&lt;";
        } else if (character == '>') {
            escaped += "&gt;";
        } else {
            escaped += character;
        }
    }
    return escaped;
}

// SubRip has no escapes; only its arrow would be taken for a time line.
std::string escapedForSrt(std::string line)
{
    for (auto at = line.find("-->"); at != std::string::npos; at = line.find("-->", at)) {
        line.replace(at, 3, "->");
    }
    return line;
}

std::string cueBlock(const Cue &cue, TranscriptFormat format, int number)
{
    const bool vtt = format == TranscriptFormat::Vtt;
    const char mark = vtt ? '.' : ',';
    std::string block = vtt ? "" : std::to_string(number) + "\n";
    block += formatTimecode(cue.start_sample, mark) + " --> " + formatTimecode(cue.end_sample, mark) + "\n";
    for (const auto &line : cue.lines) {
        block += (vtt ? escapedForVtt(line) : escapedForSrt(line)) + "\n";
    }
    return block + "\n";
}

constexpr const char *kVttHead = "WEBVTT\n\n";

class CueWriter final : public TranscriptWriter {
  public:
    CueWriter(TranscriptFormat format, Sink sink)
        : m_format(format)
        , m_sink(std::move(sink))
    {
        if (m_format == TranscriptFormat::Vtt) {
            m_sink(kVttHead);
        }
    }
    void write(const TranscriptItem &item) override { put(m_cues.push(item)); }
    void finish() override { put(m_cues.finish()); }

  private:
    void put(const std::vector<Cue> &cues)
    {
        for (const auto &cue : cues) {
            m_sink(cueBlock(cue, m_format, ++m_number));
        }
    }
    TranscriptFormat m_format;
    Sink m_sink;
    CueBuilder m_cues;
    int m_number = 0;
};

// The object is written piece by piece, so that hours need no memory: the items first, the plain text last.
class JsonWriter final : public TranscriptWriter {
  public:
    JsonWriter(Sink sink, const TranscriptOrigin &origin)
        : m_sink(std::move(sink))
        , m_plain([this](std::string_view piece) { m_text += piece; })
    {
        nlohmann::ordered_json head = {
            {"format", "braid-transcript"}, {"version", 1}, {"source", origin.source}, {"model", origin.model}, {"policy", origin.policy}};
        if (!origin.started_at.empty()) {
            head["started_at"] = origin.started_at;
        }
        auto line = jsonLine(head);
        line.pop_back();
        m_sink(line + ",\n\"items\":[");
    }
    void write(const TranscriptItem &item) override
    {
        m_sink((std::exchange(m_first, false) ? "\n" : ",\n") + jsonLine(itemToJson(item)));
        m_plain.write(item);
    }
    void finish() override
    {
        m_plain.finish();
        m_sink("\n],\n\"text\":" + jsonLine(m_text) + "}\n");
    }

  private:
    Sink m_sink;
    std::string m_text;
    TextWriter m_plain;
    bool m_first = true;
};

}  // namespace

std::unique_ptr<TranscriptWriter> TranscriptWriter::make(TranscriptFormat format, Sink sink, TranscriptOrigin origin)
{
    switch (format) {
    case TranscriptFormat::Srt:
    case TranscriptFormat::Vtt:
        return std::make_unique<CueWriter>(format, std::move(sink));
    case TranscriptFormat::Json:
        return std::make_unique<JsonWriter>(std::move(sink), origin);
    case TranscriptFormat::Text:
        break;
    }
    return std::make_unique<TextWriter>(std::move(sink));
}

std::string formatTranscript(std::span<const TranscriptItem> items, TranscriptFormat format, const TranscriptOrigin &origin)
{
    std::string text;
    const auto writer = TranscriptWriter::make(
        format, [&text](std::string_view piece) { text += piece; }, origin);
    for (const auto &item : items) {
        writer->write(item);
    }
    writer->finish();
    return text;
}

std::string formatCues(std::span<const Cue> cues, TranscriptFormat format)
{
    std::string text = format == TranscriptFormat::Vtt ? kVttHead : "";
    int number = 0;
    for (const Cue &cue : cues) {
        text += cueBlock(cue, format, ++number);
    }
    return text;
}

std::optional<TranscriptFormat> transcriptFormatNamed(std::string_view name)
{
    const std::string lower = lowerAscii(std::string(name.starts_with('.') ? name.substr(1) : name));
    if (lower == "txt" || lower == "text") {
        return TranscriptFormat::Text;
    }
    if (lower == "srt") {
        return TranscriptFormat::Srt;
    }
    if (lower == "vtt") {
        return TranscriptFormat::Vtt;
    }
    if (lower == "json") {
        return TranscriptFormat::Json;
    }
    return {};
}

std::string gapText(const Gap &gap)
{
    char seconds[32];
    std::snprintf(seconds, sizeof seconds, "%.1f", secondsFromSamples(gap.length_samples));
    return std::string("[") + seconds + " s without sound" + (gap.reason.empty() ? "" : ": " + gap.reason) + "]";
}

}  // namespace braid::text
