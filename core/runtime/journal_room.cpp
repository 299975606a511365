#include "core/runtime/journal_room.h"

#include <fcntl.h>
#include <limits>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace braid::runtime {

namespace fs = std::filesystem;

std::uintmax_t freeBytesUnder(const fs::path &folder)
{
    std::error_code problem;
    const auto space = fs::space(folder, problem);
    return problem ? std::numeric_limits<std::uintmax_t>::max() : space.available;
}

void reserveRoom(const fs::path &file, std::int64_t used) noexcept
{
    const int fd = ::open(file.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd >= 0) {
        static_cast<void>(::fallocate(fd, FALLOC_FL_KEEP_SIZE, used, kReservedBytes) == 0);
        ::close(fd);
    }
}

void releaseRoom(const fs::path &file) noexcept
{
    const int fd = ::open(file.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd >= 0) {
        struct stat status {};
        static_cast<void>(::fstat(fd, &status) == 0 && ::ftruncate(fd, status.st_size) == 0);
        ::close(fd);
    }
}

}  // namespace braid::runtime
