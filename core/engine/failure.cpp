#include "core/engine/failure.h"

#include <exception>
#include <new>

namespace braid::engine {

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

}  // namespace braid::engine
