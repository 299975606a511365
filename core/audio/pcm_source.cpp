#include "core/audio/pcm_source.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <poll.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "core/audio/pcm16.h"
#include "core/audio/resampler.h"
#include "core/base/error.h"

namespace braid::audio {
namespace {

constexpr std::size_t kReadBytes = 32 * 1024;
constexpr std::chrono::milliseconds kStopLatency{50};

class PcmSource final : public Source {
  public:
    PcmSource(int descriptor, PcmFormat format, std::string name)
        : m_descriptor(descriptor)
        , m_format(format)
        , m_name(std::move(name))
        , m_resampler(format.rate_hz)
    {
    }

    void start() override {}

    ReadResult read(std::span<float> sound, std::chrono::milliseconds timeout) override
    {
        const auto deadline = std::chrono::steady_clock::now() + timeout;
        while (true) {
            if (m_taken < m_ready.size()) {
                const std::size_t count = std::min(sound.size(), m_ready.size() - m_taken);
                std::copy_n(m_ready.begin() + static_cast<std::ptrdiff_t>(m_taken), count, sound.begin());
                m_taken += count;
                return {ReadState::Sound, count, 0, std::exchange(m_notice, {})};
            }
            m_ready.clear();
            m_taken = 0;
            if (m_over) {
                return {ReadState::End, 0, 0, std::exchange(m_notice, {})};
            }
            if (m_stopped) {
                finish();
            } else if (!waitForInput(deadline)) {
                if (!m_stopped) {
                    return {};
                }
            } else {
                readSome();
            }
        }
    }

    void stop() override { m_stopped = true; }

    SourceDescription description() const override
    {
        return {m_name, std::to_string(m_format.rate_hz) + " Hz, " + std::to_string(m_format.channels) + (m_format.channels == 1 ? " channel" : " channels"),
                Pace::Fast, 0};
    }

  private:
    // False: nothing came until the deadline, or somebody called stop().
    bool waitForInput(std::chrono::steady_clock::time_point deadline) const
    {
        while (!m_stopped) {
            const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
            pollfd waiting{m_descriptor, POLLIN, 0};
            const auto slice = std::clamp(left, std::chrono::milliseconds(0), kStopLatency);
            if (::poll(&waiting, 1, static_cast<int>(slice.count())) > 0) {
                return true;
            }
            if (left <= slice) {
                return false;
            }
        }
        return false;
    }

    void readSome()
    {
        std::array<std::byte, kReadBytes> bytes;
        const ssize_t count = ::read(m_descriptor, bytes.data(), bytes.size());
        if (count < 0 && (errno == EINTR || errno == EAGAIN)) {
            return;
        }
        if (count < 0) {
            throw Error(ErrorKind::Input, std::string("it cannot be read on: ") + std::strerror(errno), m_name);
        }
        if (count == 0) {
            finish();
            return;
        }
        m_bytes.insert(m_bytes.end(), bytes.begin(), bytes.begin() + count);
        if (!m_looked_at_beginning && m_bytes.size() >= 4) {
            m_looked_at_beginning = true;
            if (std::memcmp(m_bytes.data(), "RIFF", 4) == 0) {
                m_notice = "The input looks like a WAV file, but raw samples are expected here; its header is heard as a click.";
            }
        }
        const std::size_t frame_bytes = 2 * static_cast<std::size_t>(m_format.channels);
        const std::size_t frames = m_bytes.size() / frame_bytes;
        m_values.resize(frames * static_cast<std::size_t>(m_format.channels));
        for (std::size_t index = 0; index < m_values.size(); ++index) {
            const auto low = std::to_integer<std::uint16_t>(m_bytes[2 * index]);
            const auto high = std::to_integer<std::uint16_t>(m_bytes[2 * index + 1]);
            m_values[index] = floatOf(static_cast<std::int16_t>(low | high << 8));
        }
        // Half a frame waits for its other half.
        m_bytes.erase(m_bytes.begin(), m_bytes.begin() + static_cast<std::ptrdiff_t>(frames * frame_bytes));
        m_mono.clear();
        appendDownmixed(m_values, m_format.channels, m_mono);
        m_resampler.push(m_mono, m_ready);
    }

    void finish()
    {
        if (!m_bytes.empty() && !m_stopped) {
            m_notice += std::string(m_notice.empty() ? "" : " ") + "The input ended in the middle of a sample.";
        }
        m_resampler.flush(m_ready);
        m_over = true;
    }

    int m_descriptor;
    PcmFormat m_format;
    std::string m_name;
    Resampler m_resampler;
    std::vector<std::byte> m_bytes;  // less than a frame between reads
    std::vector<float> m_values;
    std::vector<float> m_mono;
    std::vector<float> m_ready;  // 16 kHz, from m_taken on not yet given
    std::size_t m_taken = 0;
    std::string m_notice;
    bool m_looked_at_beginning = false;
    bool m_over = false;
    std::atomic<bool> m_stopped{false};
};

}  // namespace

std::unique_ptr<Source> openPcmSource(int descriptor, PcmFormat format, std::string name)
{
    if (format.channels < 1 || format.channels > kMaxChannels || format.rate_hz < kMinRateHz || format.rate_hz > kMaxRateHz) {
        throw Error(ErrorKind::Usage,
                    "raw sound of " + std::to_string(format.rate_hz) + " Hz and " + std::to_string(format.channels) + " channels makes no sense", name,
                    "Give a rate of 1000 to 1000000 Hz and 1 to 256 channels");
    }
    if (::isatty(descriptor) == 1) {
        throw Error(ErrorKind::Input, "this is a terminal, which has no sound", name, "Pipe raw 16 bit PCM into it");
    }
    return std::make_unique<PcmSource>(descriptor, format, std::move(name));
}

}  // namespace braid::audio
