// Any bytes as a file of torch.save. The first byte chooses: a whole zip, or only the pickle (most of the logic, without the container's
// checksums in the way).
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "core/base/error.h"
#include "core/weights/torch_archive.h"
#include "core/weights/torch_whisper.h"

namespace {

using namespace braid::weights;

// Keeps the compiler from leaving the reading out.
volatile unsigned last_sum = 0;

void useEverything(const PickleValue &value)
{
    (void)value.integer();
    (void)value.text();
    (void)value.globalName();
    (void)value.elements();
    (void)value.arguments();
    (void)value.entries();
    (void)value.attributes();
    (void)TorchArchive::isTensor(value);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    if (size == 0) {
        return 0;
    }
    // A copy of exactly this size: reading past its end is found.
    const auto kept = std::make_shared<const std::string>(reinterpret_cast<const char *>(data) + 1, size - 1);
    const auto bytes = std::as_bytes(std::span(*kept));
    try {
        if (data[0] == 'p') {
            const PickleDocument document(bytes, kept, "fuzz");
            useEverything(document.root());
            for (const auto &[key, value] : document.root().entries()) {
                useEverything(value);
            }
            return 0;
        }
        TorchArchive archive(bytes, kept, "fuzz");
        if (data[0] == 'w') {
            (void)readTorchWhisper(archive, ReadDepth::Everything);
            return 0;
        }
        for (const auto &[key, value] : archive.root().entries()) {
            useEverything(value);
            if (TorchArchive::isTensor(value)) {
                const auto tensor = archive.tensor(value, std::string(key));
                unsigned sum = 0;
                for (const auto byte : tensor.bytes) {
                    sum += std::to_integer<unsigned>(byte);
                }
                last_sum = sum;
            }
        }
    } catch (const braid::Error &) {
    }
    return 0;
}
