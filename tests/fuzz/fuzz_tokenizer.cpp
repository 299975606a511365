// The first byte chooses: any text as tokenizer.json ('j'), tiktoken file ('t'), merges ('m'); else any bytes through a working tokenizer,
// where what is encoded must come back.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/text/gpt2_splitter.h"
#include "core/text/tokenizer_files.h"
#include "core/text/utf8.h"

namespace {

using namespace braid::text;

// The 256 bytes and some merges, as a tiktoken file.
std::string smallTiktoken()
{
    static constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string file;
    for (unsigned byte = 0; byte < 256; ++byte) {
        file += {digits[byte >> 2], digits[(byte & 3) << 4], '=', '='};
        file += " " + std::to_string(byte) + "\n";
    }
    return file + "YWE= 256\nYWFh 257\nYWI= 258\nICA= 259\nIGFh 260\n";  // aa, aaa, ab, two spaces, " aa"
}

void requireRoundTrip(const Vocabulary &vocabulary, std::string_view text)
{
    std::vector<std::int32_t> ids;
    std::size_t covered = 0;
    for (const auto piece : splitLikeGpt2(text)) {
        if (piece.empty()) {
            std::abort();
        }
        covered += piece.size();
        vocabulary.encoder.encode(piece, ids);
    }
    std::string back;
    for (const auto id : ids) {
        back += vocabulary.bytes.at(static_cast<std::size_t>(id));
    }
    if (covered != text.size() || back != text || !isValidUtf8(toValidUtf8(text)) || completeLength(text) > text.size()) {
        std::abort();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    static const auto small = readTiktoken(smallTiktoken(), "fuzz");
    if (size == 0) {
        return 0;
    }
    const std::string_view text(reinterpret_cast<const char *>(data) + 1, size - 1);
    try {
        switch (data[0]) {
        case 'j':
            requireRoundTrip(readTokenizerJson(text, "fuzz"), "round trip 123 \xF0\x9F\x98\x80");
            break;
        case 't':
            (void)readTiktoken(text, "fuzz");
            break;
        case 'm': {
            const auto cut = std::min(text.find('\0'), text.size());
            (void)readVocabAndMerges(text.substr(0, cut), text.substr(std::min(cut + 1, text.size())), {}, "fuzz");
            break;
        }
        default:
            requireRoundTrip(small, text);
        }
    } catch (const braid::Error &) {
    }
    return 0;
}
