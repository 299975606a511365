// What all that reads and writes files shares: why one cannot be read or written, in words people know, and writing to the last byte. Thread: any.
#pragma once

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <unistd.h>

#include "core/base/error.h"

namespace braid {

// `error_number`: as errno has it.
[[nodiscard]] inline std::string fileReason(int error_number)
{
    switch (error_number) {
    case ENOENT:
        return "there is no such file";
    case EACCES:
    case EPERM:
        return "no permission";
    case EISDIR:
        return "this is a folder, not a file";
    case ENOSPC:
    case EDQUOT:
        return "the disk is full";
    case EROFS:
        return "the disk is read-only";
    default:
        return std::strerror(error_number);
    }
}

[[noreturn]] inline void failWriting(const std::filesystem::path &path, int error_number)
{
    throw Error(ErrorKind::Storage, "cannot be written: " + fileReason(error_number), path.string(), "Free some space or choose another folder.");
}

// Returns 0, or the error number of the write that failed.
[[nodiscard]] inline int writeAll(int fd, std::string_view bytes)
{
    while (!bytes.empty()) {
        const auto written = ::write(fd, bytes.data(), bytes.size());
        if (written < 0 && errno != EINTR) {
            return errno;
        }
        bytes.remove_prefix(written < 0 ? 0 : static_cast<std::size_t>(written));
    }
    return 0;
}

}  // namespace braid
