#include "core/model_access/disk_models.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string_view>
#include <system_error>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/strict_json.h"
#include "core/model_access/model_files.h"
#include "core/weights/ggml_whisper.h"

namespace braid::models {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostEntries = 10000;  // of one folder
constexpr std::size_t kCardHeadBytes = 8192;
constexpr std::size_t kManifestBytes = 1 << 20;
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

// The commits that a repository's refs name ("main"), as folders of its snapshots.
std::vector<fs::path> snapshotsOf(const fs::path &repository)
{
    std::vector<fs::path> snapshots;
    for (const fs::path &ref : entriesOf(repository / "refs")) {
        std::string commit = firstBytes(ref, 64);
        commit.erase(std::find_if(commit.begin(), commit.end(), [](unsigned char c) { return std::isxdigit(c) == 0; }), commit.end());
        if (!commit.empty() && isFolder(repository / "snapshots" / commit)) {
            snapshots.push_back(repository / "snapshots" / commit);
        }
    }
    return snapshots.empty() ? entriesOf(repository / "snapshots") : snapshots;
}

// Where Ollama keeps models: a person's, then the service's.
std::vector<fs::path> ollamaStores()
{
    if (fs::path chosen = folderNamed("OLLAMA_MODELS"); !chosen.empty()) {
        return {chosen / "blobs"};
    }
    std::vector<fs::path> stores = {"/usr/share/ollama/.ollama/models/blobs"};
    if (const fs::path home = folderNamed("HOME"); !home.empty()) {
        stores.insert(stores.begin(), home / ".ollama/models/blobs");
    }
    return stores;
}

// Folders of LM Studio's: models/PUBLISHER/NAME.
std::vector<fs::path> studioFolders()
{
    std::vector<fs::path> folders;
    const fs::path home = folderNamed("HOME");
    for (const fs::path &store : {home / ".lmstudio/models", cacheHome() / "lm-studio/models"}) {
        for (const fs::path &publisher : home.empty() ? std::vector<fs::path>() : entriesOf(store)) {
            const std::vector<fs::path> names = entriesOf(publisher);
            folders.insert(folders.end(), names.begin(), names.end());
        }
    }
    return folders;
}

// The blob that a manifest names as the model's weights; empty where it names none.
std::string weightsBlob(const fs::path &manifest)
{
    try {
        const auto document = parseStrictJson(readTextFile(manifest, kManifestBytes), manifest.string(), ErrorKind::Model);
        for (const auto &layer : document.at("layers")) {
            if (layer.at("mediaType") == "application/vnd.ollama.image.model") {
                std::string digest = layer.at("digest").get<std::string>();
                std::replace(digest.begin(), digest.end(), ':', '-');
                return digest.starts_with("sha256-") && digest.find('/') == digest.npos ? digest : std::string();
            }
        }
    } catch (const std::exception &) {
        return {};  // of another kind, or damaged: nobody asked for it
    }
    return {};
}

}  // namespace

std::vector<fs::path> cacheFolders()
{
    std::vector<fs::path> folders = {cacheHome() / "whisper", cacheHome() / "whisper.cpp", folderNamed("HOME") / "whisper.cpp/models",
                                     cacheHome() / "llama.cpp"};
    for (const std::vector<fs::path> &more : {studioFolders(), ollamaStores()}) {
        folders.insert(folders.end(), more.begin(), more.end());
    }
    std::erase_if(folders, [](const fs::path &folder) { return !folder.is_absolute() || !isFolder(folder); });
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

bool isOllamaStore(const fs::path &folder)
{
    return folder.filename() == "blobs" && isFolder(folder.parent_path() / "manifests");
}

std::vector<OllamaModel> ollamaModels(const fs::path &blobs)
{
    std::vector<OllamaModel> models;
    for (const fs::path &host : entriesOf(blobs.parent_path() / "manifests")) {
        for (const fs::path &owner : entriesOf(host)) {
            for (const fs::path &name : entriesOf(owner)) {
                for (const fs::path &tag : entriesOf(name)) {
                    std::error_code missing;
                    const std::string blob = weightsBlob(tag);
                    if (!blob.empty() && fs::is_regular_file(blobs / blob, missing)) {
                        models.push_back({blobs / blob, name.filename().string() + ":" + tag.filename().string()});
                    }
                }
            }
        }
    }
    return models;
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
    const std::string card = firstBytes((isFolder(path) ? path : path.parent_path()) / "README.md", kCardHeadBytes);
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
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    std::vector<UnreadModel> found;
    for (const fs::path &place : places) {
        for (const fs::path &path : entriesOf(place)) {
            if (path.extension() == ".bin" && path.filename().string().starts_with("ggml-") && !weights::isGgmlWhisper(path)) {
                found.push_back(
                    {path, path.stem().string(), "ggml", bytesOf(path), "This is no Whisper of whisper.cpp, or a damaged one; fetch the model again."});
            }
        }
    }
    return found;
}

}  // namespace braid::models
