#include "core/base/error.h"

namespace braid {
namespace {

std::string compose(const std::string &happened, const std::string &where, const std::string &remedy)
{
    std::string sentence = where.empty() ? happened : where + ": " + happened;
    if (!sentence.empty() && sentence.back() != '.') {
        sentence += '.';
    }
    if (!remedy.empty()) {
        sentence += ' ' + remedy;
        if (sentence.back() != '.') {
            sentence += '.';
        }
    }
    return sentence;
}

}  // namespace

Error::Error(ErrorKind kind, std::string happened, std::string where, std::string remedy)
    : std::runtime_error(compose(happened, where, remedy))
    , m_kind(kind)
    , m_happened(std::move(happened))
    , m_where(std::move(where))
    , m_remedy(std::move(remedy))
{
}

int exitCodeFor(ErrorKind kind) noexcept
{
    switch (kind) {
    case ErrorKind::Usage:
        return 2;
    case ErrorKind::Input:
    case ErrorKind::Model:
    case ErrorKind::Storage:
        return 3;
    case ErrorKind::Device:
        return 4;
    case ErrorKind::Cancelled:
        return 0;
    case ErrorKind::Internal:
        return 70;
    }
    return 70;
}

}  // namespace braid
