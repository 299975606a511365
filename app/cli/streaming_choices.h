// How the streaming policy's rules are named on a command line, for `caption` and `eval captions` alike.
#pragma once

#include "app/cli/choices.h"
#include "core/decoding/streaming_recognizer.h"

namespace braid::cli {

inline const Choices<decoding::StabilityRule> kStabilityRules = {{"paper", decoding::StabilityRule::Paper},
                                                                 {"v1", decoding::StabilityRule::ReleasedV1},
                                                                 {"v2", decoding::StabilityRule::ReleasedV2},
                                                                 {"braid", decoding::StabilityRule::Braid}};
inline const Choices<decoding::TokenCache> kTokenCaches = {{"within", decoding::TokenCache::WithinChunk}, {"across", decoding::TokenCache::AcrossChunks}};

}  // namespace braid::cli
