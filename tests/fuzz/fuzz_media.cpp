// Sound files from strangers: whatever the bytes, the file source gives sound or one plain error, in bounded time and memory.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/audio/file_source.h"
#include "core/audio/sound_decoder.h"
#include "core/base/error.h"

using namespace braid;
using namespace braid::audio;

namespace {

// A few bytes may truthfully stand for hours of silence (FLAC, WavPack); a tool that reads them all is slow, not wrong.
constexpr Sample kEnough = samplesFromSeconds(120);

std::unique_ptr<ByteInput> bytesOf(const std::uint8_t *data, std::size_t size)
{
    const auto *begin = reinterpret_cast<const std::byte *>(data);
    return memoryBytes({begin, begin + size}, "fuzzed");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    if (size > (1u << 18)) {
        return 0;
    }
    try {
        const auto source = openByteSource(bytesOf(data, size));
        std::vector<float> buffer(4096);
        Sample heard = 0;
        source->start();
        while (heard < kEnough) {
            const ReadResult result = source->read(buffer, std::chrono::milliseconds(0));
            if (result.samples > buffer.size() || result.gap_samples < 0) {
                __builtin_trap();
            }
            if (result.state == ReadState::End) {
                break;
            }
            heard += static_cast<Sample>(result.samples) + result.gap_samples;
        }
    } catch (const Error &) {
    }
    try {
        const auto bytes = bytesOf(data, size);
        const auto decoder = makeWavDecoder(*bytes);
        SoundBlock block;
        while (decoder->decode(block)) {
        }
    } catch (const Error &) {
    }
    return 0;
}
