// What asks a command to end is counted, and ends what does not look.
#include <QtTest>

#include <sys/wait.h>
#include <unistd.h>

#include "app/cli/terminal.h"

using namespace braid::cli;

class InterruptsTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    // Before anything that starts threads.
    void whoDoesNotLookIsEndedByTheSecond()
    {
        const pid_t child = ::fork();
        if (child == 0) {
            const Interrupts interrupts(std::chrono::milliseconds(0));
            ::kill(::getpid(), SIGTERM);
            ::kill(::getpid(), SIGINT);
            for (;;) {
                ::pause();  // as a read that never answers
            }
        }
        int status = 0;
        QCOMPARE(::waitpid(child, &status, 0), child);
        QVERIFY(WIFEXITED(status) && WEXITSTATUS(status) > 128);
    }

    void everyWishIsCounted()
    {
        Interrupts interrupts;
        QCOMPARE(interrupts.count(), 0);
        ::kill(::getpid(), SIGTERM);
        QTRY_COMPARE(interrupts.count(), 1);
        ::kill(::getpid(), SIGINT);
        QTRY_COMPARE(interrupts.count(), 2);
    }

    // A terminal that goes away says so more than once.
    void aTerminalThatGoesIsOneWish()
    {
        Interrupts interrupts;
        ::kill(::getpid(), SIGHUP);
        QTRY_COMPARE(interrupts.count(), 1);
        ::kill(::getpid(), SIGHUP);
        ::kill(::getpid(), SIGTERM);
        QTRY_COMPARE(interrupts.count(), 2);
    }
};

int main(int argc, char **argv)
{
    // As a program makes its Interrupts: before any other thread, of which Qt Test has one.
    sigset_t signals;
    ::sigemptyset(&signals);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        ::sigaddset(&signals, signal);
    }
    ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    QCoreApplication application(argc, argv);
    InterruptsTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_interrupts.moc"
