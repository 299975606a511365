// Rows of tokens as one tree: what rows have in common from their beginning on is there once, so that it is computed once. A node is also a
// place in the caches that go with the tree; places are given out in order and never moved until clear() or keepOnly(). No torch.
// Thread: the owner's.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace braid::models::whisper {

class TokenTree {
  public:
    static constexpr std::int32_t kNone = -1;

    struct Node {
        std::int32_t token = 0;
        std::int32_t parent = kNone;
        std::int32_t depth = 0;         // position in its rows
        std::uint64_t computed_at = 0;  // the owner's own count; 0: never
    };

    [[nodiscard]] std::int32_t size() const noexcept { return static_cast<std::int32_t>(m_nodes.size()); }
    [[nodiscard]] const Node &node(std::int32_t index) const { return m_nodes[static_cast<std::size_t>(index)]; }
    void setComputed(std::int32_t index, std::uint64_t when) { m_nodes[static_cast<std::size_t>(index)].computed_at = when; }
    // The node of every position of `row`, made where there is none.
    [[nodiscard]] std::vector<std::int32_t> walk(std::span<const std::int32_t> row);
    void clear();
    // Forgets all nodes but `kept` (ascending; with each node its ancestors): node kept[i] becomes node i.
    void keepOnly(std::span<const std::int32_t> kept);

  private:
    [[nodiscard]] static std::uint64_t keyOf(std::int32_t parent, std::int32_t token) noexcept
    {
        return (static_cast<std::uint64_t>(static_cast<std::uint32_t>(parent)) << 32) | static_cast<std::uint32_t>(token);
    }

    std::vector<Node> m_nodes;
    std::unordered_map<std::uint64_t, std::int32_t> m_children;  // by parent and token
};

}  // namespace braid::models::whisper
