// Names of the tasks of made conversations, as a person gives them. Thread: any.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace braid::cli {

// Throws Error(Usage) naming what there is.
[[nodiscard]] std::set<std::string> knownTasks(const std::vector<std::string> &names);

}  // namespace braid::cli
