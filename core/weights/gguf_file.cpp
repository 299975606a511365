#include "core/weights/gguf_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/base/error.h"
#include "core/weights/byte_reader.h"
#include "core/weights/ggml_types.h"

namespace braid::weights {
namespace {

constexpr std::uint32_t kMagic = 0x46554747;  // "GGUF"
constexpr std::uint64_t kMostValues = 1 << 16;
constexpr std::uint64_t kMostTensors = 1 << 20;
constexpr std::uint64_t kMostEntries = 4'000'000;  // of a list: more than any vocabulary
constexpr std::uint64_t kMostNameBytes = 1 << 12;
constexpr std::int64_t kMostAlignment = 1 << 20;
constexpr const char *kValue = "a value of its metadata";

enum class ValueType : std::uint32_t { UInt8 = 0, Int8, UInt16, Int16, UInt32, Int32, Float32, Bool, Text, List, UInt64, Int64, Float64 };

std::string_view readText(ByteReader &reader, std::uint64_t most, const char *what)
{
    const auto length = reader.number<std::uint64_t>(what);
    if (length > most) {
        reader.refuse(std::string("a text of ") + std::to_string(length) + " bytes stands where " + what + " should be");
    }
    return reader.text(length, what);
}

// A number of any type, and whether it is a whole one.
struct Scalar {
    std::int64_t whole = 0;
    double number = 0;
    bool is_whole = true;
};

Scalar wholeScalar(std::int64_t value)
{
    return {value, static_cast<double>(value), true};
}

Scalar readScalar(ByteReader &reader, ValueType type)
{
    switch (type) {
    case ValueType::UInt8:
        return wholeScalar(reader.number<std::uint8_t>(kValue));
    case ValueType::Int8:
        return wholeScalar(reader.number<std::int8_t>(kValue));
    case ValueType::UInt16:
        return wholeScalar(reader.number<std::uint16_t>(kValue));
    case ValueType::Int16:
        return wholeScalar(reader.number<std::int16_t>(kValue));
    case ValueType::UInt32:
        return wholeScalar(reader.number<std::uint32_t>(kValue));
    case ValueType::Int32:
        return wholeScalar(reader.number<std::int32_t>(kValue));
    case ValueType::UInt64: {
        const auto value = reader.number<std::uint64_t>(kValue);
        if (value > static_cast<std::uint64_t>(INT64_MAX)) {
            reader.refuse("a number of its metadata is too large");
        }
        return wholeScalar(static_cast<std::int64_t>(value));
    }
    case ValueType::Int64:
        return wholeScalar(reader.number<std::int64_t>(kValue));
    case ValueType::Float32:
        return {0, static_cast<double>(reader.number<float>(kValue)), false};
    case ValueType::Float64:
        return {0, reader.number<double>(kValue), false};
    case ValueType::Bool: {
        const auto value = reader.number<std::uint8_t>(kValue);
        if (value > 1) {
            reader.refuse("a value of its metadata is neither true nor false");
        }
        return wholeScalar(value);
    }
    default:
        reader.refuse("its metadata has a value of the unknown type " + std::to_string(static_cast<std::uint32_t>(type)));
    }
}

GgufValue readList(ByteReader &reader, const std::string &key)
{
    const auto type = static_cast<ValueType>(reader.number<std::uint32_t>(kValue));
    const auto count = reader.number<std::uint64_t>(kValue);
    if (type == ValueType::List) {
        reader.refuse("\"" + key + "\" is a list of lists, which no model needs");
    }
    if (count > kMostEntries || count > reader.left()) {
        reader.refuse("the list \"" + key + "\" would have " + std::to_string(count) + " entries");
    }
    if (type == ValueType::Text) {
        std::vector<std::string_view> texts;
        for (std::uint64_t i = 0; i < count; ++i) {
            texts.push_back(readText(reader, reader.left(), kValue));
        }
        return texts;
    }
    std::vector<double> numbers;
    for (std::uint64_t i = 0; i < count; ++i) {
        numbers.push_back(readScalar(reader, type).number);
    }
    return numbers;
}

GgufValue readValue(ByteReader &reader, const std::string &key)
{
    const auto type = static_cast<ValueType>(reader.number<std::uint32_t>(kValue));
    switch (type) {
    case ValueType::Text:
        return readText(reader, reader.left(), kValue);
    case ValueType::List:
        return readList(reader, key);
    case ValueType::Bool:
        return readScalar(reader, type).whole != 0;
    default: {
        const Scalar scalar = readScalar(reader, type);
        return scalar.is_whole ? GgufValue(scalar.whole) : GgufValue(scalar.number);
    }
    }
}

struct TensorHead {
    std::string name;
    DType dtype = DType::Float32;
    std::vector<std::int64_t> shape;
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
};

TensorHead readHead(ByteReader &reader)
{
    constexpr const char *kHead = "a tensor's head";
    TensorHead head;
    head.name = readText(reader, kMostNameBytes, "a tensor's name");
    const auto dimensions = reader.number<std::uint32_t>(kHead);
    if (dimensions < 1 || dimensions > 4) {
        reader.refuse("the tensor \"" + head.name + "\" would have " + std::to_string(dimensions) + " dimensions");
    }
    head.shape.resize(dimensions);
    for (auto length = head.shape.rbegin(); length != head.shape.rend(); ++length) {  // the file says the innermost first
        const auto value = reader.number<std::uint64_t>(kHead);
        *length = value > (std::uint64_t{1} << 48) ? -1 : static_cast<std::int64_t>(value);
    }
    const auto type = reader.number<std::uint32_t>(kHead);
    const auto dtype = dtypeOfGgml(type);
    if (!dtype) {
        throw Error(ErrorKind::Model, "the tensor \"" + head.name + "\" is of ggml's type " + std::to_string(type) + ", which Braid does not read",
                    reader.where(), "Use the model as F16, Q8_0, Q6_K, Q5_K_M, Q4_K_M or Q4_0");
    }
    head.dtype = *dtype;
    head.bytes = ggmlBytes(*dtype, head.shape, head.name, reader);
    head.offset = reader.number<std::uint64_t>(kHead);
    return head;
}

// Each inside the file, at a multiple of the alignment, none over another.
void requireApart(std::vector<TensorHead> &heads, std::uint64_t data_bytes, std::uint64_t alignment, const ByteReader &reader)
{
    std::sort(heads.begin(), heads.end(), [](const TensorHead &a, const TensorHead &b) { return std::pair(a.offset, a.bytes) < std::pair(b.offset, b.bytes); });
    std::uint64_t end = 0;
    for (const TensorHead &head : heads) {
        if (head.offset % alignment != 0) {
            reader.refuse("the tensor \"" + head.name + "\" does not lie at a multiple of " + std::to_string(alignment));
        }
        if (head.offset > data_bytes || head.bytes > data_bytes - head.offset) {
            reader.refuse("the tensor \"" + head.name + "\" reaches past the end of the file");
        }
        if (head.offset < end) {
            reader.refuse("the tensor \"" + head.name + "\" overlaps another one");
        }
        end = head.offset + head.bytes;
    }
}

}  // namespace

bool isGguf(const std::filesystem::path &path) noexcept
{
    return firstBytes(path, 4) == "GGUF";
}

GgufFile::GgufFile(const std::filesystem::path &path)
    : m_file(std::make_shared<const MappedFile>(path))
    , m_where(path.string())
    , m_tensors(m_where)
{
    ByteReader reader(m_file->bytes(), m_where);
    if (reader.number<std::uint32_t>("its first number") != kMagic) {
        reader.refuse("this is not a GGUF file");
    }
    if (const auto version = reader.number<std::uint32_t>("its head"); version != 2 && version != 3) {
        reader.refuse("it is of version " + std::to_string(version) + " of GGUF, or for machines with the other byte order; Braid reads versions 2 and 3");
    }
    const auto tensor_count = reader.number<std::uint64_t>("its head");
    const auto value_count = reader.number<std::uint64_t>("its head");
    if (tensor_count > kMostTensors || value_count > kMostValues) {
        reader.refuse("it would have " + std::to_string(tensor_count) + " tensors and " + std::to_string(value_count) + " values of metadata");
    }
    for (std::uint64_t i = 0; i < value_count; ++i) {
        std::string key(readText(reader, kMostNameBytes, "a name in its metadata"));
        GgufValue value = readValue(reader, key);
        if (!m_values.try_emplace(key, std::move(value)).second) {
            reader.refuse("its metadata has \"" + key + "\" twice");
        }
    }
    if (whole("split.count").value_or(0) > 1) {
        throw Error(ErrorKind::Model, "it is one part of a model that was cut into several files", m_where, "Join them with llama-gguf-split --merge");
    }
    const std::int64_t alignment = whole("general.alignment").value_or(32);
    if (alignment < 8 || alignment > kMostAlignment || (alignment & (alignment - 1)) != 0) {
        reader.refuse("its alignment of " + std::to_string(alignment) + " is no usable power of two");
    }
    std::vector<TensorHead> heads;
    for (std::uint64_t i = 0; i < tensor_count; ++i) {
        heads.push_back(readHead(reader));
    }
    const auto step = static_cast<std::uint64_t>(alignment);
    const std::uint64_t begin = std::min<std::uint64_t>((reader.position() + step - 1) / step * step, m_file->bytes().size());
    const auto data = m_file->bytes().subspan(static_cast<std::size_t>(begin));
    requireApart(heads, data.size(), step, reader);
    for (TensorHead &head : heads) {
        const auto bytes = data.subspan(static_cast<std::size_t>(head.offset), static_cast<std::size_t>(head.bytes));
        m_tensors.add(std::move(head.name), {head.dtype, std::move(head.shape), bytes, m_file});
    }
}

void GgufFile::refuse(const std::string &happened) const
{
    throw Error(ErrorKind::Model, happened, m_where, "The file is damaged, or of a model that Braid does not run");
}

template <typename Kind>
const Kind *GgufFile::find(const std::string &key, const char *kind) const
{
    const auto position = m_values.find(key);
    if (position == m_values.end()) {
        return nullptr;
    }
    const auto *value = std::get_if<Kind>(&position->second);
    if (value == nullptr) {
        refuse("\"" + key + "\" in its metadata is not " + kind);
    }
    return value;
}

std::optional<std::int64_t> GgufFile::whole(const std::string &key) const
{
    const auto *value = find<std::int64_t>(key, "a whole number");
    return value == nullptr ? std::nullopt : std::optional(*value);
}

std::optional<double> GgufFile::number(const std::string &key) const
{
    const auto position = m_values.find(key);
    if (position != m_values.end() && std::holds_alternative<std::int64_t>(position->second)) {
        return static_cast<double>(std::get<std::int64_t>(position->second));
    }
    const auto *value = find<double>(key, "a number");
    if (value != nullptr && !std::isfinite(*value)) {
        refuse("\"" + key + "\" in its metadata is not finite");
    }
    return value == nullptr ? std::nullopt : std::optional(*value);
}

std::optional<bool> GgufFile::flag(const std::string &key) const
{
    const auto *value = find<bool>(key, "true or false");
    return value == nullptr ? std::nullopt : std::optional(*value);
}

std::optional<std::string_view> GgufFile::text(const std::string &key) const
{
    const auto *value = find<std::string_view>(key, "a text");
    return value == nullptr ? std::nullopt : std::optional(*value);
}

const std::vector<std::string_view> &GgufFile::texts(const std::string &key) const
{
    static const std::vector<std::string_view> none;
    const auto *value = find<std::vector<std::string_view>>(key, "a list of texts");
    return value == nullptr ? none : *value;
}

const std::vector<double> &GgufFile::numbers(const std::string &key) const
{
    static const std::vector<double> none;
    const auto *value = find<std::vector<double>>(key, "a list of numbers");
    return value == nullptr ? none : *value;
}

}  // namespace braid::weights
