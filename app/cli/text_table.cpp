#include "app/cli/text_table.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace braid::cli {

std::string cell(double value, int decimals, bool is_known)
{
    if (!is_known || !std::isfinite(value)) {
        return "-";
    }
    char text[32];
    std::snprintf(text, sizeof text, "%.*f", decimals, value);
    return text;
}

std::string table(const std::vector<std::vector<std::string>> &rows)
{
    std::vector<std::size_t> widths(rows.front().size(), 0);
    for (const auto &row : rows) {
        for (std::size_t c = 0; c < row.size(); ++c) {
            widths[c] = std::max(widths[c], row[c].size());
        }
    }
    std::string text;
    for (const auto &row : rows) {
        std::string line;
        for (std::size_t c = 0; c < row.size(); ++c) {
            const std::string space(widths[c] - row[c].size(), ' ');
            line += c == 0 ? row[c] + space : "  " + space + row[c];
        }
        text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
    }
    return text;
}

}  // namespace braid::cli
