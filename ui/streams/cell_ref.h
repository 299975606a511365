// A place in a run of parallel streams: one stream's cell of one row. Rows below 0 are what was read before the first row.
#pragma once

#include <cstdint>

namespace braid::ui {

struct CellRef {
    std::int64_t row = 0;
    int stream = 0;
    friend bool operator==(const CellRef &, const CellRef &) = default;
};

}  // namespace braid::ui
