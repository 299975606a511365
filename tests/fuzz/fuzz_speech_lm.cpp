// Any text as config.json of a language model that listens.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/base/error.h"
#include "core/weights/speech_lm.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    using namespace braid::weights;
    try {
        const SpeechLmConfig config = parseSpeechLmConfig(std::string_view(reinterpret_cast<const char *>(data), size), "fuzz");
        if (config.encoder.n_audio_layer < 64 && config.language_model.layers < 64) {
            (void)expectedSpeechLmTensors(config);
        }
    } catch (const braid::Error &) {
    }
    return 0;
}
