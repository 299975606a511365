#include "core/models/decoder_lm/translation_run.h"

#include <algorithm>

#include <c10/core/InferenceMode.h>

#include "core/base/error.h"

namespace braid::models::lm {

using paradigms::Counting;
using paradigms::Entry;
using paradigms::EntryKind;
using paradigms::kSource;
using paradigms::kTarget;
using paradigms::Reencoding;

TranslationRun::TranslationRun(const DecoderLm &model, const paradigms::Paradigm &paradigm, std::int64_t capacity, const drafting::DraftSettings &drafting)
    : m_model(model)
    , m_paradigm(paradigm)
    , m_one_queue(paradigm.visibility == paradigms::causal())
    , m_cache(model.emptyCache(capacity, paradigm.reencoding == Reencoding::Positions ? nn::KeyStorage::Movable : nn::KeyStorage::Turned))
    , m_drafting(drafting)
{
    drafting::requireUsable(drafting, model.config().token_heads.count);
}

// Target tokens leave the cache, to be fed again: all of them where everything is encoded again, else the last one.
void TranslationRun::takeBack()
{
    const std::int64_t count = m_paradigm.reencoding == Reencoding::All ? m_target_fed : std::min<std::int64_t>(m_target_fed, 1);
    eraseTargets(count);
}

// Not while proposals are in the cache.
void TranslationRun::eraseTargets(std::int64_t count)
{
    for (std::int64_t at = m_cache.length() - 1; count > 0 && at >= 0; --at) {
        if (m_cache.entries()[static_cast<std::size_t>(at)].stream == kTarget) {
            m_cache.erase(at, 1);  // free where it is the last entry, as it nearly always is
            --m_target_fed;
            --count;
            m_rows.clear();
        }
    }
}

// They stand last in the cache.
void TranslationRun::dropProposals()
{
    if (m_rows.ahead() > 0) {
        m_cache.truncate(m_cache.length() - m_rows.ahead());
        m_rows.forgetAhead();
    }
}

void TranslationRun::keepWhatWasPredicted()
{
    if (m_drafting.heads > 1 && m_rows.any()) {
        m_proposing = m_rows.hidden();
        m_proposes_from = m_target_fed;
    }
}

void TranslationRun::read(const LmInput &input)
{
    const std::span<const std::int32_t> tokens = input.tokens;
    if (tokens.empty()) {
        return;
    }
    if (!m_target.empty() && m_paradigm.reencoding == Reencoding::None && m_paradigm.target.counting == Counting::AfterSource) {
        throw Error(ErrorKind::Usage, "offline translation cannot read on once it has begun to write", {}, "Choose a streaming paradigm");
    }
    dropProposals();
    const std::int64_t waiting = static_cast<std::int64_t>(m_target.size()) - m_target_fed;
    if (m_one_queue) {
        feedPending(waiting);  // what was written stands before what is read now
    } else if (m_paradigm.reencoding == Reencoding::All || waiting == 0) {
        takeBack();
    } else {
        feedPending(waiting - 1);  // only the last one is to see what is read now
    }
    m_rows.clear();  // they have not seen it, also where what waits is taken back
    if (m_drafting.verification != drafting::Verification::Greedy) {
        m_proposing = at::Tensor();  // had not read this
    }
    const auto first = static_cast<std::int64_t>(m_source.size());
    m_source.insert(m_source.end(), tokens.begin(), tokens.end());
    m_last_row = tokens.back() == nn::kRow && input.rows.defined() ? input.rows.narrow(0, input.rows.size(0) - 1, 1).clone() : at::Tensor();
    run(kSource, input, first, 0, nullptr);
}

void TranslationRun::write(std::span<const std::int32_t> tokens)
{
    for (const std::int32_t token : tokens) {
        const bool nothing_waits = m_target_fed == static_cast<std::int64_t>(m_target.size());
        m_target.push_back(token);
        if (!nothing_waits) {
            continue;
        }
        if (m_rows.advance(token)) {
            ++m_target_fed;
            keepWhatWasPredicted();
        } else {
            dropProposals();
        }
    }
}

void TranslationRun::unwrite(std::int64_t count)
{
    dropProposals();
    count = std::clamp<std::int64_t>(count, 0, static_cast<std::int64_t>(m_target.size()));
    m_target.resize(m_target.size() - static_cast<std::size_t>(count));
    eraseTargets(m_target_fed - static_cast<std::int64_t>(m_target.size()));
    if (m_proposes_from > static_cast<std::int64_t>(m_target.size())) {
        m_proposing = at::Tensor();
    }
}

double TranslationRun::positionAfter(std::int32_t stream, std::int64_t first_own_index, std::int64_t offset) const
{
    return paradigms::positionOf(stream == kSource ? m_paradigm.source : m_paradigm.target, first_own_index + offset, m_cache.length() + offset,
                                 static_cast<std::int64_t>(m_source.size()));
}

void TranslationRun::run(std::int32_t stream, const LmInput &input, std::int64_t first_own_index, std::int64_t unwritten, nn::AttentionLook *look)
{
    const std::span<const std::int32_t> tokens = input.tokens;
    std::vector<Entry> entries;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        entries.push_back({stream, positionAfter(stream, first_own_index, static_cast<std::int64_t>(i)), m_step, EntryKind::Token});
    }
    ++m_step;
    m_target_passes += stream == kTarget ? 1 : 0;
    const at::Tensor hidden = m_model.run(m_cache, input, entries, m_paradigm.visibility, look);
    m_tokens_fed += static_cast<std::int64_t>(tokens.size());
    if (stream == kTarget || m_one_queue) {
        const std::int64_t first = hidden.size(0) - unwritten - 1;
        m_rows.set(hidden.narrow(0, first, unwritten + 1), tokens.last(static_cast<std::size_t>(unwritten)),
                   look != nullptr ? look->weights.narrow(0, first, unwritten + 1) : at::Tensor());
        keepWhatWasPredicted();
    }
}

void TranslationRun::movePositions()
{
    if (m_paradigm.reencoding != Reencoding::Positions || m_moved_for == static_cast<std::int64_t>(m_source.size())) {
        return;
    }
    m_moved_for = static_cast<std::int64_t>(m_source.size());
    std::vector<std::int64_t> moved;
    std::vector<double> positions;
    for (std::size_t i = 0; i < m_cache.entries().size(); ++i) {
        if (m_cache.entries()[i].stream == kTarget) {
            positions.push_back(paradigms::positionOf(m_paradigm.target, static_cast<std::int64_t>(moved.size()), static_cast<std::int64_t>(i), m_moved_for));
            moved.push_back(static_cast<std::int64_t>(i));
        }
    }
    m_cache.move(moved, positions, m_model.rotary());
}

// What the heads say of the tokens behind all written ones; as many as are worth feeding.
std::vector<std::int32_t> TranslationRun::proposals() const
{
    const std::int64_t written_since = static_cast<std::int64_t>(m_target.size()) - m_proposes_from;
    const std::int64_t first = written_since + 1;  // the head that predicts the next token
    if (m_drafting.verification == drafting::Verification::Threshold || !m_proposing.defined() || first > m_drafting.heads) {
        return {};
    }
    std::vector<std::int32_t> tokens;
    const auto add = [&tokens](const at::Tensor &logits) {
        const at::Tensor most_probable = logits.argmax(-1).to(at::kCPU);
        for (std::int64_t i = 0; i < most_probable.size(0); ++i) {
            tokens.push_back(static_cast<std::int32_t>(most_probable[i].item<std::int64_t>()));
        }
    };
    if (first == 1) {
        add(m_model.logits(m_proposing).unsqueeze(0));
    }
    add(m_model.laterLogits(m_proposing, std::max<std::int64_t>(first, 2), m_drafting.heads));
    tokens.resize(std::min(tokens.size(), static_cast<std::size_t>(m_drafting.heads - 1)));
    return tokens;
}

void TranslationRun::feedPending(std::int64_t count, std::span<const std::int32_t> proposals, nn::AttentionLook *look)
{
    if (count <= 0) {
        return;
    }
    movePositions();
    const std::int64_t first = m_target_fed;
    std::vector<std::int32_t> tokens(m_target.begin() + first, m_target.begin() + first + count);
    // A proposal may not be what brings a model of LongRope into its long reach.
    const double reached = std::max(m_cache.greatestPosition(), positionAfter(kTarget, first, count - 1));
    for (const std::int32_t proposal : proposals) {
        const auto offset = static_cast<std::int64_t>(tokens.size());
        const double further = std::max(reached, positionAfter(kTarget, first, offset));
        if (m_model.rotary().hasLongReach() && m_model.rotary().reachFor(further) != m_model.rotary().reachFor(reached)) {
            break;
        }
        tokens.push_back(proposal);
    }
    m_target_fed += count;
    run(kTarget, {tokens}, first, static_cast<std::int64_t>(tokens.size()) - count, look);
}

// What predicts is the row of the last token, so that one leaves the cache and comes back.
void TranslationRun::feedLastAgain(std::span<const std::int32_t> proposals, nn::AttentionLook *look)
{
    dropProposals();
    if (m_one_queue && m_cache.length() > 0 && m_cache.entries().back().stream == kSource) {
        m_cache.truncate(m_cache.length() - 1);
        run(kSource, {std::span(m_source).last(1), m_last_row}, static_cast<std::int64_t>(m_source.size()) - 1, 0, look);
        return;
    }
    takeBack();
    feedPending(static_cast<std::int64_t>(m_target.size()) - m_target_fed, proposals, look);
}

at::Tensor TranslationRun::predict(nn::AttentionLook *look)
{
    const c10::InferenceMode inference;
    const std::int64_t waiting = static_cast<std::int64_t>(m_target.size()) - m_target_fed;
    if (waiting > 0) {
        const std::vector<std::int32_t> proposed = proposals();
        feedPending(waiting, proposed, look);
    } else if (!m_rows.any() || (look != nullptr && !m_rows.looked().defined())) {
        const std::vector<std::int32_t> proposed = proposals();
        feedLastAgain(proposed, look);
    }
    if (!m_rows.any()) {
        throw Error(ErrorKind::Internal, "a translation was asked for its next token before anything was read and written");
    }
    if (look != nullptr) {
        look->weights = m_rows.looked();
    }
    return m_rows.logits(m_model);
}

std::vector<std::int64_t> TranslationRun::sourceColumns() const
{
    std::vector<std::int64_t> columns;
    for (std::size_t i = 0; i < m_cache.entries().size(); ++i) {
        if (m_cache.entries()[i].stream == kSource) {
            columns.push_back(static_cast<std::int64_t>(i));
        }
    }
    return columns;
}

}  // namespace braid::models::lm
