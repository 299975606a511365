// One request for one file, over https (http to this machine itself alone), with libcurl. TLS is always verified; redirects are followed by hand, at most
// kMostRedirects, each to an allowed address; a token goes to its own host and to no other. Proxies are those of the environment.
//
// Thread: any; it blocks until the transfer ends. Errors: what is thrown ends the fetch, a TransferEnd that may be retried is no error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <string>

namespace braid::fetch {

inline constexpr int kMostRedirects = 8;

struct TransferRequest {
    std::string address;
    std::uint64_t begin_at = 0;  // bytes that are here already
    std::string token;           // sent to `token_host` alone; empty: none
    std::string token_host;      // Address::host
};

// Called on the thread that transfers; what they throw ends the transfer and comes out of it.
struct TransferHandlers {
    // Before the first byte, once an answer. `begin_at`: 0 where the server sends everything though a part was asked for. `total`: of the whole file; 0: not
    // said.
    std::function<void(std::uint64_t begin_at, std::uint64_t total)> begin;
    std::function<void(std::span<const std::byte>)> bytes;
};

struct TransferEnd {
    long status = 0;      // of HTTP; 0 where no answer came
    std::string trouble;  // a clause, where the connection failed or broke off
    [[nodiscard]] bool isWhole() const noexcept { return trouble.empty() && (status == 200 || status == 206); }
    // Broken off, or the server says that it is busy or out of order.
    [[nodiscard]] bool mayBeRetried() const noexcept
    {
        return !trouble.empty() || status == 408 || status == 425 || status == 429 || (status >= 500 && status < 600);
    }
};

// Throws Error(Input) for an address that may not be asked, too many redirects, a certificate that does not hold, a web page in place of a file;
// Error(Cancelled) on `stop`; Error(Usage) in a build without network.
TransferEnd transfer(const TransferRequest &request, const TransferHandlers &handlers, std::stop_token stop);

// Whether this build can ask the network at all.
[[nodiscard]] bool networkIsBuiltIn() noexcept;

}  // namespace braid::fetch
