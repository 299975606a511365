// What the command line says about a translation, as values, and `braid-cli translate` itself.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "app/cli/model_options.h"
#include "app/cli/options.h"
#include "app/cli/terminal.h"
#include "core/translation/translation_attention.h"
#include "core/translation/translation_session.h"

namespace braid::cli {

enum class TranslationFormat : std::uint8_t { Live = 1, Text, Json };

struct TranslateOptions {
    std::vector<std::filesystem::path> files;  // one after the other
    bool standard_input = false;
    std::filesystem::path captions_of;  // a sound file; empty: none
    std::string caption_model = models::kCaptionModelInTheBox;
    TranslatorChoice translator;
    translation::TranslationSettings settings;
    TranslationFormat format = TranslationFormat::Live;
    Existing existing = Existing::Refused;
    std::filesystem::path out;        // empty: standard output
    std::filesystem::path attention;  // where the attention goes as JSON; empty: nowhere
    translation::AttentionView view;
    Loudness loudness = Loudness::Normal;
    std::filesystem::path journal;  // where the journals of its runs are made; empty: none
};

[[nodiscard]] int runTranslate(const TranslateOptions &options, const models::ModelAccess &access, Interrupts &interrupts);

}  // namespace braid::cli
