#include "core/base/replaced_file.h"

#include <charconv>
#include <cstdio>
#include <fcntl.h>
#include <optional>
#include <random>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "core/base/file_reasons.h"

namespace braid {
namespace {

namespace fs = std::filesystem;

constexpr int kMostLinks = 40;  // as many as the system follows
constexpr int kMostNames = 100;
constexpr mode_t kNewFile = 0644;  // less what the umask takes away

// The number in /dev/fd/N and /proc/self/fd/N: opened by its path, a file behind it would be written from its beginning.
std::optional<int> ownDescriptor(const fs::path &path)
{
    const fs::path parent = path.parent_path();
    if (parent != "/dev/fd" && parent != "/proc/self/fd") {
        return {};
    }
    const std::string name = path.filename().string();
    int number = -1;
    const auto [end, problem] = std::from_chars(name.data(), name.data() + name.size(), number);
    return problem == std::errc() && end == name.data() + name.size() ? std::optional(number) : std::nullopt;
}

std::string unguessableName()
{
    std::random_device chance;
    char name[40];
    std::snprintf(name, sizeof name, ".braid-%08x%08x.part", chance(), chance());
    return name;
}

}  // namespace

ReplacedFile::ReplacedFile(fs::path path)
    : m_path(std::move(path))
    , m_place(m_path)
{
    struct stat status {};
    for (int links = 0;; ++links) {
        if (const auto descriptor = ownDescriptor(m_place)) {
            m_fd = ::fcntl(*descriptor, F_DUPFD_CLOEXEC, 0);
            if (m_fd < 0) {
                fail(errno);
            }
            return;
        }
        const bool is_there = ::lstat(m_place.c_str(), &status) == 0;
        if (!is_there && errno != ENOENT) {
            fail(errno);
        }
        if (!is_there || S_ISREG(status.st_mode)) {
            openTemporary();
            if (is_there && ::fchmod(m_fd, status.st_mode & 07777) != 0) {
                fail(errno);
            }
            return;
        }
        if (!S_ISLNK(status.st_mode)) {
            break;
        }
        std::error_code problem;
        const fs::path target = fs::read_symlink(m_place, problem);
        if (problem || links == kMostLinks) {
            fail(problem ? problem.value() : ELOOP);
        }
        m_place = m_place.parent_path() / target;  // an absolute target stands for itself
    }
    if (S_ISDIR(status.st_mode)) {
        fail(EISDIR);
    }
    openStraight();
}

void ReplacedFile::openStraight()
{
    // Without O_NONBLOCK, opening a pipe would wait for a reader, and nothing could end that.
    m_fd = ::open(m_place.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (m_fd < 0 && errno == ENXIO) {
        throw Error(ErrorKind::Storage, "nobody reads from this pipe", m_path.string(), "Start its reader first");
    }
    if (m_fd < 0 || ::fcntl(m_fd, F_SETFL, ::fcntl(m_fd, F_GETFL) & ~O_NONBLOCK) != 0) {
        fail(errno);
    }
}

void ReplacedFile::openTemporary()
{
    for (int attempt = 0; attempt < kMostNames; ++attempt) {
        m_temporary = m_place.parent_path() / unguessableName();
        m_fd = ::open(m_temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, kNewFile);
        if (m_fd >= 0) {
            return;
        }
        if (errno != EEXIST) {
            break;
        }
    }
    const int problem = errno;
    m_temporary.clear();
    fail(problem);
}

ReplacedFile::~ReplacedFile()
{
    if (m_fd >= 0) {
        ::close(m_fd);
    }
    if (!m_temporary.empty()) {
        ::unlink(m_temporary.c_str());
    }
}

// A constructor that throws has no destructor: what it holds goes here.
void ReplacedFile::fail(int error_number)
{
    if (m_fd >= 0) {
        ::close(std::exchange(m_fd, -1));
    }
    if (!m_temporary.empty()) {
        ::unlink(std::exchange(m_temporary, {}).c_str());
    }
    failWriting(m_path, error_number);
}

void ReplacedFile::write(std::string_view bytes)
{
    if (const int problem = writeAll(m_fd, bytes); problem != 0) {
        fail(problem);
    }
}

void ReplacedFile::write(std::span<const std::byte> bytes)
{
    write(std::string_view(reinterpret_cast<const char *>(bytes.data()), bytes.size()));
}

void ReplacedFile::finish(Durability durability)
{
    const bool is_straight = m_temporary.empty();
    if (!is_straight && durability == Durability::OnDisk && ::fsync(m_fd) != 0) {
        fail(errno);
    }
    if (::close(std::exchange(m_fd, -1)) != 0) {
        fail(errno);
    }
    if (!is_straight && ::rename(m_temporary.c_str(), m_place.c_str()) != 0) {
        fail(errno);
    }
    m_temporary.clear();
}

}  // namespace braid
