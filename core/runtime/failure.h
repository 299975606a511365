// What went wrong in a run, as people are told. Thread: any.
#pragma once

#include <string>
#include <string_view>

#include "core/base/error.h"

namespace braid::runtime {

struct RunFailure {
    ErrorKind kind = ErrorKind::Internal;
    std::string sentence;
};

// Of the exception being handled; `where` begins the sentence of one that brings none ("The model").
[[nodiscard]] RunFailure describeException(const char *where);

// "input", "model", ...
[[nodiscard]] std::string_view errorKindName(ErrorKind kind) noexcept;

}  // namespace braid::runtime
