#include "core/base/cpu.h"

#include <algorithm>
#include <cstdlib>
#include <sched.h>
#include <unistd.h>

namespace braid {

std::string openBlasCoreName()
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq")) {
        return "SKYLAKEX";
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        return "HASWELL";
    }
#endif
    return {};
}

void restartWithTunedEnvironment(char **argv)
{
    bool changed = false;
    const auto setIfMissing = [&changed](const char *name, const std::string &value) {
        if (!value.empty() && std::getenv(name) == nullptr && ::setenv(name, value.c_str(), 0) == 0) {
            changed = true;
        }
    };
    setIfMissing("OPENBLAS_CORETYPE", openBlasCoreName());
    setIfMissing("OMP_WAIT_POLICY", "passive");
    setIfMissing("GOMP_SPINCOUNT", "10000");  // a fraction of a millisecond
    if (changed) {
        ::execv("/proc/self/exe", argv);
    }
}

int usableCores()
{
    cpu_set_t set;
    CPU_ZERO(&set);
    if (::sched_getaffinity(0, sizeof set, &set) != 0) {
        return 1;
    }
    return std::max(1, CPU_COUNT(&set));
}

}  // namespace braid
