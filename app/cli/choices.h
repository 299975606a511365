// Options of a command line: one of a few named values, and flags. Help and errors name the choices as a person types them.
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/ascii.h"

namespace braid::cli {

template <typename Value>
using Choices = std::vector<std::pair<std::string, Value>>;

// Of a table of names, values and whatever else it says of them, as core keeps them.
template <typename Table>
auto choicesOf(const Table &table)
{
    Choices<std::remove_cvref_t<decltype(std::get<1>(table.front()))>> choices;
    for (const auto &entry : table) {
        choices.emplace_back(std::get<0>(entry), std::get<1>(entry));
    }
    return choices;
}

template <typename Value>
std::string joinedNames(const Choices<Value> &choices, const std::string &separator)
{
    std::string names;
    for (const auto &choice : choices) {
        names += (names.empty() ? "" : separator) + choice.first;
    }
    return names;
}

// The value of that name, as it is written in `choices`; null where there is none.
template <typename Value>
const Value *findChoice(const Choices<Value> &choices, const std::string &name)
{
    const auto found = std::find_if(choices.begin(), choices.end(), [&name](const auto &choice) { return choice.first == name; });
    return found == choices.end() ? nullptr : &found->second;
}

// `name` takes one of `choices`, in any case, and sets `target`. `choices` is copied.
template <typename Value>
CLI::Option *addChoice(CLI::App &command, const std::string &name, Value &target, const Choices<Value> &choices, const std::string &description)
{
    const auto set = [&target, choices, name](const std::string &given) {
        const Value *found = findChoice(choices, lowerAscii(given));
        if (found == nullptr) {
            throw CLI::ValidationError(name, given + " is none of " + joinedNames(choices, ", "));
        }
        target = *found;
    };
    return command.add_option_function<std::string>(name, set, description)->type_name(joinedNames(choices, "|"));
}

// The description as a string object: a literal is ambiguous between two overloads of CLI11 2.1 in C++20.
inline CLI::Option *addFlag(CLI::App &command, const std::string &name, const std::string &description)
{
    return command.add_flag(name, description);
}

}  // namespace braid::cli
