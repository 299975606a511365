#include "core/corpus/disturber.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/corpus/augment.h"
#include "core/corpus/manifest.h"
#include "core/corpus/utterance_sound.h"

namespace braid::corpus {
namespace {

namespace fs = std::filesystem;

constexpr Sample kLongestNoise = samplesFromSeconds(600);
constexpr Sample kLongestRoom = samplesFromSeconds(3);
constexpr std::size_t kMostNoiseSamples = 4u * 3600u * kSampleRateHz;  // 0.9 GB

std::vector<std::vector<float>> readNoises(const fs::path &manifest)
{
    std::vector<std::vector<float>> noises;
    std::size_t samples = 0;
    if (!manifest.empty()) {
        ManifestReader reader(manifest);
        for (Utterance utterance; reader.next(utterance);) {
            noises.push_back(readSound(utterance, kLongestNoise));
            samples += noises.back().size();
            if (samples > kMostNoiseSamples) {
                throw Error(ErrorKind::Input, "has more than four hours of noise", manifest.string(), "Use a part of it");
            }
        }
    }
    return noises;
}

std::vector<std::vector<float>> readRooms(const fs::path &folder)
{
    std::vector<std::vector<float>> rooms;
    if (folder.empty()) {
        return rooms;
    }
    std::error_code problem;
    std::vector<fs::path> files;
    for (fs::directory_iterator entry(folder, problem), end; !problem && entry != end; entry.increment(problem)) {
        const auto extension = entry->path().extension();
        if (extension == ".flac" || extension == ".wav" || extension == ".ogg" || extension == ".opus") {
            files.push_back(entry->path());
        }
    }
    if (problem || files.empty() || files.size() > 10'000) {
        throw Error(ErrorKind::Input, "has no impulse responses of rooms (FLAC, WAV, Ogg)", folder.string());
    }
    std::sort(files.begin(), files.end());
    for (const fs::path &file : files) {
        rooms.push_back(readSound(file, 0, 0, kLongestRoom));
    }
    return rooms;
}

}  // namespace

Disturber::Disturber(const Disturbances &disturbances, const fs::path &noises, const fs::path &rooms)
    : Disturber(disturbances, readNoises(noises), readRooms(rooms))
{
}

Disturber::Disturber(const Disturbances &disturbances, std::vector<std::vector<float>> noises, std::vector<std::vector<float>> rooms)
    : m_disturbances(disturbances)
    , m_noises(std::move(noises))
    , m_rooms(std::move(rooms))
{
    std::erase_if(m_noises, [](const auto &noise) { return noise.empty(); });
    std::erase_if(m_rooms, [](const auto &room) { return room.empty(); });
}

void Disturber::apply(Spoken &spoken, Random &random) const
{
    const Disturbances &d = m_disturbances;
    if (random.chance(d.speed_chance)) {
        changeSpeed(spoken, random.between(d.slowest, d.fastest));
    }
    if (!m_rooms.empty() && random.chance(d.room_chance)) {
        addRoom(spoken.sound, m_rooms[random.below(m_rooms.size())]);
    }
    if (random.chance(d.colour_chance)) {
        colour(spoken.sound, d.colour_db, random);
    }
    if (!m_noises.empty() && random.chance(d.noise_chance)) {
        const auto &noise = m_noises[random.below(m_noises.size())];
        addNoise(spoken.sound, noise, random.below(noise.size()), random.between(d.lowest_snr_db, d.highest_snr_db));
    }
    if (random.chance(d.telephone_chance)) {
        throughTelephone(spoken.sound);
    } else if (random.chance(d.band_chance)) {
        limitBand(spoken.sound, 0, random.between(3000, 7000));
    }
    if (random.chance(d.gain_chance)) {
        changeGain(spoken.sound, random.between(d.lowest_gain_db, d.highest_gain_db));
    }
}

std::vector<float> Disturber::noiseAlone(std::size_t length, Random &random) const
{
    std::vector<float> sound(length);
    const double kind = random.unit();
    if (kind < 0.1) {
        return sound;  // digital silence
    }
    if (kind < 0.3 || m_noises.empty()) {  // the floor of a microphone: -90 to -40 dB
        const double level = std::pow(10.0, random.between(-4.5, -2));
        for (float &value : sound) {
            value = static_cast<float>(level * random.normal());
        }
        return sound;
    }
    const auto &noise = m_noises[random.below(m_noises.size())];
    std::size_t at = random.below(noise.size());
    for (float &value : sound) {
        value = noise[at];
        at = at + 1 == noise.size() ? 0 : at + 1;
    }
    if (random.chance(m_disturbances.colour_chance)) {
        colour(sound, m_disturbances.colour_db, random);
    }
    changeGain(sound, random.between(-25, 6));
    return sound;
}

}  // namespace braid::corpus
