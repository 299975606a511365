// The journal of a run whose writer died: the files as they are while it still writes.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <QTemporaryDir>
#include <QtTest>

#include "core/captions/caption_journal.h"
#include "core/captions/caption_json.h"
#include "core/runtime/run_journal.h"
#include "core/runtime/run_journal_reader.h"
#include "core/streams/conversation.h"
#include "core/translation/translation_json.h"
#include "tests/support/faults.h"

namespace braid::testing {

// The folder of the only journal below `parent`.
inline std::filesystem::path onlyJournal(const std::filesystem::path &parent)
{
    return std::filesystem::directory_iterator(parent)->path();
}

inline void tell(runtime::RunJournal &journal, const streams::Conversation &told)
{
    journal.begin({runtime::RunKind::Conversation, "2026-01-02T03:04:05Z", told.layout.name, told.model}, streams::conversationHead(told));
    for (const streams::StreamsEvent &event : told.events) {
        journal.append(streams::eventLine(event));
    }
}

inline void tell(runtime::RunJournal &journal, const std::vector<translation::TranslationEventBody> &told)
{
    journal.begin({runtime::RunKind::Translation, "2026-01-02T03:04:05Z", "typed text", "capitals"});
    for (const translation::TranslationEventBody &event : told) {
        journal.append(translation::eventToJsonLine(event));
    }
}

struct ToldCaptions {
    text::Transcript items;
    std::vector<float> sound;
    std::string source = "Desk Microphone";
    std::string started_at = "2026-01-02T03:04:05Z";
};

inline void tell(runtime::RunJournal &journal, const ToldCaptions &told)
{
    journal.begin({runtime::RunKind::Captions, told.started_at, told.source, "captions-en"});
    journal.append(captions::policyToJsonLine("local-agreement"));
    journal.postSound(told.sound);
    for (const text::TranscriptItem &item : told.items) {
        journal.append(captions::eventToJsonLine(captions::Committed{{item}}));
    }
    // What waits is written by the journal's thread.
    while (runtime::journalSoundLength(journal.folder()) < static_cast<Sample>(told.sound.size())) {
        std::this_thread::yield();
    }
}

template <typename Told>
std::filesystem::path leaveInterrupted(const std::filesystem::path &parent, const Told &told, const char *name = "20260102-030405-001")
{
    const QTemporaryDir elsewhere;
    runtime::RunJournal journal(elsewhere.path().toStdString(), "This run", [](const std::string &) {});
    tell(journal, told);
    std::filesystem::create_directories(parent);
    std::filesystem::copy(onlyJournal(elsewhere.path().toStdString()), parent / name, std::filesystem::copy_options::recursive);
    return parent / name;
}

// Kills a writer early and late: what it had told by then stands at the beginning of what its journal gives back.
// `tell_until_killed(journals, pipe)` runs in a process of its own; `kept(folder)` gives the journal's events as the lines that were told.
template <typename Tell, typename Kept>
void killAtAnyMoment(const Tell &tell_until_killed, const Kept &kept)
{
    for (const int ms : {3, 40, 90, 333, 1500}) {
        const QTemporaryDir parent;
        const std::filesystem::path journals = parent.path().toStdString();
        const std::string told = toldUntilKilled(std::chrono::milliseconds(ms), [&](int pipe) { tell_until_killed(journals, pipe); });
        const auto found = runtime::findInterruptedRuns(journals);
        if (found.empty()) {
            QVERIFY(told.empty());
            continue;
        }
        const std::string lines = kept(found.at(0).folder);
        QVERIFY2(lines.starts_with(told), (told + "\n--- but the journal has\n" + lines).c_str());  // the pipe's last line may be torn
        if (ms >= 1500) {
            QVERIFY(told.size() > 1000);
        }
    }
}

}  // namespace braid::testing
