// Device, number type and threads as a person named them -> what the models take.
#pragma once

#include <string>

#include "app/cli/options.h"
#include "core/models/caption_model.h"

namespace braid::cli {

[[nodiscard]] inline models::DeviceChoice deviceChoice(const std::string &device, NumberType number_type, int threads)
{
    models::DeviceChoice choice;
    choice.device = device;
    choice.number_type = number_type == NumberType::BFloat16 ? models::NumberType::BFloat16 : number_type == NumberType::Float16 ? models::NumberType::Float16 : models::NumberType::Float32;
    choice.threads = threads;
    return choice;
}

}  // namespace braid::cli
