#include "app/cli/output.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include "app/cli/live_screen.h"
#include "app/cli/terminal.h"
#include "core/base/error.h"
#include "core/captions/caption_json.h"

namespace braid::cli {
namespace {

// A line on standard error that is rewritten in place; nothing where that is no terminal.
class StatusLine {
  public:
    ~StatusLine() { show({}); }
    void show(const std::string &line)
    {
        if (!isTerminal(Stream::Error) || line == m_shown) {
            return;
        }
        std::fprintf(stderr, "\r\x1b[K%s", fitted(line, terminalColumns(Stream::Error)).c_str());
        std::fflush(stderr);
        m_shown = line;
    }

  private:
    std::string m_shown;
};

class WriterOutput final : public Output {
  public:
    WriterOutput(OutputFormat format, const std::filesystem::path &out)
        : m_sink(out)
        , m_format(format)
    {
    }
    void event(const captions::CaptionEventBody &event) override
    {
        if (const auto *started = std::get_if<captions::Started>(&event)) {
            m_writer = text::TranscriptWriter::make(exportFormat(m_format), [this](std::string_view text) { m_sink.write(text); },
                                                    {started->source, started->model, started->policy, {}});
        } else if (const auto *committed = std::get_if<captions::Committed>(&event)) {
            for (const auto &item : committed->items) {
                m_writer->write(item);
            }
            m_sink.flush();
        } else if (std::holds_alternative<captions::Finished>(event) && m_writer) {
            m_writer->finish();
            m_sink.flush();
        }
    }
    void look(const captions::CaptionSnapshot &) override {}
    void status(const std::string &line) override { m_status.show(line); }

  private:
    Sink m_sink;
    OutputFormat m_format;
    std::unique_ptr<text::TranscriptWriter> m_writer;
    StatusLine m_status;
};

class JsonOutput final : public Output {
  public:
    explicit JsonOutput(const std::filesystem::path &out)
        : m_sink(out)
    {
    }
    void event(const captions::CaptionEventBody &event) override
    {
        m_sink.write(captions::eventToJsonLine(event) + "\n");
        m_sink.flush();
    }
    void look(const captions::CaptionSnapshot &) override {}
    void status(const std::string &line) override { m_status.show(line); }

  private:
    Sink m_sink;
    StatusLine m_status;
};

class LiveOutput final : public Output {
  public:
    LiveOutput()
        : m_screen([](std::string_view text) {
            if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
                throw Error(ErrorKind::Storage, std::string("cannot be written: ") + std::strerror(errno), "standard output");
            }
        })
    {
    }
    ~LiveOutput() override
    {
        try {
            m_screen.close();
        } catch (const Error &) {
            // The terminal is gone.
        }
    }
    void event(const captions::CaptionEventBody &event) override
    {
        if (const auto *committed = std::get_if<captions::Committed>(&event)) {
            m_screen.commit(committed->items);
        } else if (std::holds_alternative<captions::Finished>(event)) {
            m_screen.close();
        }
    }
    void look(const captions::CaptionSnapshot &snapshot) override { m_screen.tail(snapshot.tail, terminalColumns(Stream::Output)); }
    void status(const std::string &line) override { m_screen.status(isTerminal(Stream::Error) ? line : std::string(), terminalColumns(Stream::Output)); }

  private:
    LiveScreen m_screen;
};

}  // namespace

Sink::Sink(std::filesystem::path path)
    : m_path(std::move(path))
{
}

Sink::~Sink()
{
    if (m_file != nullptr && m_file != stdout) {
        std::fclose(m_file);
    }
}

void Sink::write(std::string_view text)
{
    if (m_file == nullptr) {
        m_file = m_path.empty() ? stdout : std::fopen(m_path.c_str(), "wb");
    }
    if (m_file == nullptr || std::fwrite(text.data(), 1, text.size(), m_file) != text.size()) {
        fail();
    }
}

void Sink::flush()
{
    if (m_file != nullptr && std::fflush(m_file) != 0) {
        fail();
    }
}

void Sink::fail() const
{
    throw Error(ErrorKind::Storage, std::string("cannot be written: ") + std::strerror(errno), m_path.empty() ? "standard output" : m_path.string(),
                "Free some space or choose another place with --out.");
}

std::unique_ptr<Output> makeOutput(OutputFormat format, const std::filesystem::path &out)
{
    if (format == OutputFormat::Json) {
        return std::make_unique<JsonOutput>(out);
    }
    if (format == OutputFormat::Live && out.empty() && isTerminal(Stream::Output)) {
        return std::make_unique<LiveOutput>();
    }
    return std::make_unique<WriterOutput>(format, out);
}

std::string extensionOf(OutputFormat format)
{
    switch (format) {
    case OutputFormat::Srt:
        return ".srt";
    case OutputFormat::Vtt:
        return ".vtt";
    case OutputFormat::Json:
        return ".jsonl";
    case OutputFormat::Live:
    case OutputFormat::Text:
        break;
    }
    return ".txt";
}

text::TranscriptFormat exportFormat(OutputFormat format)
{
    switch (format) {
    case OutputFormat::Srt:
        return text::TranscriptFormat::Srt;
    case OutputFormat::Vtt:
        return text::TranscriptFormat::Vtt;
    case OutputFormat::Json:
        return text::TranscriptFormat::Json;
    case OutputFormat::Live:
    case OutputFormat::Text:
        break;
    }
    return text::TranscriptFormat::Text;
}

}  // namespace braid::cli
