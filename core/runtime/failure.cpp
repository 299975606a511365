#include "core/runtime/failure.h"

#include <exception>
#include <new>

namespace braid::runtime {

RunFailure describeException(const char *where)
{
    try {
        throw;
    } catch (const Error &error) {
        return {error.kind(), error.sentence()};
    } catch (const std::bad_alloc &) {
        return {ErrorKind::Internal, std::string(where) + " needs more memory than there is."};
    } catch (const std::exception &error) {
        return {ErrorKind::Internal, std::string(where) + " failed: " + error.what()};
    } catch (...) {
        return {ErrorKind::Internal, std::string(where) + " failed for a reason it did not give."};
    }
}

std::string_view errorKindName(ErrorKind kind) noexcept
{
    switch (kind) {
    case ErrorKind::Usage:
        return "usage";
    case ErrorKind::Input:
        return "input";
    case ErrorKind::Model:
        return "model";
    case ErrorKind::Device:
        return "device";
    case ErrorKind::Storage:
        return "storage";
    case ErrorKind::Cancelled:
        return "cancelled";
    case ErrorKind::Internal:
        return "internal";
    }
    return "internal";
}

}  // namespace braid::runtime
