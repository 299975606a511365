// Any bytes as a safetensors file: read, or refused with an Error.
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>

#include <unistd.h>

#include "core/base/error.h"
#include "core/weights/safetensors.h"

namespace {

// Keeps the compiler from leaving the reading out.
volatile unsigned last_sum = 0;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    static const std::string path = "/tmp/braid_fuzz_" + std::to_string(::getpid()) + ".safetensors";
    std::ofstream(path, std::ios::binary | std::ios::trunc).write(reinterpret_cast<const char *>(data), static_cast<std::streamsize>(size));
    try {
        const auto file = braid::weights::readSafetensors(path);
        unsigned sum = 0;
        for (const auto &name : file.tensors.names()) {
            for (const auto byte : file.tensors.peek(name)->bytes) {
                sum += std::to_integer<unsigned>(byte);
            }
        }
        last_sum = sum;
    } catch (const braid::Error &) {
    }
    ::unlink(path.c_str());
    return 0;
}
