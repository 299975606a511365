// Captions of one recording or live source after the other by one model, loaded once. Thread: main. Troubles of a source are answered, not thrown.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/terminal.h"
#include "core/audio/source.h"
#include "core/base/error.h"
#include "core/captions/caption_engine.h"
#include "core/captions/written_words.h"

namespace braid::cli {

// What the first Ctrl+C does.
enum class OnInterrupt : std::uint8_t {
    FinishWhatWasHeard = 1,  // the second ends at once
    Abandon                  // half a transcript is worth nothing
};

struct Captioned {
    std::optional<Error> failure;
    captions::Statistics numbers;
    std::vector<std::string> notices;  // what people are told of on the way
};

class Captioning {
  public:
    // Finds the model and says which it is. Throws Error(Model) where there is none.
    Captioning(const CaptionOptions &options, const models::ModelAccess &access, Interrupts &interrupts);

    // `place`: a file, or empty for standard output.
    [[nodiscard]] Captioned caption(const audio::SourceSpec &source, const std::filesystem::path &place, OnInterrupt on_interrupt);
    // A line on standard error, unless that is not wanted.
    void say(const std::string &line) const;

  private:
    [[nodiscard]] bool isOffline() const;
    void showStatus(Output &output, const std::string &line) const;
    void runLive(const audio::SourceSpec &source, const std::filesystem::path &place, OnInterrupt on_interrupt, Captioned &result);
    void runOffline(const audio::SourceSpec &spec, const std::filesystem::path &place, Captioned &result);
    void take(const captions::CaptionEventBody &event, Output &output, Captioned &result) const;
    [[nodiscard]] int obey(captions::CaptionEngine &engine, OnInterrupt on_interrupt, int obeyed) const;
    [[nodiscard]] std::vector<float> readAll(audio::Source &source, Output &output) const;

    const CaptionOptions &m_options;
    const models::ModelAccess &m_access;
    Interrupts &m_interrupts;
    models::ModelChoice m_model;
    std::shared_ptr<models::CaptionModelCache> m_cache;
    std::shared_ptr<captions::WordBook> m_words = std::make_shared<captions::WordBook>();
};

}  // namespace braid::cli
