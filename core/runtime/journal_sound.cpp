#include "core/runtime/journal_sound.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>

#include "core/audio/pcm16.h"
#include "core/audio/wav_header.h"
#include "core/base/file.h"
#include "core/base/file_reasons.h"

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
    , m_fd(::open(m_path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600))
{
    if (m_fd < 0) {
        failWriting(m_path, errno);
    }
    try {
        const auto header = audio::wavHeader(audio::kUnknownWavSize);
        write(header.data(), header.size(), 0);
        m_bytes = static_cast<std::int64_t>(header.size());
    } catch (...) {
        ::close(m_fd);
        throw;
    }
}

JournalSound::~JournalSound()
{
    ::close(m_fd);
}

void JournalSound::write(const char *bytes, std::size_t size, std::int64_t position) const
{
    while (size > 0) {
        const ssize_t written = ::pwrite(m_fd, bytes, size, position);
        if (written < 0 && errno != EINTR) {
            failWriting(m_path, errno);
        }
        const auto count = static_cast<std::size_t>(std::max<ssize_t>(written, 0));
        bytes += count;
        size -= count;
        position += static_cast<std::int64_t>(count);
    }
}

void JournalSound::append(std::span<const float> sound)
{
    m_pcm.resize(sound.size() * 2);
    for (std::size_t i = 0; i < sound.size(); ++i) {
        const auto pcm = static_cast<std::uint16_t>(audio::pcm16Of(sound[i]));
        m_pcm[i * 2] = static_cast<char>(pcm & 0xFF);
        m_pcm[i * 2 + 1] = static_cast<char>(pcm >> 8);
    }
    try {
        write(m_pcm.data(), m_pcm.size(), m_bytes);
    } catch (const Error &) {
        // Best effort: half a piece would only be heard twice.
        static_cast<void>(::ftruncate(m_fd, m_bytes) == 0);
        throw;
    }
    m_bytes += static_cast<std::int64_t>(m_pcm.size());
}

void JournalSound::appendSilence(Sample length_samples)
{
    const std::int64_t end = m_bytes + std::max<Sample>(length_samples, 0) * 2;
    if (::ftruncate(m_fd, end) != 0) {
        failWriting(m_path, errno);
    }
    m_bytes = end;
}

void JournalSound::sync()
{
    if (::fdatasync(m_fd) != 0 && errno != EINVAL) {
        failWriting(m_path, errno);
    }
}

void JournalSound::finish()
{
    const auto header = audio::wavHeader(static_cast<std::uint64_t>(std::max<std::int64_t>(0, m_bytes - static_cast<std::int64_t>(audio::kWavHeaderBytes))));
    write(header.data(), header.size(), 0);
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
