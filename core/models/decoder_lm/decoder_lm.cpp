#include "core/models/decoder_lm/decoder_lm.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"

namespace braid::models::lm {

using paradigms::Entry;

namespace {

// Masks of one pass, one for each window that its layers have: undefined where all is seen.
class Masks {
  public:
    Masks(const paradigms::Visibility &visibility, std::span<const Entry> entries, std::size_t first, const at::Device &device)
        : m_visibility(visibility)
        , m_entries(entries)
        , m_first(first)
        , m_device(device)
    {
    }

    const at::Tensor &forWindow(std::int64_t window)
    {
        const auto [position, is_new] = m_masks.try_emplace(window);
        if (is_new && !paradigms::visibleEntries(m_visibility, m_entries, m_first, window, m_seen)) {
            const at::Tensor mask =
                at::empty({1, static_cast<std::int64_t>(m_entries.size() - m_first), static_cast<std::int64_t>(m_entries.size())}, at::kFloat);
            float *out = mask.data_ptr<float>();
            for (const std::uint8_t seen : m_seen) {
                *out++ = seen != 0 ? 0.0f : -INFINITY;
            }
            position->second = mask.to(m_device);
        }
        return position->second;
    }

  private:
    const paradigms::Visibility &m_visibility;
    std::span<const Entry> m_entries;
    std::size_t m_first = 0;
    at::Device m_device;
    std::map<std::int64_t, at::Tensor> m_masks;
    std::vector<std::uint8_t> m_seen;
};

void requireInput(const LmInput &input, std::span<const Entry> entries, const weights::LmConfig &config)
{
    const std::span<const std::int32_t> tokens = input.tokens;
    if (tokens.empty() || tokens.size() != entries.size()) {
        throw Error(ErrorKind::Internal, "a language model was given no tokens, or not one tag for each");
    }
    std::int64_t rows = 0;
    for (const std::int32_t token : tokens) {
        if (token == nn::kRow) {
            ++rows;
        } else if (token < 0 || token >= config.vocabulary) {
            throw Error(ErrorKind::Internal, "a language model was given the token " + std::to_string(token) + ", which it does not have", {},
                        "The tokenizer belongs to another model");
        }
    }
    const bool fits = input.rows.defined() ? input.rows.dim() == 2 && input.rows.size(0) == rows && input.rows.size(1) == config.width : rows == 0;
    if (!fits) {
        throw Error(ErrorKind::Internal, "a language model was given rows of another width than its own, or not one for each place that holds one");
    }
    for (const Entry &entry : entries) {
        if (entry.stream < 0 || entry.stream >= (config.streams > 0 ? config.streams : paradigms::kMaxStreams) || !std::isfinite(entry.position)) {
            throw Error(ErrorKind::Internal, "a language model was given a stream or a position it does not have");
        }
    }
}

}  // namespace

DecoderLm::DecoderLm(weights::LmCheckpoint &checkpoint, const nn::Placement &placement, const LoadWatch &watch)
    : m_config(checkpoint.config)
    , m_placement(placement)
    , m_weights(checkpoint, placement, watch)
    , m_rotary(m_config.rope)
    , m_attention{m_config.attention_scale, m_config.attention_softcap}
    , m_embedding_scale(at::full({}, m_config.embedding_scale, at::TensorOptions().dtype(placement.type)).item<double>())
{
}

DecoderLm::DecoderLm(const weights::LmConfig &config, const nn::Placement &placement, const std::map<std::string, at::Tensor> &tensors, TrainedAdapters trained)
    : m_config(config)
    , m_placement(placement)
    , m_weights(config, placement, tensors, std::move(trained))
    , m_rotary(m_config.rope)
    , m_attention{m_config.attention_scale, m_config.attention_softcap}
    , m_embedding_scale(at::full({}, m_config.embedding_scale, at::TensorOptions().dtype(placement.type)).item<double>())
{
}

nn::StreamCache DecoderLm::emptyCache(std::int64_t capacity, nn::KeyStorage storage) const
{
    const auto rows = m_rotary.hasLongReach() ? nn::RowStorage::Kept : nn::RowStorage::Forgotten;
    return {{m_config.layers, m_config.key_value_heads, m_config.head_width, capacity, storage, rows}, m_placement};
}

// [1, tokens, width]
at::Tensor DecoderLm::rowsOf(const LmInput &input) const
{
    const auto count = static_cast<std::int64_t>(input.tokens.size());
    if (input.rows.defined() && input.rows.size(0) == count) {
        return input.rows.to(m_placement.options()).unsqueeze(0);
    }
    at::Tensor ids = at::empty({1, count}, at::kLong);
    at::Tensor places = at::empty({input.rows.defined() ? input.rows.size(0) : 0}, at::kLong);
    std::int64_t next = 0;
    for (std::int64_t i = 0; i < count; ++i) {
        const std::int32_t token = input.tokens[static_cast<std::size_t>(i)];
        ids.data_ptr<std::int64_t>()[i] = std::max(token, 0);
        if (token == nn::kRow) {
            places.data_ptr<std::int64_t>()[next++] = i;
        }
    }
    const at::Tensor x = m_weights.embedded(ids.to(m_placement.device));
    return next == 0 ? x : x.index_copy(1, places.to(x.device()), input.rows.to(x.options()).unsqueeze(0));
}

at::Tensor DecoderLm::begun(at::Tensor x, const at::Tensor &streams) const
{
    if (m_embedding_scale != 1) {
        x = x * m_embedding_scale;
    }
    return m_weights.streamEmbedding().defined() && streams.defined() ? x + at::embedding(m_weights.streamEmbedding(), streams) : x;
}

at::Tensor DecoderLm::normalised(const at::Tensor &x, const at::Tensor &weight) const
{
    const at::Tensor wide = x.to(at::kFloat);
    const at::Tensor unit = wide * at::rsqrt(at::mean(wide * wide, -1, true) + m_config.norm_epsilon);
    return m_config.norm_adds_one ? (unit * weight).to(x.scalar_type()) : weight * unit.to(x.scalar_type());
}

DecoderLm::Projected DecoderLm::projected(const Block &block, const at::Tensor &x, const nn::RotaryTable &table) const
{
    const std::int64_t width = m_config.head_width;
    const std::int64_t heads = m_config.heads;
    const std::int64_t key_heads = m_config.key_value_heads;
    const at::Tensor all = block.query_key_value(normalised(x, block.attention_norm)).view({x.size(0), x.size(1), heads + 2 * key_heads, width});
    at::Tensor queries = all.narrow(2, 0, heads);
    at::Tensor keys = all.narrow(2, heads, key_heads);
    if (m_config.head_norms) {
        queries = normalised(queries, block.query_norm);
        keys = normalised(keys, block.key_norm);
    }
    return {m_rotary.turned(queries, table), queries, keys, m_rotary.turned(keys, table), all.narrow(2, heads + key_heads, key_heads)};
}

at::Tensor DecoderLm::mlp(const Block &block, const at::Tensor &x) const
{
    const at::Tensor both = block.gate_up(x);
    const at::Tensor gate = both.narrow(-1, 0, m_config.mlp_width);
    const at::Tensor up = both.narrow(-1, m_config.mlp_width, m_config.mlp_width);
    return block.down((m_config.activation == weights::LmActivation::Silu ? at::silu(gate) : at::gelu(gate, "tanh")) * up);
}

at::Tensor DecoderLm::finished(const Block &block, const at::Tensor &x, const at::Tensor &attended) const
{
    at::Tensor added = block.attention_out(attended);
    if (m_config.four_norms) {
        added = normalised(added, block.attention_out_norm);
    }
    const at::Tensor between = x + added;
    at::Tensor more = mlp(block, normalised(between, block.mlp_norm));
    if (m_config.four_norms) {
        more = normalised(more, block.mlp_out_norm);
    }
    return between + more;
}

at::Tensor DecoderLm::run(nn::StreamCache &cache, const LmInput &input, std::span<const Entry> entries, const paradigms::Visibility &visibility,
                          nn::AttentionLook *look) const
{
    const c10::InferenceMode inference;
    requireInput(input, entries, m_config);
    if (m_rotary.hasLongReach()) {
        double greatest = cache.greatestPosition();
        for (const Entry &entry : entries) {
            greatest = std::max(greatest, entry.position);
        }
        if (const nn::RotaryReach reach = m_rotary.reachFor(greatest); reach != cache.reach()) {
            computeAgain(cache, reach, visibility);
        }
    }
    return pass(cache, input, entries, visibility, look);
}

at::Tensor DecoderLm::pass(nn::StreamCache &cache, const LmInput &input, std::span<const Entry> entries, const paradigms::Visibility &visibility,
                           nn::AttentionLook *look) const
{
    const auto count = static_cast<std::int64_t>(input.tokens.size());
    const std::int64_t before = cache.length();
    std::vector<double> positions;
    at::Tensor streams = at::empty({1, count}, at::kLong);
    for (std::int64_t i = 0; i < count; ++i) {
        const Entry &entry = entries[static_cast<std::size_t>(i)];
        streams.data_ptr<std::int64_t>()[i] = entry.stream;
        positions.push_back(entry.position);
    }
    const nn::RotaryTable table = m_rotary.table(positions, cache.reach(), m_placement.device);

    at::Tensor x = begun(rowsOf(input), streams.to(m_placement.device));
    cache.begin(entries, input.tokens, input.rows);
    Masks masks(visibility, cache.entriesWithComing(), static_cast<std::size_t>(before), m_placement.device);
    for (std::int64_t layer = 0; layer < m_config.layers; ++layer) {
        const Block &block = m_weights.blocks()[static_cast<std::size_t>(layer)];
        const Projected heads = projected(block, x, table);
        cache.write(layer, heads.keys[0], heads.turned_keys[0], heads.values[0]);
        const bool looked_at = look != nullptr && look->wants(layer);
        at::Tensor weights;
        const at::Tensor attended =
            nn::attendGrouped(heads.queries, cache.keys(layer).unsqueeze(0), cache.values(layer).unsqueeze(0),
                              masks.forWindow(m_config.windows[static_cast<std::size_t>(layer)]), m_attention, looked_at ? &weights : nullptr);
        if (looked_at) {
            look->take(weights[0], m_config.layers);
        }
        x = finished(block, x, attended);
    }
    cache.finish();
    if (visibility.silent == paradigms::SpecialEntries::Hidden) {
        cache.eraseSilent(before);
    }
    return normalised(x, m_weights.finalNorm())[0];
}

// As published for LongRope: all there is once more, in one pass; the tags say what each entry saw.
void DecoderLm::computeAgain(nn::StreamCache &cache, nn::RotaryReach reach, const paradigms::Visibility &visibility) const
{
    const std::vector<std::int32_t> tokens(cache.tokens().begin(), cache.tokens().end());
    const std::vector<Entry> entries(cache.entries().begin(), cache.entries().end());
    const at::Tensor rows = cache.rows();
    cache.truncate(0);
    cache.setReach(reach);
    if (!tokens.empty()) {
        static_cast<void>(pass(cache, {tokens, rows}, entries, visibility, nullptr));
    }
}

at::Tensor DecoderLm::runWhole(const at::Tensor &tokens, const at::Tensor &positions, const at::Tensor &streams, const at::Tensor &seen,
                               const at::Tensor &across) const
{
    return runRowsWhole(m_weights.embedded(tokens), positions, streams, seen, across);
}

at::Tensor DecoderLm::runRowsWhole(const at::Tensor &rows, const at::Tensor &positions, const at::Tensor &streams, const at::Tensor &seen,
                                   const at::Tensor &across) const
{
    const double greatest = (across.defined() ? at::maximum(positions, across) : positions).max().item<double>();
    const nn::RotaryTable table = m_rotary.table(positions, m_rotary.reachFor(greatest));
    const std::optional<nn::RotaryTable> table_across = across.defined() ? std::optional(m_rotary.table(across, m_rotary.reachFor(greatest))) : std::nullopt;
    std::map<std::int64_t, at::Tensor> masks;
    const auto maskFor = [&](std::int64_t window) {
        const auto [position, is_new] = masks.try_emplace(window);
        if (is_new) {
            at::Tensor distance = positions.unsqueeze(-1) - positions.unsqueeze(-2);  // of a key behind a query
            if (across.defined()) {
                distance = at::where(streams.unsqueeze(-1).eq(streams.unsqueeze(-2)), distance, across.unsqueeze(-1) - positions.unsqueeze(-2));
            }
            const at::Tensor closed = window > 0 ? at::logical_or(~seen, distance >= static_cast<double>(window)) : ~seen;
            position->second = at::zeros(closed.sizes(), at::TensorOptions().device(closed.device()).dtype(at::kFloat)).masked_fill(closed, -INFINITY);
        }
        return position->second;
    };
    at::Tensor x = begun(rows, streams);
    for (std::int64_t layer = 0; layer < m_config.layers; ++layer) {
        const Block &block = m_weights.blocks()[static_cast<std::size_t>(layer)];
        Projected heads = projected(block, x, table);
        if (table_across) {
            lookAcross(heads, m_rotary.turned(heads.plain_queries, *table_across), streams);
        }
        at::Tensor attended = nn::attendGrouped(heads.queries, heads.turned_keys.transpose(1, 2), heads.values.transpose(1, 2),
                                                maskFor(m_config.windows[static_cast<std::size_t>(layer)]), m_attention);
        if (table_across) {
            attended = attended.view({x.size(0), x.size(1), m_config.heads, -1}).narrow(-1, 0, m_config.head_width).flatten(2);
        }
        x = finished(block, x, attended);
    }
    return normalised(x, m_weights.finalNorm());
}

// Doubles the heads' width: keys of stream 0 stand in the first half, those of stream 1 in the second, and a query has in each half what it is turned to
// there. Values get zeros.
void DecoderLm::lookAcross(Projected &heads, const at::Tensor &queries_across, const at::Tensor &streams)
{
    const at::Tensor is_second = streams.eq(1).unsqueeze(-1).unsqueeze(-1);
    const at::Tensor to_first = at::where(is_second, queries_across, heads.queries);
    const at::Tensor to_second = at::where(is_second, heads.queries, queries_across);
    const at::Tensor second = is_second.to(heads.turned_keys.scalar_type());
    heads.queries = at::cat({to_first, to_second}, -1);
    heads.turned_keys = at::cat({heads.turned_keys * (1 - second), heads.turned_keys * second}, -1);
    heads.values = at::cat({heads.values, at::zeros_like(heads.values)}, -1);
}

at::Tensor DecoderLm::softCapped(const at::Tensor &logits) const
{
    const at::Tensor wide = logits.to(at::kFloat);
    return m_config.output_softcap > 0 ? at::tanh(wide / m_config.output_softcap) * m_config.output_softcap : wide;
}

at::Tensor DecoderLm::logits(const at::Tensor &hidden) const
{
    return softCapped(m_weights.output()(hidden.contiguous()));
}

at::Tensor DecoderLm::laterLogits(const at::Tensor &hidden, std::int64_t first, std::int64_t last) const
{
    return softCapped(m_weights.tokenHeads().logits(hidden.contiguous(), first, last, m_weights.output()));
}

}  // namespace braid::models::lm
