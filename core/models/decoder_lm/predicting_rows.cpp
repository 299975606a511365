#include "core/models/decoder_lm/predicting_rows.h"

#include <utility>

namespace braid::models::lm {

void PredictingRows::set(at::Tensor hidden, std::span<const std::int32_t> proposed, at::Tensor looked)
{
    m_hidden = std::move(hidden);
    m_logits = at::Tensor();
    m_looked = std::move(looked);
    m_proposed.assign(proposed.begin(), proposed.end());
    m_row = 0;
}

void PredictingRows::clear()
{
    *this = PredictingRows();
}

at::Tensor PredictingRows::logits(const DecoderLm &model)
{
    if (!m_logits.defined()) {
        m_logits = model.logits(m_hidden);
    }
    return m_logits[m_row];
}

std::optional<std::int32_t> PredictingRows::proposed() const
{
    return ahead() > 0 ? std::optional(m_proposed[static_cast<std::size_t>(m_row)]) : std::nullopt;
}

bool PredictingRows::advance(std::int32_t token)
{
    if (proposed() != token) {
        return false;
    }
    ++m_row;
    return true;
}

void PredictingRows::forgetAhead()
{
    m_proposed.resize(static_cast<std::size_t>(m_row));
}

}  // namespace braid::models::lm
