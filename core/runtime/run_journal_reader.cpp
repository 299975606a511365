#include "core/runtime/run_journal_reader.h"

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <system_error>
#include <thread>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/file_lock.h"
#include "core/runtime/journal_sound.h"

namespace braid::runtime {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t kLongestLine = 16u << 20;  // a longer one was not written by Braid

constexpr int kLockAttempts = 10;
constexpr std::chrono::milliseconds kBetweenAttempts{20};
constexpr const char *kStillRuns = "this run still goes on";
constexpr const char *kEndItFirst = "End it first, or write out what there is so far with --keep";

// An old journal of captions: its description is a file of its own, its lines are items.
fs::path oldLinesFile(const fs::path &folder)
{
    return folder / "events.jsonl";
}
fs::path oldInfoFile(const fs::path &folder)
{
    return folder / "session.json";
}

bool isFile(const fs::path &path)
{
    std::error_code problem;
    return fs::is_regular_file(path, problem);
}

// The file that is appended to; empty where `folder` holds no journal.
fs::path linesFile(const fs::path &folder)
{
    for (const fs::path &file : {runJournalFile(folder), oldLinesFile(folder)}) {
        if (isFile(file)) {
            return file;
        }
    }
    return {};
}

fs::path requireLinesFile(const fs::path &folder)
{
    fs::path file = linesFile(folder);
    if (file.empty()) {
        throw Error(ErrorKind::Input, "this is no journal of Braid", folder.string(), "A journal is a folder with a file run.jsonl.");
    }
    return file;
}

[[nodiscard]] bool isOfThisVersion(const Json &head)
{
    const auto version = head.find("version");
    return version != head.end() && version->is_number_integer() && version->get<std::int64_t>() == kRunJournalVersion;
}

void requireHead(const Json &head, std::string_view format, const std::string &where)
{
    if (!head.is_object() || textAt(head, "format") != format) {
        throw Error(ErrorKind::Input, "this is no journal of Braid", where);
    }
    if (!isOfThisVersion(head)) {
        throw Error(ErrorKind::Input, "this journal was written by another version of Braid", where, "Open it with the version that wrote it.");
    }
}

RunJournalInfo infoOf(const Json &head, RunKind kind)
{
    return {kind, textAt(head, "started_at"), textAt(head, "source"), textAt(head, "model"), textAt(head, "policy")};
}

// A crash in the first instant may leave events without a description: what was said counts more.
RunJournalInfo oldInfo(const fs::path &folder)
{
    const fs::path file = oldInfoFile(folder);
    const std::string text = fs::exists(file) ? readTextFile(file, 1u << 20) : std::string();
    const Json head = Json::parse(text, nullptr, false);
    if (head.is_discarded()) {
        return {.kind = RunKind::Captions};  // none, or empty or torn
    }
    requireHead(head, "braid-journal", file.string());
    return infoOf(head, RunKind::Captions);
}

// By its last lines alone: cheap, for lists of many journals.
bool isOver(const fs::path &file)
{
    constexpr std::uint64_t kLook = 4096;
    const std::uint64_t size = fs::file_size(file);
    bool over = false;
    forEachWholeLine(file, size > kLook ? size - kLook : 0, kLook, [&over](std::string_view line) {
        over = over || endsJournal(Json::parse(line, nullptr, false));
        return Reading::GoOn;
    });
    return over;
}

bool isInterrupted(const fs::path &folder)
{
    const fs::path file = linesFile(folder);
    return !file.empty() && !isOver(file) && FileLock(file, LockedFile::MustExist).take();
}

// The line feed first: it closes a torn last line, which readers then pass over.
void appendSettled(const fs::path &file, const std::vector<std::string> &events)
{
    const FileLock lock(file, LockedFile::MustExist);
    bool is_ours = lock.take();
    for (int attempt = 0; attempt < kLockAttempts && !is_ours; ++attempt) {
        std::this_thread::sleep_for(kBetweenAttempts);  // another thread may just be doing the same
        is_ours = lock.take();
    }
    if (!is_ours) {
        throw Error(ErrorKind::Input, kStillRuns, file.parent_path().string(), kEndItFirst);
    }
    std::string lines = "\n";
    for (const std::string &event : events) {
        lines += event + "\n";
    }
    AppendFile(file).append(lines + "{\"type\":\"settled\"}\n");
}

}  // namespace

RunJournalReader::RunJournalReader(const fs::path &folder)
    : m_lines(isFile(runJournalFile(folder)) ? Lines::Events : Lines::Items)
    , m_file(requireLinesFile(folder))
{
    if (m_lines == Lines::Items) {
        m_info = oldInfo(folder);
    } else {
        readHead(m_file.string());
    }
}

RunJournalReader::RunJournalReader(const fs::path &folder, RunKind kind)
    : RunJournalReader(folder)
{
    if (m_info.kind != kind) {
        throw Error(ErrorKind::Input,
                    "this journal is of kind \"" + std::string(runKindName(m_info.kind)) + "\", not \"" + std::string(runKindName(kind)) + "\"",
                    folder.string());
    }
}

void RunJournalReader::readHead(const std::string &where)
{
    Json head;
    forEachWholeLine(m_file, 0, kLongestLine, [&](std::string_view line) {
        head = Json::parse(line, nullptr, false);
        m_first_event = line.size() + 1;
        return Reading::Enough;
    });
    requireHead(head, kRunJournalFormat, where);
    const auto kind = runKindNamed(textAt(head, "kind"));
    if (!kind) {
        throw Error(ErrorKind::Input, "this journal was written by another version of Braid", where, "Open it with the version that wrote it.");
    }
    m_info = infoOf(head, *kind);
    if (const auto conversation = head.find("conversation"); conversation != head.end()) {
        m_conversation = conversation->dump(-1, ' ', false, Json::error_handler_t::replace);
    }
}

bool RunJournalReader::hasEvents() const
{
    bool has_events = false;
    forEachWholeLine(m_file, m_first_event, kLongestLine, [&has_events](std::string_view) {
        has_events = true;
        return Reading::Enough;
    });
    return has_events;
}

JournalState RunJournalReader::forEachEvent(const std::function<void(std::string_view)> &use) const
{
    JournalState state = JournalState::Interrupted;
    std::string event;
    forEachWholeLine(m_file, m_first_event, kLongestLine, [&](std::string_view line) {
        if (line.size() < 64 && endsJournal(Json::parse(line, nullptr, false))) {
            state = JournalState::Finished;
            return Reading::GoOn;
        }
        if (m_lines == Lines::Items) {
            event.assign(R"({"event":"commit","items":[)").append(line).append("]}");
            line = event;
        }
        try {
            use(line);
        } catch (const Error &) {
            // A damaged or newer line is passed over: everything else is worth keeping.
        }
        return Reading::GoOn;
    });
    return state;
}

std::vector<InterruptedRun> findInterruptedRuns(const fs::path &parent)
{
    std::vector<InterruptedRun> found;
    std::error_code problem;
    for (fs::directory_iterator entry(parent, problem), end; !problem && entry != end; entry.increment(problem)) {
        try {
            const fs::path folder = entry->path();
            if (!isInterrupted(folder)) {
                continue;
            }
            const RunJournalReader journal(folder);
            const Sample sound_samples = journalSoundLength(folder);
            if (journal.hasEvents() || sound_samples > 0) {
                found.push_back({folder, journal.info(), sound_samples});
            }
        } catch (const std::exception &) {
            // Not a journal, or not readable: it is not offered.
        }
    }
    std::sort(found.begin(), found.end(), [](const InterruptedRun &a, const InterruptedRun &b) { return a.folder.filename() > b.folder.filename(); });
    return found;
}

void requireEnded(const fs::path &folder)
{
    if (!FileLock(requireLinesFile(folder), LockedFile::MustExist).take()) {
        throw Error(ErrorKind::Input, kStillRuns, folder.string(), kEndItFirst);
    }
}

void settleRun(const fs::path &folder)
{
    appendSettled(requireLinesFile(folder), {});
}

void appendToEndedRun(const fs::path &folder, const std::vector<std::string> &events)
{
    const fs::path file = runJournalFile(folder);
    if (!isFile(file)) {
        throw Error(ErrorKind::Input, "this journal was written by an older Braid and is only read", folder.string());
    }
    appendSettled(file, events);
}

}  // namespace braid::runtime
