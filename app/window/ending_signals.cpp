#include "app/window/ending_signals.h"

#include <csignal>

#include <sys/signalfd.h>
#include <unistd.h>

#include <QApplication>
#include <QSocketNotifier>

namespace braid::app {

EndingSignals::EndingSignals(QObject *parent)
    : QObject(parent)
{
    sigset_t signals;
    ::sigemptyset(&signals);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction present {};
        if (::sigaction(signal, nullptr, &present) == 0 && present.sa_handler != SIG_IGN) {  // nohup wants no end
            ::sigaddset(&signals, signal);
        }
    }
    if (::pthread_sigmask(SIG_BLOCK, &signals, nullptr) == 0) {
        m_fd = ::signalfd(-1, &signals, SFD_NONBLOCK | SFD_CLOEXEC);
    }
    if (m_fd < 0) {
        return;
    }
    auto *notifier = new QSocketNotifier(m_fd, QSocketNotifier::Read, this);
    connect(notifier, &QSocketNotifier::activated, this, [this] {
        signalfd_siginfo signal;
        while (::read(m_fd, &signal, sizeof signal) == static_cast<ssize_t>(sizeof signal)) {
        }
        QApplication::closeAllWindows();
        QApplication::quit();
    });
}

EndingSignals::~EndingSignals()
{
    if (m_fd >= 0) {
        ::close(m_fd);
    }
}

}  // namespace braid::app
