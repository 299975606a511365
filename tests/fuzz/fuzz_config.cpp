// Any text as config.json; behind a zero byte, as generation_config.json.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/base/error.h"
#include "core/weights/huggingface_whisper.h"
#include "core/weights/whisper_names.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const std::string_view all(reinterpret_cast<const char *>(data), size);
    const auto cut = all.find('\0');
    braid::weights::WhisperCheckpoint checkpoint("fuzz");
    try {
        braid::weights::applyHuggingFaceConfig(all.substr(0, cut), cut == all.npos ? std::string_view() : all.substr(cut + 1), "fuzz", checkpoint);
        (void)braid::weights::expectedWhisperTensors(checkpoint.dims);
    } catch (const braid::Error &) {
    }
    return 0;
}
