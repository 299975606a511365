#include "core/audio/byte_input.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/error.h"

namespace braid::audio {
namespace {

constexpr int kPollMs = 50;  // how soon a cancelled read of a pipe notices

std::string reasonFor(int error_number)
{
    switch (error_number) {
    case ENOENT:
        return "there is no such file";
    case EACCES:
    case EPERM:
        return "there is no permission to read it";
    default:
        return std::string("it cannot be read: ") + std::strerror(error_number);
    }
}

class FileBytes final : public ByteInput {
  public:
    explicit FileBytes(const std::filesystem::path &path)
        : m_name(path.string())
    {
        // Without O_NONBLOCK, opening a pipe would wait for somebody to write into it.
        m_fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
        if (m_fd < 0) {
            throw Error(ErrorKind::Input, reasonFor(errno), m_name);
        }
        struct stat status {};
        if (::fstat(m_fd, &status) != 0) {
            fail(reasonFor(errno));
        }
        if (S_ISDIR(status.st_mode)) {
            fail("this is a folder, not a sound file");
        }
        m_regular = S_ISREG(status.st_mode);
        m_is_pipe = S_ISFIFO(status.st_mode);
        m_size = m_regular ? status.st_size : -1;
        if (m_size == 0) {
            fail("the file is empty");
        }
    }
    ~FileBytes() override { ::close(m_fd); }
    FileBytes(const FileBytes &) = delete;
    FileBytes &operator=(const FileBytes &) = delete;

    std::size_t read(std::span<std::byte> bytes) override
    {
        while (!m_cancelled) {
            const ssize_t count = ::read(m_fd, bytes.data(), bytes.size());
            if (count > 0 || (count == 0 && (!m_is_pipe || m_seen_any))) {
                m_position += count;
                m_seen_any = true;
                return static_cast<std::size_t>(count);
            }
            if (count < 0 && errno != EAGAIN && errno != EINTR) {
                throw Error(ErrorKind::Input, reasonFor(errno), m_name);
            }
            // A pipe with nothing in it yet (EAGAIN), or one that nobody has opened for writing yet (0 bytes before the first one).
            if (count == 0) {
                ::poll(nullptr, 0, kPollMs);
            } else {
                pollfd waiting{m_fd, POLLIN, 0};
                ::poll(&waiting, 1, kPollMs);
            }
        }
        return 0;
    }
    bool seek(std::int64_t position) override
    {
        if (!m_regular || ::lseek(m_fd, position, SEEK_SET) != position) {
            return false;
        }
        m_position = position;
        return true;
    }
    bool seekable() const override { return m_regular; }
    std::int64_t size() const override { return m_size; }
    std::int64_t position() const override { return m_position; }
    const std::string &name() const override { return m_name; }

  private:
    [[noreturn]] void fail(const std::string &happened)
    {
        ::close(m_fd);
        throw Error(ErrorKind::Input, happened, m_name);
    }

    std::string m_name;
    int m_fd = -1;
    bool m_regular = false;
    bool m_is_pipe = false;
    bool m_seen_any = false;
    std::int64_t m_size = -1;
    std::int64_t m_position = 0;
};

class MemoryBytes final : public ByteInput {
  public:
    MemoryBytes(std::vector<std::byte> bytes, std::string name)
        : m_bytes(std::move(bytes))
        , m_name(std::move(name))
    {
    }
    std::size_t read(std::span<std::byte> bytes) override
    {
        const std::size_t count = m_cancelled ? 0 : std::min(bytes.size(), m_bytes.size() - m_position);
        std::copy_n(m_bytes.begin() + static_cast<std::ptrdiff_t>(m_position), count, bytes.begin());
        m_position += count;
        return count;
    }
    bool seek(std::int64_t position) override
    {
        if (position < 0 || position > size()) {
            return false;
        }
        m_position = static_cast<std::size_t>(position);
        return true;
    }
    bool seekable() const override { return true; }
    std::int64_t size() const override { return static_cast<std::int64_t>(m_bytes.size()); }
    std::int64_t position() const override { return static_cast<std::int64_t>(m_position); }
    const std::string &name() const override { return m_name; }

  private:
    std::vector<std::byte> m_bytes;
    std::string m_name;
    std::size_t m_position = 0;
};

}  // namespace

std::unique_ptr<ByteInput> openFileBytes(const std::filesystem::path &path)
{
    return std::make_unique<FileBytes>(path);
}

std::unique_ptr<ByteInput> memoryBytes(std::vector<std::byte> bytes, std::string name)
{
    return std::make_unique<MemoryBytes>(std::move(bytes), std::move(name));
}

}  // namespace braid::audio
