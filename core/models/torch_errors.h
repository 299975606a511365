// Turns what libtorch throws into braid::Error: at the doors through which others call the models.
#pragma once

#include <new>
#include <string>
#include <utility>

#include <ATen/ATen.h>

#include "core/base/error.h"

namespace braid::models {

template <typename Work>
auto withPlainErrors(Work &&work)
{
    try {
        return std::forward<Work>(work)();
    } catch (const std::bad_alloc &) {
        throw Error(ErrorKind::Device, "there is not enough memory for this model", {}, "Choose a smaller model");
    } catch (const c10::Error &failure) {
        const std::string what = failure.what_without_backtrace();
        if (what.find("out of memory") != std::string::npos || what.find("can't allocate memory") != std::string::npos) {
            throw Error(ErrorKind::Device, "there is not enough memory for this model", {}, "Choose a smaller model, or float16 on the GPU");
        }
        throw Error(ErrorKind::Internal, "libtorch failed: " + what.substr(0, what.find('\n')));
    }
}

}  // namespace braid::models
