// Tables for people, of cells that are text.
#pragma once

#include <string>
#include <vector>

namespace braid::cli {

// A number with so many decimals; "-" where it is not known or not finite.
[[nodiscard]] std::string cell(double value, int decimals, bool is_known = true);
// Columns as wide as their widest cell; the first to the left, the others to the right.
[[nodiscard]] std::string table(const std::vector<std::vector<std::string>> &rows);

}  // namespace braid::cli
