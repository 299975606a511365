// What a training run does to every utterance it hears: speed, room, noise, colour, telephone and level, each with its probability.
//
// Noises and rooms are read once and kept as floats (64 KiB a second). Thread: after construction any number (apply() is const).
#pragma once

#include <filesystem>
#include <vector>

#include "core/corpus/random.h"
#include "core/corpus/spoken.h"

namespace braid::corpus {

struct Disturbances {
    double speed_chance = 0.6;
    double slowest = 0.86;
    double fastest = 1.14;
    double room_chance = 0.25;
    double noise_chance = 0.35;
    double lowest_snr_db = 4;
    double highest_snr_db = 30;
    double colour_chance = 0.5;
    double colour_db = 6;
    double telephone_chance = 0.03;
    double band_chance = 0.05;  // high end of 3 to 7 kHz
    double gain_chance = 0.7;
    double lowest_gain_db = -18;
    double highest_gain_db = 8;
};

class Disturber {
  public:
    // `noises`: a manifest (texts are not looked at), or empty for none; `rooms`: a folder of impulse responses, or empty. Throws Error(Input).
    Disturber(const Disturbances &disturbances, const std::filesystem::path &noises, const std::filesystem::path &rooms);
    Disturber(const Disturbances &disturbances, std::vector<std::vector<float>> noises, std::vector<std::vector<float>> rooms);

    // Word times stay right.
    void apply(Spoken &spoken, Random &random) const;
    // `length` samples of one of the noises at a random place and level; silence, exact or nearly, now and then and where there are no noises.
    [[nodiscard]] std::vector<float> noiseAlone(std::size_t length, Random &random) const;

  private:
    Disturbances m_disturbances;
    std::vector<std::vector<float>> m_noises;
    std::vector<std::vector<float>> m_rooms;
};

}  // namespace braid::corpus
