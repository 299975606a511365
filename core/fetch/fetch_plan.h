// What is to be fetched of one model: files with addresses and checksums, as the catalogue and the hub's API say. Values; any thread.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/fetch/catalogue.h"

namespace braid::fetch {

// Where Hugging Face is asked, and as whom.
struct HubAccess {
    std::string endpoint = "https://huggingface.co";  // without a slash at its end
    std::string token;                                // empty: none. Never logged, never written to a file
};
// HF_ENDPOINT and HF_TOKEN of the environment. Throws Error(Usage) where one of them cannot be used.
[[nodiscard]] HubAccess hubAccessOfEnvironment();

struct WantedFile {
    std::string path;
    std::string address;
    std::uint64_t bytes = 0;  // 0: not known
    std::string sha256;
    std::string git_blob;  // in place of sha256, of small files of Hugging Face
};

struct FetchPlan {
    std::string name;
    std::string licence;
    std::string page;
    std::string revision;  // the hub's commit; empty: none
    std::vector<WantedFile> files;
    // 0 where one is not known.
    [[nodiscard]] std::uint64_t bytes() const noexcept { return bytesOfAll(files); }
};

// An answer of /api/models/REPOSITORY/revision/REVISION?blobs=true: the files that `entry` wants. Strict and bounded; throws Error(Input).
[[nodiscard]] FetchPlan planFromHubAnswer(std::string_view answer, const CatalogueEntry &entry, const HubAccess &hub);
// Asks the hub where the entry's files come from there. Throws what transfer() does, and Error(Model) for a refusal, with what to do about it.
[[nodiscard]] FetchPlan makePlan(const CatalogueEntry &entry, const HubAccess &hub, std::stop_token stop);
// The error for a status that is neither an answer nor worth another try. `page`: for people.
[[noreturn]] void refuseStatus(long status, const std::string &what, const std::string &page, const HubAccess &hub);

// As text, to know the same plan again; and back. The reader is as strict as the catalogue's.
[[nodiscard]] std::string planAsJson(const FetchPlan &plan);
[[nodiscard]] FetchPlan planFromJson(std::string_view text, const std::string &where);

}  // namespace braid::fetch
