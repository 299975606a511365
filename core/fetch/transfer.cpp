#include "core/fetch/transfer.h"

#include <algorithm>
#include <charconv>
#include <curl/curl.h>
#include <exception>
#include <memory>
#include <mutex>
#include <string_view>

#include "core/base/ascii.h"
#include "core/base/error.h"
#include "core/fetch/safe_names.h"

namespace braid::fetch {
namespace {

constexpr long kConnectSeconds = 30;
constexpr long kSilentSeconds = 60;  // without a byte a second, the connection counts as broken
constexpr std::size_t kMostHeaderBytes = 64u << 10;

using Handle = std::unique_ptr<CURL, decltype(&curl_easy_cleanup)>;
using Headers = std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)>;

// What one answer says and where its bytes go.
struct Answer {
    CURL *curl = nullptr;
    const TransferHandlers *handlers = nullptr;
    const std::stop_token *stop = nullptr;
    std::string address;
    std::string shown;  // without its question, which may hold a signature
    std::uint64_t asked_from = 0;
    std::size_t header_bytes = 0;
    std::string content_type;
    std::string content_range;
    std::uint64_t content_length = 0;
    bool has_begun = false;
    std::exception_ptr thrown;

    [[nodiscard]] long status() const
    {
        long code = 0;
        curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &code);
        return code;
    }
};

std::uint64_t numberIn(std::string_view text)
{
    std::uint64_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

std::string shownOf(std::string_view address)
{
    return std::string(address.substr(0, std::min<std::size_t>(address.find('?'), 300)));
}

bool looksLikeAPage(const Answer &answer, std::string_view first_bytes)
{
    const std::string start = lowerAscii(std::string(first_bytes.substr(0, 40)));
    return lowerAscii(answer.content_type).starts_with("text/html") || start.find("<!doctype html") != start.npos || start.starts_with("<html");
}

void begin(Answer &answer, std::string_view first_bytes)
{
    answer.has_begun = true;
    if (looksLikeAPage(answer, first_bytes)) {
        throw Error(ErrorKind::Input, "a web page came instead of the file", answer.shown,
                    "Networks that ask to sign in first answer so: open any page in a browser, sign in, and fetch again");
    }
    // "bytes 100-199/200"
    if (answer.status() == 206) {
        const std::string_view range = answer.content_range;
        const auto slash = range.find('/');
        const std::uint64_t first = range.starts_with("bytes ") ? numberIn(range.substr(6)) : 0;
        if (!range.starts_with("bytes ") || slash == range.npos || first != answer.asked_from) {
            throw Error(ErrorKind::Input, "the server answers with another part than the one asked for", answer.shown,
                        "Remove what came so far and fetch again");
        }
        answer.handlers->begin(first, numberIn(range.substr(slash + 1)));
        return;
    }
    answer.handlers->begin(0, answer.content_length);
}

std::size_t onBody(char *data, std::size_t, std::size_t size, void *context)
{
    Answer &answer = *static_cast<Answer *>(context);
    const long status = answer.status();
    if (status != 200 && status != 206) {
        return size;  // the words of a refusal are not kept
    }
    try {
        if (!answer.has_begun) {
            begin(answer, {data, size});
        }
        answer.handlers->bytes(std::as_bytes(std::span(data, size)));
    } catch (...) {
        answer.thrown = std::current_exception();
        return 0;
    }
    return size;
}

std::size_t onHeader(char *data, std::size_t, std::size_t size, void *context)
{
    Answer &answer = *static_cast<Answer *>(context);
    answer.header_bytes += size;
    if (answer.header_bytes > kMostHeaderBytes) {
        return 0;
    }
    const std::string_view line(data, size);
    const auto colon = line.find(':');
    if (colon == line.npos) {
        return size;
    }
    const std::string name = lowerAscii(std::string(line.substr(0, colon)));
    std::string_view value = line.substr(colon + 1);
    const auto first = value.find_first_not_of(" \t");
    value = first == value.npos ? std::string_view() : value.substr(first);
    value = value.substr(0, value.find_last_not_of(" \t\r\n") + 1);
    if (name == "content-type") {
        answer.content_type = value;
    } else if (name == "content-range") {
        answer.content_range = value;
    } else if (name == "content-length") {
        answer.content_length = numberIn(value);
    }
    return size;
}

int onProgress(void *context, curl_off_t, curl_off_t, curl_off_t, curl_off_t)
{
    return static_cast<Answer *>(context)->stop->stop_requested() ? 1 : 0;
}

Handle makeHandle(const Address &address, Answer &answer)
{
    static std::once_flag once;
    std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
    Handle curl(curl_easy_init(), &curl_easy_cleanup);
    if (curl == nullptr) {
        throw Error(ErrorKind::Internal, "libcurl could not be started");
    }
    answer.curl = curl.get();
    curl_easy_setopt(curl.get(), CURLOPT_URL, answer.address.c_str());
    curl_easy_setopt(curl.get(), CURLOPT_PROTOCOLS_STR, address.scheme.c_str());
    curl_easy_setopt(curl.get(), CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(curl.get(), CURLOPT_SSL_VERIFYPEER, 1L);
    curl_easy_setopt(curl.get(), CURLOPT_SSL_VERIFYHOST, 2L);
    curl_easy_setopt(curl.get(), CURLOPT_NETRC, static_cast<long>(CURL_NETRC_IGNORED));
    curl_easy_setopt(curl.get(), CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl.get(), CURLOPT_CONNECTTIMEOUT, kConnectSeconds);
    curl_easy_setopt(curl.get(), CURLOPT_LOW_SPEED_LIMIT, 1L);
    curl_easy_setopt(curl.get(), CURLOPT_LOW_SPEED_TIME, kSilentSeconds);
    curl_easy_setopt(curl.get(), CURLOPT_USERAGENT, "braid");
    curl_easy_setopt(curl.get(), CURLOPT_WRITEFUNCTION, onBody);
    curl_easy_setopt(curl.get(), CURLOPT_WRITEDATA, &answer);
    curl_easy_setopt(curl.get(), CURLOPT_HEADERFUNCTION, onHeader);
    curl_easy_setopt(curl.get(), CURLOPT_HEADERDATA, &answer);
    curl_easy_setopt(curl.get(), CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(curl.get(), CURLOPT_XFERINFOFUNCTION, onProgress);
    curl_easy_setopt(curl.get(), CURLOPT_XFERINFODATA, &answer);
    if (isThisMachine(address)) {
        curl_easy_setopt(curl.get(), CURLOPT_PROXY, "");
    }
    if (answer.asked_from > 0) {
        // Not CURLOPT_RESUME_FROM, which refuses a server that sends everything; begin() takes such an answer from its start.
        curl_easy_setopt(curl.get(), CURLOPT_RANGE, (std::to_string(answer.asked_from) + "-").c_str());
    }
    return curl;
}

// What libcurl's code means; empty where it is none.
std::string troubleOf(CURLcode code, const Answer &answer)
{
    switch (code) {
    case CURLE_OK:
        return {};
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
        throw Error(ErrorKind::Input, "the server's certificate does not hold, so it may be another machine than it says", answer.shown,
                    "Check this machine's date and the network's proxy; nothing was fetched from it");
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
        return "the server's name is not known here; is there a network?";
    case CURLE_COULDNT_CONNECT:
        return "the server cannot be reached; is there a network?";
    case CURLE_OPERATION_TIMEDOUT:
        return "the server fell silent";
    default:
        return std::string("the connection broke off (") + curl_easy_strerror(code) + ")";
    }
}

// One answer, redirects not followed. `next`: where it leads, if it is a redirect.
TransferEnd askOnce(const TransferRequest &request, const std::string &where, const TransferHandlers &handlers, const std::stop_token &stop, std::string &next)
{
    const Address address = parseAddress(where, shownOf(where));
    Answer answer;
    answer.handlers = &handlers;
    answer.stop = &stop;
    answer.address = where;
    answer.shown = shownOf(where);
    answer.asked_from = request.begin_at;
    const Handle curl = makeHandle(address, answer);
    Headers headers(nullptr, &curl_slist_free_all);
    if (!request.token.empty() && address.host == request.token_host) {
        headers.reset(curl_slist_append(nullptr, ("Authorization: Bearer " + request.token).c_str()));
        curl_easy_setopt(curl.get(), CURLOPT_HTTPHEADER, headers.get());
    }
    const CURLcode code = curl_easy_perform(curl.get());
    if (answer.thrown) {
        std::rethrow_exception(answer.thrown);
    }
    if (stop.stop_requested()) {
        throw Error(ErrorKind::Cancelled, "fetching was stopped");
    }
    TransferEnd end{answer.status(), troubleOf(code, answer)};
    if (end.isWhole() && !answer.has_begun) {
        begin(answer, {});
    }
    if (end.status >= 300 && end.status < 400) {
        const char *location = nullptr;
        curl_easy_getinfo(curl.get(), CURLINFO_REDIRECT_URL, &location);
        next = location != nullptr ? location : "";
    }
    return end;
}

}  // namespace

TransferEnd transfer(const TransferRequest &request, const TransferHandlers &handlers, std::stop_token stop)
{
    std::string where = request.address;
    const bool began_here = isThisMachine(parseAddress(where, shownOf(where)));
    for (int hop = 0; hop <= kMostRedirects; ++hop) {
        std::string next;
        const TransferEnd end = askOnce(request, where, handlers, stop, next);
        if (next.empty()) {
            return end;
        }
        const Address target = parseAddress(next, shownOf(where) + ", redirected");
        if (isThisMachine(target) && !began_here) {
            throw Error(ErrorKind::Input, "the server leads back to this machine itself, which is refused", request.address);
        }
        where = next;
    }
    throw Error(ErrorKind::Input, "the server leads from one address to the next without end", request.address, "Try again later");
}

bool networkIsBuiltIn() noexcept
{
    return true;
}

}  // namespace braid::fetch
