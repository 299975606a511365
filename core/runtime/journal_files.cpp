#include "core/runtime/journal_files.h"

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

#include "core/base/error.h"

namespace braid::runtime {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::pair<RunKind, std::string_view> kKinds[] = {
    {RunKind::Conversation, "conversation"}, {RunKind::Translation, "translation"}, {RunKind::Captions, "captions"}};

constexpr std::size_t kPieceBytes = 256 * 1024;

void makePrivateFolders(const fs::path &folder, std::error_code &problem)
{
    if (folder.empty() || fs::is_directory(folder, problem)) {
        problem.clear();
        return;
    }
    makePrivateFolders(folder.has_filename() ? folder.parent_path() : folder.parent_path().parent_path(), problem);
    if (!problem && ::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) {
        problem.assign(errno, std::generic_category());
    }
}

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

std::string utcNow(const char *format)
{
    const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    std::tm parts{};
    ::gmtime_r(&now, &parts);
    char text[40];
    std::strftime(text, sizeof text, format, &parts);
    return text;
}

void makePrivateFile(const fs::path &file)
{
    const int fd = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0) {
        throw Error(ErrorKind::Storage, std::string("cannot be made: ") + std::strerror(errno), file.string(), "Free some space or choose another folder.");
    }
    ::close(fd);
}

fs::path makeJournalFolder(const fs::path &parent)
{
    std::error_code problem;
    makePrivateFolders(parent, problem);
    const std::string stem = utcNow("%Y%m%d-%H%M%S");
    for (int number = 1; number <= 999 && !problem; ++number) {
        char suffix[16];
        std::snprintf(suffix, sizeof suffix, "-%03d", number);
        const auto folder = parent / (stem + suffix);
        if (::mkdir(folder.c_str(), 0700) == 0) {
            return folder;
        }
        if (errno != EEXIST) {
            problem.assign(errno, std::generic_category());
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

void forEachWholeLine(const fs::path &file, std::uint64_t from, std::size_t longest, const std::function<Reading(std::string_view)> &use)
{
    std::ifstream in(file, std::ios::binary);
    in.seekg(static_cast<std::streamoff>(from));
    std::vector<char> piece(kPieceBytes);
    std::string line;  // what earlier pieces had of it
    while (in) {
        in.read(piece.data(), static_cast<std::streamsize>(piece.size()));
        std::string_view text(piece.data(), static_cast<std::size_t>(in.gcount()));
        for (auto end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
            line.append(text.substr(0, line.size() > longest ? 0 : end));
            text.remove_prefix(end + 1);
            if (!line.empty() && line.size() <= longest && use(line) == Reading::Enough) {
                return;
            }
            line.clear();
        }
        line.append(text.substr(0, line.size() > longest ? 0 : text.size()));
    }
    if (!in.eof()) {
        throw Error(ErrorKind::Input, "this journal cannot be read to its end", file.string());
    }
}

}  // namespace braid::runtime
