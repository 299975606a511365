// Any bytes as model.bin of a CTranslate2 folder: read, or refused with an Error.
#include <cstddef>
#include <cstdint>
#include <fstream>

#include "core/weights/ct2_whisper.h"
#include "tests/fuzz/attempt.h"
#include "tests/fuzz/fuzz_folder.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    std::ofstream(braid::fuzz::folder() / "model.bin", std::ios::binary | std::ios::trunc)
        .write(reinterpret_cast<const char *>(data), static_cast<std::streamsize>(size));
    braid::fuzz::attempt([] {
        auto checkpoint = braid::weights::readCt2Whisper(braid::fuzz::folder());
        for (const auto &name : checkpoint.tensors.names()) {
            (void)checkpoint.tensors.take(name);
        }
    });
    return 0;
}
