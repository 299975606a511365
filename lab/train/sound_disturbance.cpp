#include "lab/train/sound_disturbance.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/audio/pcm16.h"
#include "lab/corpus/augment.h"
#include "lab/corpus/spec_augment.h"

namespace braid::train {

void disturbSound(std::vector<float> &sound, const SpeechLibrary &library, const DisturbanceRecipe &recipe, Random &random)
{
    if (sound.empty()) {
        return;
    }
    if (!library.rooms().empty() && random.chance(recipe.room)) {
        corpus::addRoom(sound, library.rooms()[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(library.rooms().size())))]);
    }
    if (!library.noise().empty() && random.chance(recipe.noise)) {
        const auto &noise = library.noise()[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(library.noise().size())))];
        const std::vector<float> values = audio::floatsOf(noise);
        const auto start = static_cast<std::size_t>(random.below(static_cast<std::int64_t>(noise.size())));
        corpus::addNoise(sound, values, start, random.uniform(recipe.least_snr_db, recipe.most_snr_db));
    }
    if (recipe.gain_db > 0) {
        corpus::changeGain(sound, random.uniform(-recipe.gain_db, recipe.gain_db));
    }
    if (random.chance(recipe.telephone)) {
        corpus::throughTelephone(sound);
    }
}

void disturbMel(features::MelFrames &mel, const DisturbanceRecipe &recipe, Random &random)
{
    if (recipe.band_warp > 0) {
        corpus::warpBands(mel, 1 + random.uniform(-recipe.band_warp, recipe.band_warp));
    }
    if (recipe.colour <= 0 || mel.bands < 2) {
        return;
    }
    constexpr std::size_t kPoints = 6;
    std::array<double, kPoints> points{};
    for (double &point : points) {
        point = recipe.colour * random.normal() / 4;  // Whisper's scale is a quarter of log10
    }
    const auto bands = static_cast<std::size_t>(mel.bands);
    std::vector<float> curve(bands);
    for (std::size_t band = 0; band < bands; ++band) {
        const double at = static_cast<double>(band) * (kPoints - 1) / static_cast<double>(bands - 1);
        const auto low = std::min<std::size_t>(static_cast<std::size_t>(at), kPoints - 2);
        curve[band] = static_cast<float>(std::lerp(points[low], points[low + 1], at - static_cast<double>(low)));
    }
    for (std::size_t i = 0; i < mel.values.size(); ++i) {
        mel.values[i] += curve[i % bands];
    }
}

void maskMel(features::MelFrames &mel, Random &random)
{
    corpus::MaskSizes sizes;
    sizes.time_masks_per_second = 40;
    braid::Random choice(random.next());
    corpus::maskSpectrogram(mel, sizes, choice);
}

std::vector<float> stretched(const std::vector<float> &values, std::int64_t width, std::int64_t count)
{
    const std::int64_t rows = static_cast<std::int64_t>(values.size()) / width;
    std::vector<float> out(static_cast<std::size_t>(count * width));
    for (std::int64_t i = 0; i < count && rows > 0; ++i) {
        const double at = count > 1 ? static_cast<double>(i) * static_cast<double>(rows - 1) / static_cast<double>(count - 1) : 0;
        const auto low = std::min(static_cast<std::int64_t>(at), std::max<std::int64_t>(0, rows - 2));
        const auto share = static_cast<float>(at - static_cast<double>(low));
        const float *a = values.data() + low * width;
        const float *b = rows > 1 ? a + width : a;
        float *to = out.data() + i * width;
        for (std::int64_t column = 0; column < width; ++column) {
            to[column] = a[column] + share * (b[column] - a[column]);
        }
    }
    return out;
}

std::vector<float> quietLike(std::span<const float> sound, Sample length, Random &random)
{
    const double level = corpus::quietLevel(sound) * random.uniform(0.6, 1.2);
    std::vector<float> quiet(static_cast<std::size_t>(length));
    for (float &value : quiet) {
        value = static_cast<float>(level * random.normal());
    }
    return quiet;
}

}  // namespace braid::train
