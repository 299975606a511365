// What was said, as plain data: tokens make words, words make a transcript. Shared by decoding, sessions, engine, window and
// exports; knows nothing about models. The program never changes a committed word (design: "Committed is for ever"); a person may (correction.h).
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "core/base/sample_clock.h"

namespace braid::text {

// Another token the model might have said in the same place.
struct Rival {
    std::int32_t token_id = 0;
    std::string text;
    float probability = 0;
};

struct Token {
    std::int32_t id = 0;
    std::string text;  // the token's bytes; a single token may hold only a part of a UTF-8 character
    float probability = 0;
    std::vector<Rival> rivals;  // most probable first; may be empty
};

// How a word's start and end were found: they differ in exactness, so the window says which it was.
enum class WordTimeMethod : std::uint8_t {
    Unknown = 1,
    CrossAttention,     // dynamic time warping over the alignment heads
    SegmentTimestamps,  // spread between a segment's own timestamp tokens
    ChunkArrival,       // the chunk in which the token first appeared (CarelessWhisper, Algorithm 4)
    Interpolated,       // from the neighbours
    ChunkAndAttention,  // the chunk in which the token first appeared and, inside it, where the token attended
};

struct Word {
    std::string text;  // valid UTF-8 without surrounding space; empty only where a person struck the word out
    Sample start_sample = 0;
    Sample end_sample = 0;         // >= start_sample
    float probability = 0;         // mean over its tokens
    Sample first_seen_sample = 0;  // how much had been heard when the word first appeared in this place
    Sample committed_sample = 0;   // how much had been heard when it was committed; 0 while in the tail
    int revision_count = 0;        // how often the tail said something else in this place before
    std::string revised_from;      // what it said last before, if anything
    WordTimeMethod time_method = WordTimeMethod::Unknown;
    std::vector<Token> tokens;
    bool starts_without_space = false;  // joins the word before it (languages without spaces, and pieces of them)
    std::string heard;                  // what the model said, where a person corrected it; else empty
};

// A break in the sound: a lost device, skipped sound.
struct Gap {
    Sample start_sample = 0;
    Sample length_samples = 0;
    std::string reason;  // one short clause: "the microphone was unplugged"
};

// The end of an utterance or paragraph; what follows starts a new line.
struct LineBreak {
    Sample sample = 0;
};

// A committed transcript is an append-only list of these.
using TranscriptItem = std::variant<Word, LineBreak, Gap>;
using Transcript = std::vector<TranscriptItem>;

}  // namespace braid::text
