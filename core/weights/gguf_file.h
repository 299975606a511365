// GGUF, the one-file format of llama.cpp, versions 2 and 3: named values, then tensors at offsets. Mapped; no tensor is copied. Files come from strangers:
// every count and offset is checked against the file, and no value is read as another type than it has. Source: ggml-org/ggml, docs/gguf.md. Errors:
// Error(Model). Thread: const functions from any; texts live as long as the object.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/file.h"
#include "core/weights/tensor_store.h"

namespace braid::weights {

// By its first bytes, whatever it is called. Never throws.
[[nodiscard]] bool isGguf(const std::filesystem::path &path) noexcept;

// Of its metadata: a whole number, another number, true or false, a text, or a list of texts or numbers.
using GgufValue = std::variant<std::int64_t, double, bool, std::string_view, std::vector<std::string_view>, std::vector<double>>;

class GgufFile {
  public:
    // Reads names and values; refuses a file of which any tensor does not lie where it should.
    explicit GgufFile(const std::filesystem::path &path);

    [[nodiscard]] bool has(const std::string &key) const { return m_values.contains(key); }
    // Absent: nullopt or empty. Throw where the value is of another kind, or a whole number too large.
    [[nodiscard]] std::optional<std::int64_t> whole(const std::string &key) const;
    [[nodiscard]] std::optional<double> number(const std::string &key) const;
    [[nodiscard]] std::optional<bool> flag(const std::string &key) const;
    [[nodiscard]] std::optional<std::string_view> text(const std::string &key) const;
    [[nodiscard]] const std::vector<std::string_view> &texts(const std::string &key) const;
    [[nodiscard]] const std::vector<double> &numbers(const std::string &key) const;

    // Under the names they have in the file.
    [[nodiscard]] const TensorStore &tensors() const noexcept { return m_tensors; }
    [[nodiscard]] const std::string &where() const noexcept { return m_where; }
    [[noreturn]] void refuse(const std::string &happened) const;

  private:
    template <typename Kind>
    [[nodiscard]] const Kind *find(const std::string &key, const char *kind) const;

    std::shared_ptr<const MappedFile> m_file;
    std::string m_where;
    std::map<std::string, GgufValue> m_values;
    TensorStore m_tensors;
};

}  // namespace braid::weights
