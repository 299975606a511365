#include "app/cli/models_output.h"

#include <algorithm>
#include <cstdio>

#include <nlohmann/json.hpp>

#include "app/cli/terminal.h"
#include "core/base/ascii.h"

namespace braid::cli {
namespace {

using nlohmann::json;

const char *useText(fetch::ModelUse use)
{
    return use == fetch::ModelUse::Captions ? "captions" : "language";
}

std::string languagesText(const std::vector<std::string> &codes)
{
    constexpr std::size_t kNamed = 4;
    if (codes.size() > kNamed) {
        return std::to_string(codes.size()) + " languages";
    }
    std::string text;
    for (const std::string &code : codes) {
        text += (text.empty() ? "" : ", ") + code;
    }
    return text;
}

// Facts that are known, one after the other.
std::string joined(const std::vector<std::string> &facts)
{
    std::string text;
    for (const std::string &fact : facts) {
        text += fact.empty() ? "" : (text.empty() ? "" : ", ") + fact;
    }
    return text;
}

const char *stateText(fetch::StoreState state)
{
    switch (state) {
    case fetch::StoreState::Here:
        return "here";
    case fetch::StoreState::PartlyHere:
        return "partly here";
    case fetch::StoreState::Missing:
        break;
    }
    return "to fetch";
}

const char *stageText(fetch::FetchStage stage)
{
    switch (stage) {
    case fetch::FetchStage::Asking:
        return "asking";
    case fetch::FetchStage::Fetching:
        return "fetching";
    case fetch::FetchStage::Waiting:
        return "waiting";
    case fetch::FetchStage::Checking:
        return "checking";
    }
    return "";
}

}  // namespace

void printAsText(const std::vector<ListedModel> &models)
{
    for (const ListedModel &model : models) {
        const std::string facts =
            joined({model.description, fetch::bytesText(model.bytes), languagesText(model.languages), model.licence.empty() ? "" : "licence " + model.licence});
        std::printf("%s\n    %s\n    %s\n", model.name.c_str(), facts.c_str(), model.path.c_str());
        if (!model.problem.empty()) {
            std::printf("    cannot be used: %s\n", model.problem.c_str());
        }
    }
}

void printAsJson(const std::vector<ListedModel> &models)
{
    for (const ListedModel &model : models) {
        json line = {{"name", model.name}, {"use", model.use}, {"description", model.description}, {"path", model.path.string()}, {"bytes", model.bytes}};
        if (!model.languages.empty()) {
            line["languages"] = model.languages;
        }
        if (!model.licence.empty()) {
            line["licence"] = model.licence;
        }
        if (!model.problem.empty()) {
            line["problem"] = model.problem;
        }
        std::printf("%s\n", line.dump(-1, ' ', false, json::error_handler_t::replace).c_str());
    }
}

void printCatalogue(const std::vector<fetch::CatalogueEntry> &entries, const fetch::ModelStore &store, ListFormat format)
{
    for (const fetch::CatalogueEntry &entry : entries) {
        const std::string state = stateText(store.stateOf(entry.name));
        if (format == ListFormat::Json) {
            json line = {{"name", entry.name},   {"use", useText(entry.use)},
                         {"title", entry.title}, {"purpose", entry.purpose},
                         {"page", entry.page},   {"gated", entry.gate == fetch::Gate::AskedFirst},
                         {"state", state}};
            if (entry.bytes() > 0) {
                line["bytes"] = entry.bytes();
            }
            if (entry.memoryBytes() > 0) {
                line["memory_bytes"] = entry.memoryBytes();
            }
            if (!entry.languages.empty()) {
                line["languages"] = entry.languages;
            }
            if (!entry.licence.empty()) {
                line["licence"] = entry.licence;
            }
            std::printf("%s\n", line.dump(-1, ' ', false, json::error_handler_t::replace).c_str());
            continue;
        }
        const std::string facts = joined({useText(entry.use), entry.bytes() > 0 ? fetch::bytesText(entry.bytes()) : "",
                                          entry.memoryBytes() > 0 ? "about " + fetch::bytesText(entry.memoryBytes()) + " of memory in float32" : "",
                                          languagesText(entry.languages), entry.licence.empty() ? "no licence stated" : "licence " + entry.licence,
                                          entry.gate == fetch::Gate::AskedFirst ? "its page asks first" : "", state});
        std::printf("%s\n    %s\n    %s\n    %s\n", entry.name.c_str(), entry.purpose.c_str(), facts.c_str(), entry.page.c_str());
    }
    if (entries.empty() && format == ListFormat::Text) {
        std::printf("Nothing in the catalogue answers to that.\n");
    }
}

bool answersTo(const fetch::CatalogueEntry &entry, const std::string &word)
{
    const std::string wanted = lowerAscii(word);
    const auto holds = [&wanted](const std::string &text) { return lowerAscii(text).find(wanted) != std::string::npos; };
    return holds(entry.name) || holds(entry.title) || holds(entry.licence) || holds(entry.hub.repository) || wanted == useText(entry.use) ||
           std::find(entry.languages.begin(), entry.languages.end(), wanted) != entry.languages.end();
}

FetchScreen::FetchScreen(std::string name, ListFormat format)
    : m_name(std::move(name))
    , m_format(format)
    , m_rewrites(isTerminal(Stream::Error))
{
}

void FetchScreen::show(const fetch::JobLook &look)
{
    if (m_format == ListFormat::Json) {
        showJson(look);
    } else {
        showText(look);
    }
}

void FetchScreen::showText(const fetch::JobLook &look)
{
    const bool has_ended = look.state != fetch::JobState::Running;
    if (m_rewrites) {
        std::fprintf(stderr, "\r\x1b[K");
        if (!has_ended) {
            std::fprintf(stderr, "%s: %s", m_name.c_str(), fetch::progressText(look).substr(0, terminalColumns(Stream::Error) - 1).c_str());
        }
        std::fflush(stderr);
    }
    if (look.state == fetch::JobState::Done) {
        std::printf("%s is ready: %s\n", m_name.c_str(), look.path.c_str());
    }
}

void FetchScreen::showJson(const fetch::JobLook &look)
{
    json line;
    if (look.state == fetch::JobState::Running) {
        line = {{"event", "progress"}, {"name", m_name}, {"stage", stageText(look.progress.stage)}, {"done_bytes", look.progress.done_bytes}};
        if (look.progress.total_bytes > 0) {
            line["total_bytes"] = look.progress.total_bytes;
        }
        if (look.bytes_per_s > 0) {
            line["bytes_per_s"] = look.bytes_per_s;
        }
        if (look.seconds_left >= 0) {
            line["seconds_left"] = look.seconds_left;
        }
        if (!look.progress.trouble.empty()) {
            line["trouble"] = look.progress.trouble;
        }
    } else if (look.state == fetch::JobState::Done) {
        line = {{"event", "done"}, {"name", m_name}, {"path", look.path.string()}};
    } else {
        line = {{"event", look.state == fetch::JobState::Cancelled ? "cancelled" : "error"}, {"name", m_name}, {"text", look.problem}};
    }
    std::string text = line.dump(-1, ' ', false, json::error_handler_t::replace);
    if (text != m_last) {
        std::printf("%s\n", text.c_str());
        std::fflush(stdout);
        m_last = std::move(text);
    }
}

}  // namespace braid::cli
