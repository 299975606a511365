// Room on the disk for a journal's words, which come before its sound: hours of words take less than a minute of sound, and are worth more.
// Thread: any.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>

namespace braid::runtime {

// How many bytes the disk under a folder still has for us.
using FreeBytes = std::function<std::uintmax_t(const std::filesystem::path &folder)>;
// What the system says; a great deal where it says nothing.
[[nodiscard]] std::uintmax_t freeBytesUnder(const std::filesystem::path &folder);

// Below this, no sound is written: room for a long day's words.
inline constexpr std::uintmax_t kRoomForWords = 32u << 20;
// Kept for the words alone, whatever else fills the disk.
inline constexpr std::int64_t kReservedBytes = 1 << 20;

// Has the file system set aside kReservedBytes behind the first `used` bytes of `file`. Does nothing where it cannot.
void reserveRoom(const std::filesystem::path &file, std::int64_t used) noexcept;
// Gives back what lies behind the end of `file`.
void releaseRoom(const std::filesystem::path &file) noexcept;

}  // namespace braid::runtime
