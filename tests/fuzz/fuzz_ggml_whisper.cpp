// Any bytes as a ggml-*.bin of whisper.cpp: read, or refused with an Error; what is read is made numbers of.
#include <cstddef>
#include <cstdint>
#include <fstream>

#include "core/weights/blocks.h"
#include "core/weights/ggml_whisper.h"
#include "tests/fuzz/attempt.h"
#include "tests/fuzz/fuzz_folder.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const auto path = braid::fuzz::folder() / "ggml-fuzz.bin";
    std::ofstream(path, std::ios::binary | std::ios::trunc).write(reinterpret_cast<const char *>(data), static_cast<std::streamsize>(size));
    braid::fuzz::attempt([&] {
        auto checkpoint = braid::weights::readGgmlWhisper(path, braid::weights::ReadDepth::Everything);
        for (const auto &name : checkpoint.tensors.names()) {
            const auto tensor = checkpoint.tensors.take(name);
            if (braid::weights::isBlocks(tensor.dtype)) {
                std::vector<float> numbers(static_cast<std::size_t>(tensor.elementCount()));
                braid::weights::dequantise(tensor.dtype, tensor.bytes, numbers);
            }
        }
    });
    return 0;
}
