// Journals of every kind from strangers: any bytes must be read within bounds, or refused with braid::Error; what is read of a
// conversation must be one that can be saved and opened.
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/engine/caption_journal.h"
#include "core/engine/streams_journal.h"
#include "core/engine/translation_journal.h"
#include "core/engine/translation_json.h"
#include "core/text/transcript_writer.h"
#include "tests/fuzz/fuzz_folder.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    using namespace braid;
    std::ofstream(fuzz::folder() / "run.jsonl", std::ios::binary).write(reinterpret_cast<const char *>(data), static_cast<std::streamsize>(size));
    try {
        const engine::RunKind kind = engine::RunJournalReader(fuzz::folder()).info().kind;
        if (kind == engine::RunKind::Captions) {
            static_cast<void>(text::formatTranscript(engine::readCaptionsJournal(fuzz::folder()).transcript, text::TranscriptFormat::Vtt));
            return 0;
        }
        if (kind == engine::RunKind::Translation) {
            for (const auto &event : engine::readTranslationJournal(fuzz::folder()).events) {
                static_cast<void>(engine::eventToJsonLine(event));
            }
            return 0;
        }
        const streams::Conversation read = engine::readConversationJournal(fuzz::folder()).conversation;
        static_cast<void>(read.table());
        if (streams::conversationJson(streams::parseConversation(streams::conversationJson(read), "again")) != streams::conversationJson(read)) {
            std::abort();
        }
    } catch (const Error &) {
        // A sentence is the right answer to a bad file.
    }
    return 0;
}
