// A table of a recipe, read strictly: every key that is asked for is remembered, done() refuses the others; wrong types and values out of
// range are refused with the key's full name. Internal to lab/train. Errors: Error(Input). Thread: one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace braid::train {

// Relative paths are taken from `folder`; `where` names the file in errors. Both, and `values`, must outlive the table.
class RecipeTable {
  public:
    using json = nlohmann::json;

    RecipeTable(const json &values, std::string name, const std::string &where, const std::filesystem::path &folder);

    [[noreturn]] void fail(const std::string &key, const std::string &what) const;
    [[nodiscard]] bool has(const char *key) const;
    // Each leaves the value as it is where the recipe does not have the key.
    void number(const char *key, double &value, double least, double most);
    template <typename Whole>
    void whole(const char *key, Whole &value, std::int64_t least, std::int64_t most)
    {
        if (const json *found = find(key)) {
            value = static_cast<Whole>(wholeOf(*found, path(key), least, most));
        }
    }
    void text(const char *key, std::string &value);
    void flag(const char *key, bool &value);
    void file(const char *key, std::filesystem::path &value);
    void files(const char *key, std::vector<std::filesystem::path> &values);
    void each(const char *key, const std::function<void(const json &, const std::string &)> &act);
    void table(const char *key, const std::function<void(RecipeTable &)> &act);
    // The table in a list: `name` as each() gave it.
    [[nodiscard]] RecipeTable inner(const json &value, const std::string &name) const { return {value, name, m_where, m_folder}; }
    void done() const;

    [[nodiscard]] double numberOf(const json &value, const std::string &name, double least, double most) const;
    [[nodiscard]] std::int64_t wholeOf(const json &value, const std::string &name, std::int64_t least, std::int64_t most) const;
    [[nodiscard]] std::filesystem::path fileOf(const json &value, const std::string &name) const;

  private:
    [[nodiscard]] const json *find(const char *key);
    [[nodiscard]] std::string path(const std::string &key) const { return m_name.empty() ? key : m_name + "." + key; }

    const json &m_values;
    std::string m_name;
    const std::string &m_where;
    const std::filesystem::path &m_folder;
    std::set<std::string, std::less<>> m_known;
};

}  // namespace braid::train
