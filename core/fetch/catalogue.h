// The catalogue: which models can be fetched, from where, and what is known of each (resources/catalogue.json, docs/formats.md). A person may add one of
// their own. Strict and bounded: an unknown key, a wrong type or an unsafe name is refused with a sentence. Nothing here asks the network. Thread: any.
// Errors: Error(Input) with the file and the entry.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace braid::fetch {

enum class ModelUse : std::uint8_t { Captions = 1, Language };  // what it is loaded as
enum class Gate : std::uint8_t { Open = 1, AskedFirst };        // whether its page asks to accept something before it gives the files

// Of all files together; 0 where one is not known.
template <typename Files>
[[nodiscard]] std::uint64_t bytesOfAll(const Files &files) noexcept
{
    std::uint64_t sum = 0;
    for (const auto &file : files) {
        if (file.bytes == 0) {
            return 0;
        }
        sum += file.bytes;
    }
    return sum;
}

// A file at an address of its own. Its checksum is known beforehand.
struct CatalogueFile {
    std::string path;         // in the model's folder
    std::string address;      // https
    std::string sha256;       // hexadecimal
    std::uint64_t bytes = 0;  // 0: not known
};

// Files of a repository of Hugging Face; its API says size and checksum when they are fetched.
struct HubSource {
    std::string repository;             // "owner/name"; empty: none
    std::string revision;               // a commit, or a branch such as "main"
    std::vector<std::string> files;     // each must be there; '*' stands for any characters of a name
    std::vector<std::string> if_there;  // fetched as well where they are
};

struct CatalogueEntry {
    std::string name;  // as it is called afterwards
    ModelUse use = ModelUse::Captions;
    std::string title;
    std::string purpose;                 // a sentence
    std::vector<std::string> languages;  // codes; empty: not stated
    std::string licence;                 // empty: not stated by whoever published it
    std::string page;                    // for people; https
    Gate gate = Gate::Open;
    std::uint64_t parameters = 0;  // as its makers count them; 0: not known
    std::vector<CatalogueFile> files;
    HubSource hub;  // in place of files

    [[nodiscard]] bool isFromHub() const noexcept { return !hub.repository.empty(); }
    // Of all files; 0 where one is not known.
    [[nodiscard]] std::uint64_t bytes() const noexcept { return bytesOfAll(files); }
    // About what its weights take in float32; 0 where that is not known.
    [[nodiscard]] std::uint64_t memoryBytes() const noexcept { return parameters * 4; }
};

// `where`: the file, for sentences.
[[nodiscard]] std::vector<CatalogueEntry> parseCatalogue(std::string_view text, const std::string &where);
// The files in which catalogues stand, those that are there: Braid's own, then userDataFolder()/catalogue.json.
[[nodiscard]] std::vector<std::filesystem::path> catalogueFiles();
// All entries of `files`; of two of one name the later one counts, so that a person's own goes before Braid's.
[[nodiscard]] std::vector<CatalogueEntry> readCatalogues(const std::vector<std::filesystem::path> &files);
// Those of catalogueFiles().
[[nodiscard]] std::vector<CatalogueEntry> wholeCatalogue();
// Throws Error(Model) naming what there is.
[[nodiscard]] const CatalogueEntry &findEntry(const std::vector<CatalogueEntry> &entries, const std::string &name);

}  // namespace braid::fetch
