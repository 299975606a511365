#include "lab/train/recipe_table.h"

#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/error.h"

namespace braid::train {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

std::string shown(double value)
{
    std::string text = std::to_string(value);
    text.erase(text.find_last_not_of('0') + 1);
    return text.ends_with('.') ? text.substr(0, text.size() - 1) : text;
}

}  // namespace

RecipeTable::RecipeTable(const json &values, std::string name, const std::string &where, const fs::path &folder)
    : m_values(values)
    , m_name(std::move(name))
    , m_where(where)
    , m_folder(folder)
{
    if (!values.is_object()) {
        fail(m_name, "is not a table");
    }
}

void RecipeTable::fail(const std::string &key, const std::string &what) const
{
    throw Error(ErrorKind::Input, "\"" + key + "\" " + what, m_where, "docs/formats.md describes recipes");
}

bool RecipeTable::has(const char *key) const
{
    return m_values.contains(key);
}

const json *RecipeTable::find(const char *key)
{
    m_known.insert(key);
    const auto position = m_values.find(key);
    return position == m_values.end() ? nullptr : &*position;
}

void RecipeTable::number(const char *key, double &value, double least, double most)
{
    if (const json *found = find(key)) {
        value = numberOf(*found, path(key), least, most);
    }
}

void RecipeTable::text(const char *key, std::string &value)
{
    if (const json *found = find(key)) {
        if (!found->is_string()) {
            fail(path(key), "is not a text");
        }
        value = found->get<std::string>();
    }
}

void RecipeTable::flag(const char *key, bool &value)
{
    if (const json *found = find(key)) {
        if (!found->is_boolean()) {
            fail(path(key), "is neither true nor false");
        }
        value = found->get<bool>();
    }
}

void RecipeTable::file(const char *key, fs::path &value)
{
    if (const json *found = find(key)) {
        value = fileOf(*found, path(key));
    }
}

void RecipeTable::files(const char *key, std::vector<fs::path> &values)
{
    each(key, [&](const json &item, const std::string &name) { values.push_back(fileOf(item, name)); });
}

void RecipeTable::each(const char *key, const std::function<void(const json &, const std::string &)> &act)
{
    const json *found = find(key);
    if (found == nullptr) {
        return;
    }
    if (!found->is_array()) {
        fail(path(key), "is not a list");
    }
    for (std::size_t i = 0; i < found->size(); ++i) {
        act((*found)[i], path(key) + "[" + std::to_string(i) + "]");
    }
}

void RecipeTable::table(const char *key, const std::function<void(RecipeTable &)> &act)
{
    if (const json *found = find(key)) {
        RecipeTable inner(*found, path(key), m_where, m_folder);
        act(inner);
        inner.done();
    }
}

void RecipeTable::done() const
{
    for (const auto &[key, value] : m_values.items()) {
        if (!m_known.contains(key)) {
            fail(path(key.substr(0, 80)), "is not something a recipe has");
        }
    }
}

double RecipeTable::numberOf(const json &value, const std::string &name, double least, double most) const
{
    if (!value.is_number()) {
        fail(name, "is not a number");
    }
    const auto found = value.get<double>();
    if (!(found >= least && found <= most)) {
        fail(name, "is not between " + shown(least) + " and " + shown(most));
    }
    return found;
}

std::int64_t RecipeTable::wholeOf(const json &value, const std::string &name, std::int64_t least, std::int64_t most) const
{
    const std::string wanted = "is not a whole number from " + std::to_string(least) + " to " + std::to_string(most);
    if (!value.is_number_integer() || (value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(most))) {
        fail(name, wanted);
    }
    const auto found = value.get<std::int64_t>();
    if (found < least || found > most) {
        fail(name, wanted);
    }
    return found;
}

fs::path RecipeTable::fileOf(const json &value, const std::string &name) const
{
    if (!value.is_string() || value.get<std::string>().empty()) {
        fail(name, "is not a path");
    }
    const fs::path given = value.get<std::string>();
    return given.is_absolute() ? given : (m_folder / given).lexically_normal();
}

}  // namespace braid::train
