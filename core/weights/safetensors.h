// The safetensors format: eight bytes of header length, a JSON header {name: {dtype, shape, data_offsets}}, then the bytes of all
// tensors. Reading is a memory map and a strict check of every entry; nothing is copied unless a careless writer left the data at odd
// addresses. Errors: Error(Model) on reading, Error(Storage) on writing. Thread: any.
// Source: the format's published description (huggingface/safetensors, README, "Format").
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "core/weights/tensor_store.h"

namespace braid::weights {

struct SafetensorsFile {
    TensorStore tensors;
    std::map<std::string, std::string> metadata;  // "__metadata__"
};

// Refused: a header that is too long or no JSON, unknown types, entries that overlap, leave holes, reach past the end or do not have
// the length their shape and type ask for.
[[nodiscard]] SafetensorsFile readSafetensors(const std::filesystem::path &path);

// `folder`/model.safetensors, or all shards of `folder`/model.safetensors.index.json; every tensor of the index must be in the shard
// it names and no shard may hold others.
[[nodiscard]] TensorStore readSafetensorsFolder(const std::filesystem::path &folder);

// Tensors in the order of their names, each at a multiple of its element size; written beside `path` and renamed over it when complete.
void writeSafetensors(const std::filesystem::path &path, const TensorStore &tensors, const std::map<std::string, std::string> &metadata = {});

}  // namespace braid::weights
