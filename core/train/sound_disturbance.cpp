#include "core/train/sound_disturbance.h"

#include <algorithm>
#include <cmath>

namespace braid::train {

namespace {

constexpr std::int64_t kLevelBlock = 320;
constexpr float kFullScale = 32767.0f;

// Mean power of the louder half: pauses do not count as speech.
double speechPower(std::span<const float> sound)
{
    std::vector<double> blocks;
    for (std::size_t at = 0; at + kLevelBlock <= sound.size(); at += kLevelBlock) {
        double sum = 0;
        for (const float value : sound.subspan(at, kLevelBlock)) {
            sum += static_cast<double>(value) * value;
        }
        blocks.push_back(sum / kLevelBlock);
    }
    if (blocks.empty()) {
        return 0;
    }
    const auto middle = blocks.begin() + static_cast<std::ptrdiff_t>(blocks.size() / 2);
    std::nth_element(blocks.begin(), middle, blocks.end());
    double sum = 0;
    for (auto block = middle; block != blocks.end(); ++block) {
        sum += *block;
    }
    return sum / static_cast<double>(blocks.end() - middle);
}

void addNoise(std::vector<float> &sound, std::span<const std::int16_t> noise, double snr_db, Random &random)
{
    const double wanted = speechPower(sound) / std::pow(10.0, snr_db / 10);
    const auto start = static_cast<std::size_t>(random.below(static_cast<std::int64_t>(noise.size())));
    double sum = 0;
    for (std::size_t i = 0; i < sound.size(); ++i) {
        const double value = noise[(start + i) % noise.size()] / static_cast<double>(kFullScale);
        sum += value * value;
    }
    const double power = sum / static_cast<double>(sound.size());
    if (power <= 0 || wanted <= 0) {
        return;
    }
    const auto gain = static_cast<float>(std::sqrt(wanted / power)) / kFullScale;
    for (std::size_t i = 0; i < sound.size(); ++i) {
        sound[i] += gain * static_cast<float>(noise[(start + i) % noise.size()]);
    }
}

}  // namespace

void disturbSound(std::vector<float> &sound, const SpeechLibrary &library, const DisturbanceRecipe &recipe, Random &random)
{
    if (sound.empty()) {
        return;
    }
    if (!library.noise().empty() && random.chance(recipe.noise)) {
        const auto &noise = library.noise()[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(library.noise().size())))];
        addNoise(sound, noise, random.uniform(recipe.least_snr_db, recipe.most_snr_db), random);
    }
    if (recipe.gain_db > 0) {
        const auto gain = static_cast<float>(std::pow(10.0, random.uniform(-recipe.gain_db, recipe.gain_db) / 20));
        for (float &value : sound) {
            value = std::clamp(value * gain, -1.0f, 1.0f);
        }
    }
}

void disturbMel(features::MelFrames &mel, const DisturbanceRecipe &recipe, Random &random)
{
    const auto bands = static_cast<std::size_t>(mel.bands);
    const double warp = recipe.band_warp > 0 ? 1 + random.uniform(-recipe.band_warp, recipe.band_warp) : 1;
    std::vector<float> colour(bands, 0.0f);
    if (recipe.colour > 0 && bands > 1) {
        constexpr std::size_t kPoints = 6;
        std::vector<double> points(kPoints);
        for (double &point : points) {
            point = recipe.colour * random.normal() / 4;  // Whisper's scale is a quarter of log10
        }
        for (std::size_t band = 0; band < bands; ++band) {
            const double at = static_cast<double>(band) * (kPoints - 1) / static_cast<double>(bands - 1);
            const auto low = std::min<std::size_t>(static_cast<std::size_t>(at), kPoints - 2);
            colour[band] = static_cast<float>(std::lerp(points[low], points[low + 1], at - static_cast<double>(low)));
        }
    }
    if (warp == 1 && recipe.colour <= 0) {
        return;
    }
    std::vector<float> row(bands);
    for (std::int64_t frame = 0; frame < mel.frames; ++frame) {
        float *values = mel.values.data() + frame * mel.bands;
        for (std::size_t band = 0; band < bands; ++band) {
            const double at = std::min(static_cast<double>(band) * warp, static_cast<double>(bands) - 1.01);
            const auto low = static_cast<std::size_t>(at);
            row[band] = values[low] + static_cast<float>(at - static_cast<double>(low)) * (values[std::min(low + 1, bands - 1)] - values[low]) + colour[band];
        }
        std::copy(row.begin(), row.end(), values);
    }
}

void maskMel(features::MelFrames &mel, Random &random)
{
    constexpr std::int64_t kWidestBand = 20;
    constexpr std::int64_t kLongestGap = 22;   // mel frames
    constexpr std::int64_t kFramesPerGap = 250;
    double sum = 0;
    for (const float value : mel.values) {
        sum += value;
    }
    const auto mean = static_cast<float>(sum / std::max<double>(1, static_cast<double>(mel.values.size())));
    const auto width = random.between(1, std::min<std::int64_t>(kWidestBand, mel.bands));
    const auto first = random.below(mel.bands - width + 1);
    for (std::int64_t frame = 0; frame < mel.frames; ++frame) {
        std::fill_n(mel.values.begin() + frame * mel.bands + first, width, mean);
    }
    for (std::int64_t gap = 0; gap < 1 + mel.frames / kFramesPerGap; ++gap) {
        const auto length = std::min(random.between(1, kLongestGap), mel.frames);
        const auto start = random.below(mel.frames - length + 1);
        std::fill_n(mel.values.begin() + start * mel.bands, length * mel.bands, mean);
    }
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
    std::vector<double> blocks;
    for (std::size_t at = 0; at + kLevelBlock <= sound.size(); at += kLevelBlock) {
        double sum = 0;
        for (const float value : sound.subspan(at, kLevelBlock)) {
            sum += static_cast<double>(value) * value;
        }
        blocks.push_back(sum / kLevelBlock);
    }
    double power = 0;
    if (!blocks.empty()) {
        const auto tenth = blocks.begin() + static_cast<std::ptrdiff_t>(blocks.size() / 10);
        std::nth_element(blocks.begin(), tenth, blocks.end());
        power = *tenth;
    }
    const double level = std::sqrt(power) * random.uniform(0.6, 1.2);
    std::vector<float> quiet(static_cast<std::size_t>(length));
    for (float &value : quiet) {
        value = static_cast<float>(level * random.normal());
    }
    return quiet;
}

}  // namespace braid::train
