// A transcript's items as JSON, one schema for the journal, for exports and for `braid-cli --format json` (docs/formats.md).
// Times are seconds with as many digits as a sample needs, so that reading gives back exactly the samples written.
// Thread: any. Errors: reading throws Error(Input) with what is wrong in the object; it never reads past sizes it has checked.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "core/text/transcript.h"

namespace braid::text {

[[nodiscard]] nlohmann::ordered_json tokenToJson(const Token &token);
[[nodiscard]] Token tokenFromJson(const nlohmann::ordered_json &object);
[[nodiscard]] nlohmann::ordered_json wordToJson(const Word &word);
// {"type": "word" | "line_break" | "gap", ...}
[[nodiscard]] nlohmann::ordered_json itemToJson(const TranscriptItem &item);
[[nodiscard]] TranscriptItem itemFromJson(const nlohmann::ordered_json &object);
// One line without line feeds; broken UTF-8 becomes U+FFFD.
[[nodiscard]] std::string jsonLine(const nlohmann::ordered_json &value);

// Exact in both directions for every sample a session can reach.
[[nodiscard]] double jsonSeconds(Sample sample) noexcept;
[[nodiscard]] Sample sampleFromJsonSeconds(double seconds);

[[nodiscard]] std::string_view wordTimeMethodName(WordTimeMethod method) noexcept;

}  // namespace braid::text
