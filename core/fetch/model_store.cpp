#include "core/fetch/model_store.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <system_error>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/fetch/digest.h"
#include "core/fetch/safe_names.h"
#include "core/model_access/model_files.h"

namespace braid::fetch {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostNoteBytes = 4u << 20;

[[noreturn]] void failStoring(const fs::path &path, const std::error_code &failure)
{
    throw Error(ErrorKind::Storage, "it cannot be put there: " + failure.message(), path.string(), "Is the folder writable?");
}

void makeFolder(const fs::path &folder)
{
    std::error_code failure;
    fs::create_directories(folder, failure);
    if (failure) {
        failStoring(folder, failure);
    }
}

void move(const fs::path &from, const fs::path &to)
{
    std::error_code failure;
    makeFolder(to.parent_path());
    fs::rename(from, to, failure);
    if (failure) {
        failStoring(to, failure);
    }
}

bool isThere(const fs::path &path)
{
    std::error_code ignored;
    return fs::symlink_status(path, ignored).type() != fs::file_type::not_found;
}

void removeAll(const fs::path &path)
{
    std::error_code failure;
    fs::remove_all(path, failure);
    if (failure) {
        failStoring(path, failure);
    }
}

}  // namespace

fs::path storeFolder()
{
    const fs::path data = models::userDataFolder();
    if (data.empty()) {
        throw Error(ErrorKind::Usage, "there is no place for models: neither HOME nor XDG_DATA_HOME names a folder", {}, "Set HOME");
    }
    return data / "models";
}

ModelStore::ModelStore(fs::path folder)
    : m_folder(std::move(folder))
{
}

fs::path ModelStore::pathOf(const FetchPlan &plan) const
{
    const bool is_one_file = plan.files.size() == 1 && models::hasModelExtension(plan.files.front().path);
    return m_folder / (is_one_file ? plan.name + fs::path(plan.files.front().path).extension().string() : plan.name);
}

fs::path ModelStore::fileOf(const FetchPlan &plan, const WantedFile &file) const
{
    const fs::path path = pathOf(plan);
    return path.filename() == plan.name ? path / file.path : path;
}

std::optional<FetchPlan> ModelStore::find(const std::string &name) const
{
    if (!isSafeName(name) || !isThere(noteOf(name))) {
        return {};
    }
    try {
        FetchPlan plan = planFromJson(readTextFile(noteOf(name), kMostNoteBytes), noteOf(name).string());
        plan.name = name;
        return !plan.files.empty() && isThere(pathOf(plan)) ? std::optional(plan) : std::nullopt;
    } catch (const Error &) {
        return {};  // a note that cannot be read says nothing; the model itself is found all the same
    }
}

FetchPlan ModelStore::findOrThrow(const std::string &name) const
{
    if (auto plan = find(name)) {
        return *plan;
    }
    throw Error(ErrorKind::Model, "no model of this name was fetched", name,
                "Only what Braid fetched is checked and removed; what you put there yourself stays yours");
}

std::vector<FetchPlan> ModelStore::all() const
{
    std::vector<FetchPlan> plans;
    std::error_code failure;
    for (fs::directory_iterator it(m_folder / ".fetched", failure), end; !failure && it != end; it.increment(failure)) {
        if (it->path().extension() == ".json") {
            if (auto plan = find(it->path().stem().string())) {
                plans.push_back(std::move(*plan));
            }
        }
    }
    std::sort(plans.begin(), plans.end(), [](const FetchPlan &a, const FetchPlan &b) { return a.name < b.name; });
    return plans;
}

std::uint64_t ModelStore::bytesOfParts(const std::string &name) const
{
    std::uint64_t total = 0;
    std::error_code failure;
    if (!isSafeName(name)) {
        return 0;
    }
    for (fs::recursive_directory_iterator it(stagingOf(name) / "files", failure), end; !failure && it != end; it.increment(failure)) {
        std::error_code no_size;
        const auto size = it->is_regular_file(no_size) ? it->file_size(no_size) : 0;
        total += no_size ? 0 : size;
    }
    return total;
}

StoreState ModelStore::stateOf(const std::string &name) const
{
    return find(name) ? StoreState::Here : bytesOfParts(name) > 0 ? StoreState::PartlyHere : StoreState::Missing;
}

void ModelStore::install(const FetchPlan &plan) const
{
    const fs::path target = pathOf(plan);
    if (isThere(target)) {
        throw Error(ErrorKind::Storage, "something of this name lies there already", target.string(), "Move it away and fetch again; what was fetched is kept");
    }
    makeFolder(m_folder / ".fetched");
    writeFileAtomically(noteOf(plan.name), planAsJson(plan));
    const fs::path files = stagingOf(plan.name) / "files";
    move(target.filename() == plan.name ? files : files / plan.files.front().path, target);
    removeAll(stagingOf(plan.name));
}

void ModelStore::remove(const std::string &name) const
{
    if (!isSafeName(name)) {
        static_cast<void>(findOrThrow(name));
    }
    const bool had_parts = isThere(stagingOf(name));
    if (had_parts) {
        removeAll(stagingOf(name));
    }
    const auto plan = find(name);
    if (!plan && had_parts) {
        return;
    }
    const fs::path path = pathOf(plan ? *plan : findOrThrow(name));
    const fs::path kept = m_folder / ".removed" / name;
    removeAll(kept);
    move(path, kept / path.filename());
    move(noteOf(name), kept / "note.json");
}

void ModelStore::takeBack(const std::string &name) const
{
    const fs::path kept = m_folder / ".removed" / name;
    if (!isSafeName(name) || !isThere(kept / "note.json")) {
        throw Error(ErrorKind::Model, "it cannot be taken back any more", name, "Fetch it again");
    }
    FetchPlan plan = planFromJson(readTextFile(kept / "note.json", kMostNoteBytes), (kept / "note.json").string());
    plan.name = name;
    const fs::path path = pathOf(plan);
    if (isThere(path)) {
        throw Error(ErrorKind::Storage, "something of this name lies there already", path.string());
    }
    move(kept / path.filename(), path);
    move(kept / "note.json", noteOf(name));
    removeAll(kept);
}

void ModelStore::forgetRemoved() const
{
    removeAll(m_folder / ".removed");
}

std::vector<std::string> ModelStore::check(const std::string &name, const std::function<void(std::uint64_t, std::uint64_t)> &progress,
                                           std::stop_token stop) const
{
    const FetchPlan plan = findOrThrow(name);
    std::vector<std::string> problems;
    std::uint64_t before = 0;
    for (const WantedFile &file : plan.files) {
        const fs::path path = fileOf(plan, file);
        std::error_code failure;
        const auto bytes = fs::file_size(path, failure);
        if (failure) {
            problems.push_back(path.string() + " is missing.");
        } else if (file.bytes != 0 && bytes != file.bytes) {
            problems.push_back(path.string() + " has " + std::to_string(bytes) + " bytes, not " + std::to_string(file.bytes) + ".");
        } else if (!hasRightChecksum(
                       path, file, [&](std::uint64_t done) { progress ? progress(before + done, plan.bytes()) : void(); }, stop)) {
            problems.push_back(path.string() + " has other content than what was fetched.");
        }
        before += file.bytes;
    }
    return problems;
}

bool hasRightChecksum(const fs::path &path, const WantedFile &wanted, const std::function<void(std::uint64_t)> &read, std::stop_token stop)
{
    return !wanted.sha256.empty() ? digestOfFile(path, DigestKind::Sha256, read, std::move(stop)) == wanted.sha256
                                  : digestOfFile(path, DigestKind::GitBlob, read, std::move(stop)) == wanted.git_blob;
}

std::string bytesText(std::uint64_t bytes)
{
    if (bytes < 1000) {
        return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
    }
    static constexpr std::array kUnits = {"kB", "MB", "GB", "TB"};
    double value = static_cast<double>(bytes) / 1000;
    std::size_t unit = 0;
    while (value >= 999.95 && unit + 1 < kUnits.size()) {
        value /= 1000;
        ++unit;
    }
    char text[32];
    std::snprintf(text, sizeof text, value < 100 ? "%.1f %s" : "%.0f %s", value, kUnits[unit]);
    return text;
}

}  // namespace braid::fetch
