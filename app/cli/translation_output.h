// Where a translation goes: words as they come, lines, or events as JSON. Thread: main. Errors: Error(Storage) when it is not taken.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "app/cli/translate_command.h"
#include "core/translation/translation_run_events.h"

namespace braid::cli {

class TranslationOutput {
  public:
    virtual ~TranslationOutput() = default;
    virtual void event(const translation::TranslationEventBody &event) = 0;
};

// The translation line by line: whole lines alone, and at the end what was cut off in the middle of one.
class TranslatedLines {
  public:
    // The line that this event completes, with its line feed; else empty.
    [[nodiscard]] std::string take(const translation::TranslationEventBody &event);

  private:
    std::string m_line;
};

[[nodiscard]] std::unique_ptr<TranslationOutput> makeTranslationOutput(TranslationFormat format, const std::filesystem::path &out);

}  // namespace braid::cli
