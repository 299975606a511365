// A JSON table of settings from strangers, read with plain sentences: what is wrong, under which key, in which file.
// Internal to core/weights (its users' headers do not show JSON). Errors: Error(Model). Thread: any.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace braid::weights {

class ConfigTable {
  public:
    // Throws where `table` is not an object. `table` must outlive this; `where` names the file (and the key, for a table in a table).
    ConfigTable(const nlohmann::json &table, std::string where);

    // Present and not null.
    [[nodiscard]] bool has(const char *key) const;
    [[nodiscard]] const nlohmann::json &value(const char *key) const { return m_table.at(key); }
    // Whole numbers; a float without fraction counts. Throws outside [lowest, highest].
    [[nodiscard]] std::int64_t whole(const char *key, std::int64_t lowest, std::int64_t highest) const;
    [[nodiscard]] std::int64_t wholeOr(const char *key, std::int64_t fallback, std::int64_t lowest, std::int64_t highest) const;
    // Finite numbers in [lowest, highest].
    [[nodiscard]] double number(const char *key, double lowest, double highest) const;
    [[nodiscard]] double numberOr(const char *key, double fallback, double lowest, double highest) const;
    [[nodiscard]] bool flagOr(const char *key, bool fallback) const;
    [[nodiscard]] std::string text(const char *key) const;  // at most 4096 bytes
    [[nodiscard]] std::string textOr(const char *key, const std::string &fallback) const;
    // A list of finite numbers in [lowest, highest], of exactly `count` entries.
    [[nodiscard]] std::vector<double> numbers(const char *key, std::size_t count, double lowest, double highest) const;
    // A list of `fewest` to `most` whole numbers, each in [lowest, highest].
    [[nodiscard]] std::vector<std::int64_t> wholes(const char *key, std::size_t fewest, std::size_t most, std::int64_t lowest, std::int64_t highest) const;
    // One id or a list of ids, each in [0, limit); empty where the key is missing or null.
    [[nodiscard]] std::vector<std::int32_t> ids(const char *key, std::int64_t limit) const;
    // Throws naming the first key that is none of `known`.
    void requireOnly(std::span<const char *const> known) const;
    void requireOnly(std::initializer_list<const char *> known) const { requireOnly(std::span(known.begin(), known.size())); }
    [[noreturn]] void refuse(const std::string &happened) const;

  private:
    const nlohmann::json &m_table;
    std::string m_where;
};

}  // namespace braid::weights
