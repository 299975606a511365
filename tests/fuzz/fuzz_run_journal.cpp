// Journals of every kind from strangers: any bytes must be read within bounds, or refused with braid::Error; what is read of a
// conversation must be one that can be saved and opened.
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/captions/caption_journal.h"
#include "core/streams/streams_journal.h"
#include "core/text/transcript_writer.h"
#include "core/translation/translation_journal.h"
#include "core/translation/translation_json.h"
#include "tests/fuzz/fuzz_folder.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    using namespace braid;
    std::ofstream(fuzz::folder() / "run.jsonl", std::ios::binary).write(reinterpret_cast<const char *>(data), static_cast<std::streamsize>(size));
    try {
        const runtime::RunKind kind = runtime::RunJournalReader(fuzz::folder()).info().kind;
        if (kind == runtime::RunKind::Captions) {
            static_cast<void>(text::formatTranscript(captions::readCaptionsJournal(fuzz::folder()).transcript, text::TranscriptFormat::Vtt));
            return 0;
        }
        if (kind == runtime::RunKind::Translation) {
            for (const auto &event : translation::readTranslationJournal(fuzz::folder()).events) {
                static_cast<void>(translation::eventToJsonLine(event));
            }
            return 0;
        }
        const streams::Conversation read = streams::readConversationJournal(fuzz::folder()).conversation;
        static_cast<void>(read.table());
        if (streams::conversationJson(streams::parseConversation(streams::conversationJson(read), "again")) != streams::conversationJson(read)) {
            std::abort();
        }
    } catch (const Error &) {
        // A sentence is the right answer to a bad file.
    }
    return 0;
}
