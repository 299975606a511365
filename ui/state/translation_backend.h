// The translation engine as the window sees it: translation::TranslationEngine, or a script in tests. Same contract as TranslationEngine.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include <QString>

#include "core/model_access/device_choice.h"
#include "core/translation/translation_engine.h"
#include "ui/state/translation_tuning.h"

namespace braid::ui {

class TranslationBackend {
  public:
    virtual ~TranslationBackend() = default;
    virtual std::uint64_t start(translation::TranslationRunConfig config) = 0;
    virtual void addText(std::string_view text) = 0;
    virtual void addCaptions(std::span<const text::TranscriptItem> items) = 0;
    virtual void endSentence() = 0;
    virtual void endSource() = 0;
    virtual void cancel() = 0;
    virtual void adjust(const translation::TranslationSettings &settings) = 0;
    virtual void changeTranslator(translation::Translator translator) = 0;
    [[nodiscard]] virtual std::vector<translation::TranslationEvent> takeEvents() = 0;
    [[nodiscard]] virtual std::shared_ptr<const translation::TranslationSnapshot> snapshot() const = 0;
};

class TranslationEngineBackend : public TranslationBackend {
  public:
    std::uint64_t start(translation::TranslationRunConfig config) override { return m_engine.start(std::move(config)); }
    void addText(std::string_view text) override { m_engine.addText(text); }
    void addCaptions(std::span<const text::TranscriptItem> items) override { m_engine.addCaptions(items); }
    void endSentence() override { m_engine.endSentence(); }
    void endSource() override { m_engine.endSource(); }
    void cancel() override { m_engine.cancel(); }
    void adjust(const translation::TranslationSettings &settings) override { m_engine.adjust(settings); }
    void changeTranslator(translation::Translator translator) override { m_engine.changeTranslator(std::move(translator)); }
    [[nodiscard]] std::vector<translation::TranslationEvent> takeEvents() override { return m_engine.takeEvents(); }
    [[nodiscard]] std::shared_ptr<const translation::TranslationSnapshot> snapshot() const override { return m_engine.snapshot(); }

  private:
    translation::TranslationEngine m_engine;
};

// A model that translates, as it is offered.
struct TranslationModelEntry {
    QString name;
    std::filesystem::path path;
    QString description;
    QString source_language;  // code, of a model made for one pair; else empty: any
    QString target_language;
    QString problem;  // a sentence where it cannot be used
    friend bool operator==(const TranslationModelEntry &, const TranslationModelEntry &) = default;
};

// What a translator is made from.
struct TranslatorChoices {
    std::filesystem::path model;
    QString model_name;
    TranslationTuning tuning;
    models::DeviceChoice compute;
    std::filesystem::path journal_folder = {};  // empty: keep no journal
};

// An engine and how its translators are made.
struct TranslationKit {
    std::unique_ptr<TranslationBackend> backend;
    std::function<translation::Translator(const TranslatorChoices &)> make_translator;
    std::function<void()> forget_model;  // gives its memory back once no run uses it; may be empty
};

}  // namespace braid::ui
