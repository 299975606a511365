// What the processor can do, and the environment that makes OpenBLAS and OpenMP use it well.
#pragma once

#include <string>

namespace braid {

// OpenBLAS's name for the kernels that suit this processor ("SKYLAKEX", "HASWELL", ...); empty where its own detection is fine.
[[nodiscard]] std::string openBlasCoreName();

// OpenBLAS chooses its kernels while the library loads, before main() runs, and takes some virtual processors for a twenty years
// old one (1/5 of the speed). Where OPENBLAS_CORETYPE is not set yet, this sets it, together with a passive OpenMP wait policy
// (spinning threads starve the sound and the window) that spins for a fraction of a millisecond all the same (from one matrix product
// to the next it takes longer to wake a thread than to wait: a chunk of captions on two threads takes a fifth less), and runs the program
// anew with the same arguments. Returns when there is nothing to set or the program could not be run anew. Call first in main().
void restartWithTunedEnvironment(char **argv);

// Physical cores this process may use: at least 1.
[[nodiscard]] int usableCores();

}  // namespace braid
