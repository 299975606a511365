#include "app/cli/keyboard.h"

#include <algorithm>

#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include "core/text/utf8.h"

namespace braid::cli {
namespace {

constexpr char kEscape = '\x1b';

// The length of the control sequence at the beginning of `bytes`; 0 where it is a lone Escape.
std::size_t sequenceLength(const std::string &bytes)
{
    if (bytes.size() < 3 || (bytes[1] != '[' && bytes[1] != 'O')) {
        return 0;
    }
    std::size_t end = 2;
    while (end < bytes.size() && (bytes[end] < '@' || bytes[end] > '~')) {
        ++end;
    }
    return std::min(end + 1, bytes.size());
}

}  // namespace

std::vector<Key> keysFrom(std::string &bytes)
{
    std::vector<Key> keys;
    while (!bytes.empty()) {
        std::size_t taken = 1;
        switch (bytes.front()) {
        case kEscape:
            if (const std::size_t length = sequenceLength(bytes); length > 0) {
                const char last = bytes[length - 1];
                if (last == 'D' || last == 'A') {
                    keys.push_back({last == 'D' ? KeyKind::Left : KeyKind::Up, {}});
                }
                taken = length;  // other sequences mean nothing here
            } else {
                keys.push_back({KeyKind::Escape, {}});
            }
            break;
        case '\r':
        case '\n':
            keys.push_back({KeyKind::Enter, {}});
            break;
        case '\x7f':
        case '\b':
            keys.push_back({KeyKind::Backspace, {}});
            break;
        case '\t':
            keys.push_back({KeyKind::Tab, {}});
            break;
        case '\x04':
            keys.push_back({KeyKind::EndOfInput, {}});
            break;
        case '\x15':
            keys.push_back({KeyKind::DropLine, {}});
            break;
        default:
            const text::Utf8Character character = text::characterAt(bytes, 0);
            if (character.state == text::Utf8State::Incomplete) {
                return keys;  // the rest of it comes
            }
            taken = std::max<std::size_t>(character.length, 1);
            if (character.state == text::Utf8State::Valid && static_cast<unsigned char>(bytes.front()) >= 0x20) {
                keys.push_back({KeyKind::Text, bytes.substr(0, taken)});
            }
        }
        bytes.erase(0, taken);
    }
    return keys;
}

struct Keyboard::Before {
    termios state{};
};

Keyboard::Keyboard()
    : m_before(std::make_unique<Before>())
{
    ::tcgetattr(STDIN_FILENO, &m_before->state);
    termios raw = m_before->state;
    raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    raw.c_iflag &= ~static_cast<tcflag_t>(IXON);
    raw.c_cc[VMIN] = 0;
    raw.c_cc[VTIME] = 0;
    ::tcsetattr(STDIN_FILENO, TCSANOW, &raw);
}

Keyboard::~Keyboard()
{
    ::tcsetattr(STDIN_FILENO, TCSANOW, &m_before->state);
}

std::vector<Key> Keyboard::read(std::chrono::milliseconds patience)
{
    pollfd input{STDIN_FILENO, POLLIN, 0};
    if (::poll(&input, 1, static_cast<int>(patience.count())) > 0) {
        char buffer[4096];
        if (const ssize_t count = ::read(STDIN_FILENO, buffer, sizeof buffer); count > 0) {
            m_bytes.append(buffer, static_cast<std::size_t>(count));
        }
    }
    return keysFrom(m_bytes);
}

}  // namespace braid::cli
