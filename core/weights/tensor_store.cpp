#include "core/weights/tensor_store.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include "core/base/error.h"
#include "core/weights/blocks.h"

namespace braid::weights {
namespace {

std::string shapeText(std::span<const std::int64_t> shape)
{
    std::string text = "[";
    for (const auto length : shape) {
        text += (text.size() > 1 ? ", " : "") + (length < 0 ? std::string("any") : std::to_string(length));
    }
    return text + "]";
}

bool fits(std::span<const std::int64_t> shape, std::span<const std::int64_t> wanted)
{
    if (wanted.empty()) {
        return true;
    }
    if (shape.size() != wanted.size()) {
        return false;
    }
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (wanted[i] >= 0 && wanted[i] != shape[i]) {
            return false;
        }
    }
    return true;
}

// By their bits: `infinity` is that of the type, `magnitude` everything but the sign.
template <typename Bits>
bool holdsNaN(std::span<const std::byte> bytes, Bits magnitude, Bits infinity)
{
    bool found = false;
    for (std::size_t at = 0; at + sizeof(Bits) <= bytes.size(); at += sizeof(Bits)) {
        Bits value = 0;
        std::memcpy(&value, bytes.data() + at, sizeof value);
        found |= static_cast<Bits>(value & magnitude) > infinity;
    }
    return found;
}

bool hasNaN(const StoredTensor &tensor)
{
    switch (tensor.dtype) {
    case DType::Float64:
        return holdsNaN<std::uint64_t>(tensor.bytes, 0x7FFF'FFFF'FFFF'FFFF, 0x7FF0'0000'0000'0000);
    case DType::Float32:
        return holdsNaN<std::uint32_t>(tensor.bytes, 0x7FFF'FFFF, 0x7F80'0000);
    case DType::Float16:
        return holdsNaN<std::uint16_t>(tensor.bytes, 0x7FFF, 0x7C00);
    case DType::BFloat16:
        return holdsNaN<std::uint16_t>(tensor.bytes, 0x7FFF, 0x7F80);
    default:
        return isBlocks(tensor.dtype) && blocksHoldNoNumbers(tensor.dtype, tensor.bytes);
    }
}

}  // namespace

std::size_t bytesPerElement(DType dtype) noexcept
{
    switch (dtype) {
    case DType::Float64:
    case DType::Int64:
        return 8;
    case DType::Float32:
    case DType::Int32:
        return 4;
    case DType::Float16:
    case DType::BFloat16:
    case DType::Int16:
        return 2;
    case DType::Int8:
    case DType::UInt8:
    case DType::Bool:
        return 1;
    default:
        return 0;
    }
}

std::string_view dtypeName(DType dtype) noexcept
{
    switch (dtype) {
    case DType::Float64:
        return "float64";
    case DType::Float32:
        return "float32";
    case DType::Float16:
        return "float16";
    case DType::BFloat16:
        return "bfloat16";
    case DType::Int64:
        return "int64";
    case DType::Int32:
        return "int32";
    case DType::Int16:
        return "int16";
    case DType::Int8:
        return "int8";
    case DType::UInt8:
        return "uint8";
    case DType::Bool:
        return "bool";
    default:
        return blockForm(dtype).name;
    }
}

bool isFloatingPoint(DType dtype) noexcept
{
    return dtype == DType::Float64 || dtype == DType::Float32 || dtype == DType::Float16 || dtype == DType::BFloat16;
}

bool isBlocks(DType dtype) noexcept
{
    return dtype >= DType::Q4_0;
}

std::int64_t StoredTensor::elementCount() const noexcept
{
    if (std::find(shape.begin(), shape.end(), 0) != shape.end()) {
        return 0;  // first: the other lengths of an empty tensor may be anything
    }
    std::int64_t count = 1;
    for (const auto length : shape) {
        count *= length;
    }
    return count;
}

TensorStore::TensorStore(std::string origin)
    : m_origin(std::move(origin))
{
}

void TensorStore::add(std::string name, StoredTensor tensor)
{
    const auto [position, is_new] = m_entries.try_emplace(std::move(name));
    if (!is_new) {
        throw Error(ErrorKind::Model, "the tensor \"" + position->first + "\" is there twice", m_origin);
    }
    position->second.tensor = std::move(tensor);
}

bool TensorStore::contains(std::string_view name) const
{
    return m_entries.find(name) != m_entries.end();
}

const StoredTensor *TensorStore::peek(std::string_view name) const
{
    const auto position = m_entries.find(name);
    return position == m_entries.end() ? nullptr : &position->second.tensor;
}

StoredTensor TensorStore::take(std::string_view name, std::span<const std::int64_t> shape)
{
    const auto position = m_entries.find(name);
    if (position == m_entries.end()) {
        throw Error(ErrorKind::Model, "the tensor \"" + std::string(name) + "\" is missing", m_origin);
    }
    auto &entry = position->second;
    if (entry.taken) {
        throw Error(ErrorKind::Model, "the tensor \"" + std::string(name) + "\" is asked for twice", m_origin);
    }
    if (!fits(entry.tensor.shape, shape)) {
        throw Error(ErrorKind::Model,
                    "the tensor \"" + std::string(name) + "\" has the shape " + shapeText(entry.tensor.shape) + " where " + shapeText(shape) + " is needed",
                    m_origin);
    }
    if (hasNaN(entry.tensor)) {
        throw Error(ErrorKind::Model, "the tensor \"" + std::string(name) + "\" holds values that are no numbers", m_origin,
                    "The file is damaged, or its training went wrong; use another one");
    }
    entry.taken = true;
    return entry.tensor;
}

void TensorStore::rename(std::string_view from, std::string to)
{
    const auto position = m_entries.find(from);
    if (position == m_entries.end()) {
        throw Error(ErrorKind::Model, "the tensor \"" + std::string(from) + "\" is missing", m_origin);
    }
    if (from == to) {
        return;
    }
    if (contains(to)) {
        throw Error(ErrorKind::Model, "the tensor \"" + to + "\" is there twice, once as \"" + std::string(from) + "\"", m_origin);
    }
    auto node = m_entries.extract(position);
    node.key() = std::move(to);
    m_entries.insert(std::move(node));
}

void TensorStore::remove(std::string_view name)
{
    if (const auto position = m_entries.find(name); position != m_entries.end()) {
        m_entries.erase(position);
    }
}

std::vector<std::string> TensorStore::names() const
{
    std::vector<std::string> names;
    names.reserve(m_entries.size());
    for (const auto &[name, entry] : m_entries) {
        names.push_back(name);
    }
    return names;
}

std::uint64_t TensorStore::totalBytes() const
{
    std::uint64_t total = 0;
    for (const auto &[name, entry] : m_entries) {
        total += entry.tensor.bytes.size();
    }
    return total;
}

std::int64_t TensorStore::totalElements() const
{
    std::int64_t total = 0;
    for (const auto &[name, entry] : m_entries) {
        total += entry.tensor.elementCount();
    }
    return total;
}

void TensorStore::requireAllTaken() const
{
    std::string unused;
    std::size_t count = 0;
    for (const auto &[name, entry] : m_entries) {
        if (!entry.taken && ++count <= 5) {
            unused += (count > 1 ? ", \"" : "\"") + name + "\"";
        }
    }
    if (count > 0) {
        throw Error(ErrorKind::Model, std::to_string(count) + " of its tensors have no place in the model: " + unused + (count > 5 ? ", ..." : ""), m_origin,
                    "This is another kind of model than it says, or a damaged file");
    }
}

}  // namespace braid::weights
