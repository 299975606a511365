#include "core/text/byte_pair_encoder.h"

#include <queue>
#include <utility>

namespace braid::text {
namespace {

std::uint64_t keyOf(std::int32_t left, std::int32_t right)
{
    return std::uint64_t{static_cast<std::uint32_t>(left)} << 32 | static_cast<std::uint32_t>(right);
}

// One token of the piece so far, linked to its neighbours.
struct Symbol {
    std::int32_t id;
    std::int32_t previous;  // -1: none
    std::int32_t next;      // -1: none
    bool merged_away = false;
};

// A merge that was possible when it was found; stale once one of the two has changed.
struct Candidate {
    std::int32_t rank;
    std::int32_t position;  // of the left symbol
    std::int32_t left;
    std::int32_t right;
    std::int32_t merged;
    // For a queue whose top is the lowest rank, the leftmost of these.
    bool operator<(const Candidate &other) const { return std::pair(rank, position) > std::pair(other.rank, other.position); }
};

constexpr std::size_t kMaxPieceBytes = std::size_t{1} << 30;  // positions are 32 bits wide

}  // namespace

BytePairEncoder::BytePairEncoder(const std::array<std::int32_t, 256> &byte_ids, std::span<const TokenMerge> merges)
    : m_byte_ids(byte_ids)
{
    m_merges.reserve(merges.size());
    std::int32_t place = 0;
    for (const auto &merge : merges) {
        m_merges.insert_or_assign(keyOf(merge.left, merge.right), Merge{merge.rank >= 0 ? merge.rank : place, merge.merged});
        ++place;
    }
}

void BytePairEncoder::setWholePieces(std::unordered_map<std::string, std::int32_t> pieces)
{
    m_whole_pieces = std::move(pieces);
}

const BytePairEncoder::Merge *BytePairEncoder::find(std::int32_t left, std::int32_t right) const
{
    const auto position = m_merges.find(keyOf(left, right));
    return position == m_merges.end() ? nullptr : &position->second;
}

void BytePairEncoder::encode(std::string_view piece, std::vector<std::int32_t> &ids) const
{
    for (; piece.size() > kMaxPieceBytes; piece.remove_prefix(kMaxPieceBytes)) {
        encode(piece.substr(0, kMaxPieceBytes), ids);
    }
    if (!m_whole_pieces.empty()) {
        if (const auto whole = m_whole_pieces.find(std::string(piece)); whole != m_whole_pieces.end()) {
            ids.push_back(whole->second);
            return;
        }
    }
    std::vector<std::int32_t> bytes;
    bytes.reserve(piece.size());
    for (const char byte : piece) {
        bytes.push_back(m_byte_ids[static_cast<unsigned char>(byte)]);
    }
    merge(bytes, ids);
}

void BytePairEncoder::merge(std::span<const std::int32_t> first_ids, std::vector<std::int32_t> &ids) const
{
    const auto count = static_cast<std::int32_t>(first_ids.size());
    std::vector<Symbol> symbols(first_ids.size());
    for (std::int32_t i = 0; i < count; ++i) {
        symbols[static_cast<std::size_t>(i)] = {first_ids[static_cast<std::size_t>(i)], i - 1, i + 1 < count ? i + 1 : -1};
    }
    const auto at = [&](std::int32_t i) -> Symbol & { return symbols[static_cast<std::size_t>(i)]; };
    std::priority_queue<Candidate> queue;
    const auto consider = [&](std::int32_t position) {
        if (position < 0 || at(position).next < 0) {
            return;
        }
        const auto left = at(position).id;
        const auto right = at(at(position).next).id;
        if (const auto *merge = find(left, right)) {
            queue.push({merge->rank, position, left, right, merge->merged});
        }
    };
    for (std::int32_t i = 0; i + 1 < count; ++i) {
        consider(i);
    }
    while (!queue.empty()) {
        const auto best = queue.top();
        queue.pop();
        auto &left = at(best.position);
        if (left.merged_away || left.id != best.left || left.next < 0 || at(left.next).id != best.right) {
            continue;
        }
        auto &right = at(left.next);
        left.id = best.merged;
        right.merged_away = true;
        left.next = right.next;
        if (left.next >= 0) {
            at(left.next).previous = best.position;
        }
        consider(left.previous);
        consider(best.position);
    }
    for (std::int32_t i = count > 0 ? 0 : -1; i >= 0; i = at(i).next) {
        ids.push_back(at(i).id);
    }
}

}  // namespace braid::text
