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
constexpr std::size_t kMostUnwrittenBytes = 16u << 20;          // lines that wait for room
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

RunJournal::RunJournal(fs::path parent, std::string what, std::function<void(std::string)> on_trouble, FreeBytes free_bytes)
    : m_parent(std::move(parent))
    , m_what(std::move(what))
    , m_on_trouble(std::move(on_trouble))
    , m_free_bytes(std::move(free_bytes))
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
    const std::lock_guard lock(m_lines_mutex);
    const bool has_waited = !m_unwritten.empty();
    m_unwritten_bytes += line.size() + 1;
    m_unwritten.push_back(std::move(line += '\n'));
    if (has_waited) {  // the thread tries again
        if (m_unwritten_bytes > kMostUnwrittenBytes) {
            loseLines("The disk has been full for too long.");
        }
        return;
    }
    try {
        appendWaiting();
    } catch (const std::exception &problem) {
        m_on_trouble(m_what + " is no longer kept in the journal until there is room: " + problem.what());
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

// For good: with a hole in them, what follows could not be read.
void RunJournal::loseLines(const std::string &sentence)
{
    m_keeps = false;
    m_unwritten.clear();
    m_unwritten_bytes = 0;
    m_on_trouble(m_what + " is no longer kept in the journal: " + sentence);
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
    m_on_trouble(sentence);
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
        makePrivateFile(file);
        m_lines.emplace(file);
        m_lock = std::make_unique<FileLock>(file, LockedFile::MustExist);
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

// Every line that waits, in order; with m_lines_mutex held. Throws at the first for which there is no room.
void RunJournal::appendWaiting()
{
    for (; !m_unwritten.empty(); m_unwritten.pop_front()) {
        m_lines->append(m_unwritten.front());
        m_unwritten_bytes -= m_unwritten.front().size();
        m_has_news = true;
    }
    if (m_lines->size() + kReservedBytes / 2 > m_reserved_to) {
        reserveRoom(runJournalFile(m_folder), m_lines->size());
        m_reserved_to = m_lines->size() + kReservedBytes;
    }
}

bool RunJournal::hasRoomForSound() const
{
    return m_free_bytes(m_folder) >= kRoomForWords;
}

void RunJournal::write(const std::deque<Sound> &sound)
{
    if (sound.empty() || !m_keeps_sound) {
        return;
    }
    if (m_sound_has_room && !hasRoomForSound()) {
        holdSoundBack("the disk is nearly full");
    }
    for (const Sound &piece : sound) {
        if (m_sound_has_room) {
            try {
                writePiece(piece);
                m_has_news = true;
                continue;
            } catch (const std::exception &problem) {
                holdSoundBack(problem.what());
            }
        }
        const auto *heard = std::get_if<std::vector<float>>(&piece);
        m_left_out_samples += heard != nullptr ? static_cast<Sample>(heard->size()) : std::get<Silence>(piece).length_samples;
    }
}

void RunJournal::writePiece(const Sound &piece)
{
    if (const auto *heard = std::get_if<std::vector<float>>(&piece)) {
        m_sound->append(*heard);
    } else {
        m_sound->appendSilence(std::get<Silence>(piece).length_samples);
    }
}

void RunJournal::holdSoundBack(const std::string &why)
{
    m_sound_has_room = false;
    m_on_trouble("The sound of this session is no longer kept until there is room; its words are. " + why);
}

// Silence stands for what was left out: sound and words keep one clock.
void RunJournal::resumeSound()
{
    if (m_sound_has_room || !m_keeps_sound || !hasRoomForSound()) {
        return;
    }
    try {
        m_sound->appendSilence(m_left_out_samples);
    } catch (const std::exception &) {
        return;  // not yet
    }
    m_sound_has_room = true;
    m_on_trouble("The sound of this session is kept again; " + formatClock(std::exchange(m_left_out_samples, 0)) + " of it are not.");
}

void RunJournal::makeDurable()
{
    resumeSound();
    if (m_keeps) {
        const std::lock_guard lock(m_lines_mutex);
        if (!m_unwritten.empty()) {
            try {
                appendWaiting();
                m_on_trouble(m_what + " is kept in the journal again, and nothing of it is missing.");
            } catch (const std::exception &) {
                // Not yet.
            }
        }
    }
    if (!m_has_news.exchange(false)) {
        return;
    }
    if (m_keeps) {
        try {
            m_lines->sync();
        } catch (const std::exception &problem) {
            const std::lock_guard lock(m_lines_mutex);
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
    } catch (const std::exception &problem) {
        m_on_trouble("The sound of this session may not be whole in the journal: " + std::string(problem.what()));
    }
    if (m_keeps) {
        const std::lock_guard lock(m_lines_mutex);
        const bool was_told = !m_unwritten.empty();
        try {
            appendWaiting();
            m_lines->append(kFinishedLine);
            releaseRoom(runJournalFile(m_folder));
            m_lines->sync();
        } catch (const std::exception &problem) {
            if (!was_told) {
                m_on_trouble(m_what + " may not be whole in the journal: " + problem.what());
            }
        }
    }
    m_lock.reset();
}

}  // namespace braid::runtime
