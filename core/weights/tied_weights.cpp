#include "core/weights/tied_weights.h"

#include <algorithm>

#include "core/base/error.h"

namespace braid::weights {

void dropTiedCopy(TensorStore &tensors, const std::string &copy, const std::string &original, const std::string &remedy)
{
    const StoredTensor *tied = tensors.peek(copy);
    const StoredTensor *embedding = tensors.peek(original);
    if (tied == nullptr || embedding == nullptr) {
        return;
    }
    if (tied->dtype != embedding->dtype || tied->shape != embedding->shape ||
        !std::equal(tied->bytes.begin(), tied->bytes.end(), embedding->bytes.begin(), embedding->bytes.end())) {
        throw Error(ErrorKind::Model, "\"" + copy + "\" differs from the token embedding it should be tied to", tensors.origin(), remedy);
    }
    tensors.remove(copy);
}

}  // namespace braid::weights
