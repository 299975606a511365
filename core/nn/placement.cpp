#include "core/nn/placement.h"

#include <cstring>
#include <string>

#include "core/base/error.h"
#include "core/weights/blocks.h"

namespace braid::nn {

namespace {

constexpr const char *kBadBytes = "the bytes of a weight do not fit its shape";
constexpr const char *kAgain = "Download the model again";

at::ScalarType scalarTypeOf(weights::DType dtype)
{
    switch (dtype) {
    case weights::DType::Float64:
        return at::kDouble;
    case weights::DType::Float32:
        return at::kFloat;
    case weights::DType::Float16:
        return at::kHalf;
    case weights::DType::BFloat16:
        return at::kBFloat16;
    default:
        break;
    }
    throw Error(ErrorKind::Model, "a weight is stored as " + std::string(weights::dtypeName(dtype)) + ", which is no floating point type", {},
                "Use the model's original weights");
}

// Blocks, and rows with scales, become float32.
at::Tensor dequantised(const weights::StoredTensor &stored)
{
    at::Tensor numbers = at::empty(stored.shape, at::kFloat);
    const std::span<float> all(numbers.data_ptr<float>(), static_cast<std::size_t>(numbers.numel()));
    if (weights::isBlocks(stored.dtype)) {
        const weights::BlockForm form = weights::blockForm(stored.dtype);
        if (all.size() % static_cast<std::size_t>(form.numbers) != 0 ||
            all.size() / static_cast<std::size_t>(form.numbers) * form.bytes != stored.bytes.size()) {
            throw Error(ErrorKind::Model, kBadBytes, {}, kAgain);
        }
        weights::dequantise(stored.dtype, stored.bytes, all);
        return numbers;
    }
    const std::vector<float> &scales = *stored.row_scales;
    if (stored.bytes.size() != all.size() || scales.empty() || all.size() % scales.size() != 0) {
        throw Error(ErrorKind::Model, kBadBytes, {}, kAgain);
    }
    const std::size_t row = all.size() / scales.size();
    for (std::size_t r = 0; r < scales.size(); ++r) {
        for (std::size_t i = r * row; i < (r + 1) * row; ++i) {
            all[i] = static_cast<float>(static_cast<std::int8_t>(stored.bytes[i])) * scales[r];
        }
    }
    return numbers;
}

}  // namespace

at::Tensor tensorFrom(const weights::StoredTensor &stored, const Placement &placement)
{
    if (weights::isBlocks(stored.dtype) || stored.row_scales != nullptr) {
        return dequantised(stored).to(placement.options());
    }
    const at::ScalarType type = scalarTypeOf(stored.dtype);
    if (stored.elementCount() < 0 || static_cast<std::size_t>(stored.elementCount()) * weights::bytesPerElement(stored.dtype) != stored.bytes.size()) {
        throw Error(ErrorKind::Model, kBadBytes, {}, kAgain);
    }
    if (reinterpret_cast<std::uintptr_t>(stored.bytes.data()) % weights::bytesPerElement(stored.dtype) != 0) {
        const at::Tensor aligned = at::empty(stored.shape, at::TensorOptions().dtype(type));
        std::memcpy(aligned.data_ptr(), stored.bytes.data(), stored.bytes.size());
        return aligned.to(placement.options());
    }
    // from_blob wants a mutable pointer; the copy below only reads.
    void *bytes = const_cast<std::byte *>(stored.bytes.data());
    const at::Tensor view = at::from_blob(bytes, stored.shape, at::TensorOptions().dtype(type));
    at::Tensor copy = at::empty(stored.shape, placement.options());
    copy.copy_(view);
    return copy;
}

void requireUsable(const Placement &placement)
{
    if (placement.device.is_cpu() && placement.type == at::kFloat) {
        return;
    }
    try {
        const c10::InferenceMode inference;
        const at::Tensor x = at::ones({1, 4, 16}, placement.options());
        const at::Tensor w = at::ones({16, 16}, placement.options());
        const at::Tensor bias = at::ones({16}, placement.options());
        at::Tensor y = at::linear(at::layer_norm(x, {16}, bias, bias), w, bias);
        y = at::gelu(at::conv1d(y.transpose(1, 2), at::ones({16, 16, 3}, placement.options()), bias, 1, 1)).transpose(1, 2);
        y = at::bmm(at::softmax(at::bmm(y, x.transpose(1, 2)), -1, at::kFloat).to(placement.type), x) + x;
        if (!at::isfinite(y.to(at::kFloat)).all().item<bool>()) {
            throw Error(ErrorKind::Device, "a trial computation gave numbers that are not finite");
        }
    } catch (const c10::Error &failure) {
        const std::string type = placement.type == at::kHalf ? "float16" : placement.type == at::kBFloat16 ? "bfloat16" : "float32";
        throw Error(ErrorKind::Device,
                    "this libtorch cannot compute in " + type + " on " + placement.device.str() + " (" + failure.what_without_backtrace() + ")", {},
                    "Choose float32 or bfloat16, or a GPU");
    }
}

}  // namespace braid::nn
