// A terminal, as far as captions need one. Thread: one.
#pragma once

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <thread>

namespace braid::cli {

enum class Stream : int { Output = 1, Error = 2 };

[[nodiscard]] bool isTerminal(Stream stream);
// Columns of the terminal; 80 where it does not say.
[[nodiscard]] std::size_t terminalColumns(Stream stream);

// Ctrl+C, the polite kill and a terminal that goes away (unless that was to be ignored, as under nohup), counted instead of ending the program. Make it before
// any thread is started: threads inherit the blocked signals, so that they arrive here and nowhere else. Where nobody asks count() (something outside does not
// answer), a second signal ends the program at once.
class Interrupts {
  public:
    // `patience`: how long nobody may ask before a second signal ends the program; longer than any step between two looks.
    explicit Interrupts(std::chrono::milliseconds patience = std::chrono::seconds(2));
    ~Interrupts();
    Interrupts(const Interrupts &) = delete;
    Interrupts &operator=(const Interrupts &) = delete;

    // How often the person has asked so far.
    [[nodiscard]] int count();

  private:
    void watch();

    const std::chrono::milliseconds m_patience;
    int m_fd = -1;
    int m_end_fd = -1;  // told when this goes
    std::atomic<int> m_count = 0;
    std::atomic<int> m_seen = 0;  // of them, by count()
    std::thread m_thread;
};

}  // namespace braid::cli
