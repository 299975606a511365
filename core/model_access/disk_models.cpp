#include "core/model_access/disk_models.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <string_view>
#include <system_error>

#include "core/model_access/model_files.h"

namespace braid::models {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostEntries = 10000;  // of one folder
constexpr std::size_t kCardHeadBytes = 8192;
constexpr std::string_view kHubPrefix = "models--";

fs::path folderNamed(const char *variable)
{
    const char *value = std::getenv(variable);
    return value != nullptr && *value == '/' ? fs::path(value) : fs::path();
}

fs::path cacheHome()
{
    if (fs::path chosen = folderNamed("XDG_CACHE_HOME"); !chosen.empty()) {
        return chosen;
    }
    const fs::path home = folderNamed("HOME");
    return home.empty() ? fs::path() : home / ".cache";
}

fs::path hubCache()
{
    if (fs::path chosen = folderNamed("HF_HUB_CACHE"); !chosen.empty()) {
        return chosen;
    }
    const fs::path home = folderNamed("HF_HOME");
    return home.empty() ? cacheHome() / "huggingface" / "hub" : home / "hub";
}

std::vector<fs::path> entriesOf(const fs::path &folder)
{
    std::vector<fs::path> entries;
    std::error_code failure;
    for (fs::directory_iterator it(folder, failure), end; !failure && it != end && entries.size() < kMostEntries; it.increment(failure)) {
        entries.push_back(it->path());
    }
    std::sort(entries.begin(), entries.end());
    return entries;
}

bool isFolder(const fs::path &path)
{
    std::error_code missing;
    return fs::is_directory(path, missing);
}

std::string headOf(const fs::path &path, std::size_t bytes)
{
    std::ifstream file(path, std::ios::binary);
    std::string head(bytes, '\0');
    file.read(head.data(), static_cast<std::streamsize>(bytes));
    head.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, file.gcount())));
    return head;
}

// The commits that a repository's refs name ("main"), as folders of its snapshots.
std::vector<fs::path> snapshotsOf(const fs::path &repository)
{
    std::vector<fs::path> snapshots;
    for (const fs::path &ref : entriesOf(repository / "refs")) {
        std::string commit = headOf(ref, 64);
        commit.erase(std::find_if(commit.begin(), commit.end(), [](unsigned char c) { return std::isxdigit(c) == 0; }), commit.end());
        if (!commit.empty() && isFolder(repository / "snapshots" / commit)) {
            snapshots.push_back(repository / "snapshots" / commit);
        }
    }
    return snapshots.empty() ? entriesOf(repository / "snapshots") : snapshots;
}

std::string unreadKind(const fs::path &path)
{
    const std::string name = path.filename().string();
    if (path.extension() == ".gguf") {
        return "GGUF (llama.cpp)";
    }
    return path.extension() == ".bin" && name.starts_with("ggml-") ? "ggml (whisper.cpp)" : std::string();
}

}  // namespace

std::vector<fs::path> cacheFolders()
{
    std::vector<fs::path> folders;
    if (const fs::path whisper = cacheHome() / "whisper"; isFolder(whisper)) {
        folders.push_back(whisper);
    }
    for (const fs::path &repository : entriesOf(hubCache())) {
        if (!repository.filename().string().starts_with(kHubPrefix)) {
            continue;
        }
        for (const fs::path &snapshot : snapshotsOf(repository)) {
            if (isFolder(snapshot) && std::find(folders.begin(), folders.end(), snapshot) == folders.end()) {
                folders.push_back(snapshot);
            }
        }
    }
    return folders;
}

std::string hubName(const fs::path &path)
{
    const fs::path snapshots = path.parent_path();
    const std::string repository = snapshots.parent_path().filename().string();
    if (snapshots.filename() != "snapshots" || !repository.starts_with(kHubPrefix)) {
        return {};
    }
    // "models--distil-whisper--distil-small.en": owner and name
    const auto cut = repository.find("--", kHubPrefix.size());
    return repository.substr(cut == repository.npos ? kHubPrefix.size() : cut + 2);
}

std::string statedLicence(const fs::path &path)
{
    const std::string card = headOf((isFolder(path) ? path : path.parent_path()) / "README.md", kCardHeadBytes);
    if (!card.starts_with("---\n")) {
        return {};
    }
    const std::string head = card.substr(0, card.find("\n---", 3));
    const auto at = head.find("\nlicense:");
    if (at == head.npos) {
        return {};
    }
    std::string licence = head.substr(at + 9, head.find('\n', at + 1) - at - 9);
    std::erase_if(licence, [](unsigned char c) { return std::isalnum(c) == 0 && c != '.' && c != '-' && c != '_' && c != '+'; });
    return licence.substr(0, 60);
}

std::vector<UnreadModel> unreadModels(const std::vector<fs::path> &folders)
{
    std::vector<fs::path> places = folders;
    for (const fs::path &folder : cacheFolders()) {
        places.push_back(folder);
    }
    for (const char *name : {"whisper.cpp", "llama.cpp"}) {
        places.push_back(cacheHome() / name);
    }
    places.push_back(folderNamed("HOME") / "whisper.cpp" / "models");
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    std::vector<UnreadModel> found;
    for (const fs::path &place : places) {
        for (const fs::path &path : entriesOf(place)) {
            if (const std::string kind = unreadKind(path); !kind.empty()) {
                found.push_back({path, path.stem().string(), kind, bytesOf(path), "Files of this kind are not read yet; fetch the model in another form."});
            }
        }
    }
    return found;
}

}  // namespace braid::models
