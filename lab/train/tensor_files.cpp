#include "lab/train/tensor_files.h"

#include "core/base/error.h"
#include "core/nn/placement.h"
#include "core/weights/safetensors.h"

namespace braid::train {

namespace {

weights::DType storedType(at::ScalarType type)
{
    switch (type) {
    case at::kDouble:
        return weights::DType::Float64;
    case at::kFloat:
        return weights::DType::Float32;
    case at::kHalf:
        return weights::DType::Float16;
    case at::kBFloat16:
        return weights::DType::BFloat16;
    default:
        break;
    }
    throw Error(ErrorKind::Internal, "a tensor of this type is not written to files");
}

}  // namespace

weights::StoredTensor storedTensor(const at::Tensor &tensor, at::ScalarType type)
{
    const auto kept = std::make_shared<at::Tensor>(tensor.detach().to(at::kCPU, type).contiguous());
    weights::StoredTensor stored;
    stored.dtype = storedType(type);
    stored.shape = kept->sizes().vec();
    stored.bytes = {static_cast<const std::byte *>(kept->data_ptr()), static_cast<std::size_t>(kept->numel()) * weights::bytesPerElement(stored.dtype)};
    stored.owner = kept;
    return stored;
}

void writeTensors(const std::filesystem::path &path, const std::map<std::string, at::Tensor> &tensors, at::ScalarType type)
{
    weights::TensorStore store(path.string());
    for (const auto &[name, tensor] : tensors) {
        store.add(name, storedTensor(tensor, type));
    }
    weights::writeSafetensors(path, store, {{"format", "pt"}});
}

std::map<std::string, at::Tensor> readTensors(const std::filesystem::path &path)
{
    const weights::SafetensorsFile file = weights::readSafetensors(path);
    std::map<std::string, at::Tensor> tensors;
    for (const std::string &name : file.tensors.names()) {
        const weights::StoredTensor &stored = *file.tensors.peek(name);
        tensors.emplace(name, nn::tensorFrom(stored, {at::kCPU, stored.dtype == weights::DType::Float64 ? at::kDouble : at::kFloat}));
    }
    return tensors;
}

}  // namespace braid::train
