// Binary files of strangers, read from front to back: nothing is ever read past the end. Little-endian. Internal to core/weights. Thread: any.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace braid::weights {

static_assert(std::endian::native == std::endian::little, "numbers of files are taken as they lie");

// Throws Error(Model), with what to do about a file that is not what it should be.
[[noreturn]] void refuseDamaged(const std::string &happened, const std::string &where);

class ByteReader {
  public:
    ByteReader(std::span<const std::byte> bytes, std::string where)
        : m_bytes(bytes)
        , m_where(std::move(where))
    {
    }

    template <typename Number>
    [[nodiscard]] Number number(const char *what)
    {
        Number value{};
        std::memcpy(&value, take(sizeof value, what).data(), sizeof value);
        return value;
    }
    // Throws Error(Model): "the file ends in the middle of WHAT".
    [[nodiscard]] std::span<const std::byte> take(std::uint64_t count, const char *what);
    [[nodiscard]] std::string_view text(std::uint64_t length, const char *what)
    {
        const auto part = take(length, what);
        return {reinterpret_cast<const char *>(part.data()), part.size()};
    }
    [[nodiscard]] std::uint64_t left() const noexcept { return m_bytes.size() - m_at; }
    [[nodiscard]] std::uint64_t position() const noexcept { return m_at; }
    [[nodiscard]] const std::string &where() const noexcept { return m_where; }
    [[noreturn]] void refuse(const std::string &happened) const { refuseDamaged(happened, m_where); }

  private:
    std::span<const std::byte> m_bytes;
    std::string m_where;
    std::size_t m_at = 0;
};

}  // namespace braid::weights
