#include "lab/train/speechless_sound.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "core/audio/pcm16.h"
#include "lab/corpus/augment.h"

namespace braid::train {

namespace {

constexpr int kMostNoises = 4;
constexpr int kPlacesTried = 4;  // of which the loudest is taken
constexpr Sample kShortest = samplesFromMs(150);
constexpr Sample kLongest = samplesFromMs(3000);
constexpr Sample kLead = samplesFromMs(200);
constexpr Sample kFade = samplesFromMs(10);
constexpr double kSlowest = 0.65;
constexpr double kFastest = 1.5;

std::span<const std::int16_t> anyNoise(const SpeechLibrary &library, Random &random)
{
    return library.noise()[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(library.noise().size())))];
}

float peakOf(std::span<const float> sound)
{
    float peak = 0;
    for (const float value : sound) {
        peak = std::max(peak, std::abs(value));
    }
    return peak;
}

void addFloor(std::span<float> sound, Random &random)
{
    const double level = random.chance(0.3) ? 0.0 : std::pow(10.0, random.uniform(-4.5, -2.0));
    for (float &value : sound) {
        value += static_cast<float>(level * random.normal());
    }
}

// Where a noise begins: a little before the loudest of a few places.
std::size_t loudPlace(std::span<const std::int16_t> noise, Random &random)
{
    std::size_t place = 0;
    double loudest = -1;
    for (int i = 0; i < kPlacesTried; ++i) {
        const auto at = static_cast<std::size_t>(random.below(static_cast<std::int64_t>(noise.size())));
        const auto heard = noise.subspan(at, std::min(noise.size() - at, static_cast<std::size_t>(samplesFromMs(100))));
        double power = 0;
        for (const std::int16_t value : heard) {
            power += static_cast<double>(value) * value;
        }
        if (power > loudest) {
            loudest = power;
            place = at;
        }
    }
    return place - std::min(place, static_cast<std::size_t>(random.between(0, kLead)));
}

std::vector<float> singleNoise(const SpeechLibrary &library, Random &random)
{
    const auto recording = anyNoise(library, random);
    const std::size_t from = loudPlace(recording, random);
    const auto length = static_cast<std::size_t>(random.between(kShortest, kLongest));
    corpus::Spoken noise;
    noise.sound = audio::floatsOf(recording.subspan(from, std::min(recording.size() - from, length)));
    corpus::changeSpeed(noise, random.uniform(kSlowest, kFastest));
    const auto peak_wanted = static_cast<float>(std::pow(10.0, random.uniform(-1.5, 0.0)));
    const float peak = peakOf(noise.sound);
    const float gain = peak > 1e-4f ? peak_wanted / peak : 0.0f;  // what is all but silent is not made loud
    const std::size_t fade = std::min(noise.sound.size() / 2, static_cast<std::size_t>(kFade));
    for (std::size_t i = 0; i < noise.sound.size(); ++i) {
        const std::size_t edge = std::min(i, noise.sound.size() - 1 - i);
        noise.sound[i] *= edge < fade ? gain * static_cast<float>(edge) / static_cast<float>(fade) : gain;
    }
    return std::move(noise.sound);
}

}  // namespace

std::vector<float> singleNoises(Sample length, const SpeechLibrary &library, Random &random)
{
    std::vector<float> sound(static_cast<std::size_t>(length), 0.0f);
    addFloor(sound, random);
    if (library.noise().empty()) {
        return sound;
    }
    const std::int64_t count = random.between(1, kMostNoises);
    Sample at = random.between(0, samplesFromMs(600));
    for (std::int64_t i = 0; i < count && at < length; ++i) {
        const std::vector<float> noise = singleNoise(library, random);
        const auto end = std::min(sound.size(), static_cast<std::size_t>(at) + noise.size());
        for (auto to = static_cast<std::size_t>(at); to < end; ++to) {
            sound[to] = std::clamp(sound[to] + noise[to - static_cast<std::size_t>(at)], -1.0f, 1.0f);
        }
        at += static_cast<Sample>(noise.size()) + random.between(samplesFromMs(200), samplesFromMs(2000));
    }
    return sound;
}

std::vector<float> speechlessSound(Sample length, const SpeechLibrary &library, const WindowRecipe &recipe, Random &random)
{
    if (recipe.single_noises > 0 && random.chance(recipe.single_noises)) {
        return singleNoises(length, library, random);
    }
    std::vector<float> sound(static_cast<std::size_t>(length), 0.0f);
    if (library.noise().empty() || !random.chance(0.7)) {
        addFloor(sound, random);
        return sound;
    }
    const auto noise = anyNoise(library, random);
    const auto start = static_cast<std::size_t>(random.below(static_cast<std::int64_t>(noise.size())));
    const auto gain = static_cast<float>(std::pow(10.0, random.uniform(-1.5, 0.0)));
    for (std::size_t i = 0; i < sound.size(); ++i) {
        sound[i] = gain * audio::floatOf(noise[(start + i) % noise.size()]);
    }
    return sound;
}

}  // namespace braid::train
