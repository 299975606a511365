// --number-type, the same for every command that computes with a model.
#pragma once

#include <string>

#include "app/cli/choices.h"
#include "app/cli/options.h"

namespace braid::cli {

inline CLI::Option *addNumberType(CLI::App &command, NumberType &target, const std::string &description)
{
    const Choices<NumberType> choices = {{"float32", NumberType::Float32}, {"bfloat16", NumberType::BFloat16}, {"float16", NumberType::Float16}};
    return addChoice(command, "--number-type", target, choices, description);
}

}  // namespace braid::cli
