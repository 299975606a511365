#include "lab/corpus/child_process.h"

#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "core/base/error.h"

extern char **environ;

namespace braid::corpus {
namespace {

constexpr std::size_t kMostLine = 1u << 20;

}  // namespace

ChildProcess::ChildProcess(const std::vector<std::string> &command)
    : m_name(command.at(0))
{
    // Sockets instead of pipes: writing to a program that has ended then gives an error and no signal.
    std::array<int, 2> input{};
    std::array<int, 2> output{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, input.data()) != 0 || ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, output.data()) != 0) {
        throw Error(ErrorKind::Internal, "no pipe could be made to " + m_name);
    }
    std::vector<char *> arguments;
    for (const auto &argument : command) {
        arguments.push_back(const_cast<char *>(argument.c_str()));
    }
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    // Signals as they are by default (this program may block some), and a group of its own, so that Ctrl+C reaches us alone.
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
    const int result = ::posix_spawnp(&m_pid, m_name.c_str(), &actions, &attributes, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    ::close(input[0]);
    ::close(output[1]);
    m_to = input[1];
    m_from = output[0];
    if (result != 0) {
        ::close(m_to);
        ::close(m_from);
        throw Error(ErrorKind::Usage, "the program " + m_name + " is not installed");
    }
}

ChildProcess::~ChildProcess()
{
    ::close(m_to);
    ::close(m_from);
    ::kill(m_pid, SIGKILL);
    int status = 0;
    while (::waitpid(m_pid, &status, 0) < 0 && errno == EINTR) {
    }
}

void ChildProcess::write(const std::string &text)
{
    for (std::size_t at = 0; at < text.size();) {
        const ssize_t count = ::send(m_to, text.data() + at, text.size() - at, MSG_NOSIGNAL);
        if (count <= 0) {
            if (count < 0 && errno == EINTR) {
                continue;
            }
            throw Error(ErrorKind::Internal, m_name + " has ended by itself");
        }
        at += static_cast<std::size_t>(count);
    }
}

std::string ChildProcess::readLine(std::chrono::milliseconds patience)
{
    const auto until = std::chrono::steady_clock::now() + patience;
    while (true) {
        if (const auto end = m_unread.find('\n'); end != m_unread.npos) {
            std::string line = m_unread.substr(0, end);
            m_unread.erase(0, end + 1);
            return line;
        }
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - std::chrono::steady_clock::now()).count();
        pollfd wait{m_from, POLLIN, 0};
        const int ready = left <= 0 ? 0 : ::poll(&wait, 1, static_cast<int>(left));
        if (ready < 0 && errno == EINTR) {
            continue;
        }
        if (ready <= 0) {
            throw Error(ErrorKind::Internal, m_name + " does not answer");
        }
        std::array<char, 4096> bytes{};
        const ssize_t count = ::read(m_from, bytes.data(), bytes.size());
        if (count <= 0 || m_unread.size() > kMostLine) {
            throw Error(ErrorKind::Internal, m_name + " has ended by itself");
        }
        m_unread.append(bytes.data(), static_cast<std::size_t>(count));
    }
}

}  // namespace braid::corpus
