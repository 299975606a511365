#include "core/streams/silence.h"

#include "core/base/error.h"

namespace braid::streams {

std::optional<std::int32_t> silenceTokenOf(const Layout &layout, const TokenTexts &texts)
{
    if (layout.silence == SilenceRule::Absent) {
        return {};
    }
    const auto tokens = texts.encode(layout.silence_text, TokenTexts::Specials::Recognised);
    if (tokens.size() != 1) {
        throw Error(ErrorKind::Model, "the layout says silence as \"" + layout.silence_text + "\", which is not one token of this model", layout.name,
                    "Choose another layout, or write its \"silence\" as one token");
    }
    return tokens.front();
}

}  // namespace braid::streams
