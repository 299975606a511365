#include "app/cli/terminal.h"

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <unistd.h>
#include <utility>

namespace braid::cli {

bool isTerminal(Stream stream)
{
    return ::isatty(static_cast<int>(stream)) == 1;
}

std::size_t terminalColumns(Stream stream)
{
    winsize size{};
    if (::ioctl(static_cast<int>(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
        return size.ws_col;
    }
    return 80;
}

Interrupts::Interrupts(std::chrono::milliseconds patience)
    : m_patience(patience)
{
    sigset_t signals;
    ::sigemptyset(&signals);
    ::sigaddset(&signals, SIGINT);
    ::sigaddset(&signals, SIGTERM);
    struct sigaction hangup {};
    if (::sigaction(SIGHUP, nullptr, &hangup) == 0 && hangup.sa_handler != SIG_IGN) {
        ::sigaddset(&signals, SIGHUP);
    }
    if (::pthread_sigmask(SIG_BLOCK, &signals, nullptr) == 0) {
        m_fd = ::signalfd(-1, &signals, SFD_NONBLOCK | SFD_CLOEXEC);
        m_end_fd = ::eventfd(0, EFD_CLOEXEC);
        m_thread = std::thread([this] { watch(); });
    }
}

Interrupts::~Interrupts()
{
    if (m_thread.joinable()) {
        const std::uint64_t one = 1;
        static_cast<void>(::write(m_end_fd, &one, sizeof one));
        m_thread.join();
    }
    for (const int fd : {m_fd, m_end_fd}) {
        if (fd >= 0) {
            ::close(fd);
        }
    }
}

void Interrupts::watch()
{
    std::chrono::steady_clock::time_point unseen_since;
    bool has_hung_up = false;
    for (;;) {
        pollfd waiting[] = {{m_fd, POLLIN, 0}, {m_end_fd, POLLIN, 0}};
        if ((::poll(waiting, 2, -1) < 0 && errno != EINTR) || waiting[1].revents != 0) {
            return;
        }
        signalfd_siginfo signal;
        while (::read(m_fd, &signal, sizeof signal) == static_cast<ssize_t>(sizeof signal)) {
            const auto now = std::chrono::steady_clock::now();
            if (m_seen < m_count && now - unseen_since >= m_patience) {
                ::_exit(128 + static_cast<int>(signal.ssi_signo));
            }
            unseen_since = m_seen < m_count ? unseen_since : now;
            // A terminal that goes says so more than once: that is no second wish.
            const bool again = signal.ssi_signo == SIGHUP && std::exchange(has_hung_up, true);
            m_count += again ? 0 : 1;
        }
    }
}

int Interrupts::count()
{
    m_seen = m_count.load();
    return m_seen;
}

}  // namespace braid::cli
