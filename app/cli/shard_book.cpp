#include "app/cli/shard_book.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <map>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/file_reasons.h"
#include "core/text/utf8.h"

namespace braid::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
constexpr std::size_t kLargestBook = std::size_t{1} << 30;

std::string nameOf(Shard shard)
{
    return std::to_string(shard.number) + "-of-" + std::to_string(shard.count);
}

fs::path lockOf(const fs::path &folder, const std::string &shard)
{
    return folder / (".shard-" + shard);
}

std::vector<std::string> linesOf(const fs::path &file)
{
    std::vector<std::string> lines;
    std::error_code problem;
    if (!fs::exists(file, problem)) {
        return lines;
    }
    const std::string text = readTextFile(file, kLargestBook);
    // What has no line feed behind it was being written when its worker was killed.
    for (std::size_t at = 0, end = 0; (end = text.find('\n', at)) != std::string::npos; at = end + 1) {
        lines.push_back(text.substr(at, end - at));
    }
    return lines;
}

// Whether a line stays: one that tells of a transcript, where there is one, or of an error that is not tried again.
bool stays(const std::string &line, const fs::path &folder, const std::set<std::string> &tried_again)
{
    const json read = json::parse(line, nullptr, false);
    if (!read.is_object() || !read.contains("recording") || !read["recording"].is_string() || !read.contains("transcript")) {
        return false;
    }
    std::error_code problem;
    if (read["transcript"].is_string()) {
        return fs::exists(folder / read["transcript"].get<std::string>(), problem);
    }
    return !tried_again.contains(read["recording"].get<std::string>());
}

void settleReport(const fs::path &report, const fs::path &folder, const std::set<std::string> &tried_again)
{
    std::string kept;
    for (const std::string &line : linesOf(report)) {
        if (stays(line, folder, tried_again)) {
            kept += line + "\n";
        }
    }
    std::error_code problem;
    if (kept.size() != fs::file_size(report, problem) && !problem) {
        writeFileAtomically(report, kept);
    }
}

// "3-of-16" of "report-3-of-16.jsonl"; empty: no report.
std::string shardOfReport(const fs::path &file)
{
    constexpr std::string_view before = "report-";
    constexpr std::string_view behind = ".jsonl";
    const std::string name = file.filename().string();
    return name.starts_with(before) && name.ends_with(behind) ? name.substr(before.size(), name.size() - before.size() - behind.size()) : std::string();
}

}  // namespace

ShardBook::ShardBook(fs::path folder, Shard shard)
    : m_folder(std::move(folder))
    , m_shard(shard)
    , m_lock(lockOf(m_folder, nameOf(shard)), LockedFile::MadeIfMissing)
    , m_is_mine(m_lock.take())
{
    if (!m_lock.isOpen()) {
        throw Error(ErrorKind::Storage, "the folder of the transcripts cannot be written", m_folder.string(), "Choose another one with --out");
    }
}

fs::path ShardBook::reportPath() const
{
    return m_folder / ("report-" + nameOf(m_shard) + ".jsonl");
}

fs::path ShardBook::diaryPath() const
{
    return lockOf(m_folder, nameOf(m_shard));
}

bool ShardBook::wasBegun() const
{
    std::error_code problem;
    return fs::exists(reportPath(), problem);
}

void ShardBook::settle(const std::vector<ArchiveItem> &mine)
{
    std::set<std::string> tried_again;
    for (const ArchiveItem &item : mine) {
        tried_again.insert(text::toValidUtf8(item.recording.string()));
    }
    // One worker at a time, so that only a worker at its work keeps another from a report.
    const FileLock others(m_folder / ".settling", LockedFile::MadeIfMissing);
    if (!others.waitFor()) {
        failWriting(m_folder, errno);
    }
    std::error_code problem;
    for (fs::directory_iterator entry(m_folder, problem), end; !problem && entry != end; entry.increment(problem)) {
        const std::string other = shardOfReport(entry->path());
        // Workers of the same division begin together and look after their own.
        if (other.empty() || other.ends_with("-of-" + std::to_string(m_shard.count))) {
            continue;
        }
        const FileLock lock(lockOf(m_folder, other), LockedFile::MustExist);
        if (lock.take()) {
            settleReport(entry->path(), m_folder, tried_again);
        }
    }
    if (wasBegun()) {
        settleReport(reportPath(), m_folder, tried_again);
    }
    m_report.emplace(reportPath());
}

std::vector<ArchiveItem> ShardBook::inOrder(std::vector<ArchiveItem> items) const
{
    std::map<std::string, int> begun;
    for (const std::string &transcript : linesOf(diaryPath())) {
        ++begun[transcript];
    }
    std::stable_sort(items.begin(), items.end(), [&begun](const ArchiveItem &one, const ArchiveItem &other) {
        const auto of = [&begun](const ArchiveItem &item) {
            const auto found = begun.find(item.transcript);
            return found == begun.end() ? 0 : found->second;
        };
        return of(one) < of(other);
    });
    return items;
}

void ShardBook::begin(const ArchiveItem &item)
{
    AppendFile(diaryPath()).append(item.transcript + "\n");
}

void ShardBook::add(const ReportLine &line)
{
    json errors = json::array();
    for (const std::string &error : line.errors) {
        errors.push_back(text::toValidUtf8(error));
    }
    const json written = {{"recording", text::toValidUtf8(line.item.recording.string())},
                          {"transcript", line.has_transcript ? json(line.item.transcript) : json()},
                          {"seconds", line.sound_s},
                          {"words", line.words},
                          {"took_s", line.took_s},
                          {"errors", std::move(errors)}};
    m_report->append(written.dump() + "\n");
    m_report->sync();
}

void ShardBook::close()
{
    AppendFile(diaryPath(), 0).sync();
}

}  // namespace braid::cli
