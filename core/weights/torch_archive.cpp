#include "core/weights/torch_archive.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/file.h"

namespace braid::weights {
namespace {

constexpr std::size_t kMaxDimensions = 16;
constexpr std::uint64_t kMaxPickleBytes = 32u << 20;
constexpr std::uint64_t kMaxStorageBytes = std::uint64_t{1} << 40;
constexpr std::uint64_t kMostUnpackedTimes = 64;  // of the file's size; weights hardly pack at all
constexpr std::uint64_t kAlwaysUnpackedBytes = 64u << 20;
constexpr int kMaxWrappers = 4;
constexpr const char *kRemedy = "The file is damaged or was not downloaded completely";

std::optional<DType> dtypeOfStorage(std::string_view name)
{
    static constexpr std::pair<std::string_view, DType> storages[] = {
        {"FloatStorage", DType::Float32}, {"HalfStorage", DType::Float16}, {"BFloat16Storage", DType::BFloat16}, {"DoubleStorage", DType::Float64},
        {"LongStorage", DType::Int64},    {"IntStorage", DType::Int32},    {"ShortStorage", DType::Int16},       {"CharStorage", DType::Int8},
        {"ByteStorage", DType::UInt8},    {"BoolStorage", DType::Bool},
    };
    for (const auto &[known, dtype] : storages) {
        if (name == "torch." + std::string(known)) {
            return dtype;
        }
    }
    return std::nullopt;
}

// The tensor inside torch.nn.Parameter and the like; the value itself where it is not wrapped.
PickleValue unwrapped(PickleValue value)
{
    for (int i = 0; i < kMaxWrappers; ++i) {
        if (!value.isCallOf("torch._utils", "_rebuild_parameter") && !value.isCallOf("torch._utils", "_rebuild_parameter_with_state")) {
            break;
        }
        const auto arguments = value.arguments();
        if (arguments.empty()) {
            break;
        }
        value = arguments.front();
    }
    return value;
}

// A tuple or torch.Size of whole numbers that are not negative.
std::optional<std::vector<std::int64_t>> naturalNumbers(const PickleValue &value)
{
    auto elements = value.elements();
    if (value.isCallOf("torch", "Size")) {
        const auto arguments = value.arguments();
        elements = arguments.empty() ? elements : arguments.front().elements();
    }
    std::vector<std::int64_t> numbers;
    for (const auto &element : elements) {
        const auto number = element.integer();
        if (!number || *number < 0) {
            return std::nullopt;
        }
        numbers.push_back(*number);
    }
    return numbers;
}

bool isContiguous(const std::vector<std::int64_t> &shape, const std::vector<std::int64_t> &strides)
{
    std::int64_t expected = 1;
    for (std::size_t i = shape.size(); i-- > 0;) {
        if (shape[i] != 1 && strides[i] != expected) {
            return false;
        }
        expected *= shape[i];
    }
    return true;
}

// Copies element by element in row-major order. All offsets have been checked.
std::vector<std::byte> gathered(const std::byte *first, const std::vector<std::int64_t> &shape, const std::vector<std::int64_t> &strides, std::size_t count,
                                std::size_t element_size)
{
    std::vector<std::byte> copy(count * element_size);
    std::vector<std::int64_t> index(shape.size(), 0);
    std::int64_t source = 0;
    for (std::size_t i = 0; i < count; ++i) {
        std::memcpy(copy.data() + i * element_size, first + static_cast<std::size_t>(source) * element_size, element_size);
        for (std::size_t axis = shape.size(); axis-- > 0;) {
            source += strides[axis];
            if (++index[axis] < shape[axis]) {
                break;
            }
            source -= strides[axis] * shape[axis];
            index[axis] = 0;
        }
    }
    return copy;
}

}  // namespace

TorchArchive::TorchArchive(const std::filesystem::path &path)
    : m_where(path.string())
{
    auto file = std::make_shared<const MappedFile>(path);
    m_bytes = file->bytes();
    m_owner = std::move(file);
    open();
}

TorchArchive::TorchArchive(std::span<const std::byte> bytes, std::shared_ptr<const void> owner, std::string where)
    : m_bytes(bytes)
    , m_owner(std::move(owner))
    , m_where(std::move(where))
{
    open();
}

void TorchArchive::open()
{
    if (m_bytes.empty()) {
        throw Error(ErrorKind::Model, "the file is empty", m_where, kRemedy);
    }
    if (!ZipArchive::looksLikeZip(m_bytes)) {
        if (m_bytes[0] == std::byte{0x80}) {
            throw Error(ErrorKind::Model, "the file has the format of PyTorch before 1.6, which is no longer read", m_where,
                        "Load it in Python with a newer PyTorch and torch.save it again");
        }
        throw Error(ErrorKind::Model, "this is not a file that torch.save has written", m_where);
    }
    m_zip = std::make_unique<ZipArchive>(m_bytes, m_owner, m_where);
    // One folder holds everything; its name is the file's first one.
    for (const auto &[name, entry] : m_zip->entries()) {
        constexpr std::string_view pickle = "/data.pkl";
        if (name.size() > pickle.size() && name.ends_with(pickle)) {
            if (!m_folder.empty()) {
                throw Error(ErrorKind::Model, "there are two models in this file", m_where, kRemedy);
            }
            m_folder = name.substr(0, name.size() - pickle.size() + 1);
        }
    }
    if (m_folder.empty()) {
        throw Error(ErrorKind::Model, "this zip file was not written by torch.save: it has no data.pkl", m_where);
    }
    if (m_zip->contains(m_folder + "constants.pkl")) {
        throw Error(ErrorKind::Model, "this is a TorchScript program, not a file of weights", m_where, "Save the model's state_dict with torch.save instead");
    }
    if (m_zip->contains(m_folder + "byteorder")) {
        const auto order = m_zip->read(m_folder + "byteorder", 16).bytes;
        if (std::string_view(reinterpret_cast<const char *>(order.data()), order.size()) != "little") {
            throw Error(ErrorKind::Model, "its numbers are stored with the high byte first, which is not read", m_where,
                        "Load it in Python and torch.save it on a usual computer");
        }
    }
    const auto pickle = m_zip->read(m_folder + "data.pkl", kMaxPickleBytes);
    m_document = std::make_unique<PickleDocument>(pickle.bytes, pickle.owner, m_where);
}

bool TorchArchive::isTensor(const PickleValue &value)
{
    return unwrapped(value).isCallOf("torch._utils", "_rebuild_tensor_v2");
}

// ("storage", torch.FloatStorage, "0", "cpu", 1234)
TorchArchive::Storage TorchArchive::storage(const PickleValue &value, const std::string &name)
{
    const auto parts = value.kind() == PickleKind::Persistent ? value.arguments() : std::vector<PickleValue>();
    if (parts.size() != 5 || parts[0].text() != "storage" || !parts[2].text() || !parts[4].integer()) {
        throw Error(ErrorKind::Model, "the tensor \"" + name + "\" does not say where its numbers are", m_where, kRemedy);
    }
    const auto dtype = dtypeOfStorage(parts[1].globalName());
    if (!dtype) {
        throw Error(ErrorKind::Model, "the tensor \"" + name + "\" holds numbers of a kind that is not read (" + parts[1].globalName().substr(0, 60) + ")",
                    m_where);
    }
    const std::string_view key = *parts[2].text();
    if (key.empty() || key.size() > 64 || key.find('/') != key.npos) {
        throw Error(ErrorKind::Model, "the tensor \"" + name + "\" does not say where its numbers are", m_where, kRemedy);
    }
    const ZipArchive::Content &content = storageContent(m_folder + "data/" + std::string(key));
    const auto count = *parts[4].integer();
    const auto element_size = bytesPerElement(*dtype);
    if (count < 0 || static_cast<std::uint64_t>(count) > content.bytes.size() / element_size) {
        throw Error(ErrorKind::Model, "the tensor \"" + name + "\" has fewer numbers than it says", m_where, kRemedy);
    }
    return {*dtype, content.bytes.first(static_cast<std::size_t>(count) * element_size), content.owner};
}

const ZipArchive::Content &TorchArchive::storageContent(const std::string &entry)
{
    if (const auto known = m_storages.find(entry); known != m_storages.end()) {
        return known->second;
    }
    if (const auto found = m_zip->entries().find(entry); found != m_zip->entries().end() && found->second.compression == ZipArchive::Compression::Deflated) {
        m_unpacked_bytes += std::min(found->second.size_bytes, kMaxStorageBytes);
        if (m_unpacked_bytes > kMostUnpackedTimes * m_bytes.size() + kAlwaysUnpackedBytes) {
            throw Error(ErrorKind::Model, "its tensors unpack to far more than the file holds", m_where, kRemedy);
        }
    }
    return m_storages.emplace(entry, m_zip->read(entry, kMaxStorageBytes)).first->second;
}

StoredTensor TorchArchive::tensor(const PickleValue &wrapped, const std::string &name)
{
    const auto value = unwrapped(wrapped);
    if (!value.isCallOf("torch._utils", "_rebuild_tensor_v2")) {
        const auto callable = value.callable();
        throw Error(ErrorKind::Model,
                    callable ? "the tensor \"" + name + "\" is of a kind that is not read (" + callable->globalName().substr(0, 80) + ")"
                             : "\"" + name + "\" is not a tensor",
                    m_where);
    }
    // storage, offset, size, stride, requires_grad, hooks[, metadata]
    const auto arguments = value.arguments();
    const auto offset = arguments.size() >= 4 ? arguments[1].integer() : std::nullopt;
    const auto shape = offset ? naturalNumbers(arguments[2]) : std::nullopt;
    const auto strides = offset ? naturalNumbers(arguments[3]) : std::nullopt;
    if (!shape || !strides || *offset < 0 || shape->size() != strides->size() || shape->size() > kMaxDimensions) {
        throw Error(ErrorKind::Model, "the tensor \"" + name + "\" has no usable shape", m_where, kRemedy);
    }
    const auto source = storage(arguments[0], name);
    const auto element_size = bytesPerElement(source.dtype);
    const auto stored_count = static_cast<std::int64_t>(source.bytes.size() / element_size);

    StoredTensor tensor{source.dtype, *shape, {}, source.owner};
    if (std::find(shape->begin(), shape->end(), 0) != shape->end()) {
        return tensor;
    }
    std::int64_t count = 1;
    std::int64_t last = *offset;  // the farthest element
    bool is_inside = true;
    for (std::size_t i = 0; i < shape->size(); ++i) {
        std::int64_t reach = 0;
        is_inside = is_inside && !__builtin_mul_overflow(count, (*shape)[i], &count) && !__builtin_mul_overflow((*shape)[i] - 1, (*strides)[i], &reach) &&
                    !__builtin_add_overflow(last, reach, &last);
    }
    if (!is_inside || last >= stored_count) {
        throw Error(ErrorKind::Model, "the tensor \"" + name + "\" reaches past the end of its numbers", m_where, kRemedy);
    }
    if (count > stored_count) {  // an expanded tensor repeats its numbers; unpacked it could fill any memory
        throw Error(ErrorKind::Model, "the tensor \"" + name + "\" is larger than its numbers", m_where, "Save it as a contiguous tensor");
    }
    const auto *first = source.bytes.data() + static_cast<std::size_t>(*offset) * element_size;
    const auto size = static_cast<std::size_t>(count) * element_size;
    if (isContiguous(*shape, *strides) && reinterpret_cast<std::uintptr_t>(first) % element_size == 0) {
        tensor.bytes = {first, size};
        return tensor;
    }
    // Many tensors may be views of the same numbers: together their copies stay in proportion to the file.
    m_copied_bytes += size;
    if (m_copied_bytes > 4 * m_bytes.size() + (64u << 20)) {
        throw Error(ErrorKind::Model, "its tensors unpack to far more than the file holds", m_where, kRemedy);
    }
    auto copy = std::make_shared<const std::vector<std::byte>>(gathered(first, *shape, *strides, static_cast<std::size_t>(count), element_size));
    tensor.bytes = *copy;
    tensor.owner = std::move(copy);
    return tensor;
}

TensorStore TorchArchive::stateDict(const PickleValue &value)
{
    TensorStore tensors(m_where);
    for (const auto &[key, entry] : value.entries()) {
        std::string name(key);
        auto stored = tensor(entry, name);
        tensors.add(std::move(name), std::move(stored));
    }
    return tensors;
}

}  // namespace braid::weights
