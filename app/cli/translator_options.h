// The options that every command over a translation model shares.
#pragma once

#include "app/cli/translator_door.h"
#include "core/sessions/translation_session.h"

namespace CLI {
class App;
}

namespace braid::cli {

// Model, device, paradigm, sampling, attention, languages. `options` must outlive the parsing.
void declareTranslator(CLI::App &command, TranslatorOptions &options);
// k and catching up.
void declareWaitK(CLI::App &command, sessions::TranslationSettings &settings);

}  // namespace braid::cli
