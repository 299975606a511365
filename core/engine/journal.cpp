#include "core/engine/journal.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <string_view>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "core/audio/pcm16.h"
#include "core/audio/wav_header.h"
#include "core/base/error.h"
#include "core/text/transcript_json.h"

namespace braid::engine {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int kFormatVersion = 1;
constexpr const char *kEventsFile = "events.jsonl";
constexpr std::size_t kLongestLine = 1u << 20;      // a longer one was not written by Braid
constexpr std::uint64_t kLargestEvents = 256u << 20;  // days of speech without a pause
constexpr std::size_t kMostItems = 2'000'000;       // and what short hostile lines may become in memory

fs::path infoPath(const fs::path &folder) { return folder / "session.json"; }
fs::path soundPath(const fs::path &folder) { return folder / "sound.wav"; }
fs::path eventsPath(const fs::path &folder) { return folder / kEventsFile; }

Json infoToJson(const JournalInfo &info)
{
    return {{"format", "braid-journal"}, {"version", kFormatVersion}, {"started_at", info.started_at}, {"source", info.source}, {"model", info.model}, {"policy", info.policy}};
}

void writeInfo(const fs::path &folder, const JournalInfo &info)
{
    writeFileAtomically(infoPath(folder), infoToJson(info).dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

JournalInfo readInfo(const fs::path &folder)
{
    const auto path = infoPath(folder);
    const auto json = Json::parse(readTextFile(path, 1u << 20), nullptr, false);
    if (!json.is_object() || textAt(json, "format") != "braid-journal") {
        throw Error(ErrorKind::Input, "this is no journal of Braid", path.string());
    }
    const auto version = json.find("version");
    if (version == json.end() || !version->is_number_integer() || version->get<std::int64_t>() != kFormatVersion) {
        throw Error(ErrorKind::Input, "this journal was written by another version of Braid", path.string(), "Open it with the version that wrote it.");
    }
    return {textAt(json, "started_at"), textAt(json, "source"), textAt(json, "model"), textAt(json, "policy")};
}

void readEvents(const fs::path &folder, RecoveredJournal &journal)
{
    const MappedFile file(eventsPath(folder));
    if (file.bytes().size() > kLargestEvents) {
        throw Error(ErrorKind::Input, "is larger than any journal of Braid", eventsPath(folder).string());
    }
    forEachWholeLine(asText(file), kLongestLine, [&journal](std::string_view line) {
        const auto json = Json::parse(line, nullptr, false);
        if (journal.transcript.size() >= kMostItems) {
            throw Error(ErrorKind::Input, "has more items than any journal of Braid", journal.folder.string());
        }
        if (!json.is_object()) {
            return;  // torn in the middle of the file by an earlier crash and continued
        }
        if (endsJournal(json)) {
            journal.state = JournalState::Finished;
            return;
        }
        try {
            journal.transcript.push_back(text::itemFromJson(json));
        } catch (const Error &) {
            // A damaged or newer line is passed over: everything else is worth keeping.
        }
    });
}

Sample soundLength(const fs::path &folder)
{
    std::error_code problem;
    const auto bytes = fs::file_size(soundPath(folder), problem);
    return problem || bytes < audio::kWavHeaderBytes ? 0 : static_cast<Sample>((bytes - audio::kWavHeaderBytes) / 2);
}

}  // namespace

JournalWriter::JournalWriter(const fs::path &parent, const JournalInfo &info)
    : m_folder(makeJournalFolder(parent))
    , m_info(info)
    , m_sound(soundPath(m_folder))
    , m_events(eventsPath(m_folder))
    , m_lock(std::make_unique<JournalLock>(eventsPath(m_folder)))
{
    if (m_info.started_at.empty()) {
        m_info.started_at = utcNow("%Y-%m-%dT%H:%M:%SZ");
    }
    static_cast<void>(m_lock->take());
    writeInfo(m_folder, m_info);
    const auto header = audio::wavHeader(audio::kUnknownWavSize);
    m_sound.append(std::string_view(header.data(), header.size()));
}

JournalWriter::~JournalWriter() = default;

void JournalWriter::describePolicy(const std::string &policy)
{
    m_info.policy = policy;
    writeInfo(m_folder, m_info);
}

void JournalWriter::appendSound(std::span<const float> sound)
{
    m_pcm.resize(sound.size() * 2);
    for (std::size_t i = 0; i < sound.size(); ++i) {
        const auto pcm = static_cast<std::uint16_t>(audio::pcm16Of(sound[i]));
        m_pcm[i * 2] = static_cast<char>(pcm & 0xFF);
        m_pcm[i * 2 + 1] = static_cast<char>(pcm >> 8);
    }
    m_sound.append(m_pcm);
}

void JournalWriter::appendItems(std::span<const text::TranscriptItem> items)
{
    std::string lines;
    for (const auto &item : items) {
        lines += text::jsonLine(text::itemToJson(item)) + '\n';
    }
    m_events.append(lines);
}

void JournalWriter::sync()
{
    m_sound.sync();
    m_events.sync();
}

void JournalWriter::finish()
{
    const auto header = audio::wavHeader(static_cast<std::uint64_t>(std::max<std::int64_t>(0, m_sound.size() - static_cast<std::int64_t>(audio::kWavHeaderBytes))));
    const int fd = ::open(soundPath(m_folder).c_str(), O_WRONLY | O_CLOEXEC);
    const bool written = fd >= 0 && ::pwrite(fd, header.data(), header.size(), 0) == static_cast<ssize_t>(header.size());
    const int problem = errno;
    if (fd >= 0) {
        ::close(fd);
    }
    if (!written) {
        throw Error(ErrorKind::Storage, std::string("the header cannot be written: ") + std::strerror(problem), soundPath(m_folder).string());
    }
    m_events.append(kFinishedLine);
    sync();
}

RecoveredJournal readJournal(const fs::path &folder)
{
    std::error_code problem;
    if (!fs::is_directory(folder, problem) || !fs::is_regular_file(eventsPath(folder), problem)) {
        throw Error(ErrorKind::Input, "this is no journal of Braid", folder.string(), "A journal is a folder with session.json, sound.wav and events.jsonl.");
    }
    RecoveredJournal journal;
    journal.folder = folder;
    // A crash in the first instant may leave events without a description: what was said counts more.
    if (fs::exists(infoPath(folder), problem)) {
        journal.info = readInfo(folder);
    }
    readEvents(folder, journal);
    journal.sound_samples = soundLength(folder);
    return journal;
}

std::vector<RecoveredJournal> findInterruptedJournals(const fs::path &parent)
{
    std::vector<RecoveredJournal> found;
    for (const fs::path &folder : interruptedJournals(parent, kEventsFile)) {
        try {
            auto journal = readJournal(folder);
            if (journal.state == JournalState::Interrupted) {
                found.push_back(std::move(journal));
            }
        } catch (const std::exception &) {
            // Not readable: it is not offered.
        }
    }
    return found;
}

void settleJournal(const fs::path &folder)
{
    settleLines(eventsPath(folder));
}

std::vector<float> readJournalSound(const fs::path &folder, Sample start, Sample length)
{
    const MappedFile file(soundPath(folder));
    const auto bytes = file.bytes();
    const Sample total = bytes.size() < audio::kWavHeaderBytes ? 0 : static_cast<Sample>((bytes.size() - audio::kWavHeaderBytes) / 2);
    const Sample first = std::clamp<Sample>(start, 0, total);
    const Sample count = std::clamp<Sample>(length, 0, total - first);
    if (count == 0) {
        return {};
    }
    std::vector<float> sound(static_cast<std::size_t>(count));
    const auto *data = reinterpret_cast<const unsigned char *>(bytes.data()) + audio::kWavHeaderBytes + static_cast<std::size_t>(first) * 2;
    for (std::size_t i = 0; i < sound.size(); ++i) {
        sound[i] = audio::floatOf(static_cast<std::int16_t>(data[2 * i] | data[2 * i + 1] << 8));
    }
    return sound;
}

}  // namespace braid::engine
