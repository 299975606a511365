// Disturbances of speech that leave its words known: each changes the samples and moves the word times with them.
//
// Everything is deterministic: chance comes from the Random that is handed in. Thread: any, nothing is shared.
#pragma once

#include <span>
#include <vector>

#include "core/base/random.h"
#include "core/base/sample_clock.h"
#include "lab/corpus/spoken.h"

namespace braid::corpus {

// Mean power of the parts of the sound that are within 30 dB of its loudest 20 ms: how loud the speech is, whatever pauses it has. 0 for silence.
[[nodiscard]] double speechPower(std::span<const float> sound);

// Root mean square of the quietest tenth of the sound's 20 ms: what a pause in it sounds like. 0 where there is no sound.
[[nodiscard]] double quietLevel(std::span<const float> sound);

// Adds `noise`, from `noise_offset` on and over again, so that the speech is `snr_db` louder. Silent speech or noise changes nothing.
void addNoise(std::span<float> sound, std::span<const float> noise, std::size_t noise_offset, double snr_db);

// The sound as a room or device with this impulse response gives it (fast convolution). What the room delays is taken back: the
// strongest part of `response` stays where the sound was, so word times hold. Loudness (root mean square) and length are kept.
void addRoom(std::span<float> sound, std::span<const float> response);

// `factor` times as fast, pitch and formants with it (a resampled tape): 0.5 .. 2, else Error(Usage). Word times are divided by it.
void changeSpeed(Spoken &spoken, double factor);

// Louder by `db`; what exceeds full scale is cut off, as a converter would.
void changeGain(std::span<float> sound, double db);

// Second-order Butterworth filters; edges outside 20 .. 7900 Hz leave that side open.
void limitBand(std::span<float> sound, double low_hz, double high_hz);
// A telephone: 300 to 3400 Hz and the eight bits of G.711's mu-law.
void throughTelephone(std::span<float> sound);

// One after the other, `pauses[i]` samples between i and i + 1. Pauses have the quiet of the sounds beside them (noise as loud as their
// quietest tenth), and joints are faded over 5 ms, so that no click tells where they are. Texts are joined by a space. Words are kept
// only where all parts that have text have them.
[[nodiscard]] Spoken join(std::span<const Spoken> parts, std::span<const Sample> pauses, Random &random);

}  // namespace braid::corpus
