#include "lab/corpus/utterance_sound.h"

#include <algorithm>
#include <array>

#include "core/audio/file_source.h"
#include "core/base/error.h"

namespace braid::corpus {

std::vector<float> readSound(const std::filesystem::path &sound, Sample offset, Sample length, Sample most)
{
    const auto too_long = [&] {
        return Error(ErrorKind::Input, "is longer than " + formatClock(most), sound.string(),
                     "Cut it into utterances (\"offset_s\" and \"length_s\" in the manifest)");
    };
    if (length > most) {
        throw too_long();
    }
    auto source = audio::openFileSource(sound);
    source->start();
    std::vector<float> samples;
    std::array<float, 16384> block;
    Sample at = 0;  // in the file, of what is read next
    while (length == 0 || at < offset + length) {
        const auto read = source->read(block, std::chrono::milliseconds(100));
        if (read.state == audio::ReadState::End) {
            break;
        }
        Sample count = 0;
        if (read.state == audio::ReadState::Sound) {
            count = static_cast<Sample>(read.samples);
        } else if (read.state == audio::ReadState::Gap) {
            count = read.gap_samples;
        }
        const Sample first = std::clamp<Sample>(offset - at, 0, count);
        const Sample last = length == 0 ? count : std::clamp<Sample>(offset + length - at, 0, count);
        if (static_cast<Sample>(samples.size()) + last - first > most) {
            throw too_long();
        }
        if (read.state == audio::ReadState::Sound) {
            samples.insert(samples.end(), block.begin() + first, block.begin() + std::max(first, last));
        } else if (last > first) {
            samples.resize(samples.size() + static_cast<std::size_t>(last - first));
        }
        at += count;
    }
    if (samples.empty()) {
        throw Error(ErrorKind::Input, "has no sound at " + formatClock(offset), sound.string(), "Check \"offset_s\" in the manifest");
    }
    return samples;
}

std::vector<float> readSound(const Utterance &utterance, Sample most)
{
    return readSound(utterance.sound, utterance.offset, utterance.length, most);
}

}  // namespace braid::corpus
