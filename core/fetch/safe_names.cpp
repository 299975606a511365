#include "core/fetch/safe_names.h"

#include <algorithm>

#include "core/base/ascii.h"
#include "core/base/error.h"

namespace braid::fetch {
namespace {

constexpr std::size_t kMostNameCharacters = 100;
constexpr std::size_t kMostAddressCharacters = 4000;
constexpr int kMostParts = 4;

bool isNameCharacter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-' || c == '+';
}

std::string withoutPort(const std::string &host)
{
    if (!host.empty() && host.front() == '[') {
        return host.substr(0, host.find(']') + 1);
    }
    return host.substr(0, host.find(':'));
}

bool isSafeHost(std::string_view host)
{
    return !host.empty() && std::all_of(host.begin(), host.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '_' || c == ':' || c == '[' || c == ']';
    });
}

}  // namespace

bool isSafeName(std::string_view name)
{
    return !name.empty() && name.size() <= kMostNameCharacters && name.front() != '.' && name.front() != '-' &&
           std::all_of(name.begin(), name.end(), isNameCharacter);
}

bool isSafePath(std::string_view path)
{
    if (path.ends_with(".part")) {
        return false;
    }
    for (int parts = 1; parts <= kMostParts; ++parts) {
        const auto slash = path.find('/');
        if (!isSafeName(path.substr(0, slash))) {
            return false;
        }
        if (slash == path.npos) {
            return true;
        }
        path.remove_prefix(slash + 1);
    }
    return false;
}

bool isSafePattern(std::string_view pattern)
{
    const auto slash = pattern.rfind('/');
    const auto star = pattern.find('*');
    if (star == pattern.npos) {
        return isSafePath(pattern);
    }
    if (pattern.find('*', star + 1) != pattern.npos || (slash != pattern.npos && star < slash)) {
        return false;
    }
    std::string filled(pattern);
    filled[star] = 'x';
    return isSafePath(filled);
}

bool matches(std::string_view pattern, std::string_view path)
{
    const auto star = pattern.find('*');
    if (star == pattern.npos) {
        return pattern == path;
    }
    const std::string_view head = pattern.substr(0, star);
    const std::string_view tail = pattern.substr(star + 1);
    return path.size() >= head.size() + tail.size() && path.starts_with(head) && path.ends_with(tail) &&
           path.substr(head.size(), path.size() - head.size() - tail.size()).find('/') == path.npos;
}

bool isHexadecimal(std::string_view text, std::size_t digits)
{
    return text.size() == digits && std::all_of(text.begin(), text.end(), [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

Address parseAddress(std::string_view address, const std::string &where)
{
    const auto refuse = [&where](const char *why) { throw Error(ErrorKind::Input, std::string("its address ") + why, where); };
    const bool printable =
        std::all_of(address.begin(), address.end(), [](char c) { return c > ' ' && c < '\x7f' && c != '"' && c != '\\' && c != '<' && c != '>'; });
    if (!printable || address.size() > kMostAddressCharacters) {
        refuse("has characters that no address has, or too many");
    }
    const auto colon = address.find("://");
    Address parts;
    parts.scheme = std::string(address.substr(0, colon == address.npos ? 0 : colon));
    if (parts.scheme != "https" && parts.scheme != "http") {
        refuse("does not begin with https://");
    }
    address.remove_prefix(colon + 3);
    const auto end = address.find_first_of("/?#");
    parts.host = lowerAscii(std::string(address.substr(0, end)));
    parts.path = end == address.npos ? "/" : std::string(address.substr(end));
    if (!isSafeHost(parts.host)) {
        refuse("names no machine, or a user besides it");
    }
    if (parts.scheme == "http" && !isThisMachine(parts)) {
        refuse("is not encrypted: only https:// is used");
    }
    return parts;
}

bool isThisMachine(const Address &address)
{
    const std::string host = withoutPort(address.host);
    return host == "127.0.0.1" || host == "[::1]" || host == "localhost";
}

}  // namespace braid::fetch
