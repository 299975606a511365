#include "lab/train/dropout.h"

#include <cmath>

namespace braid::train {

at::Tensor drop(const at::Tensor &x, double share, Random *random)
{
    constexpr double kDrawn = 65536;
    if (share <= 0) {
        return x;
    }
    if (!x.is_cpu()) {
        return at::dropout(x, share, true);
    }
    const auto dropped = static_cast<std::uint64_t>(std::lround(share * kDrawn));
    const auto kept = static_cast<float>(kDrawn / (kDrawn - static_cast<double>(dropped)));
    at::Tensor mask = at::empty(x.sizes(), x.options().dtype(at::kFloat).requires_grad(false));
    float *values = mask.data_ptr<float>();
    std::uint64_t bits = 0;
    for (std::int64_t i = 0; i < mask.numel(); ++i, bits >>= 16) {
        if (i % 4 == 0) {
            bits = random->next();
        }
        values[i] = (bits & 0xffff) < dropped ? 0.0f : kept;
    }
    return x * mask.to(x.scalar_type());
}

}  // namespace braid::train
