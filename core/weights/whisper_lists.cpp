#include "core/weights/whisper_lists.h"

#include <algorithm>
#include <set>

#include "core/base/error.h"

namespace braid::weights {
namespace {

using nlohmann::json;

[[noreturn]] void refuse(const std::string &happened, const std::string &where)
{
    throw Error(ErrorKind::Model, happened, where, "The configuration is damaged or of another kind of model");
}

bool isBelow(const json &number, std::int64_t limit)
{
    return number.is_number_unsigned() && number.get<std::uint64_t>() < static_cast<std::uint64_t>(limit);
}

}  // namespace

std::vector<std::pair<int, int>> alignmentHeadsIn(const json &list, const WhisperDims &dims, const std::string &where)
{
    std::vector<std::pair<int, int>> heads;
    std::set<std::pair<int, int>> known;
    if (!list.is_array()) {
        refuse("\"alignment_heads\" is not a list", where);
    }
    for (const json &pair : list) {
        if (!pair.is_array() || pair.size() != 2 || !isBelow(pair[0], dims.n_text_layer) || !isBelow(pair[1], dims.n_text_head)) {
            refuse("\"alignment_heads\" names a head that the model does not have", where);
        }
        const std::pair head(pair[0].get<int>(), pair[1].get<int>());
        if (known.insert(head).second) {
            heads.push_back(head);
        }
    }
    return heads;
}

std::vector<std::int32_t> suppressedTokensIn(const json &list, const char *key, const WhisperDims &dims, const std::string &where)
{
    std::vector<std::int32_t> tokens;
    if (!list.is_array()) {
        refuse(std::string("\"") + key + "\" is not a list", where);
    }
    for (const json &token : list) {
        if (isBelow(token, dims.n_vocab)) {
            tokens.push_back(token.get<std::int32_t>());
        } else if (token != -1) {
            refuse(std::string("\"") + key + "\" names a token that the model does not have", where);
        }
    }
    return tokens;
}

}  // namespace braid::weights
