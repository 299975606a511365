// What can go wrong around a program: it is killed, the disk is full.
#pragma once

#include <chrono>
#include <csignal>
#include <functional>
#include <stdexcept>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace braid::testing {

// Runs `child` in a process of its own, which is killed after `time`; what it wrote into its pipe until then. Before any thread is started.
inline std::string toldUntilKilled(std::chrono::milliseconds time, const std::function<void(int pipe)> &child)
{
    int ends[2];
    const bool has_pipe = ::pipe(ends) == 0;
    const pid_t process = has_pipe ? ::fork() : -1;
    if (process < 0) {
        throw std::runtime_error("no process can be made");
    }
    if (process == 0) {
        ::close(ends[0]);
        child(ends[1]);
        ::_exit(1);
    }
    ::close(ends[1]);
    std::this_thread::sleep_for(time);
    ::kill(process, SIGKILL);
    std::string told;
    char buffer[4096];
    for (ssize_t got = ::read(ends[0], buffer, sizeof buffer); got > 0; got = ::read(ends[0], buffer, sizeof buffer)) {
        told.append(buffer, static_cast<std::size_t>(got));
    }
    ::close(ends[0]);
    int status = 0;
    ::waitpid(process, &status, 0);
    if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL) {
        throw std::runtime_error("the child ended by itself");
    }
    return told;
}

// Files of this process may not grow beyond a size, as on a full disk, while this lives.
class FullDisk {
  public:
    explicit FullDisk(rlim_t bytes)
    {
        ::getrlimit(RLIMIT_FSIZE, &m_before);
        const rlimit limit{bytes, m_before.rlim_max};
        std::signal(SIGXFSZ, SIG_IGN);
        ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FullDisk() { ::setrlimit(RLIMIT_FSIZE, &m_before); }

  private:
    rlimit m_before{};
};

}  // namespace braid::testing
