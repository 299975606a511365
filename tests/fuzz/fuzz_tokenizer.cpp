// The first byte chooses: any text as Whisper's tokenizer.json ('j'), a language model's ('l'), tiktoken file ('t'), merges ('m'),
// SentencePiece's file ('s'), llama2.c's ('c'), a chat template ('h'), a text through every way of cutting it ('p');
// else any bytes through a working tokenizer, where what is encoded must come back.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/text/chat_template.h"
#include "core/text/language_splitters.h"
#include "core/text/language_tokenizer.h"
#include "core/text/language_vocabulary.h"
#include "core/text/tokenizer_files.h"
#include "core/text/unicode_normalisation.h"
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
    for (const auto piece : splitBy(SplitPattern::Gpt2, text)) {
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

// Whatever loads must take any text and any ids.
void useTokenizer(LanguageVocabulary vocabulary)
{
    const LanguageTokenizer tokenizer(std::move(vocabulary), "fuzz");
    for (const char *text : {"round trip 123 \xF0\x9F\x98\x80", " <s> \n x", "\xE2\x96\x81\x61\x00\xFF", ""}) {
        auto ids = tokenizer.encode(text, {Surroundings::Added});
        ids.push_back(-1);
        ids.push_back(tokenizer.size());
        for (std::int32_t id = 0; id < std::min(tokenizer.size(), 300); ++id) {
            ids.push_back(id);
        }
        LanguageTokenizer::Stream stream(tokenizer);
        std::string shown;
        for (const auto id : ids) {
            shown += stream.push(id);
            (void)tokenizer.readableToken(id);
        }
        shown += stream.finish();
        if (!isValidUtf8(shown) || !isValidUtf8(tokenizer.decode(ids))) {
            std::abort();
        }
    }
}

// A template that is recognised writes any conversation, or says why not; what people say stays theirs.
void useTemplate(std::string_view source)
{
    const auto chat = recogniseChatTemplate(source, "<b>", "fuzz");
    const std::string words = "x " + std::string(source.substr(0, 200));
    for (const auto first : {ChatRole::System, ChatRole::User}) {
        const std::vector<ChatMessage> messages = {{first, words}, {ChatRole::User, words}, {ChatRole::Assistant, words}};
        try {
            (void)chatText(writeChat(chat, messages, AssistantTurn::Begun));
            (void)chatText(writeChat(chat, messages, AssistantTurn::NotBegun));
        } catch (const braid::Error &problem) {
            if (problem.kind() != braid::ErrorKind::Usage) {
                throw;
            }
        }
    }
}

void requireWholePieces(std::string_view text)
{
    for (const auto pattern : {SplitPattern::Gpt2, SplitPattern::Cl100k, SplitPattern::Qwen2, SplitPattern::Qwen35, SplitPattern::O200k}) {
        std::size_t covered = 0;
        for (const auto piece : splitBy(pattern, text)) {
            if (piece.empty() || piece.data() != text.data() + covered) {
                std::abort();
            }
            covered += piece.size();
        }
        if (covered != text.size()) {
            std::abort();
        }
    }
    if (composed(composed(text)) != composed(text) || decomposed(composed(text)) != decomposed(text) || lowerCased(lowerCased(text)) != lowerCased(text)) {
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
        case 'l':
            useTokenizer(readLanguageJson(text, "fuzz"));
            break;
        case 's':
            useTokenizer(readSentencePiece(text, "fuzz"));
            break;
        case 'c':
            useTokenizer(readLlama2c(text, "fuzz"));
            break;
        case 'h':
            useTemplate(text);
            break;
        case 'p':
            requireWholePieces(text);
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
