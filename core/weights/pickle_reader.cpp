#include "core/weights/pickle_reader.h"

#include "core/weights/pickle_machine.h"

namespace braid::weights {

PickleDocument::PickleDocument(std::span<const std::byte> bytes, std::shared_ptr<const void> owner, std::string where)
    : m_owner(std::move(owner))
    , m_where(std::move(where))
{
    PickleNodes read = readPickle(bytes, m_where);
    m_nodes = std::move(read.nodes);
    m_root = read.root;
}

PickleValue PickleDocument::root() const
{
    return {*this, m_root};
}

std::optional<std::int64_t> PickleValue::integer() const
{
    return kind() == PickleKind::Integer || kind() == PickleKind::Boolean ? std::optional(node().integer) : std::nullopt;
}

std::optional<std::string_view> PickleValue::text() const
{
    return kind() == PickleKind::Text ? std::optional(node().text) : std::nullopt;
}

bool PickleValue::isGlobal(std::string_view module, std::string_view name) const
{
    return kind() == PickleKind::Global && node().module == module && node().text == name;
}

std::string PickleValue::globalName() const
{
    return kind() == PickleKind::Global ? std::string(node().module) + "." + std::string(node().text) : std::string();
}

std::vector<PickleValue> PickleValue::elements() const
{
    std::vector<PickleValue> values;
    if (kind() == PickleKind::Tuple || kind() == PickleKind::List || kind() == PickleKind::Set) {
        values.reserve(node().items.size());
        for (const auto item : node().items) {
            values.push_back(at(item));
        }
    }
    return values;
}

std::optional<PickleValue> PickleValue::callable() const
{
    return kind() == PickleKind::Call ? std::optional(at(node().callable)) : std::nullopt;
}

std::vector<PickleValue> PickleValue::arguments() const
{
    return node().arguments >= 0 ? at(node().arguments).elements() : std::vector<PickleValue>();
}

bool PickleValue::isCallOf(std::string_view module, std::string_view name) const
{
    return kind() == PickleKind::Call && at(node().callable).isGlobal(module, name);
}

void PickleValue::appendFields(const std::vector<std::int32_t> &pairs, Fields &out) const
{
    for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) {
        if (const auto key = at(pairs[i]).text()) {
            out.emplace_back(*key, at(pairs[i + 1]));
        }
    }
}

PickleValue::Fields PickleValue::entries() const
{
    Fields found;
    if (kind() == PickleKind::Dictionary) {
        appendFields(node().items, found);
    } else if (kind() == PickleKind::Call) {
        appendFields(node().pairs, found);
    }
    return found;
}

PickleValue::Fields PickleValue::attributes() const
{
    Fields found;
    if (kind() != PickleKind::Call || node().state < 0) {
        return found;
    }
    // A table of attributes, or (attributes, slots).
    const auto state = at(node().state);
    if (state.kind() == PickleKind::Dictionary) {
        appendFields(state.node().items, found);
    }
    for (const auto &part : state.elements()) {
        if (part.kind() == PickleKind::Dictionary) {
            appendFields(part.node().items, found);
        }
    }
    return found;
}

std::optional<PickleValue> PickleValue::field(std::string_view key) const
{
    std::optional<PickleValue> found;
    for (const auto &part : {attributes(), entries()}) {
        for (const auto &[name, value] : part) {
            if (name == key) {
                found = value;
            }
        }
    }
    return found;
}

}  // namespace braid::weights
