// The header of a WAV file as Braid writes it: 16 kHz, mono, 16 bit PCM. Reading strangers' files: wav_decoder.cpp. Both are our own, because libsndfile
// and libav want to seek to the end to finish a header, and a journal is read while it is still being written. Pure functions. Thread: any.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/base/sample_clock.h"

namespace braid::audio {

inline constexpr std::size_t kWavHeaderBytes = 44;
inline constexpr std::uint32_t kUnknownWavSize = 0xFFFFFFFFu;  // what programs write that do not know the sound's end

// `data_bytes`: of the samples that follow; kUnknownWavSize or more while more may come.
[[nodiscard]] inline std::array<char, kWavHeaderBytes> wavHeader(std::uint64_t data_bytes)
{
    std::array<char, kWavHeaderBytes> header{};
    const auto put = [&header](std::size_t at, std::uint32_t value, int bytes) {
        for (int i = 0; i < bytes; ++i) {
            header[at + static_cast<std::size_t>(i)] = static_cast<char>(value >> (8 * i) & 0xFF);
        }
    };
    const bool is_known = data_bytes < kUnknownWavSize - kWavHeaderBytes;
    std::memcpy(header.data(), "RIFF", 4);
    put(4, is_known ? static_cast<std::uint32_t>(data_bytes + kWavHeaderBytes - 8) : kUnknownWavSize, 4);
    std::memcpy(&header[8], "WAVEfmt ", 8);
    put(16, 16, 4);
    put(20, 1, 2);  // PCM
    put(22, 1, 2);  // mono
    put(24, kSampleRateHz, 4);
    put(28, kSampleRateHz * 2, 4);
    put(32, 2, 2);
    put(34, 16, 2);
    std::memcpy(&header[36], "data", 4);
    put(40, is_known ? static_cast<std::uint32_t>(data_bytes) : kUnknownWavSize, 4);
    return header;
}

}  // namespace braid::audio
