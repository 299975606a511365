// A build without PocketSphinx.
#include "core/base/error.h"
#include "lab/corpus/forced_aligner.h"

namespace braid::corpus {

struct ForcedAligner::Engine {};

ForcedAligner::ForcedAligner(const std::filesystem::path &)
{
    throw Error(ErrorKind::Usage, "this build cannot align words with sound", {}, "Build with libpocketsphinx-dev and pocketsphinx-en-us installed");
}

ForcedAligner::~ForcedAligner() = default;
ForcedAligner::ForcedAligner(ForcedAligner &&) noexcept = default;
ForcedAligner &ForcedAligner::operator=(ForcedAligner &&) noexcept = default;

std::size_t ForcedAligner::guessedWords() const noexcept
{
    return 0;
}

Alignment ForcedAligner::align(std::span<const float>, const std::string &, double)
{
    return {};
}

bool alignerBuiltIn() noexcept
{
    return false;
}

}  // namespace braid::corpus
