// Where models run, as the window's settings say it and as the models want it said.
#pragma once

#include "core/models/caption_model.h"
#include "ui/compute_choices.h"

namespace braid::app {

[[nodiscard]] inline models::DeviceChoice deviceChoice(const ui::ComputeChoices &compute)
{
    models::DeviceChoice choice;
    choice.device = compute.device.toStdString();
    choice.threads = compute.threads;
    choice.number_type = compute.number_type == QLatin1String("bfloat16") ? models::NumberType::BFloat16
        : compute.number_type == QLatin1String("float16")                ? models::NumberType::Float16
                                                                         : models::NumberType::Float32;
    return choice;
}

}  // namespace braid::app
