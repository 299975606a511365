// Why a file cannot be read or written, in words people know; shared by what reads and writes files. Thread: any.
#pragma once

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>

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

}  // namespace braid
