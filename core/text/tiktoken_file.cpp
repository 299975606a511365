#include <algorithm>
#include <charconv>
#include <optional>

#include "core/text/tokenizer_files.h"
#include "core/text/vocabulary_checks.h"

namespace braid::text {
namespace {

std::optional<std::string> decodeBase64(std::string_view text)
{
    if (text == "=") {
        return std::string();  // how the empty token stands in OpenAI's multilingual file
    }
    if (text.size() % 4 != 0 || text.empty()) {
        return std::nullopt;
    }
    std::string bytes;
    std::uint32_t bits = 0;
    int bit_count = 0;
    const auto padding = text.size() - std::min(text.size(), text.find_last_not_of('=') + 1);
    if (padding > 2) {
        return std::nullopt;
    }
    for (const char c : text.substr(0, text.size() - padding)) {
        std::uint32_t value = 0;
        if (c >= 'A' && c <= 'Z') {
            value = static_cast<std::uint32_t>(c - 'A');
        } else if (c >= 'a' && c <= 'z') {
            value = static_cast<std::uint32_t>(c - 'a' + 26);
        } else if (c >= '0' && c <= '9') {
            value = static_cast<std::uint32_t>(c - '0' + 52);
        } else if (c == '+' || c == '/') {
            value = c == '+' ? 62 : 63;
        } else {
            return std::nullopt;
        }
        bits = (bits << 6 | value) & 0xFFFFFF;
        bit_count += 6;
        if (bit_count >= 8) {
            bit_count -= 8;
            bytes += static_cast<char>(bits >> bit_count & 0xFF);
        }
    }
    return bytes;
}

// tiktoken has no list of merges: two neighbours may be merged wherever their bytes together are a token, and that token's id is the rank.
std::vector<TokenMerge> mergesByRank(const std::vector<std::string> &tokens, const IdOfToken &ids)
{
    std::vector<TokenMerge> merges;
    std::string left;
    std::string right;
    for (std::size_t id = 0; id < tokens.size(); ++id) {
        const auto &token = tokens[id];
        for (std::size_t cut = 1; cut < token.size(); ++cut) {
            left.assign(token, 0, cut);
            const auto left_id = ids.find(left);
            if (left_id == ids.end()) {
                continue;
            }
            right.assign(token, cut);
            if (const auto right_id = ids.find(right); right_id != ids.end()) {
                merges.push_back({left_id->second, right_id->second, static_cast<std::int32_t>(id), static_cast<std::int32_t>(id)});
            }
        }
    }
    return merges;
}

}  // namespace

Vocabulary readTiktoken(std::string_view file, const std::string &where)
{
    Vocabulary vocabulary;
    IdOfToken ids;
    forEachLine(file, [&](std::string_view line) {
        if (line.empty()) {
            return;
        }
        const auto rank = static_cast<std::int64_t>(vocabulary.bytes.size());
        const auto space = line.find(' ');
        std::int64_t number = -1;
        const auto digits = space == line.npos ? std::string_view() : line.substr(space + 1);
        const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
        auto bytes = space == line.npos ? std::nullopt : decodeBase64(line.substr(0, space));
        if (!bytes || problem != std::errc() || end != digits.data() + digits.size()) {
            refuse("line " + std::to_string(rank + 1) + " is not a token in base64 and its rank", where);
        }
        if (number != rank || rank >= kMaxTokens) {
            refuse("line " + std::to_string(rank + 1) + " has the rank " + std::to_string(number) + " where " + std::to_string(rank) + " is due", where);
        }
        if (bytes->size() > kMaxTokenBytes) {
            refuse("the token on line " + std::to_string(rank + 1) + " is too long", where);
        }
        if (!ids.emplace(*bytes, static_cast<std::int32_t>(rank)).second) {
            refuse("the token on line " + std::to_string(rank + 1) + " is there twice", where);
        }
        vocabulary.bytes.push_back(std::move(*bytes));
        vocabulary.kinds.push_back(TokenKind::Text);
    });
    const auto byte_ids = singleByteIds(ids, where);
    vocabulary.merges = mergesByRank(vocabulary.bytes, ids);
    vocabulary.encoder = BytePairEncoder(byte_ids, vocabulary.merges);
    vocabulary.encoder.setWholePieces(std::move(ids));
    return vocabulary;
}

}  // namespace braid::text
