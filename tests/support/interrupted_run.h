// The journal of a conversation or a translation whose writer died: the files as they are while it still writes.
#pragma once

#include <filesystem>
#include <functional>

#include <QTemporaryDir>

#include "core/engine/recovered_runs.h"
#include "core/engine/translation_json.h"

namespace braid::testing {

// The folder of the only journal below `parent`.
inline std::filesystem::path onlyJournal(const std::filesystem::path &parent)
{
    return std::filesystem::directory_iterator(parent)->path();
}

inline void tell(engine::RunJournal &journal, const streams::Conversation &told)
{
    journal.begin({engine::RunKind::Conversation, "2026-01-02T03:04:05Z", told.layout.name, told.model}, streams::conversationHead(told));
    for (const streams::StreamsEvent &event : told.events) {
        journal.append(streams::eventLine(event));
    }
}

inline void tell(engine::RunJournal &journal, const std::vector<engine::TranslationEventBody> &told)
{
    journal.begin({engine::RunKind::Translation, "2026-01-02T03:04:05Z", "typed text", "capitals"});
    for (const engine::TranslationEventBody &event : told) {
        journal.append(engine::eventToJsonLine(event));
    }
}

template <typename Told>
std::filesystem::path leaveInterrupted(const std::filesystem::path &parent, const Told &told, const char *name = "20260102-030405-001")
{
    const QTemporaryDir elsewhere;
    engine::RunJournal journal(elsewhere.path().toStdString(), "This run", [](const std::string &) {});
    tell(journal, told);
    std::filesystem::create_directories(parent);
    std::filesystem::copy(onlyJournal(elsewhere.path().toStdString()), parent / name);
    return parent / name;
}

}  // namespace braid::testing
