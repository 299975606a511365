// Journals as a person finds them under History: one of every kind, each cut off.
#pragma once

#include <filesystem>

#include "tests/core/streams/streams_of.h"
#include "tests/support/interrupted_run.h"
#include "tests/ui/fakes.h"

namespace braid::ui::test {

inline streams::Conversation keptConversation()
{
    streams::Conversation conversation;
    conversation.layout.name = "two";
    conversation.layout.silence_text = " -";
    conversation.layout.streams = {streamOf("User", streams::StreamRole::User, {0, 1}), streamOf("Answer", streams::StreamRole::Assistant, {0, 1})};
    conversation.model = "streams-en";
    for (const char *word : {" how", " are", " you", ""}) {
        streams::StreamsEvent row;
        row.row = static_cast<std::int64_t>(conversation.events.size());
        row.time_ms = 400 * (row.row + 1);
        row.cells.resize(2);
        const bool user_speaks = word[0] != 0;
        streams::Cell &said = row.cells[user_speaks ? 0 : 1];
        said.token = 5;
        said.text = user_speaks ? word : " fine";
        said.source = user_speaks ? streams::CellSource::Fed : streams::CellSource::Sampled;
        row.cells[user_speaks ? 1 : 0].source = streams::CellSource::Silenced;
        conversation.events.push_back(std::move(row));
    }
    return conversation;
}

inline std::vector<translation::TranslationEventBody> keptTranslation()
{
    using Told = translation::TranslationSessionEvent;
    const auto unit = [](const char *text) {
        translation::ArrivedUnit arrived;
        arrived.text = text;
        arrived.arrived_ms = 1200;
        return arrived;
    };
    const auto word = [](const char *text) {
        translation::WordWritten written;
        written.word.text = text;
        written.word.read_units = 2;
        written.written_ms = 2500;
        return written;
    };
    return {Told(translation::SentenceBegan{0, 0}),
            Told(translation::UnitsArrived{0, {unit("the"), unit("cat")}}),
            Told(translation::SourceClosed{0}),
            Told(translation::UnitsRead{0, 2, 1300}),
            Told(word("le")),
            Told(word("chat")),
            Told(translation::SentenceEnded{0, translation::TranslationEnd::Said, "the cat", "le chat"})};
}

inline void leaveOneOfEveryKind(const std::filesystem::path &journals)
{
    const auto said = words(QStringLiteral("the birch canoe slid away"), 0.2);
    braid::testing::leaveInterrupted(journals, keptConversation(), "20260102-030405-001");
    braid::testing::leaveInterrupted(journals, keptTranslation(), "20260102-030405-002");
    braid::testing::leaveInterrupted(journals, braid::testing::ToldCaptions{transcriptOf(said), soundOf(said, samplesFromSeconds(61))}, "20260102-030405-003");
}

}  // namespace braid::ui::test
