// Runs of the engine over scripted sound, and what came out of them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/audio/scripted_source.h"
#include "core/captions/caption_engine.h"
#include "tests/support/engine_fakes.h"

namespace braid::testing {

inline captions::CaptionRun runOver(std::function<std::unique_ptr<audio::Source>()> open, std::function<std::unique_ptr<captions::CaptionPolicy>()> policy)
{
    captions::CaptionRun run;
    run.open_source = std::move(open);
    run.make_policy = [policy = std::move(policy)](const auto &, std::stop_token) { return policy(); };
    run.make_detector = [] { return std::make_unique<LoudnessDetector>(); };
    run.model_name = "fake";
    return run;
}

inline captions::CaptionRun runOver(std::vector<audio::ScriptStep> script, audio::Pace pace = audio::Pace::Fast, std::size_t most_per_read = samplesFromMs(100))
{
    return runOver(
        [=] {
            return std::make_unique<audio::ScriptedSource>(script, audio::SourceDescription{"script", "", pace, 0}, most_per_read);
        },
        [] { return std::make_unique<HalfSecondWords>(); });
}

// The events of one run, taken apart.
struct RunResult {
    std::vector<captions::CaptionEvent> events;

    template <typename Body>
    [[nodiscard]] std::vector<Body> all() const
    {
        std::vector<Body> found;
        for (const auto &event : events) {
            if (const auto *body = std::get_if<Body>(&event.body)) {
                found.push_back(*body);
            }
        }
        return found;
    }
    [[nodiscard]] text::Transcript items() const
    {
        text::Transcript items;
        for (const auto &committed : all<captions::Committed>()) {
            items.insert(items.end(), committed.items.begin(), committed.items.end());
        }
        return items;
    }
    // Words as they are, "/" for line breaks, "[...]" for gaps.
    [[nodiscard]] std::string text() const { return textOf(items()); }
    [[nodiscard]] static std::string textOf(const text::Transcript &items)
    {
        std::string text;
        for (const auto &item : items) {
            if (!text.empty()) {
                text += ' ';
            }
            if (const auto *word = std::get_if<text::Word>(&item)) {
                text += word->text;
            } else if (const auto *gap = std::get_if<text::Gap>(&item)) {
                text += "[" + gap->reason + " " + std::to_string(msFromSamples(gap->length_samples)) + "]";
            } else {
                text += "/";
            }
        }
        return text;
    }
    [[nodiscard]] std::string kinds() const
    {
        static constexpr const char *names[] = {"started", "committed", "notice", "failed", "finished", "tail"};
        std::string kinds;
        for (const auto &event : events) {
            kinds += (kinds.empty() ? "" : " ") + std::string(names[event.body.index()]);
        }
        return kinds;
    }
};

// Waits for the end of the present run and takes everything.
inline std::optional<RunResult> finishedRun(captions::CaptionEngine &engine, double seconds = 30)
{
    if (!engine.waitUntilFinished(seconds)) {
        return {};
    }
    return RunResult{engine.takeEvents()};
}

}  // namespace braid::testing
