// The WAV reader (RIFF/WAVE, "Multimedia Programming Interface and Data Specifications 1.0", and WAVEFORMATEXTENSIBLE).
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "core/audio/pcm16.h"
#include "core/audio/resampler.h"
#include "core/audio/sound_decoder.h"
#include "core/audio/wav_header.h"
#include "core/base/error.h"

namespace braid::audio {
namespace {

enum class WavEncoding { Unsigned8 = 1, Signed16, Signed24, Signed32, Float32, Float64 };

constexpr std::uint16_t kTagPcm = 1;
constexpr std::uint16_t kTagFloat = 3;
constexpr std::uint16_t kTagExtensible = 0xFFFE;
constexpr std::size_t kBlockFrames = 8192;

std::uint32_t littleEndian(const std::byte *at, int count)
{
    std::uint32_t value = 0;
    for (int index = 0; index < count; ++index) {
        value |= std::to_integer<std::uint32_t>(at[index]) << (8 * index);
    }
    return value;
}

float asFloat(const std::byte *at, WavEncoding encoding)
{
    switch (encoding) {
    case WavEncoding::Unsigned8:
        return (static_cast<float>(std::to_integer<int>(at[0])) - 128.0f) / 128.0f;
    case WavEncoding::Signed16:
        return floatOf(static_cast<std::int16_t>(littleEndian(at, 2)));
    case WavEncoding::Signed24:
        return static_cast<float>(static_cast<std::int32_t>(littleEndian(at, 3) << 8)) / 2147483648.0f;
    case WavEncoding::Signed32:
        return static_cast<float>(static_cast<std::int32_t>(littleEndian(at, 4))) / 2147483648.0f;
    case WavEncoding::Float32:
        return std::bit_cast<float>(littleEndian(at, 4));
    case WavEncoding::Float64:
        return static_cast<float>(std::bit_cast<double>(littleEndian(at, 4) | static_cast<std::uint64_t>(littleEndian(at + 4, 4)) << 32));
    }
    return 0;
}

std::size_t bytesOf(WavEncoding encoding)
{
    constexpr std::array<std::size_t, 6> sizes{1, 2, 3, 4, 4, 8};
    return sizes[static_cast<std::size_t>(encoding) - 1];
}

class WavDecoder final : public SoundDecoder {
  public:
    explicit WavDecoder(ByteInput &bytes)
        : m_bytes(bytes)
    {
        std::array<std::byte, 12> head{};
        if (readFully(head) < head.size() || std::memcmp(head.data(), "RIFF", 4) != 0 || std::memcmp(head.data() + 8, "WAVE", 4) != 0) {
            fail("it is not a WAV file", "This build of Braid reads only WAV; convert the file, or build Braid with BRAID_MEDIA");
        }
        readChunks();
    }

    SoundInfo info() const override
    {
        const double seconds = m_data_left >= 0 ? static_cast<double>(m_data_bytes) / static_cast<double>(m_frame_bytes) / m_rate_hz : 0;
        return {"WAV, " + std::to_string(static_cast<int>(m_rate_hz)) + " Hz, " + std::to_string(m_channels) + (m_channels == 1 ? " channel" : " channels"),
                m_rate_hz, m_channels, seconds};
    }

    bool decode(SoundBlock &block) override
    {
        block = {};
        block.rate_hz = m_rate_hz;
        std::size_t wanted = kBlockFrames * m_frame_bytes;
        if (m_data_left >= 0) {
            wanted = static_cast<std::size_t>(std::min<std::int64_t>(static_cast<std::int64_t>(wanted), m_data_left));
        }
        m_buffer.resize(wanted);
        const std::size_t got = readFully(m_buffer);
        const std::size_t sample_bytes = bytesOf(m_encoding);
        const std::size_t values = got / m_frame_bytes * static_cast<std::size_t>(m_channels);
        m_values.resize(values);
        for (std::size_t index = 0; index < values; ++index) {
            m_values[index] = asFloat(m_buffer.data() + index * sample_bytes, m_encoding);
        }
        appendDownmixed(m_values, m_channels, block.mono);
        if (m_data_left >= 0) {
            m_data_left -= static_cast<std::int64_t>(got);
            if (got < wanted) {
                block.notice = "The file is shorter than its header says; it was cut off.";
                m_data_left = 0;
            }
        }
        return values > 0;
    }

  private:
    [[noreturn]] void fail(const std::string &happened, const std::string &remedy = {}) const
    {
        throw Error(ErrorKind::Input, happened, m_bytes.name(), remedy);
    }

    std::size_t readFully(std::span<std::byte> into)
    {
        std::size_t filled = 0;
        while (filled < into.size()) {
            const std::size_t count = m_bytes.read(into.subspan(filled));
            if (count == 0) {
                break;
            }
            filled += count;
        }
        return filled;
    }

    // Up to the first byte of the sound.
    void readChunks()
    {
        bool have_format = false;
        while (true) {
            std::array<std::byte, 8> head{};
            if (readFully(head) < head.size()) {
                fail(have_format ? "the WAV file has no sound in it" : "the WAV file ends in the middle of its header");
            }
            const std::uint32_t size = littleEndian(head.data() + 4, 4);
            if (std::memcmp(head.data(), "data", 4) == 0) {
                if (!have_format) {
                    fail("the WAV file's header is damaged: the sound comes before its description");
                }
                const bool known = size != 0 && size != kUnknownWavSize;
                m_data_left = known ? static_cast<std::int64_t>(size) : -1;
                m_data_bytes = known ? size : 0;
                return;
            }
            if (std::memcmp(head.data(), "fmt ", 4) == 0) {
                readFormat(size);
                have_format = true;
            } else {
                skip(size);
            }
            if (size % 2 == 1) {
                skip(1);
            }
        }
    }

    void readFormat(std::uint32_t size)
    {
        std::array<std::byte, 40> format{};
        if (size < 16) {
            fail("the WAV file's header is damaged");
        }
        const std::size_t take = std::min<std::size_t>(size, format.size());
        if (readFully(std::span(format).first(take)) < take) {
            fail("the WAV file ends in the middle of its header");
        }
        skip(static_cast<std::int64_t>(size) - static_cast<std::int64_t>(take));
        std::uint32_t tag = littleEndian(format.data(), 2);
        if (tag == kTagExtensible && take == format.size()) {
            tag = littleEndian(format.data() + 24, 2);  // the first two bytes of the sub-format name the encoding
        }
        m_channels = static_cast<int>(littleEndian(format.data() + 2, 2));
        m_rate_hz = littleEndian(format.data() + 4, 4);
        const std::uint32_t frame_bytes = littleEndian(format.data() + 12, 2);
        m_encoding = encodingOf(tag, littleEndian(format.data() + 14, 2));
        m_frame_bytes = bytesOf(m_encoding) * static_cast<std::size_t>(m_channels);
        if (m_channels < 1 || m_channels > kMaxChannels || m_rate_hz < kMinRateHz || m_rate_hz > kMaxRateHz || frame_bytes != m_frame_bytes) {
            fail("the WAV file's header makes no sense");
        }
    }

    WavEncoding encodingOf(std::uint32_t tag, std::uint32_t bits) const
    {
        if (tag == kTagPcm && bits >= 8 && bits <= 32 && bits % 8 == 0) {
            return static_cast<WavEncoding>(bits / 8);
        }
        if (tag == kTagFloat && (bits == 32 || bits == 64)) {
            return bits == 32 ? WavEncoding::Float32 : WavEncoding::Float64;
        }
        fail("the WAV file's encoding (number " + std::to_string(tag) + ", " + std::to_string(bits) + " bits) is not one that Braid reads",
             "Save it as 16 bit PCM");
    }

    void skip(std::int64_t count)
    {
        std::array<std::byte, 4096> waste{};
        while (count > 0) {
            const auto piece = static_cast<std::size_t>(std::min<std::int64_t>(count, waste.size()));
            const std::size_t got = readFully(std::span(waste).first(piece));
            if (got < piece) {
                fail("the WAV file ends in the middle of its header");
            }
            count -= static_cast<std::int64_t>(got);
        }
    }

    ByteInput &m_bytes;
    double m_rate_hz = 0;
    int m_channels = 0;
    WavEncoding m_encoding = WavEncoding::Signed16;
    std::size_t m_frame_bytes = 2;
    std::int64_t m_data_bytes = 0;
    std::int64_t m_data_left = -1;  // -1: until the file ends
    std::vector<std::byte> m_buffer;
    std::vector<float> m_values;
};

}  // namespace

std::unique_ptr<SoundDecoder> makeWavDecoder(ByteInput &bytes)
{
    return std::make_unique<WavDecoder>(bytes);
}

#ifndef BRAID_HAS_MEDIA
std::unique_ptr<SoundDecoder> makeSoundDecoder(ByteInput &bytes)
{
    return makeWavDecoder(bytes);
}
#endif

}  // namespace braid::audio
