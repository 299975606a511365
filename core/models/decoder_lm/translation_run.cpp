#include "core/models/decoder_lm/translation_run.h"

#include <algorithm>

#include "core/base/error.h"

namespace braid::models::lm {

using paradigms::Counting;
using paradigms::Entry;
using paradigms::EntryKind;
using paradigms::kSource;
using paradigms::kTarget;
using paradigms::Reencoding;

TranslationRun::TranslationRun(const DecoderLm &model, const paradigms::Paradigm &paradigm, std::int64_t capacity)
    : m_model(model)
    , m_paradigm(paradigm)
    , m_one_queue(paradigm.visibility == paradigms::causal())
    , m_cache(model.emptyCache(capacity, paradigm.reencoding == Reencoding::Positions ? nn::KeyStorage::Movable : nn::KeyStorage::Turned))
{
}

// Target tokens leave the cache, to be fed again: all of them where everything is encoded again, else the last one.
void TranslationRun::takeBack()
{
    const std::int64_t count = m_paradigm.reencoding == Reencoding::All ? m_target_fed : std::min<std::int64_t>(m_target_fed, 1);
    eraseTargets(count);
}

void TranslationRun::eraseTargets(std::int64_t count)
{
    for (std::int64_t at = m_cache.length() - 1; count > 0 && at >= 0; --at) {
        if (m_cache.entries()[static_cast<std::size_t>(at)].stream == kTarget) {
            m_cache.erase(at, 1);  // free where it is the last entry, as it nearly always is
            --m_target_fed;
            --count;
            m_last_hidden = at::Tensor();
        }
    }
}

void TranslationRun::read(std::span<const std::int32_t> tokens)
{
    if (tokens.empty()) {
        return;
    }
    if (!m_target.empty() && m_paradigm.reencoding == Reencoding::None && m_paradigm.target.counting == Counting::AfterSource) {
        throw Error(ErrorKind::Usage, "offline translation cannot read on once it has begun to write", {}, "Choose a streaming paradigm");
    }
    const std::int64_t waiting = static_cast<std::int64_t>(m_target.size()) - m_target_fed;
    if (m_one_queue) {
        feedPending(waiting, nullptr);  // what was written stands before what is read now
    } else if (m_paradigm.reencoding == Reencoding::All || waiting == 0) {
        takeBack();
    } else {
        feedPending(waiting - 1, nullptr);  // only the last one is to see what is read now
    }
    const auto first = static_cast<std::int64_t>(m_source.size());
    m_source.insert(m_source.end(), tokens.begin(), tokens.end());
    run(kSource, tokens, first, nullptr);
}

void TranslationRun::write(std::span<const std::int32_t> tokens)
{
    m_target.insert(m_target.end(), tokens.begin(), tokens.end());
}

void TranslationRun::unwrite(std::int64_t count)
{
    count = std::clamp<std::int64_t>(count, 0, static_cast<std::int64_t>(m_target.size()));
    m_target.resize(m_target.size() - static_cast<std::size_t>(count));
    eraseTargets(m_target_fed - static_cast<std::int64_t>(m_target.size()));
}

void TranslationRun::run(std::int32_t stream, std::span<const std::int32_t> tokens, std::int64_t first_own_index, nn::AttentionLook *look)
{
    const paradigms::StreamPositions &positions = stream == kSource ? m_paradigm.source : m_paradigm.target;
    std::vector<Entry> entries;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const auto offset = static_cast<std::int64_t>(i);
        entries.push_back({stream,
                           paradigms::positionOf(positions, first_own_index + offset, m_cache.length() + offset, static_cast<std::int64_t>(m_source.size())),
                           m_step, EntryKind::Token});
    }
    ++m_step;
    const at::Tensor hidden = m_model.run(m_cache, tokens, entries, m_paradigm.visibility, look);
    m_tokens_fed += static_cast<std::int64_t>(tokens.size());
    if (stream == kTarget || m_one_queue) {
        m_last_hidden = hidden[hidden.size(0) - 1];
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

void TranslationRun::feedPending(std::int64_t count, nn::AttentionLook *look)
{
    if (count <= 0) {
        return;
    }
    movePositions();
    const std::int64_t first = m_target_fed;
    m_target_fed += count;
    run(kTarget, std::span(m_target).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count)), first, look);
}

at::Tensor TranslationRun::predict(nn::AttentionLook *look)
{
    const bool nothing_waits = m_target_fed == static_cast<std::int64_t>(m_target.size());
    if (nothing_waits && (look != nullptr || !m_last_hidden.defined())) {
        // A pass is needed: the last token is fed again.
        if (m_one_queue && m_cache.length() > 0) {
            const std::int32_t stream = m_cache.entries().back().stream;
            const std::vector<std::int32_t> &side = stream == kSource ? m_source : m_target;
            m_cache.truncate(m_cache.length() - 1);
            run(stream, std::span(side).last(1), static_cast<std::int64_t>(side.size()) - 1, look);
        } else {
            takeBack();
        }
    }
    feedPending(static_cast<std::int64_t>(m_target.size()) - m_target_fed, look);
    if (!m_last_hidden.defined()) {
        throw Error(ErrorKind::Internal, "a translation was asked for its next token before anything was read and written");
    }
    return m_model.logits(m_last_hidden);
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
