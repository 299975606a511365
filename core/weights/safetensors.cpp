#include "core/weights/safetensors.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <utility>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/replaced_file.h"
#include "core/base/strict_json.h"

namespace braid::weights {
namespace {

using nlohmann::json;

constexpr std::uint64_t kMaxHeaderBytes = 32u << 20;  // real headers stay below one
constexpr std::size_t kMaxDimensions = 16;
constexpr const char *kAgain = "The file is damaged or was not downloaded completely";

struct Range {
    std::uint64_t begin;
    std::uint64_t end;
    const std::string *name;
};

DType dtypeFromCode(const std::string &code, const std::string &name, const std::string &where)
{
    static constexpr std::pair<std::string_view, DType> codes[] = {
        {"F64", DType::Float64}, {"F32", DType::Float32}, {"F16", DType::Float16}, {"BF16", DType::BFloat16}, {"I64", DType::Int64},
        {"I32", DType::Int32},   {"I16", DType::Int16},   {"I8", DType::Int8},     {"U8", DType::UInt8},      {"BOOL", DType::Bool},
    };
    for (const auto &[known, dtype] : codes) {
        if (known == code) {
            return dtype;
        }
    }
    throw Error(ErrorKind::Model, "the tensor \"" + name + "\" has the type \"" + code.substr(0, 20) + "\", which this program does not read", where);
}

std::string_view codeFromDType(DType dtype)
{
    switch (dtype) {
    case DType::Float64:
        return "F64";
    case DType::Float32:
        return "F32";
    case DType::Float16:
        return "F16";
    case DType::BFloat16:
        return "BF16";
    case DType::Int64:
        return "I64";
    case DType::Int32:
        return "I32";
    case DType::Int16:
        return "I16";
    case DType::Int8:
        return "I8";
    case DType::UInt8:
        return "U8";
    case DType::Bool:
        return "BOOL";
    default:
        throw Error(ErrorKind::Internal, "this format does not hold " + std::string(dtypeName(dtype)) + " numbers");
    }
}

std::uint64_t littleEndian64(const std::byte *bytes)
{
    std::uint64_t value = 0;
    for (int i = 7; i >= 0; --i) {
        value = value << 8 | std::to_integer<std::uint64_t>(bytes[i]);
    }
    return value;
}

// A whole number that is not negative, or an error naming the tensor.
std::uint64_t naturalNumber(const json &value, const std::string &name, const std::string &where)
{
    if (!value.is_number_unsigned()) {
        throw Error(ErrorKind::Model, "the entry of the tensor \"" + name + "\" has a length or offset that is no whole number", where, kAgain);
    }
    return value.get<std::uint64_t>();
}

struct HeaderEntry {
    DType dtype;
    std::vector<std::int64_t> shape;
    std::uint64_t begin;
    std::uint64_t end;
};

HeaderEntry parseEntry(const std::string &name, const json &entry, std::uint64_t data_size, const std::string &where)
{
    if (!entry.is_object() || entry.size() != 3 || !entry.contains("dtype") || !entry.contains("shape") || !entry.contains("data_offsets")) {
        throw Error(ErrorKind::Model, "the entry of the tensor \"" + name + "\" is not {dtype, shape, data_offsets}", where, kAgain);
    }
    const auto &shape = entry["shape"];
    const auto &offsets = entry["data_offsets"];
    if (!entry["dtype"].is_string() || !shape.is_array() || shape.size() > kMaxDimensions || !offsets.is_array() || offsets.size() != 2) {
        throw Error(ErrorKind::Model, "the entry of the tensor \"" + name + "\" has a part of the wrong kind", where, kAgain);
    }
    HeaderEntry result{dtypeFromCode(entry["dtype"].get<std::string>(), name, where), {}, 0, 0};
    std::uint64_t bytes = bytesPerElement(result.dtype);
    for (const auto &length : shape) {
        const auto value = naturalNumber(length, name, where);
        if (value > (std::uint64_t{1} << 48) || __builtin_mul_overflow(bytes, value, &bytes) || bytes > (std::uint64_t{1} << 62)) {
            throw Error(ErrorKind::Model, "the tensor \"" + name + "\" is larger than any file", where, kAgain);
        }
        result.shape.push_back(static_cast<std::int64_t>(value));
    }
    result.begin = naturalNumber(offsets[0], name, where);
    result.end = naturalNumber(offsets[1], name, where);
    if (result.begin > result.end || result.end > data_size) {
        throw Error(ErrorKind::Model, "the tensor \"" + name + "\" reaches past the end of the file", where, kAgain);
    }
    if (result.end - result.begin != bytes) {
        throw Error(ErrorKind::Model,
                    "the tensor \"" + name + "\" has " + std::to_string(result.end - result.begin) + " bytes where its shape and type ask for " +
                        std::to_string(bytes),
                    where, kAgain);
    }
    return result;
}

// The tensors must cover the data exactly, as the format demands: no byte twice, none hidden.
void requireExactCover(std::vector<Range> ranges, std::uint64_t data_size, const std::string &where)
{
    std::sort(ranges.begin(), ranges.end(), [](const Range &a, const Range &b) { return std::pair(a.begin, a.end) < std::pair(b.begin, b.end); });
    std::uint64_t covered = 0;
    for (const auto &range : ranges) {
        if (range.begin < covered) {
            throw Error(ErrorKind::Model, "the tensor \"" + *range.name + "\" overlaps another one", where, kAgain);
        }
        if (range.begin > covered) {
            throw Error(ErrorKind::Model, "there are bytes before the tensor \"" + *range.name + "\" that belong to none", where, kAgain);
        }
        covered = range.end;
    }
    if (covered != data_size) {
        throw Error(ErrorKind::Model, std::to_string(data_size - covered) + " bytes at the end of the file belong to no tensor", where, kAgain);
    }
}

// An aligned copy where the bytes lie at an odd address (old writers did not pad the header).
StoredTensor storedTensor(HeaderEntry entry, std::span<const std::byte> bytes, const std::shared_ptr<const MappedFile> &file)
{
    StoredTensor tensor{entry.dtype, std::move(entry.shape), bytes, file};
    if (reinterpret_cast<std::uintptr_t>(bytes.data()) % bytesPerElement(entry.dtype) != 0) {
        auto copy = std::make_shared<std::vector<std::byte>>(bytes.begin(), bytes.end());
        tensor.bytes = *copy;
        tensor.owner = std::move(copy);
    }
    return tensor;
}

std::filesystem::path shardPath(const std::filesystem::path &folder, const std::string &name, const std::string &where)
{
    const std::filesystem::path shard(name);
    if (name.empty() || shard.filename() != shard || name == "." || name == "..") {
        throw Error(ErrorKind::Model, "the index names a file outside its folder: \"" + name.substr(0, 100) + "\"", where);
    }
    return folder / shard;
}

}  // namespace

SafetensorsFile readSafetensors(const std::filesystem::path &path)
{
    const auto where = path.string();
    const auto file = std::make_shared<const MappedFile>(path);
    const auto bytes = file->bytes();
    if (bytes.size() < 8) {
        throw Error(ErrorKind::Model, bytes.empty() ? "the file is empty" : "the file is too short to be a safetensors file", where, kAgain);
    }
    const auto header_size = littleEndian64(bytes.data());
    if (header_size > kMaxHeaderBytes) {
        throw Error(ErrorKind::Model, "this is not a safetensors file: its header would be " + std::to_string(header_size) + " bytes long", where);
    }
    if (header_size > bytes.size() - 8) {
        throw Error(ErrorKind::Model, "the file ends in the middle of its header", where, kAgain);
    }
    const auto header = parseStrictJson({reinterpret_cast<const char *>(bytes.data()) + 8, static_cast<std::size_t>(header_size)}, where, ErrorKind::Model, 4);
    if (!header.is_object()) {
        throw Error(ErrorKind::Model, "its header is not a table of tensors", where, kAgain);
    }
    const auto data = bytes.subspan(8 + static_cast<std::size_t>(header_size));

    SafetensorsFile result{TensorStore(where), {}};
    std::vector<Range> ranges;
    for (const auto &[name, entry] : header.items()) {
        if (name == "__metadata__") {
            if (!entry.is_object()) {
                throw Error(ErrorKind::Model, "its metadata is not a table of texts", where, kAgain);
            }
            for (const auto &[key, value] : entry.items()) {
                if (!value.is_string()) {
                    throw Error(ErrorKind::Model, "its metadata \"" + key.substr(0, 100) + "\" is not a text", where, kAgain);
                }
                result.metadata[key] = value.get<std::string>();
            }
        }
    }
    std::vector<std::pair<std::string, HeaderEntry>> entries;
    entries.reserve(header.size());
    for (const auto &[name, entry] : header.items()) {
        if (name != "__metadata__") {
            entries.emplace_back(name, parseEntry(name, entry, data.size(), where));
        }
    }
    for (const auto &[name, entry] : entries) {
        ranges.push_back({entry.begin, entry.end, &name});
    }
    requireExactCover(std::move(ranges), data.size(), where);
    for (auto &[name, entry] : entries) {
        const auto part = data.subspan(entry.begin, entry.end - entry.begin);
        result.tensors.add(std::move(name), storedTensor(std::move(entry), part, file));
    }
    return result;
}

TensorStore readSafetensorsFolder(const std::filesystem::path &folder)
{
    const auto single = folder / "model.safetensors";
    const auto index_path = folder / "model.safetensors.index.json";
    if (std::filesystem::exists(single)) {
        return readSafetensors(single).tensors;
    }
    if (!std::filesystem::exists(index_path)) {
        throw Error(ErrorKind::Model, "there is no model.safetensors in this folder", folder.string(), "Choose the folder that holds the model's weights");
    }
    const auto where = index_path.string();
    const auto index = parseStrictJson(readTextFile(index_path, kMaxHeaderBytes), where);
    if (!index.is_object() || !index.contains("weight_map") || !index["weight_map"].is_object() || index["weight_map"].empty()) {
        throw Error(ErrorKind::Model, "the index has no \"weight_map\"", where, kAgain);
    }
    std::map<std::string, std::set<std::string>> names_of_shard;
    for (const auto &[name, shard] : index["weight_map"].items()) {
        if (!shard.is_string()) {
            throw Error(ErrorKind::Model, "the index does not say in which file the tensor \"" + name + "\" is", where, kAgain);
        }
        names_of_shard[shard.get<std::string>()].insert(name);
    }
    TensorStore all(folder.string());
    for (const auto &[shard, names] : names_of_shard) {
        auto part = readSafetensors(shardPath(folder, shard, where)).tensors;
        for (const auto &name : part.names()) {
            if (!names.contains(name)) {
                throw Error(ErrorKind::Model, "the file holds the tensor \"" + name + "\", which the index does not list", (folder / shard).string(), kAgain);
            }
            all.add(name, part.take(name));
        }
        for (const auto &name : names) {
            if (!all.contains(name)) {
                throw Error(ErrorKind::Model, "the tensor \"" + name + "\" is missing, which the index lists", (folder / shard).string(), kAgain);
            }
        }
    }
    return all;
}

void writeSafetensors(const std::filesystem::path &path, const TensorStore &tensors, const std::map<std::string, std::string> &metadata)
{
    // Largest elements first, as other writers do: every tensor is then aligned without holes, which the format does not allow.
    auto names = tensors.names();
    std::stable_sort(names.begin(), names.end(), [&](const std::string &a, const std::string &b) {
        return bytesPerElement(tensors.peek(a)->dtype) > bytesPerElement(tensors.peek(b)->dtype);
    });
    json header = json::object();
    if (!metadata.empty()) {
        header["__metadata__"] = metadata;
    }
    std::uint64_t offset = 0;
    for (const auto &name : names) {
        const auto &tensor = *tensors.peek(name);
        if (tensor.bytes.size() != static_cast<std::uint64_t>(tensor.elementCount()) * bytesPerElement(tensor.dtype)) {
            throw Error(ErrorKind::Internal, "the tensor \"" + name + "\" does not have the bytes of its shape", path.string());
        }
        header[name] = {{"dtype", codeFromDType(tensor.dtype)}, {"shape", tensor.shape}, {"data_offsets", {offset, offset + tensor.bytes.size()}}};
        offset += tensor.bytes.size();
    }
    std::string text = header.dump();
    text.append((8 - text.size() % 8) % 8, ' ');
    std::string length(8, '\0');
    for (std::size_t i = 0; i < 8; ++i) {
        length[i] = static_cast<char>(static_cast<std::uint64_t>(text.size()) >> (8 * i));
    }
    ReplacedFile file(path);
    file.write(length);
    file.write(text);
    for (const auto &name : names) {
        file.write(tensors.peek(name)->bytes);
    }
    file.finish(Durability::OnDisk);
}

}  // namespace braid::weights
