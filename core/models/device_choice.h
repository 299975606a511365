// DeviceChoice -> where and in which type libtorch computes. Torch header.
#pragma once

#include "core/model_access/device_choice.h"
#include "core/nn/placement.h"

namespace braid::models {

// Throws Error(Usage) for a name that is no device, Error(Device) for one that is not there or cannot compute in the type.
[[nodiscard]] nn::Placement placementOf(const DeviceChoice &choice);

}  // namespace braid::models
