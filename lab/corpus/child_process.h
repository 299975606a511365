// A program of this machine, spoken to line by line through pipes. It is found on PATH and started without a shell. Thread: one.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include <sys/types.h>

namespace braid::corpus {

class ChildProcess {
  public:
    // Throws Error(Usage) where there is no such program. Its error output goes nowhere.
    explicit ChildProcess(const std::vector<std::string> &command);
    ~ChildProcess();  // ends it
    ChildProcess(const ChildProcess &) = delete;
    ChildProcess &operator=(const ChildProcess &) = delete;

    // Throws Error(Internal) where the program has ended or does not listen.
    void write(const std::string &text);
    // The next line without its break. Throws Error(Internal) at the end of the output, after `patience`, and for endless lines.
    [[nodiscard]] std::string readLine(std::chrono::milliseconds patience);

  private:
    std::string m_name;
    pid_t m_pid = -1;
    int m_to = -1;
    int m_from = -1;
    std::string m_unread;
};

}  // namespace braid::corpus
