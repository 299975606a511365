#include "core/base/file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "core/base/error.h"
#include "core/base/file_reasons.h"
#include "core/base/replaced_file.h"

namespace braid {
namespace {

[[noreturn]] void failReading(const std::filesystem::path &path, int error_number)
{
    throw Error(ErrorKind::Input, "cannot be read: " + fileReason(error_number), path.string());
}

// Closes on every way out of a function.
struct Descriptor {
    int fd;
    ~Descriptor()
    {
        if (fd >= 0) {
            ::close(fd);
        }
    }
    int release() { return std::exchange(fd, -1); }
};

// A pipe into which nobody has written or will, as far as can be told: reading it gives an end at once.
bool isPipeWithoutWriter(int fd)
{
    struct stat status {};
    pollfd pipe{fd, POLLIN, 0};
    return ::fstat(fd, &status) == 0 && S_ISFIFO(status.st_mode) && ::poll(&pipe, 1, 0) == 0;
}

}  // namespace

MappedFile::MappedFile(const std::filesystem::path &path)
    : m_path(path)
{
    const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};  // a pipe is refused below, not waited for
    struct stat status {};
    if (file.fd < 0 || ::fstat(file.fd, &status) != 0) {
        failReading(path, errno);
    }
    if (!S_ISREG(status.st_mode)) {
        if (S_ISDIR(status.st_mode)) {
            failReading(path, EISDIR);
        }
        throw Error(ErrorKind::Input, "cannot be read: this is a pipe or a device, and only a file will do", path.string(), "Write it into a file first");
    }
    m_size = static_cast<std::size_t>(status.st_size);
    if (m_size == 0) {
        return;
    }
    void *mapped = ::mmap(nullptr, m_size, PROT_READ, MAP_PRIVATE, file.fd, 0);
    if (mapped == MAP_FAILED) {
        failReading(path, errno);
    }
    m_data = static_cast<const std::byte *>(mapped);
}

MappedFile::~MappedFile()
{
    if (m_data != nullptr) {
        ::munmap(const_cast<std::byte *>(m_data), m_size);
    }
}

MappedFile::MappedFile(MappedFile &&other) noexcept
    : m_path(std::move(other.m_path))
    , m_data(std::exchange(other.m_data, nullptr))
    , m_size(std::exchange(other.m_size, 0))
{
}

MappedFile &MappedFile::operator=(MappedFile &&other) noexcept
{
    std::swap(m_path, other.m_path);
    std::swap(m_data, other.m_data);
    std::swap(m_size, other.m_size);
    return *this;
}

std::string readTextFile(const std::filesystem::path &path, std::size_t max_bytes)
{
    const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
    if (file.fd < 0) {
        failReading(path, errno);
    }
    std::string text;
    char buffer[65536];
    for (;;) {
        const auto got = ::read(file.fd, buffer, sizeof buffer);
        if (got < 0 && (errno == EINTR || errno == EAGAIN)) {
            pollfd waiting{file.fd, POLLIN, 0};
            ::poll(&waiting, 1, -1);
            continue;
        }
        if (got == 0 && text.empty() && isPipeWithoutWriter(file.fd)) {
            throw Error(ErrorKind::Input, "nobody writes into this pipe", path.string(), "Start its writer first");
        }
        if (got < 0) {
            failReading(path, errno);
        }
        if (got == 0) {
            return text;
        }
        text.append(buffer, static_cast<std::size_t>(got));
        if (text.size() > max_bytes) {
            throw Error(ErrorKind::Input, "is larger than the " + std::to_string(max_bytes >> 20) + " MiB this kind of file may have", path.string());
        }
    }
}

std::string firstBytes(const std::filesystem::path &path, std::size_t most) noexcept
{
    try {
        const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
        struct stat status {};
        if (file.fd < 0 || ::fstat(file.fd, &status) != 0 || !S_ISREG(status.st_mode)) {
            return {};
        }
        std::string head(most, '\0');
        std::size_t size = 0;
        for (ssize_t got = 1; got > 0 && size < most; size += static_cast<std::size_t>(std::max<ssize_t>(got, 0))) {
            got = ::read(file.fd, head.data() + size, most - size);
        }
        head.resize(size);
        return head;
    } catch (const std::exception &) {
        return {};
    }
}

void writeFileAtomically(const std::filesystem::path &path, std::string_view content)
{
    ReplacedFile file(path);
    file.write(content);
    file.finish(Durability::OnDisk);
}

AppendFile::AppendFile(const std::filesystem::path &path, std::int64_t keep_bytes)
    : m_path(path)
{
    Descriptor file{::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644)};
    if (file.fd < 0) {
        failWriting(path, errno);
    }
    if (keep_bytes >= 0 && ::ftruncate(file.fd, keep_bytes) != 0) {
        failWriting(path, errno);
    }
    m_size = ::lseek(file.fd, 0, SEEK_END);
    m_fd = file.release();
}

AppendFile::~AppendFile()
{
    if (m_fd >= 0) {
        ::close(m_fd);
    }
}

AppendFile::AppendFile(AppendFile &&other) noexcept
    : m_path(std::move(other.m_path))
    , m_fd(std::exchange(other.m_fd, -1))
    , m_size(std::exchange(other.m_size, 0))
{
}

AppendFile &AppendFile::operator=(AppendFile &&other) noexcept
{
    std::swap(m_path, other.m_path);
    std::swap(m_fd, other.m_fd);
    std::swap(m_size, other.m_size);
    return *this;
}

void AppendFile::append(std::span<const std::byte> bytes)
{
    append(std::string_view(reinterpret_cast<const char *>(bytes.data()), bytes.size()));
}

void AppendFile::append(std::string_view text)
{
    if (const int problem = writeAll(m_fd, text); problem != 0) {
        // Best effort: if even the cut fails, recovery still finds the torn record by its missing end.
        if (::ftruncate(m_fd, m_size) == 0) {
            ::lseek(m_fd, m_size, SEEK_SET);
        }
        failWriting(m_path, problem);
    }
    m_size += static_cast<std::int64_t>(text.size());
}

void AppendFile::sync()
{
    if (::fdatasync(m_fd) != 0 && errno != EINVAL) {
        failWriting(m_path, errno);
    }
}

}  // namespace braid
