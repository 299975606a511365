#include "core/engine/journal_files.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <fcntl.h>
#include <functional>
#include <nlohmann/json.hpp>
#include <sys/file.h>
#include <system_error>
#include <unistd.h>

#include "core/base/error.h"

namespace braid::engine {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// By its last lines alone: cheap, for lists of many journals.
bool isOver(std::string_view lines)
{
    constexpr std::size_t kLook = 4096;
    if (lines.size() > kLook) {
        lines.remove_prefix(lines.size() - kLook);
    }
    bool over = false;
    forEachWholeLine(lines, kLook, [&over](std::string_view line) { over = over || endsJournal(Json::parse(line, nullptr, false)); });
    return over;
}

}  // namespace

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
    throw Error(ErrorKind::Storage, "no journal can be made here" + (problem ? ": " + problem.message() : std::string()), parent.string(), "Choose another folder.");
}

void settleLines(const fs::path &file)
{
    // The line feed first: it closes a torn last line, which readers then pass over.
    AppendFile(file).append("\n{\"type\":\"settled\"}\n");
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

std::vector<fs::path> interruptedJournals(const fs::path &parent, const char *file_of_lines)
{
    std::vector<fs::path> folders;
    std::error_code problem;
    for (fs::directory_iterator entry(parent, problem), end; !problem && entry != end; entry.increment(problem)) {
        try {
            const fs::path file = entry->path() / file_of_lines;
            if (fs::is_regular_file(file) && !isOver(asText(MappedFile(file))) && JournalLock(file).take()) {
                folders.push_back(entry->path());
            }
        } catch (const std::exception &) {
            // Not a journal, or not readable: it is not offered.
        }
    }
    std::sort(folders.begin(), folders.end(), [](const fs::path &a, const fs::path &b) { return a.filename() > b.filename(); });
    return folders;
}

}  // namespace braid::engine
