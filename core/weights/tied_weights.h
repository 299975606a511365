// Tensors that two names of a file share. Thread: any.
#pragma once

#include <string>

#include "core/weights/tensor_store.h"

namespace braid::weights {

// Tied weights may be stored twice; two different ones would be another model. Drops `copy` where the file stores it beside the tensor it is tied to. Throws
// Error(Model) with `remedy` where the two differ.
void dropTiedCopy(TensorStore &tensors, const std::string &copy, const std::string &original, const std::string &remedy);

}  // namespace braid::weights
