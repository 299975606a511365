#include "core/fetch/digest.h"

#include <fstream>
#include <openssl/evp.h>
#include <vector>

#include "core/base/error.h"

namespace braid::fetch {

struct Digest::Data {
    std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context{EVP_MD_CTX_new(), &EVP_MD_CTX_free};
};

Digest::Digest(DigestKind kind, std::uint64_t bytes)
    : m_data(std::make_unique<Data>())
{
    if (m_data->context == nullptr || EVP_DigestInit_ex(m_data->context.get(), kind == DigestKind::Sha256 ? EVP_sha256() : EVP_sha1(), nullptr) != 1) {
        throw Error(ErrorKind::Internal, "checksums cannot be computed by this machine's OpenSSL");
    }
    if (kind == DigestKind::GitBlob) {
        const std::string head = "blob " + std::to_string(bytes);
        EVP_DigestUpdate(m_data->context.get(), head.c_str(), head.size() + 1);  // with its zero
    }
}

Digest::~Digest() = default;

void Digest::add(std::span<const std::byte> bytes)
{
    EVP_DigestUpdate(m_data->context.get(), bytes.data(), bytes.size());
}

std::string Digest::finish()
{
    unsigned char raw[EVP_MAX_MD_SIZE];
    unsigned int size = 0;
    EVP_DigestFinal_ex(m_data->context.get(), raw, &size);
    std::string text;
    for (unsigned int i = 0; i < size; ++i) {
        text += "0123456789abcdef"[raw[i] >> 4];
        text += "0123456789abcdef"[raw[i] & 15];
    }
    return text;
}

std::string digestOfFile(const std::filesystem::path &path, DigestKind kind, const std::function<void(std::uint64_t)> &read, std::stop_token stop)
{
    std::error_code failure;
    const auto bytes = std::filesystem::file_size(path, failure);
    std::ifstream file(path, std::ios::binary);
    if (failure || !file) {
        throw Error(ErrorKind::Input, "cannot be read", path.string());
    }
    Digest digest(kind, bytes);
    std::vector<char> piece(std::size_t{1} << 20);
    for (std::uint64_t done = 0; file;) {
        if (stop.stop_requested()) {
            throw Error(ErrorKind::Cancelled, "checking was stopped", path.string());
        }
        file.read(piece.data(), static_cast<std::streamsize>(piece.size()));
        const auto count = static_cast<std::size_t>(file.gcount());
        digest.add(std::as_bytes(std::span(piece.data(), count)));
        done += count;
        if (read) {
            read(done);
        }
    }
    if (file.bad()) {
        throw Error(ErrorKind::Input, "cannot be read to its end", path.string());
    }
    return digest.finish();
}

}  // namespace braid::fetch
