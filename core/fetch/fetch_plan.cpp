#include "core/fetch/fetch_plan.h"

#include <algorithm>
#include <cstdlib>

#include "core/base/error.h"
#include "core/base/strict_json.h"
#include "core/fetch/safe_names.h"
#include "core/fetch/transfer.h"

namespace braid::fetch {
namespace {

using nlohmann::json;

constexpr std::size_t kMostAnswerBytes = 8u << 20;
constexpr std::size_t kMostSiblings = 20000;
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 50;
constexpr int kAskings = 3;

std::string textIn(const json &object, const char *key)
{
    const auto found = object.find(key);
    return found != object.end() && found->is_string() && found->get_ref<const std::string &>().size() <= 4000 ? found->get<std::string>() : std::string();
}

std::uint64_t bytesIn(const json &object, const char *key)
{
    const auto found = object.find(key);
    return found != object.end() && found->is_number_unsigned() && found->get<std::uint64_t>() <= kMostBytes ? found->get<std::uint64_t>() : 0;
}

bool isWanted(const HubSource &hub, const std::string &path)
{
    const auto fits = [&path](const std::string &pattern) { return matches(pattern, path); };
    return std::any_of(hub.files.begin(), hub.files.end(), fits) || std::any_of(hub.if_there.begin(), hub.if_there.end(), fits);
}

// One file of the answer, its checksum and size said by the hub.
WantedFile wantedFile(const json &sibling, const std::string &path, const std::string &where)
{
    WantedFile file;
    file.path = path;
    file.bytes = bytesIn(sibling, "size");
    const auto large = sibling.find("lfs");
    if (large != sibling.end() && large->is_object()) {
        file.sha256 = textIn(*large, "sha256");
        file.bytes = bytesIn(*large, "size");
    } else {
        file.git_blob = textIn(sibling, "blobId");
    }
    if (!isHexadecimal(file.sha256, 64) && !isHexadecimal(file.git_blob, 40)) {
        throw Error(ErrorKind::Input, "the hub states no checksum of \"" + path + "\", so it could not be checked", where);
    }
    return file;
}

void checkComplete(const FetchPlan &plan, const HubSource &hub, const std::string &where)
{
    for (const std::string &pattern : hub.files) {
        if (std::none_of(plan.files.begin(), plan.files.end(), [&pattern](const WantedFile &file) { return matches(pattern, file.path); })) {
            throw Error(ErrorKind::Input, "the repository has no file \"" + pattern + "\"", where, "It may have changed; look at its page");
        }
    }
}

}  // namespace

HubAccess hubAccessOfEnvironment()
{
    HubAccess hub;
    if (const char *endpoint = std::getenv("HF_ENDPOINT"); endpoint != nullptr && *endpoint != '\0') {
        hub.endpoint = endpoint;
        while (hub.endpoint.ends_with('/')) {
            hub.endpoint.pop_back();
        }
        try {
            static_cast<void>(parseAddress(hub.endpoint, "HF_ENDPOINT"));
        } catch (const Error &problem) {
            throw Error(ErrorKind::Usage, problem.happened(), "HF_ENDPOINT");
        }
    }
    if (const char *token = std::getenv("HF_TOKEN"); token != nullptr) {
        hub.token = token;
        while (!hub.token.empty() && (hub.token.back() == '\n' || hub.token.back() == ' ' || hub.token.back() == '\r')) {
            hub.token.pop_back();
        }
        if (hub.token.size() > 1000 || std::any_of(hub.token.begin(), hub.token.end(), [](char c) { return c <= ' ' || c >= '\x7f'; })) {
            throw Error(ErrorKind::Usage, "this is no token: it has characters that none has", "HF_TOKEN");
        }
    }
    return hub;
}

FetchPlan planFromHubAnswer(std::string_view answer, const CatalogueEntry &entry, const HubAccess &hub)
{
    const std::string where = entry.hub.repository;
    if (answer.size() > kMostAnswerBytes) {
        throw Error(ErrorKind::Input, "the hub's answer is longer than any should be", where);
    }
    const json whole = parseStrictJson(answer, where + " (the hub's answer)", ErrorKind::Input);
    FetchPlan plan{entry.name, entry.licence, entry.page, whole.is_object() ? textIn(whole, "sha") : std::string(), {}};
    if (!isHexadecimal(plan.revision, 40) || !whole.contains("siblings") || !whole.at("siblings").is_array() || whole.at("siblings").size() > kMostSiblings) {
        throw Error(ErrorKind::Input, "the hub's answer names no commit or no files", where, "Is HF_ENDPOINT a hub's address?");
    }
    for (const json &sibling : whole.at("siblings")) {
        const std::string path = sibling.is_object() ? textIn(sibling, "rfilename") : std::string();
        if (!isWanted(entry.hub, path)) {
            continue;
        }
        if (!isSafePath(path)) {
            throw Error(ErrorKind::Input, "a path in the hub's answer could lead out of the model's folder", where);
        }
        if (std::any_of(plan.files.begin(), plan.files.end(), [&path](const WantedFile &file) { return file.path == path; })) {
            throw Error(ErrorKind::Input, "the hub's answer names \"" + path + "\" twice", where);
        }
        plan.files.push_back(wantedFile(sibling, path, where));
        plan.files.back().address = hub.endpoint + "/" + entry.hub.repository + "/resolve/" + plan.revision + "/" + path;
    }
    checkComplete(plan, entry.hub, where);
    if (plan.licence.empty() && whole.contains("cardData") && whole.at("cardData").is_object()) {
        plan.licence = textIn(whole.at("cardData"), "license").substr(0, 100);
    }
    return plan;
}

FetchPlan makePlan(const CatalogueEntry &entry, const HubAccess &hub, std::stop_token stop)
{
    if (!entry.isFromHub()) {
        FetchPlan plan{entry.name, entry.licence, entry.page, {}, {}};
        for (const CatalogueFile &file : entry.files) {
            plan.files.push_back({file.path, file.address, file.bytes, file.sha256, {}});
        }
        return plan;
    }
    TransferRequest request;
    request.address = hub.endpoint + "/api/models/" + entry.hub.repository + "/revision/" + entry.hub.revision + "?blobs=true";
    request.token = hub.token;
    request.token_host = parseAddress(hub.endpoint, "HF_ENDPOINT").host;
    std::string answer;
    TransferHandlers handlers;
    handlers.begin = [&answer](std::uint64_t, std::uint64_t) { answer.clear(); };
    handlers.bytes = [&answer, &entry](std::span<const std::byte> bytes) {
        if (answer.size() + bytes.size() > kMostAnswerBytes) {
            throw Error(ErrorKind::Input, "the hub's answer is longer than any should be", entry.hub.repository);
        }
        answer.append(reinterpret_cast<const char *>(bytes.data()), bytes.size());
    };
    TransferEnd end;
    for (int asked = 0; asked < kAskings; ++asked) {
        end = transfer(request, handlers, stop);
        if (!end.mayBeRetried()) {
            break;
        }
    }
    if (!end.trouble.empty()) {
        throw Error(ErrorKind::Input, end.trouble, hub.endpoint, "Try again later");
    }
    if (!end.isWhole()) {
        refuseStatus(end.status, entry.hub.repository, entry.page, hub);
    }
    return planFromHubAnswer(answer, entry, hub);
}

void refuseStatus(long status, const std::string &what, const std::string &page, const HubAccess &hub)
{
    if (status == 401 || status == 403) {
        throw Error(ErrorKind::Model, "whoever publishes it does not give it to everybody (" + std::to_string(status) + ")", what,
                    hub.token.empty() ? "Open " + page + ", accept its terms there, and set HF_TOKEN to a token of yours"
                                      : "Open " + page + " and accept its terms as the owner of the token in HF_TOKEN");
    }
    if (status == 404 || status == 410) {
        throw Error(ErrorKind::Model, "it is not at its address any more (" + std::to_string(status) + ")", what, "Look at " + page);
    }
    if (status >= 500 || status == 429 || status == 408 || status == 425) {
        throw Error(ErrorKind::Model, "the server is out of order or busy (" + std::to_string(status) + ")", what, "Try again later; what came so far is kept");
    }
    throw Error(ErrorKind::Model, "the server refuses it (" + std::to_string(status) + ")", what, "Try again later, or look at " + page);
}

std::string planAsJson(const FetchPlan &plan)
{
    json files = json::array();
    for (const WantedFile &file : plan.files) {
        files.push_back({{"path", file.path}, {"address", file.address}, {"bytes", file.bytes}, {"sha256", file.sha256}, {"git_blob", file.git_blob}});
    }
    return json{{"format", "braid-fetched"}, {"version", 1},  {"name", plan.name}, {"licence", plan.licence}, {"page", plan.page},
                {"revision", plan.revision}, {"files", files}}
               .dump(1) +
           "\n";
}

FetchPlan planFromJson(std::string_view text, const std::string &where)
{
    const json whole = parseStrictJson(text, where, ErrorKind::Input, 8);
    if (!whole.is_object() || textIn(whole, "format") != "braid-fetched" || !whole.contains("files") || !whole.at("files").is_array()) {
        throw Error(ErrorKind::Input, "this is no note of a fetched model", where);
    }
    FetchPlan plan{textIn(whole, "name"), textIn(whole, "licence"), textIn(whole, "page"), textIn(whole, "revision"), {}};
    for (const json &object : whole.at("files")) {
        if (!object.is_object() || !isSafePath(textIn(object, "path"))) {
            throw Error(ErrorKind::Input, "it names a file that could lie outside of the model's folder", where);
        }
        plan.files.push_back(
            {textIn(object, "path"), textIn(object, "address"), bytesIn(object, "bytes"), textIn(object, "sha256"), textIn(object, "git_blob")});
    }
    return plan;
}

}  // namespace braid::fetch
