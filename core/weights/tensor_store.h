// Named tensors as they lie in a file: bytes, type, shape. No torch here; core/nn turns them into tensors.
//
// Strict by design: every reader checks every offset against the file; every tensor is taken exactly once, and requireAllTaken()
// names what a model did not use. Files come from strangers: nothing in them is ever executed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace braid::weights {

// From Q4_0 on: blocks of numbers in few bits (weights/blocks.h).
enum class DType : std::uint8_t {
    Float64 = 1,
    Float32,
    Float16,
    BFloat16,
    Int64,
    Int32,
    Int16,
    Int8,
    UInt8,
    Bool,
    Q4_0,
    Q4_1,
    Q5_0,
    Q5_1,
    Q8_0,
    Q4_K,
    Q5_K,
    Q6_K
};
[[nodiscard]] std::size_t bytesPerElement(DType dtype) noexcept;  // 0 for blocks
[[nodiscard]] std::string_view dtypeName(DType dtype) noexcept;
[[nodiscard]] bool isFloatingPoint(DType dtype) noexcept;
[[nodiscard]] bool isBlocks(DType dtype) noexcept;

// A tensor in a file. `bytes` is contiguous row-major (readers of formats with strides copy where they must), at any address.
struct StoredTensor {
    DType dtype = DType::Float32;
    std::vector<std::int64_t> shape;
    std::span<const std::byte> bytes;
    std::shared_ptr<const void> owner = {};  // keeps `bytes` alive (a memory map or a buffer)
    // Of Int8 that stands for weights: each row (of the first dimension) is its whole numbers times its own scale. Else null.
    std::shared_ptr<const std::vector<float>> row_scales = {};

    // Numbers that a model can compute with: floating point, blocks, or whole numbers with scales.
    [[nodiscard]] bool isWeights() const noexcept { return isFloatingPoint(dtype) || isBlocks(dtype) || row_scales != nullptr; }
    [[nodiscard]] std::int64_t elementCount() const noexcept;
};

// Tensors of one model, from one file or several shards.
class TensorStore {
  public:
    explicit TensorStore(std::string origin);  // the file or folder, for error sentences

    // Throws Error(Model) when the name is there already.
    void add(std::string name, StoredTensor tensor);
    [[nodiscard]] bool contains(std::string_view name) const;
    [[nodiscard]] const StoredTensor *peek(std::string_view name) const;  // null where missing; does not count as taken
    // Throws Error(Model) where missing, taken before, or of another shape than `shape` (empty: any; -1: any length in that place).
    [[nodiscard]] StoredTensor take(std::string_view name, std::span<const std::int64_t> shape = {});
    void rename(std::string_view from, std::string to);
    void remove(std::string_view name);
    [[nodiscard]] std::vector<std::string> names() const;  // sorted
    [[nodiscard]] std::uint64_t totalBytes() const;
    [[nodiscard]] std::int64_t totalElements() const;
    // Throws Error(Model) naming the first tensors nobody took.
    void requireAllTaken() const;
    [[nodiscard]] const std::string &origin() const noexcept { return m_origin; }

  private:
    struct Entry {
        StoredTensor tensor;
        bool taken = false;
    };
    std::string m_origin;
    std::map<std::string, Entry, std::less<>> m_entries;
};

}  // namespace braid::weights
