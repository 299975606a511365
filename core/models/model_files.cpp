#include "core/models/model_files.h"

#include <algorithm>
#include <system_error>

#include "core/base/error.h"

namespace braid::models {
namespace {

namespace fs = std::filesystem;

bool isModelFile(const fs::path &path)
{
    const std::string extension = path.extension().string();
    return extension == ".pt" || extension == ".ckpt" || extension == ".safetensors";
}

bool isModelFolder(const fs::path &path)
{
    std::error_code ignored;
    return fs::is_regular_file(path / "config.json", ignored);
}

std::vector<fs::path> modelsInOne(const fs::path &folder)
{
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

}  // namespace

std::string modelName(const fs::path &path)
{
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

fs::path findAmong(const std::string &name_or_path, std::span<const fs::path> folders, const std::string &kind, const std::function<bool(const fs::path &)> &wanted)
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

}  // namespace braid::models
