#include "core/engine/journal_sound.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <string_view>
#include <system_error>
#include <unistd.h>

#include "core/audio/pcm16.h"
#include "core/base/error.h"

namespace braid::engine {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kHeaderBytes = 44;
constexpr std::uint32_t kUnknownSize = 0xFFFFFFFFu;

void putLittleEndian(char *out, std::uint32_t value, int bytes)
{
    for (int i = 0; i < bytes; ++i) {
        out[i] = static_cast<char>(value >> (8 * i) & 0xFF);
    }
}

// A RIFF header for 16 kHz mono 16 bit; `data_bytes` kUnknownSize while the sound is being written.
std::array<char, kHeaderBytes> wavHeader(std::uint64_t data_bytes)
{
    std::array<char, kHeaderBytes> header{};
    const bool known = data_bytes < kUnknownSize - kHeaderBytes;
    std::memcpy(header.data(), "RIFF", 4);
    putLittleEndian(&header[4], known ? static_cast<std::uint32_t>(data_bytes + kHeaderBytes - 8) : kUnknownSize, 4);
    std::memcpy(&header[8], "WAVEfmt ", 8);
    putLittleEndian(&header[16], 16, 4);
    putLittleEndian(&header[20], 1, 2);  // PCM
    putLittleEndian(&header[22], 1, 2);  // mono
    putLittleEndian(&header[24], kSampleRateHz, 4);
    putLittleEndian(&header[28], kSampleRateHz * 2, 4);
    putLittleEndian(&header[32], 2, 2);
    putLittleEndian(&header[34], 16, 2);
    std::memcpy(&header[36], "data", 4);
    putLittleEndian(&header[40], known ? static_cast<std::uint32_t>(data_bytes) : kUnknownSize, 4);
    return header;
}

Sample samplesIn(std::uintmax_t file_bytes)
{
    return file_bytes < kHeaderBytes ? 0 : static_cast<Sample>((file_bytes - kHeaderBytes) / 2);
}

}  // namespace

fs::path journalSoundFile(const fs::path &folder)
{
    return folder / "sound.wav";
}

JournalSound::JournalSound(const fs::path &folder)
    : m_path(journalSoundFile(folder))
    , m_file(m_path)
{
    const auto header = wavHeader(kUnknownSize);
    m_file.append(std::string_view(header.data(), header.size()));
}

void JournalSound::append(std::span<const float> sound)
{
    m_pcm.resize(sound.size() * 2);
    for (std::size_t i = 0; i < sound.size(); ++i) {
        putLittleEndian(&m_pcm[i * 2], static_cast<std::uint16_t>(audio::pcm16Of(sound[i])), 2);
    }
    m_file.append(m_pcm);
}

void JournalSound::appendSilence(Sample length_samples)
{
    static constexpr std::array<float, 4096> zeros{};
    for (Sample left = length_samples; left > 0;) {
        const auto count = std::min<Sample>(left, zeros.size());
        append(std::span(zeros).first(static_cast<std::size_t>(count)));
        left -= count;
    }
}

void JournalSound::finish()
{
    const auto header = wavHeader(static_cast<std::uint64_t>(std::max<std::int64_t>(0, m_file.size() - static_cast<std::int64_t>(kHeaderBytes))));
    const int fd = ::open(m_path.c_str(), O_WRONLY | O_CLOEXEC);
    const bool written = fd >= 0 && ::pwrite(fd, header.data(), header.size(), 0) == static_cast<ssize_t>(header.size());
    const int problem = errno;
    if (fd >= 0) {
        ::close(fd);
    }
    if (!written) {
        throw Error(ErrorKind::Storage, std::string("the header cannot be written: ") + std::strerror(problem), m_path.string());
    }
    sync();
}

Sample journalSoundLength(const fs::path &folder)
{
    std::error_code problem;
    const auto bytes = fs::file_size(journalSoundFile(folder), problem);
    return problem ? 0 : samplesIn(bytes);
}

std::vector<float> readJournalSound(const fs::path &folder, Sample start, Sample length)
{
    const MappedFile file(journalSoundFile(folder));
    const auto bytes = file.bytes();
    const Sample total = samplesIn(bytes.size());
    const Sample first = std::clamp<Sample>(start, 0, total);
    const Sample count = std::clamp<Sample>(length, 0, total - first);
    if (count == 0) {
        return {};
    }
    std::vector<float> sound(static_cast<std::size_t>(count));
    const auto *data = reinterpret_cast<const unsigned char *>(bytes.data()) + kHeaderBytes + static_cast<std::size_t>(first) * 2;
    for (std::size_t i = 0; i < sound.size(); ++i) {
        sound[i] = audio::floatOf(static_cast<std::int16_t>(data[2 * i] | data[2 * i + 1] << 8));
    }
    return sound;
}

}  // namespace braid::engine
