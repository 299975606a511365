#include "app/cli/translation_output.h"

#include <utility>

#include "app/cli/output.h"
#include "core/translation/translation_json.h"

namespace braid::cli {
namespace {

using translation::TranslationEventBody;

template <typename Event>
const Event *ofSession(const TranslationEventBody &event)
{
    const auto *session = std::get_if<translation::TranslationSessionEvent>(&event);
    return session != nullptr ? std::get_if<Event>(session) : nullptr;
}

// Words as they are written, a line for each line of the source.
class WordsOutput final : public TranslationOutput {
  public:
    explicit WordsOutput(const std::filesystem::path &out)
        : m_sink(out)
    {
    }
    void event(const TranslationEventBody &event) override
    {
        if (const auto *written = ofSession<translation::WordWritten>(event)) {
            m_sink.write((m_line_has_words && !written->word.starts_without_space ? " " : "") + written->word.text);
            m_line_has_words = true;
        } else if (ofSession<translation::LineEnded>(event) != nullptr) {
            m_sink.write("\n");
            m_line_has_words = false;
        } else {
            return;
        }
        m_sink.flush();
    }

  private:
    Sink m_sink;
    bool m_line_has_words = false;
};

class LinesOutput final : public TranslationOutput {
  public:
    explicit LinesOutput(const std::filesystem::path &out)
        : m_sink(out)
    {
    }
    void event(const TranslationEventBody &event) override
    {
        if (const std::string line = m_lines.take(event); !line.empty()) {
            m_sink.write(line);
            m_sink.flush();
        }
    }

  private:
    Sink m_sink;
    TranslatedLines m_lines;
};

class EventsOutput final : public TranslationOutput {
  public:
    explicit EventsOutput(const std::filesystem::path &out)
        : m_sink(out)
    {
    }
    void event(const TranslationEventBody &event) override
    {
        m_sink.write(translation::eventToJsonLine(event) + "\n");
        m_sink.flush();
    }

  private:
    Sink m_sink;
};

}  // namespace

std::string TranslatedLines::take(const TranslationEventBody &event)
{
    if (const auto *written = ofSession<translation::WordWritten>(event)) {
        m_line += (m_line.empty() || written->word.starts_without_space ? "" : " ") + written->word.text;
    } else if (ofSession<translation::LineEnded>(event) != nullptr || (std::holds_alternative<translation::TranslationFinished>(event) && !m_line.empty())) {
        return std::exchange(m_line, {}) + "\n";
    }
    return {};
}

std::unique_ptr<TranslationOutput> makeTranslationOutput(TranslationFormat format, const std::filesystem::path &out)
{
    switch (format) {
    case TranslationFormat::Live:
        return std::make_unique<WordsOutput>(out);
    case TranslationFormat::Text:
        return std::make_unique<LinesOutput>(out);
    case TranslationFormat::Json:
        return std::make_unique<EventsOutput>(out);
    }
    return nullptr;
}

}  // namespace braid::cli
