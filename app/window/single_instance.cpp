#include "app/window/single_instance.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string_view>

#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <QElapsedTimer>
#include <QSocketNotifier>

namespace braid::app {
namespace {

namespace fs = std::filesystem;

constexpr int kPatienceMs = 2000;             // of a second start
constexpr int kReadPatienceMs = 100;          // of the window, which waits for nobody: a second start sends all at once
constexpr std::size_t kMostBytes = 1U << 20;  // of names
constexpr std::size_t kMostFiles = 1000;
constexpr std::string_view kGreeting = "braid 1";

bool addressOf(const fs::path &socket, sockaddr_un &address)
{
    const std::string name = socket.string();
    address = {};
    address.sun_family = AF_UNIX;
    if (name.empty() || name.size() >= sizeof address.sun_path) {
        return false;
    }
    std::memcpy(address.sun_path, name.c_str(), name.size() + 1);
    return true;
}

int connected(const fs::path &socket)
{
    sockaddr_un address;
    if (!addressOf(socket, address)) {
        return -1;
    }
    const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd >= 0 && ::connect(fd, reinterpret_cast<const sockaddr *>(&address), sizeof address) != 0) {
        ::close(fd);
        return -1;
    }
    return fd;
}

bool isSamePerson(int fd)
{
    ucred who{};
    socklen_t size = sizeof who;
    return ::getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &size) == 0 && who.uid == ::getuid();
}

bool waitFor(int fd, short what, const QElapsedTimer &since, int patience_ms)
{
    pollfd poll{fd, what, 0};
    const int left = patience_ms - static_cast<int>(since.elapsed());
    return left > 0 && ::poll(&poll, 1, left) == 1;
}

// All that comes until the other closes; nothing where it is too much or takes too long.
std::optional<std::string> wholeMessage(int fd)
{
    QElapsedTimer since;
    since.start();
    std::string message;
    char piece[4096];
    while (message.size() <= kMostBytes && waitFor(fd, POLLIN, since, kReadPatienceMs)) {
        const ssize_t count = ::read(fd, piece, sizeof piece);
        if (count == 0) {
            return message;
        }
        if (count > 0) {
            message.append(piece, static_cast<std::size_t>(count));
        } else if (errno != EAGAIN && errno != EINTR) {
            break;
        }
    }
    return std::nullopt;
}

// The recordings that a second start hands over, none where it only wants the window; nothing where what came is no message of a Braid.
std::optional<std::vector<fs::path>> recordingsOf(std::string_view message)
{
    const auto next = [&message]() -> std::optional<std::string_view> {
        const auto end = message.find('\0');
        if (end == message.npos) {
            return std::nullopt;
        }
        const std::string_view part = message.substr(0, end);
        message.remove_prefix(end + 1);
        return part;
    };
    if (next() != kGreeting) {
        return std::nullopt;
    }
    std::vector<fs::path> files;
    for (auto part = next(); part && files.size() < kMostFiles; part = next()) {
        if (fs::path(*part).is_absolute()) {
            files.emplace_back(*part);
        }
    }
    return files;
}

}  // namespace

SingleInstance::SingleInstance(fs::path socket, QObject *parent)
    : QObject(parent)
    , m_socket(std::move(socket))
{
}

SingleInstance::~SingleInstance()
{
    if (m_fd >= 0) {
        ::close(m_fd);
        ::unlink(m_socket.c_str());
    }
}

fs::path SingleInstance::usualSocket()
{
    const char *folder = std::getenv("XDG_RUNTIME_DIR");
    return folder == nullptr || *folder == '\0' ? fs::path() : fs::path(folder) / "braid.sock";
}

bool SingleInstance::handOver(const std::vector<fs::path> &files) const
{
    const int fd = connected(m_socket);
    if (fd < 0) {
        return false;
    }
    std::string message = std::string(kGreeting) + '\0';
    for (const fs::path &file : files) {
        message += file.string() + '\0';
    }
    QElapsedTimer since;
    since.start();
    std::size_t sent = 0;
    while (isSamePerson(fd) && sent < message.size() && waitFor(fd, POLLOUT, since, kPatienceMs)) {
        const ssize_t count = ::send(fd, message.data() + sent, message.size() - sent, MSG_NOSIGNAL);
        if (count < 0 && errno != EAGAIN && errno != EINTR) {
            break;
        }
        sent += count > 0 ? static_cast<std::size_t>(count) : 0;
    }
    ::shutdown(fd, SHUT_WR);
    // Taken once the other says so: a window that hangs takes nothing.
    char answer = 0;
    const bool taken = sent == message.size() && waitFor(fd, POLLIN, since, kPatienceMs) && ::read(fd, &answer, 1) == 1;
    ::close(fd);
    return taken;
}

void SingleInstance::listen(Taken taken)
{
    m_taken = std::move(taken);
    sockaddr_un address;
    if (m_fd >= 0 || !addressOf(m_socket, address)) {
        return;
    }
    const int there = connected(m_socket);
    if (there >= 0) {
        ::close(there);  // somebody listens who would take nothing: this one stands alone
        return;
    }
    ::unlink(m_socket.c_str());  // left behind by one that is gone
    m_fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const mode_t before = ::umask(0077);
    const bool listens = m_fd >= 0 && ::bind(m_fd, reinterpret_cast<const sockaddr *>(&address), sizeof address) == 0 && ::listen(m_fd, 8) == 0;
    ::umask(before);
    if (!listens) {
        if (m_fd >= 0) {
            ::close(m_fd);
        }
        m_fd = -1;
        return;
    }
    auto *notifier = new QSocketNotifier(m_fd, QSocketNotifier::Read, this);
    connect(notifier, &QSocketNotifier::activated, this, &SingleInstance::take);
}

void SingleInstance::take()
{
    const int fd = ::accept4(m_fd, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0) {
        return;
    }
    const std::optional<std::string> message = isSamePerson(fd) ? wholeMessage(fd) : std::nullopt;
    const std::optional<std::vector<fs::path>> files = message ? recordingsOf(*message) : std::nullopt;
    const char answer = '+';
    const bool taken = files && ::send(fd, &answer, 1, MSG_NOSIGNAL) == 1;
    ::close(fd);
    if (taken) {
        m_taken(*files);
    }
}

}  // namespace braid::app
