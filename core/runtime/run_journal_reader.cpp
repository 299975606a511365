#include "core/runtime/run_journal_reader.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <system_error>

#include "core/base/error.h"
#include "core/runtime/journal_sound.h"

namespace braid::runtime {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t kLongestLine = 16u << 20;  // a longer one was not written by Braid
constexpr std::size_t kMostBytes = 256u << 20;   // what stands behind them is not read

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
    if (!fs::exists(file)) {
        return {.kind = RunKind::Captions};
    }
    const Json head = Json::parse(readTextFile(file, 1u << 20), nullptr, false);
    requireHead(head, "braid-journal", file.string());
    return infoOf(head, RunKind::Captions);
}

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

bool isInterrupted(const fs::path &folder)
{
    const fs::path file = linesFile(folder);
    return !file.empty() && !isOver(asText(MappedFile(file))) && JournalLock(file).take();
}

}  // namespace

RunJournalReader::RunJournalReader(const fs::path &folder)
    : m_lines(isFile(runJournalFile(folder)) ? Lines::Events : Lines::Items)
    , m_file(requireLinesFile(folder))
    , m_events(asText(m_file).substr(0, kMostBytes))
{
    if (m_lines == Lines::Items) {
        m_info = oldInfo(folder);
    } else {
        readHead(m_file.path().string());
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
    const std::size_t end = m_events.find('\n');
    const Json head = end == std::string_view::npos || end > kLongestLine ? Json() : Json::parse(m_events.substr(0, end), nullptr, false);
    requireHead(head, kRunJournalFormat, where);
    const auto kind = runKindNamed(textAt(head, "kind"));
    if (!kind) {
        throw Error(ErrorKind::Input, "this journal was written by another version of Braid", where, "Open it with the version that wrote it.");
    }
    m_info = infoOf(head, *kind);
    if (const auto conversation = head.find("conversation"); conversation != head.end()) {
        m_conversation = conversation->dump(-1, ' ', false, Json::error_handler_t::replace);
    }
    m_events.remove_prefix(end + 1);
}

JournalState RunJournalReader::forEachEvent(const std::function<void(std::string_view)> &use) const
{
    JournalState state = JournalState::Interrupted;
    std::string event;
    forEachWholeLine(m_events, kLongestLine, [&](std::string_view line) {
        if (line.size() < 64 && endsJournal(Json::parse(line, nullptr, false))) {
            state = JournalState::Finished;
            return;
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

void settleRun(const fs::path &folder)
{
    // The line feed first: it closes a torn last line, which readers then pass over.
    AppendFile(requireLinesFile(folder)).append("\n{\"type\":\"settled\"}\n");
}

}  // namespace braid::runtime
