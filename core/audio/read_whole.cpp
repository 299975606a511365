#include "core/audio/read_whole.h"

#include <algorithm>
#include <chrono>

#include "core/audio/source.h"
#include "core/audio/source_spec.h"
#include "core/base/error.h"
#include "core/base/sample_clock.h"

namespace braid::audio {

std::vector<float> readWhole(const std::filesystem::path &file)
{
    SourceSpec spec;
    spec.kind = SourceKind::File;
    spec.path = file;
    const auto source = openSource(spec);
    source->start();
    std::vector<float> sound;
    std::vector<float> piece(static_cast<std::size_t>(samplesFromSeconds(1)));
    for (;;) {
        if (static_cast<Sample>(sound.size()) > kLongestWhole) {
            throw Error(ErrorKind::Input, "is longer than the " + formatClock(kLongestWhole) + " that can be taken at once", file.string(),
                        "Cut it into parts");
        }
        const ReadResult result = source->read(piece, std::chrono::milliseconds(1000));
        switch (result.state) {
        case ReadState::Sound:
            sound.insert(sound.end(), piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(result.samples));
            break;
        case ReadState::Gap:
            sound.resize(sound.size() + static_cast<std::size_t>(std::max<Sample>(0, result.gap_samples)), 0.0f);
            break;
        case ReadState::End:
            return sound;
        default:
            break;
        }
    }
}

}  // namespace braid::audio
