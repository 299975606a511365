#include "core/runtime/journal_sound.h"

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
#include "core/audio/wav_header.h"
#include "core/base/error.h"

namespace braid::runtime {
namespace {

namespace fs = std::filesystem;

Sample samplesIn(std::uintmax_t file_bytes)
{
    return file_bytes < audio::kWavHeaderBytes ? 0 : static_cast<Sample>((file_bytes - audio::kWavHeaderBytes) / 2);
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
    const auto header = audio::wavHeader(audio::kUnknownWavSize);
    m_file.append(std::string_view(header.data(), header.size()));
}

void JournalSound::append(std::span<const float> sound)
{
    m_pcm.resize(sound.size() * 2);
    for (std::size_t i = 0; i < sound.size(); ++i) {
        const auto pcm = static_cast<std::uint16_t>(audio::pcm16Of(sound[i]));
        m_pcm[i * 2] = static_cast<char>(pcm & 0xFF);
        m_pcm[i * 2 + 1] = static_cast<char>(pcm >> 8);
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
    const auto header =
        audio::wavHeader(static_cast<std::uint64_t>(std::max<std::int64_t>(0, m_file.size() - static_cast<std::int64_t>(audio::kWavHeaderBytes))));
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
    const auto *data = reinterpret_cast<const unsigned char *>(bytes.data()) + audio::kWavHeaderBytes + static_cast<std::size_t>(first) * 2;
    for (std::size_t i = 0; i < sound.size(); ++i) {
        sound[i] = audio::floatOf(static_cast<std::int16_t>(data[2 * i] | data[2 * i + 1] << 8));
    }
    return sound;
}

}  // namespace braid::runtime
