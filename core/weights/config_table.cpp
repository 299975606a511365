#include "core/weights/config_table.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "core/base/error.h"

namespace braid::weights {

using nlohmann::json;

namespace {

constexpr std::size_t kMaxText = 4096;
constexpr std::size_t kMaxIds = 4096;

std::string quoted(const char *key)
{
    return std::string("\"") + key + "\"";
}

std::optional<std::int64_t> wholeOf(const json &value)
{
    if (value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX)) {
        return std::nullopt;
    }
    if (value.is_number_integer()) {
        return value.get<std::int64_t>();
    }
    if (value.is_number_float()) {
        const double number = value.get<double>();
        if (number == std::floor(number) && std::abs(number) < 9e15) {
            return static_cast<std::int64_t>(number);
        }
    }
    return std::nullopt;
}

}  // namespace

ConfigTable::ConfigTable(const json &table, std::string where)
    : m_table(table)
    , m_where(std::move(where))
{
    if (!table.is_object()) {
        refuse("the configuration is not a table");
    }
}

void ConfigTable::refuse(const std::string &happened) const
{
    throw Error(ErrorKind::Model, happened, m_where, "The configuration is damaged or of another kind of model");
}

bool ConfigTable::has(const char *key) const
{
    const auto position = m_table.find(key);
    return position != m_table.end() && !position->is_null();
}

std::int64_t ConfigTable::whole(const char *key, std::int64_t lowest, std::int64_t highest) const
{
    const auto number = has(key) ? wholeOf(m_table.at(key)) : std::nullopt;
    if (!number) {
        refuse(quoted(key) + " is missing or not a whole number");
    }
    if (*number < lowest || *number > highest) {
        refuse(quoted(key) + " is " + std::to_string(*number) + ", which is not between " + std::to_string(lowest) + " and " + std::to_string(highest));
    }
    return *number;
}

std::int64_t ConfigTable::wholeOr(const char *key, std::int64_t fallback, std::int64_t lowest, std::int64_t highest) const
{
    return has(key) ? whole(key, lowest, highest) : fallback;
}

double ConfigTable::number(const char *key, double lowest, double highest) const
{
    if (!has(key) || !m_table.at(key).is_number()) {
        refuse(quoted(key) + " is missing or not a number");
    }
    const double number = m_table.at(key).get<double>();
    if (!(number >= lowest && number <= highest)) {
        refuse(quoted(key) + " is outside what such a model can have");
    }
    return number;
}

double ConfigTable::numberOr(const char *key, double fallback, double lowest, double highest) const
{
    return has(key) ? number(key, lowest, highest) : fallback;
}

bool ConfigTable::flagOr(const char *key, bool fallback) const
{
    if (!has(key)) {
        return fallback;
    }
    if (!m_table.at(key).is_boolean()) {
        refuse(quoted(key) + " is neither true nor false");
    }
    return m_table.at(key).get<bool>();
}

std::string ConfigTable::text(const char *key) const
{
    if (!has(key) || !m_table.at(key).is_string() || m_table.at(key).get_ref<const std::string &>().size() > kMaxText) {
        refuse(quoted(key) + " is missing or not a short text");
    }
    return m_table.at(key).get<std::string>();
}

std::string ConfigTable::textOr(const char *key, const std::string &fallback) const
{
    return has(key) ? text(key) : fallback;
}

std::vector<double> ConfigTable::numbers(const char *key, std::size_t count, double lowest, double highest) const
{
    if (!has(key) || !m_table.at(key).is_array() || m_table.at(key).size() != count) {
        refuse(quoted(key) + " is not a list of " + std::to_string(count) + " numbers");
    }
    std::vector<double> numbers;
    for (const json &entry : m_table.at(key)) {
        const double number = entry.is_number() ? entry.get<double>() : NAN;
        if (!(number >= lowest && number <= highest)) {
            refuse(quoted(key) + " holds something outside what such a model can have");
        }
        numbers.push_back(number);
    }
    return numbers;
}

std::vector<std::int64_t> ConfigTable::wholes(const char *key, std::size_t fewest, std::size_t most, std::int64_t lowest, std::int64_t highest) const
{
    if (!has(key) || !m_table.at(key).is_array() || m_table.at(key).size() < fewest || m_table.at(key).size() > most) {
        refuse(quoted(key) + " is not a list of " + std::to_string(fewest) + " to " + std::to_string(most) + " whole numbers");
    }
    std::vector<std::int64_t> numbers;
    for (const json &entry : m_table.at(key)) {
        const auto number = wholeOf(entry);
        if (!number || *number < lowest || *number > highest) {
            refuse(quoted(key) + " holds something that is no whole number between " + std::to_string(lowest) + " and " + std::to_string(highest));
        }
        numbers.push_back(*number);
    }
    return numbers;
}

std::vector<std::int32_t> ConfigTable::ids(const char *key, std::int64_t limit) const
{
    std::vector<std::int32_t> ids;
    if (!has(key)) {
        return ids;
    }
    const json one = json::array({m_table.at(key)});
    const json &list = m_table.at(key).is_array() ? m_table.at(key) : one;
    if (list.size() > kMaxIds) {
        refuse(quoted(key) + " is far too long");
    }
    for (const json &entry : list) {
        const auto id = wholeOf(entry);
        if (!id || *id < 0 || *id >= limit) {
            refuse(quoted(key) + " names a token that the model does not have");
        }
        if (std::find(ids.begin(), ids.end(), static_cast<std::int32_t>(*id)) == ids.end()) {
            ids.push_back(static_cast<std::int32_t>(*id));
        }
    }
    return ids;
}

void ConfigTable::requireOnly(std::span<const char *const> known) const
{
    for (const auto &[key, value] : m_table.items()) {
        const std::string &name = key;
        if (!value.is_null() && std::none_of(known.begin(), known.end(), [&name](const char *word) { return name == word; })) {
            refuse("\"" + name.substr(0, 60) + "\" is a setting this program does not know");
        }
    }
}

}  // namespace braid::weights
