// Carries out a pickle's instructions as far as they build data (pickle_reader.h says what that means); nothing is ever called.
// Limits: bytes, nodes and remembered values. Errors: Error(Model). Thread: any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/weights/pickle_reader.h"

namespace braid::weights {

struct PickleNodes {
    std::vector<PickleNode> nodes;  // their texts are parts of the bytes read
    std::int32_t root = -1;
};

// `where` names the file in errors.
[[nodiscard]] PickleNodes readPickle(std::span<const std::byte> bytes, const std::string &where);

}  // namespace braid::weights
