#include "core/models/whisper/tree_decoder.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"

namespace braid::models::whisper {

namespace {

constexpr std::int64_t kFirstEntries = 128;

at::Tensor indexTensor(std::span<const std::int32_t> nodes, const at::Device &device)
{
    at::Tensor index = at::empty({static_cast<std::int64_t>(nodes.size())}, at::kLong);
    std::copy(nodes.begin(), nodes.end(), index.data_ptr<std::int64_t>());
    return index.to(device);
}

}  // namespace

TreeDecoder::TreeDecoder(const Decoder &decoder, const AlignmentHeads &heads, captions::TokenCache caching)
    : m_decoder(decoder)
    , m_heads(heads)
    , m_caching(caching)
    , m_cache(decoder.emptyTree(kFirstEntries))
{
}

void TreeDecoder::clear()
{
    m_tree.clear();
    m_attention = at::Tensor();
    m_hidden_at.clear();
    m_attended_at.clear();
    m_newest_nodes.clear();
    ++m_sound_count;
    m_passes = 0;
}

void TreeDecoder::soundGrew()
{
    ++m_sound_count;
    m_attention = at::Tensor();
    if (m_caching == captions::TokenCache::WithinChunk) {
        m_tree.clear();
        m_hidden_at.clear();
        m_attended_at.clear();
        m_newest_nodes.clear();
    } else {
        dropUnused();
    }
}

// What the newest rows do not contain was taken back; it must not fill the cache for a whole window.
void TreeDecoder::dropUnused()
{
    std::sort(m_newest_nodes.begin(), m_newest_nodes.end());
    m_newest_nodes.erase(std::unique(m_newest_nodes.begin(), m_newest_nodes.end()), m_newest_nodes.end());
    const auto kept = static_cast<std::int64_t>(m_newest_nodes.size());
    if (kept == m_tree.size()) {
        return;
    }
    m_cache.keepOnly(indexTensor(m_newest_nodes, m_decoder.device()));
    m_tree.keepOnly(m_newest_nodes);
    // Hidden states are those of the sound before: nobody asks for them again.
    m_hidden_at.assign(m_newest_nodes.size(), 0);
    m_attended_at.assign(m_newest_nodes.size(), 0);
    for (std::size_t i = 0; i < m_newest_nodes.size(); ++i) {
        m_newest_nodes[i] = static_cast<std::int32_t>(i);
    }
}

std::vector<std::vector<std::int32_t>> TreeDecoder::run(const SoundCache &sound, std::span<const std::vector<std::int32_t>> rows,
                                                        std::span<const std::size_t> first_positions, AttentionWanted attention)
{
    std::vector<std::vector<std::int32_t>> paths;
    std::vector<std::int32_t> missing;
    std::vector<std::int32_t> wanted;
    std::vector<std::int32_t> tapped;
    // Adds a node to a list once.
    const auto list = [](std::vector<std::int32_t> &nodes, std::vector<bool> &listed, std::int32_t node) {
        if (!listed[static_cast<std::size_t>(node)]) {
            listed[static_cast<std::size_t>(node)] = true;
            nodes.push_back(node);
        }
    };
    std::vector<bool> listed_missing;
    std::vector<bool> listed_wanted;
    std::vector<bool> listed_tapped;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if (rows[row].size() > static_cast<std::size_t>(m_decoder.contextLength())) {
            throw Error(ErrorKind::Internal, "a decoder was asked for more tokens than its context holds");
        }
        paths.push_back(m_tree.walk(rows[row]));
        const auto size = static_cast<std::size_t>(m_tree.size());
        for (std::vector<bool> *listed : {&listed_missing, &listed_wanted, &listed_tapped}) {
            listed->resize(size, false);
        }
        m_hidden_at.resize(size, 0);
        m_attended_at.resize(size, 0);
        for (std::size_t position = 0; position < paths.back().size(); ++position) {
            const std::int32_t node = paths.back()[position];
            const auto index = static_cast<std::size_t>(node);
            const bool is_wanted = position >= first_positions[row];
            const bool unattended = is_wanted && attention == AttentionWanted::Yes && m_attended_at[index] != m_sound_count;
            if (unattended) {
                list(tapped, listed_tapped, node);
            }
            if (unattended || (is_wanted && m_hidden_at[index] != m_sound_count)) {
                list(wanted, listed_wanted, node);
                list(missing, listed_missing, node);
            } else if (m_tree.node(node).computed_at == 0) {
                list(missing, listed_missing, node);
            }
        }
    }
    m_newest_nodes.clear();
    for (const std::vector<std::int32_t> &path : paths) {
        m_newest_nodes.insert(m_newest_nodes.end(), path.begin(), path.end());
    }
    if (!missing.empty()) {
        compute(sound, missing, wanted, tapped);
    }
    return paths;
}

void TreeDecoder::reserve()
{
    m_cache.reserve(m_tree.size());
    if (!m_hidden.defined() || m_hidden.size(0) < m_cache.capacity()) {
        at::Tensor larger = at::zeros({m_cache.capacity(), m_decoder.width()}, m_decoder.options());
        if (m_hidden.defined()) {
            larger.narrow(0, 0, m_hidden.size(0)).copy_(m_hidden);
        }
        m_hidden = std::move(larger);
    }
}

void TreeDecoder::compute(const SoundCache &sound, std::span<const std::int32_t> nodes, std::span<const std::int32_t> wanted,
                          std::span<const std::int32_t> tapped)
{
    reserve();
    const auto count = static_cast<std::int64_t>(nodes.size());
    const std::int64_t entries = m_tree.size();
    TreeStep step;
    step.mask = at::full({count, entries}, -INFINITY, at::kFloat);
    float *mask = step.mask.data_ptr<float>();
    for (const std::int32_t node : nodes) {
        step.tokens.push_back(m_tree.node(node).token);
        step.positions.push_back(m_tree.node(node).depth);
        step.slots.push_back(node);
        for (std::int32_t seen = node; seen != TokenTree::kNone; seen = m_tree.node(seen).parent) {
            mask[seen] = 0;
        }
        mask += entries;
    }
    for (const std::int32_t node : wanted) {
        step.wanted.push_back(std::find(nodes.begin(), nodes.end(), node) - nodes.begin());
    }
    for (const std::int32_t node : tapped) {
        step.tapped.push_back(std::find(wanted.begin(), wanted.end(), node) - wanted.begin());
    }
    at::Tensor products;
    const at::Tensor hidden = m_decoder.runTree(sound, m_cache, step, m_heads, products);
    ++m_passes;
    m_hidden.index_copy_(0, indexTensor(wanted, m_decoder.device()), hidden);
    for (const std::int32_t node : nodes) {
        m_tree.setComputed(node, m_sound_count);
    }
    for (const std::int32_t node : wanted) {
        m_hidden_at[static_cast<std::size_t>(node)] = m_sound_count;
    }
    if (products.defined()) {
        keepAttention(products, tapped);
    }
}

void TreeDecoder::keepAttention(const at::Tensor &products, std::span<const std::int32_t> nodes)
{
    if (!m_attention.defined() || m_attention.size(0) < m_cache.capacity()) {
        at::Tensor larger = at::zeros({m_cache.capacity(), products.size(2)}, products.options());
        if (m_attention.defined()) {
            larger.narrow(0, 0, m_attention.size(0)).copy_(m_attention);
        }
        m_attention = std::move(larger);
    }
    m_attention.index_copy_(0, indexTensor(nodes, m_decoder.device()), at::softmax(products, -1).mean(0));
    for (const std::int32_t node : nodes) {
        m_attended_at[static_cast<std::size_t>(node)] = m_sound_count;
    }
}

at::Tensor TreeDecoder::hidden(std::span<const std::int32_t> nodes) const
{
    return m_hidden.index_select(0, indexTensor(nodes, m_decoder.device()));
}

at::Tensor TreeDecoder::attention(std::span<const std::int32_t> nodes) const
{
    return m_attention.index_select(0, indexTensor(nodes, m_decoder.device()));
}

}  // namespace braid::models::whisper
