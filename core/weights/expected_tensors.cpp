#include "core/weights/expected_tensors.h"

#include <algorithm>

#include "core/base/error.h"

namespace braid::weights {

void requireTensors(const TensorStore &tensors, const std::vector<ExpectedTensor> &expected, std::string_view kind)
{
    std::vector<std::string> known;
    for (const ExpectedTensor &wanted : expected) {
        const StoredTensor *tensor = tensors.peek(wanted.name);
        if (tensor == nullptr) {
            throw Error(ErrorKind::Model, "the tensor \"" + wanted.name + "\" is missing", tensors.origin(),
                        "The model was not copied or downloaded completely, or its configuration is of another model");
        }
        if (tensor->shape != wanted.shape) {
            throw Error(ErrorKind::Model, "the tensor \"" + wanted.name + "\" has not the shape its configuration asks for", tensors.origin(),
                        "The configuration and the weights are of different models");
        }
        if (!tensor->isWeights()) {
            throw Error(ErrorKind::Model,
                        "the tensor \"" + wanted.name + "\" is stored as " + std::string(dtypeName(tensor->dtype)) + ", which is no floating point type",
                        tensors.origin(), "Use the model in float32, float16 or bfloat16");
        }
        known.push_back(wanted.name);
    }
    std::sort(known.begin(), known.end());
    for (const std::string &name : tensors.names()) {
        if (!std::binary_search(known.begin(), known.end(), name)) {
            throw Error(ErrorKind::Model, "the tensor \"" + name.substr(0, 200) + "\" has no place in a " + std::string(kind), tensors.origin(),
                        "This is another kind of model than its configuration says, or an adapter merged halfway");
        }
    }
}

}  // namespace braid::weights
