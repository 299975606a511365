#include "app/cli/terminal.h"

#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

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

Interrupts::Interrupts()
{
    sigset_t signals;
    ::sigemptyset(&signals);
    ::sigaddset(&signals, SIGINT);
    ::sigaddset(&signals, SIGTERM);
    if (::pthread_sigmask(SIG_BLOCK, &signals, nullptr) == 0) {
        m_fd = ::signalfd(-1, &signals, SFD_NONBLOCK | SFD_CLOEXEC);
    }
}

Interrupts::~Interrupts()
{
    if (m_fd >= 0) {
        ::close(m_fd);
    }
}

int Interrupts::count()
{
    signalfd_siginfo signal;
    while (m_fd >= 0 && ::read(m_fd, &signal, sizeof signal) == static_cast<ssize_t>(sizeof signal)) {
        ++m_count;
    }
    return m_count;
}

}  // namespace braid::cli
