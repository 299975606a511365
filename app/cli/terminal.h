// A terminal, as far as captions need one. Thread: one.
#pragma once

#include <csignal>
#include <cstddef>

namespace braid::cli {

enum class Stream : int { Output = 1, Error = 2 };

[[nodiscard]] bool isTerminal(Stream stream);
// Columns of the terminal; 80 where it does not say.
[[nodiscard]] std::size_t terminalColumns(Stream stream);

// Ctrl+C and the polite kill, counted instead of ending the program. Make it before any thread is started: threads inherit the
// blocked signals, so that they arrive here and nowhere else.
class Interrupts {
  public:
    Interrupts();
    ~Interrupts();
    Interrupts(const Interrupts &) = delete;
    Interrupts &operator=(const Interrupts &) = delete;

    // How often the person has asked so far.
    [[nodiscard]] int count();

  private:
    int m_fd = -1;
    int m_count = 0;
};

}  // namespace braid::cli
