// Any text as config.json of a speech encoder, of either kind; behind a zero byte, as preprocessor_config.json.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/weights/conformer.h"
#include "core/weights/wav2vec2.h"
#include "tests/fuzz/attempt.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    using namespace braid;
    const std::string_view text(reinterpret_cast<const char *>(data), size);
    const std::size_t cut = text.find('\0');
    const std::string_view config = text.substr(0, cut);
    const std::string_view preprocessor = cut == text.npos ? std::string_view() : text.substr(cut + 1);
    fuzz::attempt([&] {
        const weights::Wav2Vec2Config model = weights::parseWav2Vec2Config(config, preprocessor, "fuzz");
        if (model.hopSamples() < 1 || model.fieldSamples() < model.hopSamples() || model.width % model.heads != 0) {
            __builtin_trap();
        }
    });
    fuzz::attempt([&] {
        const weights::ConformerConfig model = weights::parseConformerConfig(config, "fuzz");
        if (model.melFrames() < 1 || model.frontWidth() < 1 || model.width % model.heads != 0) {
            __builtin_trap();
        }
    });
    return 0;
}
