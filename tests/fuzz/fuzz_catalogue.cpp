// Any text as a catalogue, as the hub's answer about a model, and as the note of a fetched model: read whole or refused, and no path leaves its folder.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/fetch/catalogue.h"
#include "core/fetch/fetch_plan.h"
#include "tests/fuzz/attempt.h"

using braid::fuzz::attempt;

namespace {

void requireInside(std::string_view path)
{
    if (path.empty() || path.front() == '/' || path.find("..") == 0 || path.find("/..") != path.npos || path.find('\\') != path.npos) {
        std::abort();
    }
}

void requireInside(const braid::fetch::FetchPlan &plan)
{
    for (const braid::fetch::WantedFile &file : plan.files) {
        requireInside(file.path);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    using namespace braid::fetch;
    const std::string_view text(reinterpret_cast<const char *>(data), size);
    attempt([&] {
        for (const CatalogueEntry &entry : parseCatalogue(text, "fuzzed")) {
            requireInside(entry.name);
            for (const CatalogueFile &file : entry.files) {
                requireInside(file.path);
            }
        }
    });
    CatalogueEntry wanted;
    wanted.name = "one";
    wanted.hub = {"owner/one", "main", {"*.json"}, {"*.safetensors"}};
    attempt([&] { requireInside(planFromHubAnswer(text, wanted, {})); });
    attempt([&] { requireInside(planFromJson(text, "fuzzed")); });
    return 0;
}
