#include "app/cli/transcript_claim.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "core/base/file_reasons.h"

namespace braid::cli {
namespace {

namespace fs = std::filesystem;

// A name that no file can have is the recording's fault; whatever else is wrong meets every recording.
[[noreturn]] void fail(const fs::path &place, int error_number)
{
    if (error_number == ENAMETOOLONG || error_number == ENOTDIR || error_number == EISDIR || error_number == ELOOP) {
        throw Error(ErrorKind::Input, "its transcript cannot be written: " + fileReason(error_number), place.string(), "Give the recording another name");
    }
    failWriting(place, error_number);
}

}  // namespace

TranscriptClaim::TranscriptClaim(fs::path place)
    : m_place(std::move(place))
    , m_draft(m_place.parent_path() / ("." + m_place.filename().string() + ".part"))
{
    std::error_code problem;
    if (!m_place.parent_path().empty()) {
        fs::create_directories(m_place.parent_path(), problem);
    }
    if (problem) {
        fail(m_place, problem.value());
    }
    while (!open()) {
    }
}

// False: the draft became a transcript, or was thrown away, between opening and locking it.
bool TranscriptClaim::open()
{
    m_fd = ::open(m_draft.c_str(), O_CREAT | O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0644);
    if (m_fd < 0) {
        fail(m_place, errno);
    }
    if (::flock(m_fd, LOCK_EX | LOCK_NB) != 0) {
        const int problem = errno;
        ::close(std::exchange(m_fd, -1));
        if (problem != EWOULDBLOCK) {
            fail(m_place, problem);
        }
        m_state = ClaimState::Elsewhere;
        return true;
    }
    if (!isStillTheDraft()) {
        ::close(std::exchange(m_fd, -1));
        return false;
    }
    struct stat status {};
    if (::lstat(m_place.c_str(), &status) == 0) {
        ::unlink(m_draft.c_str());
        ::close(std::exchange(m_fd, -1));
        m_state = ClaimState::Done;
    } else if (errno != ENOENT || ::ftruncate(m_fd, 0) != 0) {
        const int problem = errno;
        ::close(std::exchange(m_fd, -1));
        fail(m_place, problem);
    } else {
        m_state = ClaimState::Mine;
    }
    return true;
}

bool TranscriptClaim::isStillTheDraft() const
{
    struct stat mine {};
    struct stat named {};
    return ::fstat(m_fd, &mine) == 0 && ::lstat(m_draft.c_str(), &named) == 0 && mine.st_dev == named.st_dev && mine.st_ino == named.st_ino;
}

TranscriptClaim::~TranscriptClaim()
{
    if (m_fd >= 0) {
        if (m_state == ClaimState::Mine) {
            ::unlink(m_draft.c_str());
        }
        ::close(m_fd);
    }
}

void TranscriptClaim::sync() const
{
    if (::fsync(m_fd) != 0) {
        fail(m_place, errno);
    }
}

void TranscriptClaim::publish()
{
    if (::rename(m_draft.c_str(), m_place.c_str()) != 0) {
        fail(m_place, errno);
    }
    m_state = ClaimState::Done;
}

}  // namespace braid::cli
