// Journals of captions in their old form from strangers: any bytes in any of its three files must be read within bounds, or refused with braid::Error.
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/captions/caption_journal.h"
#include "core/runtime/journal_sound.h"
#include "core/text/transcript_writer.h"
#include "tests/fuzz/fuzz_folder.h"

namespace {

void write(const char *name, std::string_view bytes)
{
    std::ofstream(braid::fuzz::folder() / name, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

}  // namespace

// The input is events.jsonl; what follows a byte of zero is session.json, and after another one sound.wav.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    std::string_view rest(reinterpret_cast<const char *>(data), size);
    for (const char *name : {"events.jsonl", "session.json", "sound.wav"}) {
        const auto end = rest.find('\0');
        write(name, rest.substr(0, end));
        rest = end == std::string_view::npos ? std::string_view("") : rest.substr(end + 1);
    }
    if (std::filesystem::file_size(braid::fuzz::folder() / "session.json") == 0) {
        std::filesystem::remove(braid::fuzz::folder() / "session.json");
    }
    try {
        const auto journal = braid::captions::readCaptionsJournal(braid::fuzz::folder());
        static_cast<void>(braid::runtime::readJournalSound(braid::fuzz::folder(), 1, 1 << 20));
        for (const auto format : {braid::text::TranscriptFormat::Text, braid::text::TranscriptFormat::Srt, braid::text::TranscriptFormat::Json}) {
            static_cast<void>(braid::text::formatTranscript(journal.transcript, format));
        }
    } catch (const braid::Error &) {
        // A sentence is the right answer to a bad file.
    }
    return 0;
}
