#include "core/models/decoder_lm/token_heads.h"

#include <utility>
#include <vector>

#include "core/base/error.h"

namespace braid::models::lm {

TokenHeads::TokenHeads(const weights::LmTokenHeads &heads, nn::Linear joined)
    : m_heads(heads)
    , m_joined(std::move(joined))
{
}

at::Tensor TokenHeads::logits(const at::Tensor &hidden, std::int64_t first, std::int64_t last, const nn::Linear &output) const
{
    if (first < 2 || last < first || last > m_heads.count) {
        throw Error(ErrorKind::Internal, "a language model was asked for a head it does not have");
    }
    const std::int64_t count = last - first + 1;
    const std::int64_t rows = m_joined.outputs() / (m_heads.count - 1);
    std::vector<std::int64_t> shape = hidden.sizes().vec();
    shape.insert(shape.end() - 1, count);
    shape.back() = rows;
    const at::Tensor each = m_joined.rows((first - 2) * rows, count * rows)(hidden).view(shape).movedim(-2, 0);
    return m_heads.kind == weights::LmHeadKind::Latent ? output(each.contiguous()) : each;
}

}  // namespace braid::models::lm
