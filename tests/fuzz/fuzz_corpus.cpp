// The first byte chooses: a line of a manifest ('m'), a TextGrid ('g'), a TIMIT word file ('w'), a text to be normalised ('t'), phonemes
// or letters to be pronounced ('p'). What is read must survive being written and read again; what is normalised must be letters.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "lab/corpus/manifest.h"
#include "lab/corpus/pronunciation.h"
#include "lab/corpus/read_corpus.h"
#include "lab/corpus/synthesizer.h"
#include "lab/corpus/text_grid.h"
#include "lab/corpus/training_text.h"

namespace {

using namespace braid::corpus;

void require(bool holds)
{
    if (!holds) {
        std::abort();
    }
}

void manifest(std::string_view bytes)
{
    const Utterance first = parseManifestLine(bytes, "/data", "line");
    const std::string written = manifestLine(first, "/data");
    const Utterance second = parseManifestLine(written, "/data", "line");
    require(first.text == second.text && first.source == second.source && first.offset == second.offset && first.length == second.length &&
            first.words.size() == second.words.size());
    for (std::size_t i = 0; i < first.words.size(); ++i) {
        require(first.words[i].start_sample == second.words[i].start_sample && first.words[i].end_sample == second.words[i].end_sample);
    }
}

void grid(std::string_view bytes)
{
    (void)looksLikeTextGrid(bytes);
    const TextGrid read = parseTextGrid(bytes, "grid");
    for (const auto &tier : read.tiers) {
        for (const auto &interval : tier.intervals) {
            require(interval.end_seconds >= interval.start_seconds);
            (void)isSilenceLabel(interval.text);
        }
    }
    (void)wordTier(read);
}

void text(std::string_view bytes)
{
    const auto words = speakableText(bytes);
    const auto plain = trainingText(bytes);
    require(words.has_value() == plain.has_value());
    if (!plain) {
        return;
    }
    require(!plain->empty() && plain->find("  ") == plain->npos && plain->front() != ' ' && plain->back() != ' ');
    for (const char c : *plain) {
        require((c >= 'a' && c <= 'z') || c == '\'' || c == ' ');
    }
    require(trainingText(joined(*words)).has_value());
    (void)schemeString(bytes);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    if (size == 0) {
        return 0;
    }
    const std::string_view bytes(reinterpret_cast<const char *>(data) + 1, size - 1);
    try {
        switch (data[0]) {
        case 'm':
            manifest(bytes);
            break;
        case 'g':
            grid(bytes);
            break;
        case 'w':
            (void)parseTimitWords(bytes, "words");
            break;
        case 't':
            text(bytes);
            break;
        case 'p':
            (void)phonesFromIpa(bytes);
            (void)phonesFromLetters(bytes);
            break;
        default:
            break;
        }
    } catch (const braid::Error &error) {
        require(error.kind() == braid::ErrorKind::Input);
    }
    return 0;
}
