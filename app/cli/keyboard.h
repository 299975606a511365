// Keys as they are pressed, without waiting for Enter. The terminal is put back as it was when the object goes. Ctrl+C stays a signal.
// Thread: one.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace braid::cli {

enum class KeyKind : std::uint8_t { Text = 1, Enter, Backspace, Escape, Tab, Left, Up, DropLine, EndOfInput };

struct Key {
    KeyKind kind = KeyKind::Text;
    std::string text;  // Text: whole characters, UTF-8
};

// What bytes from a terminal stand for; bytes of an unfinished character stay in `bytes` for the next call.
[[nodiscard]] std::vector<Key> keysFrom(std::string &bytes);

class Keyboard {
  public:
    // Standard input must be a terminal.
    Keyboard();
    ~Keyboard();
    Keyboard(const Keyboard &) = delete;
    Keyboard &operator=(const Keyboard &) = delete;

    // Keys pressed until now; waits at most so long for the first.
    [[nodiscard]] std::vector<Key> read(std::chrono::milliseconds patience);

  private:
    struct Before;
    std::unique_ptr<Before> m_before;
    std::string m_bytes;
};

}  // namespace braid::cli
