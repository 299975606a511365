#include "core/text/tokenizer_learner.h"

#include <algorithm>
#include <queue>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/text/byte_alphabet.h"
#include "core/text/language_splitters.h"
#include "core/text/unicode_normalisation.h"
#include "core/text/vocabulary_json.h"

namespace braid::text {

namespace {

constexpr std::int32_t kBytes = 256;
constexpr const char *kQwen2Pattern = R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";

using Pair = std::pair<std::int32_t, std::int32_t>;

std::uint64_t keyOf(Pair pair)
{
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(pair.first)) << 32 | static_cast<std::uint32_t>(pair.second);
}

struct Piece {
    std::vector<std::int32_t> symbols;
    std::int64_t count = 0;
};

// The pairs of all pieces, how often each stands, and where.
class PairCounts {
  public:
    explicit PairCounts(std::vector<Piece> pieces)
        : m_pieces(std::move(pieces))
    {
        for (std::size_t piece = 0; piece < m_pieces.size(); ++piece) {
            const std::vector<std::int32_t> &symbols = m_pieces[piece].symbols;
            for (std::size_t i = 0; i + 1 < symbols.size(); ++i) {
                change({symbols[i], symbols[i + 1]}, m_pieces[piece].count, piece);
            }
        }
        announce();
    }

    // The most frequent pair; nothing where none stands twice.
    [[nodiscard]] bool best(Pair &pair)
    {
        while (!m_queue.empty()) {
            const Candidate top = m_queue.top();
            m_queue.pop();
            if (top.count == m_places.at(keyOf(top.pair)).count) {  // else it has changed since
                pair = top.pair;
                return top.count > 1;
            }
        }
        return false;
    }

    void merge(Pair pair, std::int32_t merged)
    {
        std::vector<std::size_t> where = std::move(m_places.at(keyOf(pair)).where);
        std::sort(where.begin(), where.end());
        where.erase(std::unique(where.begin(), where.end()), where.end());
        for (const std::size_t piece : where) {
            mergeIn(piece, pair, merged);
        }
        announce();
    }

  private:
    struct Place {
        std::int64_t count = 0;
        std::vector<std::size_t> where;  // may name a piece twice, and pieces in which the pair stands no more
    };
    struct Candidate {
        std::int64_t count = 0;
        Pair pair;
        bool operator<(const Candidate &other) const { return count != other.count ? count < other.count : pair > other.pair; }
    };

    void change(Pair pair, std::int64_t by, std::size_t piece)
    {
        Place &place = m_places[keyOf(pair)];
        place.count += by;
        if (by > 0) {
            place.where.push_back(piece);
        }
        m_changed.push_back(pair);
    }

    void mergeIn(std::size_t number, Pair pair, std::int32_t merged)
    {
        Piece &piece = m_pieces[number];
        std::vector<std::int32_t> &symbols = piece.symbols;
        for (std::size_t i = 0; i + 1 < symbols.size(); ++i) {
            if (symbols[i] != pair.first || symbols[i + 1] != pair.second) {
                continue;
            }
            if (i > 0) {
                change({symbols[i - 1], pair.first}, -piece.count, number);
                change({symbols[i - 1], merged}, piece.count, number);
            }
            if (i + 2 < symbols.size()) {
                change({pair.second, symbols[i + 2]}, -piece.count, number);
                change({merged, symbols[i + 2]}, piece.count, number);
            }
            change(pair, -piece.count, number);
            symbols[i] = merged;
            symbols.erase(symbols.begin() + static_cast<std::ptrdiff_t>(i) + 1);
        }
    }

    // Every pair whose count has changed competes with its new one.
    void announce()
    {
        std::sort(m_changed.begin(), m_changed.end());
        m_changed.erase(std::unique(m_changed.begin(), m_changed.end()), m_changed.end());
        for (const Pair &pair : m_changed) {
            m_queue.push({m_places.at(keyOf(pair)).count, pair});
        }
        m_changed.clear();
    }

    std::vector<Piece> m_pieces;
    std::unordered_map<std::uint64_t, Place> m_places;
    std::priority_queue<Candidate> m_queue;
    std::vector<Pair> m_changed;
};

using CountedPieces = std::vector<std::pair<std::string, std::int64_t>>;

struct Learnt {
    std::vector<std::string> written;  // by id
    nlohmann::json merges = nlohmann::json::array();
};

std::string writtenAs(const ByteAlphabet &alphabet, std::string_view bytes)
{
    std::string written;
    for (const char byte : bytes) {
        written += alphabet.written(static_cast<unsigned char>(byte));
    }
    return written;
}

Learnt allBytes(const ByteAlphabet &alphabet)
{
    Learnt learnt;
    for (std::int32_t byte = 0; byte < kBytes; ++byte) {
        learnt.written.push_back(alphabet.written(static_cast<unsigned char>(byte)));
    }
    return learnt;
}

Learnt merged(CountedPieces counted, std::int32_t size)
{
    std::sort(counted.begin(), counted.end());
    std::vector<Piece> pieces;
    for (const auto &[text, count] : counted) {
        Piece piece;
        piece.count = count;
        for (const char byte : text) {
            piece.symbols.push_back(static_cast<unsigned char>(byte));
        }
        pieces.push_back(std::move(piece));
    }
    Learnt learnt = allBytes(ByteAlphabet());
    std::vector<std::string> &written = learnt.written;
    PairCounts counts(std::move(pieces));
    // Two ways to the same token ("a"+"bc", "ab"+"c") must not give it two ids.
    std::unordered_map<std::string, std::int32_t> ids;
    for (Pair pair; static_cast<std::int32_t>(written.size()) < size && counts.best(pair);) {
        const std::string left = written[static_cast<std::size_t>(pair.first)];
        const std::string right = written[static_cast<std::size_t>(pair.second)];
        learnt.merges.push_back({left, right});
        const auto [found, is_new] = ids.try_emplace(left + right, static_cast<std::int32_t>(written.size()));
        if (is_new) {
            written.push_back(left + right);
        }
        counts.merge(pair, found->second);
    }
    return learnt;
}

Learnt whole(CountedPieces counted, std::int32_t size)
{
    const ByteAlphabet alphabet;
    Learnt learnt = allBytes(alphabet);
    std::erase_if(counted, [](const auto &piece) { return piece.first.size() < 2; });  // bytes are there already
    std::sort(counted.begin(), counted.end(), [](const auto &a, const auto &b) { return a.second != b.second ? a.second > b.second : a.first < b.first; });
    counted.resize(std::min(counted.size(), static_cast<std::size_t>(size - kBytes)));
    std::sort(counted.begin(), counted.end());
    for (const auto &[piece, count] : counted) {
        learnt.written.push_back(writtenAs(alphabet, piece));
    }
    return learnt;
}

std::string fileOf(const Learnt &learnt, const std::vector<std::string> &special_tokens, TokenizerPieces kind)
{
    using nlohmann::json;
    const bool is_whole = kind == TokenizerPieces::Whole;
    json vocab = json::object();
    for (std::size_t id = 0; id < learnt.written.size(); ++id) {
        vocab[learnt.written[id]] = id;
    }
    const json added = specialTokensJson(special_tokens, learnt.written.size());
    // GPT-2's way of cutting is part of the step that makes bytes of the text.
    const json byte_level = {{"type", "ByteLevel"}, {"add_prefix_space", false}, {"trim_offsets", false}, {"use_regex", is_whole}};
    const json split = {{"type", "Split"}, {"pattern", {{"Regex", kQwen2Pattern}}}, {"behavior", "Isolated"}, {"invert", false}};
    const json cut = is_whole ? byte_level : json{{"type", "Sequence"}, {"pretokenizers", {split, byte_level}}};
    return bytePairFile({added, {{"type", "NFC"}}, cut, byte_level, is_whole, vocab, learnt.merges});
}

}  // namespace

void TokenizerLearner::add(std::string_view text, std::int64_t times)
{
    const std::string normal = composed(text);
    for (const std::string_view piece : splitBy(m_kind == TokenizerPieces::Merged ? SplitPattern::Qwen2 : SplitPattern::Gpt2, normal)) {
        m_pieces[std::string(piece)] += times;
    }
}

std::string TokenizerLearner::json(std::int32_t size, const std::vector<std::string> &special_tokens) const
{
    const auto specials = static_cast<std::int32_t>(special_tokens.size());
    if (size < kBytes + specials) {
        throw Error(ErrorKind::Usage,
                    "a vocabulary of " + std::to_string(size) + " tokens cannot hold 256 bytes and " + std::to_string(specials) + " special tokens", {},
                    "Ask for a larger one");
    }
    const std::vector<std::pair<std::string, std::int64_t>> pieces(m_pieces.begin(), m_pieces.end());
    return m_kind == TokenizerPieces::Merged ? fileOf(merged(pieces, size - specials), special_tokens, m_kind)
                                             : fileOf(whole(pieces, size - specials), special_tokens, m_kind);
}

}  // namespace braid::text
