#include "lab/corpus/augment.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "core/base/error.h"
#include "lab/corpus/fast_convolution.h"

namespace braid::corpus {
namespace {

constexpr std::size_t kBlock = 320;  // 20 ms

double power(std::span<const float> sound)
{
    // Four sums: the compiler may keep them in one register.
    std::array<double, 4> sums{};
    std::size_t i = 0;
    for (; i + 4 <= sound.size(); i += 4) {
        for (std::size_t k = 0; k < 4; ++k) {
            sums[k] += static_cast<double>(sound[i + k]) * sound[i + k];
        }
    }
    for (; i < sound.size(); ++i) {
        sums[0] += static_cast<double>(sound[i]) * sound[i];
    }
    return sound.empty() ? 0 : (sums[0] + sums[1] + sums[2] + sums[3]) / static_cast<double>(sound.size());
}

std::vector<double> blockPowers(std::span<const float> sound)
{
    std::vector<double> powers;
    for (std::size_t at = 0; at < sound.size(); at += kBlock) {
        powers.push_back(power(sound.subspan(at, std::min(kBlock, sound.size() - at))));
    }
    return powers;
}

// One biquad, direct form II transposed, over the whole sound.
struct Biquad {
    double b0 = 1, b1 = 0, b2 = 0, a1 = 0, a2 = 0;
    void run(std::span<float> sound) const
    {
        double s1 = 0;
        double s2 = 0;
        for (float &value : sound) {
            const double x = value;
            const double y = b0 * x + s1;
            s1 = b1 * x - a1 * y + s2;
            s2 = b2 * x - a2 * y;
            value = static_cast<float>(y);
        }
    }
};

enum class Side { LowPass = 1, HighPass };

// Second-order Butterworth by the bilinear transform (any text on digital filters; e.g. Oppenheim and Schafer, section 7.3).
Biquad butterworth(Side side, double edge_hz)
{
    const double k = std::tan(std::numbers::pi * edge_hz / kSampleRateHz);
    const double scale = 1 / (1 + std::numbers::sqrt2 * k + k * k);
    Biquad filter;
    filter.b0 = scale * (side == Side::LowPass ? k * k : 1);
    filter.b1 = (side == Side::LowPass ? 2 : -2) * filter.b0;
    filter.b2 = filter.b0;
    filter.a1 = 2 * (k * k - 1) * scale;
    filter.a2 = (1 - std::numbers::sqrt2 * k + k * k) * scale;
    return filter;
}

// G.711's mu-law there and back, by its formula.
float muLaw(float value)
{
    constexpr double mu = 255;
    const double x = std::clamp(static_cast<double>(value), -1.0, 1.0);
    const double coded = std::round(std::log1p(mu * std::abs(x)) / std::log1p(mu) * 127) / 127;
    return static_cast<float>(std::copysign(std::expm1(coded * std::log1p(mu)) / mu, x));
}

// The speed's filter: a sinc under a Kaiser window, tabulated.
struct SincTable {
    static constexpr int kSides = 16;    // zero crossings on either side
    static constexpr int kPhases = 256;  // between two samples
    std::vector<float> values;           // [phase][tap], phases 0 .. kPhases
    explicit SincTable(double cutoff)
    {
        const auto bessel = [](double x) {
            double sum = 1;
            double term = 1;
            for (int k = 1; k < 30; ++k) {
                term *= (x / (2 * k)) * (x / (2 * k));
                sum += term;
            }
            return sum;
        };
        constexpr double beta = 8;
        values.reserve(static_cast<std::size_t>((kPhases + 1) * 2 * kSides));
        for (int phase = 0; phase <= kPhases; ++phase) {
            for (int tap = 0; tap < 2 * kSides; ++tap) {
                const double t = tap - kSides + 1 - static_cast<double>(phase) / kPhases;
                const double inside = 1 - (t / kSides) * (t / kSides);
                const double window = inside <= 0 ? 0 : bessel(beta * std::sqrt(inside)) / bessel(beta);
                const double angle = std::numbers::pi * cutoff * t;
                values.push_back(static_cast<float>(cutoff * (std::abs(angle) < 1e-9 ? 1 : std::sin(angle) / angle) * window));
            }
        }
    }
};

}  // namespace

double speechPower(std::span<const float> sound)
{
    const auto powers = blockPowers(sound);
    const double loudest = powers.empty() ? 0 : *std::max_element(powers.begin(), powers.end());
    double sum = 0;
    std::size_t count = 0;
    for (const double value : powers) {
        if (value > 0 && value >= loudest * 1e-3) {
            sum += value;
            ++count;
        }
    }
    return count == 0 ? 0 : sum / static_cast<double>(count);
}

double quietLevel(std::span<const float> sound)
{
    auto powers = blockPowers(sound);
    if (powers.empty()) {
        return 0;
    }
    const auto tenth = powers.begin() + static_cast<std::ptrdiff_t>(powers.size() / 10);
    std::nth_element(powers.begin(), tenth, powers.end());
    return std::sqrt(*tenth);
}

void addNoise(std::span<float> sound, std::span<const float> noise, std::size_t noise_offset, double snr_db)
{
    if (noise.empty()) {
        return;
    }
    std::size_t at = noise_offset % noise.size();
    // The noise's own level where it is heard, so that a dog that barks once is as loud as asked for while it barks.
    const double speech = speechPower(sound);
    const double loud = speechPower(noise);
    if (speech <= 0 || loud <= 0) {
        return;
    }
    const auto scale = static_cast<float>(std::sqrt(speech / loud * std::pow(10.0, -snr_db / 10)));
    for (std::size_t i = 0; i < sound.size();) {
        const std::size_t run = std::min(sound.size() - i, noise.size() - at);
        for (std::size_t k = 0; k < run; ++k) {
            sound[i + k] += scale * noise[at + k];
        }
        i += run;
        at = 0;
    }
}

void addRoom(std::span<float> sound, std::span<const float> response)
{
    const double before = power(sound);
    if (response.empty() || before <= 0) {
        return;
    }
    const auto strongest = std::max_element(response.begin(), response.end(), [](float a, float b) { return std::abs(a) < std::abs(b); });
    convolve(sound, response, static_cast<std::size_t>(strongest - response.begin()));
    const double after = power(sound);
    if (after > 0) {
        const auto scale = static_cast<float>(std::sqrt(before / after));
        for (float &value : sound) {
            value *= scale;
        }
    }
}

void changeSpeed(Spoken &spoken, double factor)
{
    if (!(factor >= 0.5 && factor <= 2)) {
        throw Error(ErrorKind::Usage, "a speed is from 0.5 to 2 times the original's");
    }
    if (factor == 1 || spoken.sound.empty()) {
        return;
    }
    // A faster tape would fold what lies above half the new rate: the filter closes below it.
    const SincTable table(std::min(1.0, 1 / factor) * 0.97);
    constexpr int sides = SincTable::kSides;
    const auto &in = spoken.sound;
    std::vector<float> padded(in.size() + 2 * sides);
    std::copy(in.begin(), in.end(), padded.begin() + sides);
    const auto count = static_cast<std::size_t>(std::llround(static_cast<double>(in.size()) / factor));
    std::vector<float> out(std::max<std::size_t>(count, 1));
    for (std::size_t i = 0; i < out.size(); ++i) {
        const double position = std::min(static_cast<double>(i) * factor, static_cast<double>(in.size() - 1));
        const auto whole = static_cast<std::size_t>(position);
        const double phase = (position - static_cast<double>(whole)) * SincTable::kPhases;
        const auto low = static_cast<std::size_t>(phase);
        const auto share = static_cast<float>(phase - static_cast<double>(low));
        const float *a = table.values.data() + low * 2 * sides;
        const float *b = a + 2 * sides;
        const float *x = padded.data() + whole + 1;  // the tap at `whole` has index sides - 1 of the filter
        float sum_a = 0;
        float sum_b = 0;
        for (int tap = 0; tap < 2 * sides; ++tap) {
            sum_a += a[tap] * x[tap];
            sum_b += b[tap] * x[tap];
        }
        out[i] = sum_a + share * (sum_b - sum_a);
    }
    spoken.sound = std::move(out);
    const auto end = static_cast<Sample>(spoken.sound.size());
    for (TimedWord &word : spoken.words) {
        word.start_sample = std::min(end, static_cast<Sample>(std::llround(static_cast<double>(word.start_sample) / factor)));
        word.end_sample = std::min(end, static_cast<Sample>(std::llround(static_cast<double>(word.end_sample) / factor)));
    }
}

void changeGain(std::span<float> sound, double db)
{
    const auto scale = static_cast<float>(std::pow(10.0, db / 20));
    for (float &value : sound) {
        value = std::clamp(value * scale, -1.0F, 1.0F);
    }
}

void limitBand(std::span<float> sound, double low_hz, double high_hz)
{
    if (low_hz >= 20) {
        butterworth(Side::HighPass, std::min(low_hz, 7900.0)).run(sound);
    }
    if (high_hz <= 7900) {
        butterworth(Side::LowPass, std::max(high_hz, 20.0)).run(sound);
    }
}

void throughTelephone(std::span<float> sound)
{
    for (int times = 0; times < 2; ++times) {
        limitBand(sound, 300, 3400);
    }
    std::transform(sound.begin(), sound.end(), sound.begin(), muLaw);
}

Spoken join(std::span<const Spoken> parts, std::span<const Sample> pauses, Random &random)
{
    if (parts.empty() || pauses.size() + 1 != parts.size()) {
        throw Error(ErrorKind::Internal, "parts of speech are joined by one pause less than there are parts");
    }
    Spoken all;
    const bool timed = std::all_of(parts.begin(), parts.end(), [](const Spoken &part) { return part.text.empty() || !part.words.empty(); });
    constexpr std::size_t fade = samplesFromMs(5);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const Spoken &part = parts[i];
        const auto begin = static_cast<Sample>(all.sound.size());
        all.sound.insert(all.sound.end(), part.sound.begin(), part.sound.end());
        const std::size_t ramp = std::min(fade, part.sound.size() / 2);
        for (std::size_t k = 0; k < ramp; ++k) {
            const float rise = static_cast<float>(k + 1) / static_cast<float>(ramp + 1);
            if (i > 0) {
                all.sound[static_cast<std::size_t>(begin) + k] *= rise;
            }
            if (i + 1 < parts.size()) {
                all.sound[all.sound.size() - 1 - k] *= rise;
            }
        }
        if (!part.text.empty()) {
            all.text += (all.text.empty() ? "" : " ") + part.text;
        }
        if (timed) {
            for (const TimedWord &word : part.words) {
                all.words.push_back({word.text, begin + word.start_sample, begin + word.end_sample});
            }
        }
        if (i + 1 < parts.size()) {
            const double level = std::min(0.01, 0.5 * (quietLevel(part.sound) + quietLevel(parts[i + 1].sound)));
            for (Sample k = 0; k < std::max<Sample>(0, pauses[i]); ++k) {
                all.sound.push_back(static_cast<float>(level * random.uniform(-1.7320508, 1.7320508)));  // uniform, of that root mean square
            }
        }
    }
    return all;
}

}  // namespace braid::corpus
