// Readers of the tables that the configurations of speech encoders have in common. Internal to core/weights (its users' headers do not show JSON).
// Errors: Error(Model). Thread: any.
#pragma once

#include <optional>
#include <string>

#include "core/weights/config_table.h"
#include "core/weights/speech_encoder_config.h"

namespace braid::weights {

// `more`: a key of the table beyond those of SpeechStreaming, or null.
[[nodiscard]] SpeechStreaming speechStreamingFrom(const ConfigTable &table, const SpeechStreaming &usual, std::initializer_list<const char *> more = {});
// The table "braid_adapter" of `config`, empty where it has none.
[[nodiscard]] std::optional<SpeechAdapterConfig> speechAdapterFrom(const ConfigTable &config, const std::string &where);

}  // namespace braid::weights
