#include "core/text/restricted_vocabulary.h"

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/text/byte_alphabet.h"
#include "core/text/language_splitters.h"
#include "core/text/tokenizer_files.h"
#include "core/text/vocabulary_checks.h"
#include "core/text/vocabulary_json.h"

namespace braid::text {

namespace {

constexpr std::size_t kMaxFileBytes = 32u << 20;

std::string readVocabularyFile(const std::filesystem::path &path)
{
    if (path.extension() != ".tiktoken") {
        throw Error(ErrorKind::Model, "this is not a vocabulary by ranks", path.string(), "Give a *.tiktoken file, such as gpt2.tiktoken");
    }
    return readTextFile(path, kMaxFileBytes);
}

struct Parts {
    std::int32_t left = -1;  // -1: a single byte
    std::int32_t right = -1;
};

}  // namespace

struct RestrictedVocabulary::Data {
    Vocabulary whole;
    std::vector<Parts> parts;  // by id
    std::vector<std::int64_t> counts;
    std::int64_t counted = 0;
};

RestrictedVocabulary::~RestrictedVocabulary() = default;

std::int64_t RestrictedVocabulary::counted() const noexcept
{
    return m_data->counted;
}

RestrictedVocabulary::RestrictedVocabulary(const std::filesystem::path &tiktoken)
    : m_data(std::make_unique<Data>())
{
    m_data->whole = readTiktoken(readVocabularyFile(tiktoken), tiktoken.string());
    const Vocabulary &whole = m_data->whole;
    m_data->parts.resize(whole.bytes.size());
    m_data->counts.resize(whole.bytes.size(), 0);
    IdOfToken ids;
    for (std::size_t id = 0; id < whole.bytes.size(); ++id) {
        ids.emplace(whole.bytes[id], static_cast<std::int32_t>(id));
    }
    const auto idOf = [&ids](const std::string &bytes) {
        const auto found = ids.find(bytes);
        return found == ids.end() ? static_cast<std::int32_t>(ids.size()) : found->second;
    };
    // A file of ranks does not say of which two parts a token is made: merging its bytes by the ranks before its own leaves them.
    for (std::size_t id = 0; id < whole.bytes.size(); ++id) {
        std::vector<std::string> pieces;
        for (const char byte : whole.bytes[id]) {
            pieces.emplace_back(1, byte);
        }
        while (pieces.size() > 2) {
            std::size_t best = 0;
            auto rank = static_cast<std::int32_t>(id);
            for (std::size_t i = 0; i + 1 < pieces.size(); ++i) {
                if (const std::int32_t here = idOf(pieces[i] + pieces[i + 1]); here < rank) {
                    rank = here;
                    best = i;
                }
            }
            if (rank == static_cast<std::int32_t>(id)) {
                refuse("the token " + inQuotes(whole.bytes[id]) + " cannot be merged from those before it", tiktoken.string());
            }
            pieces[best] += pieces[best + 1];
            pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(best) + 1);
        }
        if (pieces.size() == 2) {
            m_data->parts[id] = {idOf(pieces[0]), idOf(pieces[1])};
        }
    }
}

void RestrictedVocabulary::add(std::string_view text)
{
    std::string spaced;
    if (!text.starts_with(' ')) {
        spaced = " " + std::string(text);
        text = spaced;
    }
    std::vector<std::int32_t> ids;
    for (const std::string_view piece : splitBy(SplitPattern::Gpt2, text)) {
        m_data->whole.encoder.encode(piece, ids);
    }
    for (const std::int32_t id : ids) {
        ++m_data->counts[static_cast<std::size_t>(id)];
    }
    m_data->counted += static_cast<std::int64_t>(ids.size());
}

RestrictedVocabulary::Choice RestrictedVocabulary::choose(std::int64_t least, const std::vector<std::string> &special_tokens) const
{
    using nlohmann::json;
    enum class Kept : std::uint8_t { No = 1, Often, AsPart };
    std::vector<std::int64_t> counts = m_data->counts;
    std::vector<Kept> kept(counts.size(), Kept::No);
    // Parts have lower ranks than what they make.
    for (std::size_t id = counts.size(); id-- > 0;) {
        const Parts &parts = m_data->parts[id];
        if (parts.left < 0) {
            kept[id] = m_data->whole.bytes[id].empty() ? Kept::No : Kept::Often;
            continue;
        }
        const auto left = static_cast<std::size_t>(parts.left);
        const auto right = static_cast<std::size_t>(parts.right);
        if (counts[id] >= least) {
            kept[id] = Kept::Often;
        }
        if (kept[id] == Kept::No) {
            counts[left] += counts[id];
            counts[right] += counts[id];
            continue;
        }
        for (const std::size_t part : {left, right}) {
            if (kept[part] == Kept::No) {
                kept[part] = Kept::AsPart;
            }
        }
    }
    const ByteAlphabet alphabet;
    const auto written = [&](std::int32_t id) {
        std::string out;
        for (const char byte : m_data->whole.bytes[static_cast<std::size_t>(id)]) {
            out += alphabet.written(static_cast<unsigned char>(byte));
        }
        return out;
    };
    Choice choice;
    json vocabulary = json::object();
    json merges = json::array();
    for (std::size_t id = 0; id < kept.size(); ++id) {
        if (kept[id] == Kept::No) {
            continue;
        }
        vocabulary[written(static_cast<std::int32_t>(id))] = choice.tokens++;
        if (m_data->parts[id].left >= 0) {
            merges.push_back({written(m_data->parts[id].left), written(m_data->parts[id].right)});
            choice.seldom += counts[id] < least ? 1 : 0;
        }
    }
    const json added = specialTokensJson(special_tokens, static_cast<std::size_t>(choice.tokens));
    choice.tokens += static_cast<std::int64_t>(special_tokens.size());
    const json level = {{"type", "ByteLevel"}, {"add_prefix_space", false}, {"trim_offsets", true}, {"use_regex", true}};
    choice.tokenizer_json = bytePairFile({added, nullptr, level, level, false, vocabulary, merges});
    return choice;
}

}  // namespace braid::text
