#include "core/base/blas.h"

#include <dlfcn.h>
#include <string_view>

#include "core/base/cpu.h"

namespace braid {
namespace {

template <typename Function>
Function loaded(const char *name)
{
    return reinterpret_cast<Function>(::dlsym(RTLD_DEFAULT, name));
}

bool isReferenceBlas()
{
    void *gemm = ::dlsym(RTLD_DEFAULT, "sgemm_");
    Dl_info info{};
    if (gemm == nullptr || ::dladdr(gemm, &info) == 0 || info.dli_fname == nullptr) {
        return false;
    }
    return std::string_view(info.dli_fname).find("/blas/libblas") != std::string_view::npos;
}

}  // namespace

BlasReport detectBlas()
{
    BlasReport report;
    // libtorch wheels carry MKL or OpenBLAS inside; a system libtorch links libblas.so.3.
    if (const auto version = loaded<void (*)(char *, int)>("mkl_get_version_string"); version != nullptr) {
        report = {BlasKind::Mkl, "MKL", {}};
    } else if (const auto config = loaded<char *(*)()>("openblas_get_config"); config != nullptr) {
        std::string name = config();
        name = name.substr(0, name.find(' ', name.find(' ') + 1));
        const auto core = loaded<char *(*)()>("openblas_get_corename");
        const std::string kernel = core != nullptr ? core() : "unknown kernels";
        report = {BlasKind::OpenBlas, name + " (" + kernel + ")", {}};
        if (kernel == "Prescott" && !openBlasCoreName().empty()) {
            report.warning = "OpenBLAS took this processor for a much older one. Set OPENBLAS_CORETYPE=" + openBlasCoreName() + " before starting.";
        }
    } else if (loaded<void *>("bli_gemm") != nullptr) {
        report = {BlasKind::Blis, "BLIS", {}};
    } else if (isReferenceBlas()) {
        report = {BlasKind::Reference, "reference BLAS",
                  "The reference BLAS is about fifty times too slow for live captions. Install OpenBLAS (Debian: libopenblas0-openmp)."};
    } else {
        report.description = "the BLAS inside libtorch";
    }
    return report;
}

}  // namespace braid
