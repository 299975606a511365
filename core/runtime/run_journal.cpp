#include "core/runtime/run_journal.h"

#include <chrono>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.h"

namespace braid::runtime {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::chrono::seconds kSyncEvery{1};
constexpr Sample kComfortableSamples = samplesFromSeconds(30);  // a source that can wait is held back above this
constexpr Sample kMostSamples = samplesFromSeconds(900);        // a disk that takes nothing for so long loses the sound

std::string headLine(const RunJournalInfo &info, const std::string &conversation)
{
    const Json head = {{"format", kRunJournalFormat},   {"version", kRunJournalVersion}, {"kind", runKindName(info.kind)},
                       {"started_at", info.started_at}, {"source", info.source},         {"model", info.model}};
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

// --- the run's side ----------------------------------------------------------------------------------------------------------------

void RunJournal::begin(RunJournalInfo info, std::string conversation)
{
    const std::lock_guard lock(m_mutex);
    if (m_parent.empty() || m_phase != Phase::Idle || m_finishing) {
        return;
    }
    if (info.started_at.empty()) {
        info.started_at = utcNow("%Y-%m-%dT%H:%M:%SZ");
    }
    m_phase = Phase::Making;
    m_keeps = true;
    m_keeps_sound = info.kind == RunKind::Captions;
    m_thread = std::thread([this, info = std::move(info), conversation = std::move(conversation)] { run(info, conversation); });
}

void RunJournal::append(std::string line)
{
    {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [&] { return m_phase != Phase::Making; });
        if (m_phase != Phase::Open || !m_keeps) {
            return;
        }
    }
    try {
        m_lines->append(line += '\n');
        m_has_news = true;
    } catch (const std::exception &problem) {
        loseLines(problem.what());
    }
}

void RunJournal::postSound(std::span<const float> sound)
{
    post(std::vector<float>(sound.begin(), sound.end()), static_cast<Sample>(sound.size()));
}

void RunJournal::postSilence(Sample length_samples)
{
    post(Silence{length_samples}, 0);
}

void RunJournal::post(Sound sound, Sample samples)
{
    {
        const std::lock_guard lock(m_mutex);
        if (!m_keeps_sound || m_phase == Phase::Closed || m_finishing) {
            return;
        }
        if (m_waiting_samples + samples <= kMostSamples) {
            m_waiting.push_back(std::move(sound));
            m_waiting_samples += samples;
            m_changed.notify_all();
            return;
        }
    }
    loseSound("The disk did not take the sound for a quarter of an hour; the sound of this session is no longer kept.");
}

void RunJournal::waitForRoom()
{
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [&] { return m_waiting_samples <= kComfortableSamples || m_finishing || m_phase == Phase::Closed; });
}

void RunJournal::finish()
{
    {
        const std::lock_guard lock(m_mutex);
        m_finishing = true;
        m_changed.notify_all();
    }
    if (m_thread.joinable()) {
        m_thread.join();
    }
    m_keeps = false;
}

fs::path RunJournal::folder() const
{
    const std::lock_guard lock(m_mutex);
    return m_folder;
}

// --- troubles ----------------------------------------------------------------------------------------------------------------------

void RunJournal::tellTrouble(const std::string &sentence)
{
    if (!m_told.exchange(true)) {
        m_on_trouble(sentence);
    }
}

// The first trouble ends the lines: with a hole in them, what follows could not be read.
void RunJournal::loseLines(const std::string &sentence)
{
    m_keeps = false;
    tellTrouble(m_what + " is no longer kept in the journal: " + sentence);
}

void RunJournal::loseSound(const std::string &sentence)
{
    {
        const std::lock_guard lock(m_mutex);
        m_keeps_sound = false;
        m_waiting.clear();
        m_waiting_samples = 0;
        m_changed.notify_all();
    }
    tellTrouble(sentence);
}

// --- the thread's side -------------------------------------------------------------------------------------------------------------

void RunJournal::run(const RunJournalInfo &info, const std::string &conversation)
{
    const bool is_made = make(info, conversation);
    auto next_sync = std::chrono::steady_clock::now() + kSyncEvery;
    for (bool finishing = !is_made; !finishing;) {
        std::deque<Sound> sound;
        {
            std::unique_lock lock(m_mutex);
            m_changed.wait_until(lock, next_sync, [&] { return !m_waiting.empty() || m_finishing; });
            sound.swap(m_waiting);
            m_waiting_samples = 0;
            finishing = m_finishing;
            m_changed.notify_all();
        }
        write(sound);
        if (finishing) {
            close();
        } else if (std::chrono::steady_clock::now() >= next_sync) {
            makeDurable();
            next_sync = std::chrono::steady_clock::now() + kSyncEvery;
        }
    }
    const std::lock_guard lock(m_mutex);
    m_phase = Phase::Closed;
    m_changed.notify_all();
}

bool RunJournal::make(const RunJournalInfo &info, const std::string &conversation)
{
    try {
        const fs::path folder = makeJournalFolder(m_parent);
        const fs::path file = runJournalFile(folder);
        m_lines.emplace(file);
        m_lock = std::make_unique<JournalLock>(file);
        static_cast<void>(m_lock->take());
        m_lines->append(headLine(info, conversation));
        m_has_news = true;
        if (info.kind == RunKind::Captions) {
            m_sound.emplace(folder);
        }
        const std::lock_guard lock(m_mutex);
        m_folder = folder;
        m_phase = Phase::Open;
        m_changed.notify_all();
        return true;
    } catch (const std::exception &problem) {
        m_keeps = false;
        loseSound(m_what + " is not kept in a journal: " + problem.what());
        return false;
    }
}

void RunJournal::write(const std::deque<Sound> &sound)
{
    try {
        for (const Sound &piece : sound) {
            if (!m_keeps_sound) {
                return;
            }
            if (const auto *heard = std::get_if<std::vector<float>>(&piece)) {
                m_sound->append(*heard);
            } else {
                m_sound->appendSilence(std::get<Silence>(piece).length_samples);
            }
            m_has_news = true;
        }
    } catch (const std::exception &problem) {
        loseSound(std::string("The sound of this session is no longer kept: ") + problem.what());
    }
}

void RunJournal::makeDurable()
{
    if (!m_has_news.exchange(false)) {
        return;
    }
    if (m_keeps) {
        try {
            m_lines->sync();
        } catch (const std::exception &problem) {
            loseLines(problem.what());
        }
    }
    if (m_keeps_sound) {
        try {
            m_sound->sync();
        } catch (const std::exception &problem) {
            loseSound(std::string("The sound of this session is no longer kept: ") + problem.what());
        }
    }
}

void RunJournal::close()
{
    try {
        if (m_sound) {
            m_sound->finish();
        }
        if (m_keeps) {
            m_lines->append(kFinishedLine);
            m_lines->sync();
        }
    } catch (const std::exception &problem) {
        tellTrouble(m_what + " may not be whole in the journal: " + problem.what());
    }
    m_lock.reset();
}

}  // namespace braid::runtime
