#include "core/captions/sound_store.h"

#include <algorithm>

namespace braid::captions {

SoundStore::SoundStore(Sample capacity_samples)
    : m_capacity_blocks(static_cast<std::size_t>(std::max<Sample>(2, (capacity_samples + kSampleRateHz - 1) / kSampleRateHz)))
{
}

void SoundStore::append(std::span<const float> sound)
{
    while (!sound.empty()) {
        const std::lock_guard lock(m_mutex);
        const auto room = static_cast<std::size_t>(kSampleRateHz - m_end % kSampleRateHz);
        const auto count = std::min(room, sound.size());
        appendPiece(sound.data(), count);
        sound = sound.subspan(count);
    }
}

void SoundStore::appendSilence(Sample length_samples)
{
    // A device that was away for hours must not cost hours of zeros: only what the store can hold is written.
    const Sample capacity = static_cast<Sample>(m_capacity_blocks) * kSampleRateHz;
    if (length_samples > 2 * capacity) {
        const std::lock_guard lock(m_mutex);
        const Sample jump = (length_samples - capacity) / kSampleRateHz * kSampleRateHz;
        m_blocks.clear();
        m_end += jump;
        m_first_sample = m_end - m_end % kSampleRateHz;
        length_samples -= jump;
        if (m_end != m_first_sample) {
            m_blocks.push_back(std::make_unique<Block>(Block{}));
        }
    }
    while (length_samples > 0) {
        const std::lock_guard lock(m_mutex);
        const auto count = std::min<Sample>(length_samples, kSampleRateHz - m_end % kSampleRateHz);
        appendPiece(nullptr, static_cast<std::size_t>(count));
        length_samples -= count;
    }
}

void SoundStore::appendPiece(const float *sound, std::size_t count)
{
    const auto offset = static_cast<std::size_t>(m_end % kSampleRateHz);
    if (offset == 0) {
        std::unique_ptr<Block> block;
        if (m_blocks.size() >= m_capacity_blocks) {
            block = std::move(m_blocks.front());
            m_blocks.pop_front();
            m_first_sample += kSampleRateHz;
        } else {
            block = std::make_unique<Block>();
        }
        m_blocks.push_back(std::move(block));
    }
    float *out = m_blocks.back()->data() + offset;
    if (sound != nullptr) {
        std::copy_n(sound, count, out);
    } else {
        std::fill_n(out, count, 0.0f);
    }
    m_end += static_cast<Sample>(count);
}

Sample SoundStore::earliest() const
{
    const std::lock_guard lock(m_mutex);
    return m_first_sample;
}

Sample SoundStore::end() const
{
    const std::lock_guard lock(m_mutex);
    return m_end;
}

std::size_t SoundStore::read(Sample start, std::span<float> out) const
{
    std::size_t done = 0;
    while (done < out.size()) {
        const std::lock_guard lock(m_mutex);
        const Sample at = start + static_cast<Sample>(done);
        if (at < m_first_sample || at >= m_end) {
            break;
        }
        const auto &block = *m_blocks[static_cast<std::size_t>((at - m_first_sample) / kSampleRateHz)];
        const auto offset = static_cast<std::size_t>(at % kSampleRateHz);
        const auto count = std::min({out.size() - done, block.size() - offset, static_cast<std::size_t>(m_end - at)});
        std::copy_n(block.data() + offset, count, out.data() + done);
        done += count;
    }
    return done;
}

}  // namespace braid::captions
