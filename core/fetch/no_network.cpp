// A build without network (BRAID_NETWORK=OFF): the catalogue can be read and what is on the disk found; nothing can be fetched.
#include "core/base/error.h"
#include "core/fetch/digest.h"
#include "core/fetch/transfer.h"

namespace braid::fetch {
namespace {

[[noreturn]] void refuse()
{
    throw Error(ErrorKind::Usage, "this build of Braid fetches nothing: it was made without network", {}, "Build with BRAID_NETWORK=ON");
}

}  // namespace

struct Digest::Data {};

Digest::Digest(DigestKind, std::uint64_t)
{
    refuse();
}

Digest::~Digest() = default;

void Digest::add(std::span<const std::byte>) {}

std::string Digest::finish()
{
    refuse();
}

std::string digestOfFile(const std::filesystem::path &, DigestKind, const std::function<void(std::uint64_t)> &, std::stop_token)
{
    refuse();
}

TransferEnd transfer(const TransferRequest &, const TransferHandlers &, std::stop_token)
{
    refuse();
}

bool networkIsBuiltIn() noexcept
{
    return false;
}

}  // namespace braid::fetch
