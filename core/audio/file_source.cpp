#include "core/audio/file_source.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <optional>
#include <utility>

#include "core/audio/resampler.h"
#include "core/audio/sound_decoder.h"
#include "core/base/error.h"

namespace braid::audio {
namespace {

class FileSource final : public Source {
  public:
    explicit FileSource(std::unique_ptr<ByteInput> bytes)
        : m_bytes(std::move(bytes))
        , m_decoder(makeSoundDecoder(*m_bytes))
        , m_info(m_decoder->info())
    {
        m_resampler.emplace(m_info.rate_hz);  // says at once where this build cannot convert the rate
    }

    void start() override {}

    ReadResult read(std::span<float> sound, std::chrono::milliseconds) override
    {
        while (!m_stopped) {
            if (m_taken < m_ready.size()) {
                const std::size_t count = std::min(sound.size(), m_ready.size() - m_taken);
                std::copy_n(m_ready.begin() + static_cast<std::ptrdiff_t>(m_taken), count, sound.begin());
                m_taken += count;
                m_delivered = m_delivered || count > 0;
                return {ReadState::Sound, count, 0, std::exchange(m_notice, {})};
            }
            if (m_gap_samples > 0) {
                return {ReadState::Gap, 0, std::exchange(m_gap_samples, 0), std::exchange(m_notice, {})};
            }
            m_ready.clear();
            m_taken = 0;
            if (m_next.has_value()) {
                const SoundBlock block = *std::exchange(m_next, {});
                take(block);
            } else if (m_over || !decodeMore()) {
                break;
            }
        }
        if (!m_stopped && !m_delivered && !m_reported_empty) {
            m_reported_empty = true;
            throw Error(ErrorKind::Input, "there is no sound in it that can be decoded", m_bytes->name());
        }
        return {ReadState::End, 0, 0, std::exchange(m_notice, {})};
    }

    void stop() override
    {
        m_stopped = true;
        m_bytes->cancel();
    }

    SourceDescription description() const override
    {
        const double seconds = m_info.length_seconds;
        return {std::filesystem::path(m_bytes->name()).filename().string(), m_info.format, Pace::Fast, samplesFromSeconds(seconds)};
    }

  private:
    // Appends what comes next to m_ready. False at the end.
    bool decodeMore()
    {
        SoundBlock block;
        if (!m_decoder->decode(block)) {
            addNotice(block.notice);
            m_over = true;
            m_resampler->flush(m_ready);
            return true;
        }
        const auto missing = static_cast<Sample>(std::llround(block.missing_seconds * kSampleRateHz));
        if (missing > 0 || (!block.mono.empty() && block.rate_hz != m_resampler->inputRateHz())) {
            // What is still in the filter belongs before the gap, or to the old rate; the block itself comes after.
            m_resampler->flush(m_ready);
            m_gap_samples = missing;
            m_next = std::move(block);
            return true;
        }
        take(block);
        return true;
    }

    void take(const SoundBlock &block)
    {
        addNotice(block.notice);
        if (!block.mono.empty() && block.rate_hz != m_resampler->inputRateHz()) {
            m_resampler.emplace(block.rate_hz);
        }
        m_resampler->push(block.mono, m_ready);
    }

    void addNotice(const std::string &notice)
    {
        if (!notice.empty()) {
            m_notice += (m_notice.empty() ? "" : " ") + notice;
        }
    }

    std::unique_ptr<ByteInput> m_bytes;
    std::unique_ptr<SoundDecoder> m_decoder;
    SoundInfo m_info;
    std::optional<Resampler> m_resampler;
    std::vector<float> m_ready;  // 16 kHz, from m_taken on not yet given
    std::size_t m_taken = 0;
    Sample m_gap_samples = 0;          // comes after m_ready
    std::optional<SoundBlock> m_next;  // comes after the gap
    std::string m_notice;
    bool m_over = false;
    bool m_delivered = false;
    bool m_reported_empty = false;
    std::atomic<bool> m_stopped{false};
};

}  // namespace

std::unique_ptr<Source> openByteSource(std::unique_ptr<ByteInput> bytes)
{
    return std::make_unique<FileSource>(std::move(bytes));
}

std::unique_ptr<Source> openFileSource(const std::filesystem::path &path)
{
    return openByteSource(openFileBytes(path));
}

}  // namespace braid::audio
