#include "core/model_access/model_files.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <system_error>

#include "core/base/error.h"
#include "core/model_access/disk_models.h"
#include "core/weights/ggml_whisper.h"
#include "core/weights/huggingface_lm.h"

namespace braid::models {
namespace {

namespace fs = std::filesystem;

bool isModelFile(const fs::path &path)
{
    return hasModelExtension(path) && (path.extension() != ".bin" || weights::isGgmlWhisper(path));
}

bool isModelFolder(const fs::path &path)
{
    std::error_code ignored;
    return fs::is_regular_file(path / "config.json", ignored);
}

std::vector<fs::path> modelsInOne(const fs::path &folder)
{
    if (isOllamaStore(folder)) {
        std::vector<fs::path> found;
        for (OllamaModel &model : ollamaModels(folder)) {
            found.push_back(std::move(model.path));
        }
        return found;
    }
    if (isModelFolder(folder)) {
        return {folder};
    }
    std::vector<fs::path> found;
    std::error_code failure;
    for (fs::directory_iterator it(folder, failure), end; !failure && it != end; it.increment(failure)) {
        std::error_code ignored;
        if ((it->is_directory(ignored) && isModelFolder(it->path())) || (it->is_regular_file(ignored) && isModelFile(it->path()))) {
            found.push_back(it->path());
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

std::vector<fs::path> present(std::vector<fs::path> folders)
{
    std::erase_if(folders, [](const fs::path &folder) {
        std::error_code missing;
        return !fs::is_directory(folder, missing);
    });
    return folders;
}

fs::path findAmong(const std::string &name_or_path, std::span<const fs::path> folders, const std::string &kind, bool (*wanted)(const fs::path &))
{
    std::error_code ignored;
    if (!name_or_path.empty() && fs::exists(name_or_path, ignored)) {
        return name_or_path;
    }
    std::string known;
    for (const fs::path &path : modelsIn(folders)) {
        if (!wanted(path)) {
            continue;
        }
        if (modelName(path) == name_or_path || path.filename() == name_or_path) {
            return path;
        }
        known += (known.empty() ? "" : ", ") + modelName(path);
    }
    throw Error(ErrorKind::Model, "there is no " + kind + " of this name and no such file or folder", name_or_path,
                known.empty() ? "No " + kind + "s were found at all; name a model's folder with its path" : "There are: " + known);
}

}  // namespace

bool hasModelExtension(const fs::path &path)
{
    const fs::path extension = path.extension();
    return extension == ".pt" || extension == ".ckpt" || extension == ".safetensors" || extension == ".bin" || extension == ".gguf";
}

std::string modelName(const fs::path &path)
{
    // A snapshot in Hugging Face's cache is called as its repository is, not by its commit.
    if (std::string name = hubName(path); !name.empty()) {
        return name;
    }
    if (isOllamaStore(path.parent_path())) {
        for (const OllamaModel &model : ollamaModels(path.parent_path())) {
            if (model.path == path) {
                return model.name;
            }
        }
    }
    fs::path named = path;
    while (!named.has_filename() && named.has_parent_path() && named.parent_path() != named) {
        named = named.parent_path();  // "models/captions-en/" is captions-en
    }
    return isModelFile(named) ? named.stem().string() : named.filename().string();
}

std::uint64_t bytesOf(const fs::path &path)
{
    std::error_code failure;
    if (fs::is_regular_file(path, failure)) {
        const auto size = fs::file_size(path, failure);
        return failure ? 0 : size;
    }
    std::uint64_t total = 0;
    for (fs::directory_iterator it(path, failure), end; !failure && it != end; it.increment(failure)) {
        std::error_code no_size;
        const auto size = it->is_regular_file(no_size) ? it->file_size(no_size) : 0;
        total += no_size ? 0 : size;
    }
    return total;
}

std::vector<fs::path> modelsIn(std::span<const fs::path> folders)
{
    std::vector<fs::path> found;
    for (const fs::path &folder : folders) {
        for (const fs::path &path : modelsInOne(folder)) {
            if (std::find(found.begin(), found.end(), path) == found.end()) {
                found.push_back(path);
            }
        }
    }
    return found;
}

fs::path findModel(const std::string &name_or_path, std::span<const fs::path> folders)
{
    return findAmong(name_or_path, folders, "model", [](const fs::path &path) { return !weights::isLanguageModel(path); });
}

fs::path findLanguageModel(const std::string &name_or_path, std::span<const fs::path> folders)
{
    return findAmong(name_or_path, folders, "language model", weights::isLanguageModel);
}

fs::path userDataFolder()
{
    if (const char *data = std::getenv("XDG_DATA_HOME"); data != nullptr && *data == '/') {
        return fs::path(data) / "braid";
    }
    const char *home = std::getenv("HOME");
    return home != nullptr && *home == '/' ? fs::path(home) / ".local/share/braid" : fs::path();
}

fs::path journalsFolder()
{
    const fs::path data = userDataFolder();
    if (data.empty()) {
        throw Error(ErrorKind::Usage, "there is no place for journals: neither HOME nor XDG_DATA_HOME names a folder", {},
                    "Set HOME, or name a folder with --journal");
    }
    return data / "sessions";
}

fs::path programsResources(const fs::path &program_folder)
{
    std::error_code problem;
    const fs::path installed = (program_folder / "../share/braid").lexically_normal();
    return !program_folder.empty() && fs::is_directory(installed, problem) ? installed : fs::path(BRAID_SOURCE_DIR "/resources");
}

std::vector<fs::path> resourceFolders(const char *kind)
{
    std::vector<fs::path> folders;
    std::error_code problem;
    const fs::path program = fs::read_symlink("/proc/self/exe", problem);
    folders.push_back(programsResources(problem ? fs::path() : program.parent_path()) / kind);
    if (const fs::path own = userDataFolder(); !own.empty()) {
        folders.push_back(own / kind);
    }
    return present(std::move(folders));
}

std::vector<fs::path> modelFolders()
{
    std::vector<fs::path> folders;
    const char *chosen = std::getenv("BRAID_MODELS");
    std::istringstream list(chosen != nullptr ? chosen : "");
    for (std::string folder; std::getline(list, folder, ':');) {
        if (!folder.empty()) {
            folders.emplace_back(folder);
        }
    }
    const std::vector<fs::path> shared = resourceFolders("models");
    folders.insert(folders.end(), shared.begin(), shared.end());
    const std::vector<fs::path> others = cacheFolders();  // of other programs, last
    folders.insert(folders.end(), others.begin(), others.end());
    return present(std::move(folders));
}

}  // namespace braid::models
