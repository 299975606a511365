// How `braid-cli models` speaks: lists for people and as JSON, and the progress of a fetch. Thread: main.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/fetch/catalogue.h"
#include "core/fetch/fetch_job.h"
#include "core/fetch/model_store.h"

namespace braid::cli {

enum class ListFormat : std::uint8_t { Text = 1, Json };

// A model on this machine.
struct ListedModel {
    std::string name;
    std::string use;  // "captions", "language", "unread"
    std::string description;
    std::filesystem::path path;
    std::uint64_t bytes = 0;
    std::string licence;  // empty: not stated
    std::vector<std::string> languages;
    std::string problem;  // a sentence where it cannot be used
};

void printAsText(const std::vector<ListedModel> &models);
void printAsJson(const std::vector<ListedModel> &models);
void printCatalogue(const std::vector<fetch::CatalogueEntry> &entries, const fetch::ModelStore &store, ListFormat format);
// Whether `word` stands in the entry's name, title, licence or repository, in any case, or is one of its languages.
[[nodiscard]] bool answersTo(const fetch::CatalogueEntry &entry, const std::string &word);

// A line rewritten in place on a terminal, nothing where standard error is none; or a JSON line for every change.
class FetchScreen {
  public:
    FetchScreen(std::string name, ListFormat format);
    void show(const fetch::JobLook &look);

  private:
    void showText(const fetch::JobLook &look);
    void showJson(const fetch::JobLook &look);
    const std::string m_name;
    const ListFormat m_format;
    const bool m_rewrites;
    std::string m_last;
};

}  // namespace braid::cli
