#include "core/runtime/journal_files.h"

#include <chrono>
#include <cstdio>
#include <ctime>
#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <sys/file.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "core/base/error.h"

namespace braid::runtime {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::pair<RunKind, std::string_view> kKinds[] = {
    {RunKind::Conversation, "conversation"}, {RunKind::Translation, "translation"}, {RunKind::Captions, "captions"}};

}  // namespace

std::string_view runKindName(RunKind kind) noexcept
{
    return kKinds[static_cast<std::size_t>(kind) - 1].second;
}

std::optional<RunKind> runKindNamed(std::string_view name) noexcept
{
    for (const auto &[kind, known] : kKinds) {
        if (known == name) {
            return kind;
        }
    }
    return std::nullopt;
}

fs::path runJournalFile(const fs::path &folder)
{
    return folder / "run.jsonl";
}

JournalLock::JournalLock(const fs::path &file)
    : m_fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC))
{
}

JournalLock::~JournalLock()
{
    if (m_fd >= 0) {
        ::close(m_fd);
    }
}

bool JournalLock::take() const
{
    return m_fd >= 0 && ::flock(m_fd, LOCK_EX | LOCK_NB) == 0;
}

std::string utcNow(const char *format)
{
    const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    std::tm parts{};
    ::gmtime_r(&now, &parts);
    char text[40];
    std::strftime(text, sizeof text, format, &parts);
    return text;
}

fs::path makeJournalFolder(const fs::path &parent)
{
    std::error_code problem;
    fs::create_directories(parent, problem);
    const std::string stem = utcNow("%Y%m%d-%H%M%S");
    for (int number = 1; number <= 999 && !problem; ++number) {
        char suffix[16];
        std::snprintf(suffix, sizeof suffix, "-%03d", number);
        const auto folder = parent / (stem + suffix);
        if (fs::create_directory(folder, problem)) {
            return folder;
        }
    }
    throw Error(ErrorKind::Storage, "no journal can be made here" + (problem ? ": " + problem.message() : std::string()), parent.string(),
                "Choose another folder.");
}

bool endsJournal(const Json &line)
{
    if (!line.is_object()) {
        return false;
    }
    const std::string type = textAt(line, "type");
    return type == "finished" || type == "settled";
}

std::string textAt(const Json &object, const char *name)
{
    const auto found = object.find(name);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::string_view asText(const MappedFile &file)
{
    return {reinterpret_cast<const char *>(file.bytes().data()), file.bytes().size()};
}

}  // namespace braid::runtime
