// Errors as people read them: what happened, to what, and what they can do about it.
// Thrown by everything in core; caught at thread boundaries and turned into an event or an exit code (ARCHITECTURE.md, "Errors").
#pragma once

#include <stdexcept>
#include <string>

namespace braid {

// What kind of trouble it is; braid-cli maps it to its exit code.
enum class ErrorKind {
    Usage = 1,  // the caller asked for something that does not exist or cannot be combined (exit 2)
    Input,      // a sound file, a transcript, a journal that cannot be read (exit 3)
    Model,      // a model folder or file that cannot be used (exit 3)
    Device,     // microphone, system sound, GPU (exit 4)
    Storage,    // disk full, no permission (exit 3)
    Cancelled,  // somebody asked for the work to stop
    Internal,   // a broken invariant: a bug in Braid
};

class Error : public std::runtime_error {
  public:
    // `happened`: a plain clause without full stop ("the file ends in the middle of its header").
    // `where`: the file, device or option concerned; may be empty. `remedy`: what the person can do; may be empty.
    Error(ErrorKind kind, std::string happened, std::string where = {}, std::string remedy = {});

    [[nodiscard]] ErrorKind kind() const noexcept { return m_kind; }
    [[nodiscard]] const std::string &happened() const noexcept { return m_happened; }
    [[nodiscard]] const std::string &where() const noexcept { return m_where; }
    [[nodiscard]] const std::string &remedy() const noexcept { return m_remedy; }
    // The whole sentence, as what() gives it: "WHERE: happened. Remedy."
    [[nodiscard]] std::string sentence() const { return what(); }

  private:
    ErrorKind m_kind;
    std::string m_happened;
    std::string m_where;
    std::string m_remedy;
};

// 0 done, 2 wrong usage, 3 input or model not usable, 4 device trouble, 70 a bug.
[[nodiscard]] int exitCodeFor(ErrorKind kind) noexcept;

}  // namespace braid
