#include "core/base/file_lock.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace braid {

FileLock::FileLock(const std::filesystem::path &file, LockedFile what)
    : m_fd(what == LockedFile::MustExist ? ::open(file.c_str(), O_RDONLY | O_CLOEXEC) : ::open(file.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0644))
{
}

FileLock::~FileLock()
{
    if (m_fd >= 0) {
        ::close(m_fd);
    }
}

bool FileLock::take() const
{
    return m_fd >= 0 && ::flock(m_fd, LOCK_EX | LOCK_NB) == 0;
}

bool FileLock::waitFor() const
{
    int answer = -1;
    do {
        answer = m_fd < 0 ? 0 : ::flock(m_fd, LOCK_EX);
    } while (answer != 0 && errno == EINTR);
    return m_fd >= 0 && answer == 0;
}

}  // namespace braid
