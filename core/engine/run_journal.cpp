#include "core/engine/run_journal.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "core/base/error.h"

namespace braid::engine {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char *kFile = "run.jsonl";
constexpr const char *kFormat = "braid-run-journal";
constexpr int kFormatVersion = 1;
constexpr std::size_t kLongestLine = 16u << 20;  // a longer one was not written by Braid
constexpr std::size_t kMostBytes = 256u << 20;  // what stands behind them is not read
constexpr std::chrono::seconds kSyncEvery{1};
constexpr std::pair<RunKind, std::string_view> kKinds[] = {{RunKind::Conversation, "conversation"}, {RunKind::Translation, "translation"}};

std::string headLine(const RunJournalInfo &info, std::string_view conversation)
{
    const std::string kind(kKinds[static_cast<std::size_t>(info.kind) - 1].second);
    const Json head = {{"format", kFormat}, {"version", kFormatVersion}, {"kind", kind}, {"started_at", info.started_at}, {"source", info.source}, {"model", info.model}};
    std::string line = head.dump(-1, ' ', false, Json::error_handler_t::replace);
    if (!conversation.empty()) {
        line.pop_back();
        line.append(",\"conversation\":").append(conversation) += '}';
    }
    return line += '\n';
}

}  // namespace

RunJournal::RunJournal(fs::path parent, std::string what, std::function<void(std::string)> on_trouble)
    : m_parent(std::move(parent))
    , m_what(std::move(what))
    , m_on_trouble(std::move(on_trouble))
{
}

RunJournal::~RunJournal()
{
    finish();
}

// The first trouble ends it: with a hole in it, what follows could not be read.
template <typename Act>
void RunJournal::attempt(const char *sentence, const Act &act)
{
    try {
        act();
    } catch (const std::exception &problem) {
        if (m_keeps.exchange(false)) {
            m_on_trouble(m_what + sentence + problem.what());
        }
    }
}

void RunJournal::begin(RunJournalInfo info, std::string_view conversation)
{
    if (m_parent.empty() || m_file) {
        return;
    }
    if (info.started_at.empty()) {
        info.started_at = utcNow("%Y-%m-%dT%H:%M:%SZ");
    }
    m_keeps = true;
    attempt(" is not kept in a journal: ", [&] {
        const fs::path file = makeJournalFolder(m_parent) / kFile;
        m_file.emplace(file);
        m_lock = std::make_unique<JournalLock>(file);
        static_cast<void>(m_lock->take());
        m_file->append(headLine(info, conversation));
        m_has_news = true;
        m_thread = std::jthread([this](const std::stop_token &stop) { keepDurable(stop); });
    });
}

void RunJournal::append(std::string line)
{
    if (m_keeps) {
        attempt(" is no longer kept in the journal: ", [&] {
            m_file->append(line += '\n');
            m_has_news = true;
        });
    }
}

void RunJournal::finish()
{
    if (m_thread.joinable()) {
        m_thread.request_stop();
        m_thread.join();
    }
    if (m_keeps) {
        attempt(" may not be whole in the journal: ", [this] {
            m_file->append(kFinishedLine);
            m_file->sync();
        });
    }
    m_keeps = false;
    m_lock.reset();
}

void RunJournal::keepDurable(const std::stop_token &stop)
{
    std::unique_lock lock(m_mutex);
    while (!stop.stop_requested()) {
        m_wake.wait_for(lock, stop, kSyncEvery, [] { return false; });
        if (m_keeps && m_has_news.exchange(false)) {
            attempt(" is no longer kept in the journal: ", [this] { m_file->sync(); });
        }
    }
}

RunJournalReader::RunJournalReader(const fs::path &folder)
    : m_file(folder / kFile)
    , m_events(asText(m_file).substr(0, kMostBytes))
{
    const std::string where = m_file.path().string();
    const std::size_t end = m_events.find('\n');
    const Json head = end == std::string_view::npos || end > kLongestLine ? Json() : Json::parse(m_events.substr(0, end), nullptr, false);
    if (!head.is_object() || textAt(head, "format") != kFormat) {
        throw Error(ErrorKind::Input, "this is no journal of a conversation or a translation", where);
    }
    const auto version = head.find("version");
    const std::string kind = textAt(head, "kind");
    const auto *known = std::find_if(std::begin(kKinds), std::end(kKinds), [&kind](const auto &each) { return each.second == kind; });
    if (version == head.end() || !version->is_number_integer() || version->get<std::int64_t>() != kFormatVersion || known == std::end(kKinds)) {
        throw Error(ErrorKind::Input, "this journal was written by another version of Braid", where, "Open it with the version that wrote it.");
    }
    m_info = {known->first, textAt(head, "started_at"), textAt(head, "source"), textAt(head, "model")};
    if (const auto conversation = head.find("conversation"); conversation != head.end()) {
        m_conversation = conversation->dump(-1, ' ', false, Json::error_handler_t::replace);
    }
    m_events.remove_prefix(end + 1);
}

JournalState RunJournalReader::forEachEvent(const std::function<void(std::string_view)> &use) const
{
    JournalState state = JournalState::Interrupted;
    forEachWholeLine(m_events, kLongestLine, [&](std::string_view line) {
        if (line.starts_with("{\"type\":")) {  // what an event is stands under "event"
            state = endsJournal(Json::parse(line, nullptr, false)) ? JournalState::Finished : state;
            return;
        }
        try {
            use(line);
        } catch (const Error &) {
            // A damaged or newer line is passed over: everything else is worth keeping.
        }
    });
    return state;
}

bool isRunJournal(const fs::path &folder)
{
    std::error_code problem;
    return fs::is_regular_file(folder / kFile, problem);
}

std::vector<InterruptedRun> findInterruptedRuns(const fs::path &parent)
{
    std::vector<InterruptedRun> found;
    for (const fs::path &folder : interruptedJournals(parent, kFile)) {
        try {
            const RunJournalReader journal(folder);
            if (!journal.isEmpty()) {
                found.push_back({folder, journal.info()});
            }
        } catch (const std::exception &) {
            // Not readable: it is not offered.
        }
    }
    return found;
}

void settleRun(const fs::path &folder)
{
    settleLines(folder / kFile);
}

}  // namespace braid::engine
