#include "core/models/device_choice.h"

#include <charconv>
#include <string>
#include <string_view>

#include <ATen/Parallel.h>
#include <torch/cuda.h>

#include "core/base/error.h"
#include "core/models/models.h"

namespace braid::models {

namespace {

at::Device deviceOf(const std::string &name)
{
    const auto gpus = static_cast<int>(torch::cuda::device_count());
    if (name == "cpu" || (name == "auto" && gpus == 0)) {
        return at::kCPU;
    }
    if (name == "auto") {
        return {at::kCUDA, 0};
    }
    int index = 0;
    const std::string_view view(name);
    if (view.substr(0, 4) != "cuda" || (view.size() > 4 && view[4] != ':')) {
        throw Error(ErrorKind::Usage, "\"" + name + "\" is no device", {}, "Choose auto, cpu, cuda or cuda:0");
    }
    if (view.size() > 4) {
        const auto [end, failure] = std::from_chars(view.data() + 5, view.data() + view.size(), index);
        if (failure != std::errc() || end != view.data() + view.size() || index < 0) {
            throw Error(ErrorKind::Usage, "\"" + name + "\" is no device", {}, "Choose auto, cpu, cuda or cuda:0");
        }
    }
    if (index >= gpus) {
        throw Error(ErrorKind::Device, gpus == 0 ? "there is no GPU that this libtorch can use" : "there are only " + std::to_string(gpus) + " GPUs", name,
                    "Choose cpu or auto");
    }
    return {at::kCUDA, static_cast<at::DeviceIndex>(index)};
}

}  // namespace

nn::Placement placementOf(const DeviceChoice &choice)
{
    const at::ScalarType type = choice.number_type == NumberType::BFloat16 ? at::kBFloat16 : choice.number_type == NumberType::Float16 ? at::kHalf : at::kFloat;
    nn::Placement placement{deviceOf(choice.device), type};
    if (choice.number_type == NumberType::Int8) {
        if (!placement.device.is_cpu()) {
            throw Error(ErrorKind::Device, "weights of eight bits are computed on the CPU only", choice.device, "Choose cpu, or float16 on the GPU");
        }
        placement.storage = nn::WeightStorage::Int8;
    }
    nn::requireUsable(placement);
    return placement;
}

std::string describeDevice(const DeviceChoice &choice)
{
    const nn::Placement placement = placementOf(choice);
    const std::string type(nameOf(choice.number_type));
    if (placement.device.is_cuda()) {
        return placement.device.str() + ", " + type;
    }
    const int threads = resolveThreads(choice.threads);
    return "cpu, " + std::to_string(threads) + (threads == 1 ? " thread, " : " threads, ") + type;
}

void useThreads(const DeviceChoice &choice)
{
    if (const int threads = resolveThreads(choice.threads); at::get_num_threads() != threads) {
        at::set_num_threads(threads);
    }
}

}  // namespace braid::models
