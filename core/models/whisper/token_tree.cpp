#include "core/models/whisper/token_tree.h"

namespace braid::models::whisper {

std::vector<std::int32_t> TokenTree::walk(std::span<const std::int32_t> row)
{
    std::vector<std::int32_t> path;
    path.reserve(row.size());
    std::int32_t parent = kNone;
    for (const std::int32_t token : row) {
        const auto [child, is_new] = m_children.try_emplace(keyOf(parent, token), size());
        if (is_new) {
            m_nodes.push_back({token, parent, static_cast<std::int32_t>(path.size()), 0});
        }
        parent = child->second;
        path.push_back(parent);
    }
    return path;
}

void TokenTree::clear()
{
    m_nodes.clear();
    m_children.clear();
}

void TokenTree::keepOnly(std::span<const std::int32_t> kept)
{
    std::vector<std::int32_t> place(m_nodes.size(), kNone);
    std::vector<Node> nodes;
    nodes.reserve(kept.size());
    m_children.clear();
    for (const std::int32_t old : kept) {
        Node node = m_nodes[static_cast<std::size_t>(old)];
        node.parent = node.parent == kNone ? kNone : place[static_cast<std::size_t>(node.parent)];
        place[static_cast<std::size_t>(old)] = static_cast<std::int32_t>(nodes.size());
        m_children.emplace(keyOf(node.parent, node.token), static_cast<std::int32_t>(nodes.size()));
        nodes.push_back(node);
    }
    m_nodes = std::move(nodes);
}

}  // namespace braid::models::whisper
