// Small sounds and helpers shared by the audio tests.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <numbers>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "core/audio/source.h"
#include "core/base/file.h"

namespace braid::audio::testing {

inline std::vector<float> sine(double frequency_hz, double rate_hz, std::size_t samples, double amplitude = 0.5)
{
    std::vector<float> sound(samples);
    for (std::size_t index = 0; index < samples; ++index) {
        sound[index] = static_cast<float>(amplitude * std::sin(2 * std::numbers::pi * frequency_hz * static_cast<double>(index) / rate_hz));
    }
    return sound;
}

inline std::vector<float> noise(std::size_t samples, double amplitude, unsigned seed)
{
    std::mt19937 random(seed);
    std::normal_distribution<double> normal(0, amplitude);
    std::vector<float> sound(samples);
    for (float &value : sound) {
        value = static_cast<float>(normal(random));
    }
    return sound;
}

// Magnitude of one frequency: 0.5 for a sine of amplitude 0.5 that fills the sound.
inline double amplitudeOf(std::span<const float> sound, double frequency_hz, double rate_hz = kSampleRateHz)
{
    double real = 0;
    double imaginary = 0;
    for (std::size_t index = 0; index < sound.size(); ++index) {
        const double angle = 2 * std::numbers::pi * frequency_hz * static_cast<double>(index) / rate_hz;
        real += sound[index] * std::cos(angle);
        imaginary += sound[index] * std::sin(angle);
    }
    return 2 * std::hypot(real, imaginary) / static_cast<double>(sound.size());
}

inline double rmsOf(const std::vector<float> &sound)
{
    double sum = 0;
    for (const float value : sound) {
        sum += static_cast<double>(value) * value;
    }
    return sound.empty() ? 0 : std::sqrt(sum / static_cast<double>(sound.size()));
}

inline void append(std::string &bytes, std::uint32_t value, int count)
{
    for (int index = 0; index < count; ++index) {
        bytes.push_back(static_cast<char>(value >> (8 * index) & 0xFF));
    }
}

inline std::string pcm16(const std::vector<float> &sound)
{
    std::string bytes;
    for (const float value : sound) {
        append(bytes, static_cast<std::uint32_t>(std::lround(value * 32767)), 2);
    }
    return bytes;
}

// A WAV file around `data`; `tag` 1 is PCM, 3 is float.
inline std::string wav(const std::string &data, int rate_hz, int channels, int bits = 16, int tag = 1)
{
    std::string bytes = "RIFF";
    append(bytes, static_cast<std::uint32_t>(36 + data.size()), 4);
    bytes += "WAVEfmt ";
    append(bytes, 16, 4);
    append(bytes, static_cast<std::uint32_t>(tag), 2);
    append(bytes, static_cast<std::uint32_t>(channels), 2);
    append(bytes, static_cast<std::uint32_t>(rate_hz), 4);
    append(bytes, static_cast<std::uint32_t>(rate_hz * channels * bits / 8), 4);
    append(bytes, static_cast<std::uint32_t>(channels * bits / 8), 2);
    append(bytes, static_cast<std::uint32_t>(bits), 2);
    bytes += "data";
    append(bytes, static_cast<std::uint32_t>(data.size()), 4);
    return bytes + data;
}

struct Heard {
    std::vector<float> sound;  // gaps are zeros
    std::vector<std::string> notices;
    Sample gap_samples = 0;
};

// Reads a source to its end.
inline Heard hearAll(Source &source, std::size_t piece = 1600)
{
    Heard heard;
    std::vector<float> buffer(piece);
    source.start();
    while (true) {
        const ReadResult result = source.read(buffer, std::chrono::milliseconds(200));
        if (!result.notice.empty()) {
            heard.notices.push_back(result.notice);
        }
        heard.sound.insert(heard.sound.end(), buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(result.samples));
        if (result.state == ReadState::Gap) {
            heard.gap_samples += result.gap_samples;
            heard.sound.resize(heard.sound.size() + static_cast<std::size_t>(result.gap_samples));
        }
        if (result.state == ReadState::End) {
            return heard;
        }
    }
}

inline std::filesystem::path sharedData()
{
    return std::filesystem::path(BRAID_SOURCE_DIR) / "../shared/data";
}

}  // namespace braid::audio::testing
