// Which linear algebra library this process runs on. It decides the speed (fiftyfold: reference BLAS against a tuned one),
// so the program names it at start and warns when it is the slow one.
#pragma once

#include <string>

namespace braid {

enum class BlasKind { OpenBlas = 1, Blis, Mkl, Reference, Unknown };

struct BlasReport {
    BlasKind kind = BlasKind::Unknown;
    std::string description;  // "OpenBLAS 0.3.21 (SkylakeX)", "reference BLAS (slow)", ...
    std::string warning;      // a sentence with the remedy, or empty
};

// Looks the library up among those this process has loaded; calls none that is not there.
[[nodiscard]] BlasReport detectBlas();

}  // namespace braid
