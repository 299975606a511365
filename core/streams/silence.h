// The token that a model says a layout's silence with. Thread: any. Errors: Error(Model) where the layout's text is not one token of the model.
#pragma once

#include <cstdint>
#include <optional>

#include "core/streams/layout.h"
#include "core/streams/token_texts.h"

namespace braid::streams {

// None: the layout has no silence (SilenceRule::Absent).
[[nodiscard]] std::optional<std::int32_t> silenceTokenOf(const Layout &layout, const TokenTexts &texts);

}  // namespace braid::streams
