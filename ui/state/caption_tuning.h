// What can be changed about a run while it goes on, as one value. Plain data.
#pragma once

#include <cstdint>

#include <QString>

#include "core/captions/caption_policy.h"

namespace braid::ui {

inline constexpr int kMostBeams = 10;
inline constexpr int kMostLookBack = 8;
inline constexpr int kLeastChunkMs = 40;
inline constexpr int kMostChunkMs = 3000;

struct CaptionTuning {
    QString policy;                                   // id of a PolicyEntry; empty: the first
    QString language;                                 // empty: the model's only one, or detected
    int chunk_ms = 0;                                 // 0: the model's or the policy's own
    int beam_size = captions::kDefaultStreamingBeam;  // of a policy that streams; 1: greedy
    int look_back_tokens = 2;                         // how many of the newest tokens a streaming policy may still take back
    friend bool operator==(const CaptionTuning &, const CaptionTuning &) = default;
};

// How a running policy gets from one tuning to another: told, or replaced by one that is made anew.
enum class TuningStep : std::uint8_t { Nothing = 1, Adjust, Replace };

[[nodiscard]] inline TuningStep stepBetween(const CaptionTuning &now, const CaptionTuning &wanted)
{
    if (now == wanted) {
        return TuningStep::Nothing;
    }
    // A policy can be told a chunk, but not to go back to its own.
    const bool same_kind = now.policy == wanted.policy && now.language == wanted.language;
    return same_kind && (wanted.chunk_ms > 0 || now.chunk_ms == 0) ? TuningStep::Adjust : TuningStep::Replace;
}

}  // namespace braid::ui
