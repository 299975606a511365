// For tests of a translation session: one over a scripted model, with a clock that stands still but where a test moves it, and what it told.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <QtGlobal>

#include "core/translation/translation_session.h"
#include "tests/core/translation/scripted_translator.h"

namespace braid::test {

struct Bench {
    explicit Bench(const translation::TranslationSettings &settings, ScriptedTranslator::Script script = sayInCapitals)
    {
        auto made = std::make_unique<ScriptedTranslator>(std::move(script));
        model = made.get();
        const auto keep = [this](translation::TranslationSessionEvent event) { events.push_back(std::move(event)); };
        session.emplace(
            std::move(made), settings, [this] { return now_ms; }, keep);
    }

    // Steps until there is nothing to do.
    translation::TranslationSession::Step work()
    {
        for (int steps = 0;; ++steps) {
            const auto step = session->step();
            if (step != translation::TranslationSession::Step::Worked) {
                return step;
            }
            if (steps > 100000) {
                qFatal("it runs away");
            }
        }
    }
    template <typename Event>
    std::vector<Event> all() const
    {
        std::vector<Event> found;
        for (const auto &event : events) {
            if (const auto *one = std::get_if<Event>(&event)) {
                found.push_back(*one);
            }
        }
        return found;
    }
    // The translation as the words were told: sentences parted by " | ".
    std::string told() const
    {
        std::string text;
        std::int64_t sentence = 0;
        for (const auto &written : all<translation::WordWritten>()) {
            if (!text.empty()) {
                text += written.sentence != sentence ? " | " : written.word.starts_without_space ? "" : " ";
            }
            sentence = written.sentence;
            text += written.word.text;
        }
        return text;
    }
    std::vector<std::int64_t> delays() const
    {
        std::vector<std::int64_t> read;
        for (const auto &written : all<translation::WordWritten>()) {
            read.push_back(written.word.read_units);
        }
        return read;
    }

    double now_ms = 0;
    std::vector<translation::TranslationSessionEvent> events;
    ScriptedTranslator *model = nullptr;
    std::optional<translation::TranslationSession> session;
};

// Settings for wait-k with this k, all else as it comes.
inline translation::TranslationSettings waiting(int k)
{
    translation::TranslationSettings settings;
    settings.wait_k.k = k;
    return settings;
}

}  // namespace braid::test
