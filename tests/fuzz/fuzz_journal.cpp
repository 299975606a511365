// Journals from strangers: any bytes in any of its three files must be read within bounds, or refused with braid::Error.
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <unistd.h>

#include "core/base/error.h"
#include "core/engine/journal.h"
#include "core/text/transcript_writer.h"

namespace {

// One folder for the whole process; its files are written anew for every input.
const std::filesystem::path &folder()
{
    static const std::filesystem::path path = [] {
        std::string name = (std::filesystem::temp_directory_path() / "braid-fuzz-journal-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) {
            std::abort();
        }
        return std::filesystem::path(name);
    }();
    return path;
}

void write(const char *name, std::string_view bytes)
{
    std::ofstream(folder() / name, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
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
    if (std::filesystem::file_size(folder() / "session.json") == 0) {
        std::filesystem::remove(folder() / "session.json");
    }
    try {
        const auto journal = braid::engine::readJournal(folder());
        static_cast<void>(braid::engine::readJournalSound(folder(), 1, 1 << 20));
        for (const auto format : {braid::text::TranscriptFormat::Text, braid::text::TranscriptFormat::Srt, braid::text::TranscriptFormat::Json}) {
            static_cast<void>(braid::text::formatTranscript(journal.transcript, format));
        }
    } catch (const braid::Error &) {
        // A sentence is the right answer to a bad file.
    }
    return 0;
}
