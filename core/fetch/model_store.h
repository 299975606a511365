// What Braid has fetched: where it lies, what of it is checked, how it is removed and taken back. Models lie beside those that a person puts there
// (userDataFolder()/models): a single file as NAME.pt, several as a folder NAME. Notes of them are kept in folders whose names begin with a dot:
//   .fetching/NAME   parts of a model that is being fetched, and what they belong to
//   .fetched/NAME.json   what a fetched model is: its files, sizes, checksums
//   .removed/NAME   a removed model, until nobody can want it back
//
// Thread: any, one at a time for one model. Errors: Error(Storage), Error(Model).
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/fetch/fetch_plan.h"

namespace braid::fetch {

// userDataFolder()/models.
[[nodiscard]] std::filesystem::path storeFolder();

enum class StoreState : std::uint8_t { Missing = 1, PartlyHere, Here };

class ModelStore {
  public:
    explicit ModelStore(std::filesystem::path folder = storeFolder());

    [[nodiscard]] const std::filesystem::path &folder() const noexcept { return m_folder; }
    // Where a model of this plan lies when it is whole.
    [[nodiscard]] std::filesystem::path pathOf(const FetchPlan &plan) const;
    [[nodiscard]] std::filesystem::path fileOf(const FetchPlan &plan, const WantedFile &file) const;
    [[nodiscard]] std::filesystem::path stagingOf(const std::string &name) const { return m_folder / ".fetching" / name; }

    // What was fetched under this name and is there; empty where nothing is.
    [[nodiscard]] std::optional<FetchPlan> find(const std::string &name) const;
    // All that was fetched and is there, by name.
    [[nodiscard]] std::vector<FetchPlan> all() const;
    // How much of a model that is not whole lies here; 0: nothing.
    [[nodiscard]] std::uint64_t bytesOfParts(const std::string &name) const;
    [[nodiscard]] StoreState stateOf(const std::string &name) const;

    // The files of `staging` become the model; nothing is visible before. Throws Error(Storage) where something else lies there.
    void install(const FetchPlan &plan) const;
    // Takes the model away, so that takeBack() can still undo it, and parts of it for good. Throws Error(Model) where Braid did not fetch it.
    void remove(const std::string &name) const;
    void takeBack(const std::string &name) const;
    // Deletes what remove() kept.
    void forgetRemoved() const;
    // Reads every file again. Returns a sentence for each that is missing, of another size or another content. Throws Error(Model) where nothing of this name
    // was fetched, Error(Cancelled).
    [[nodiscard]] std::vector<std::string> check(const std::string &name, const std::function<void(std::uint64_t done, std::uint64_t total)> &progress,
                                                 std::stop_token stop) const;

  private:
    [[nodiscard]] std::filesystem::path noteOf(const std::string &name) const { return m_folder / ".fetched" / (name + ".json"); }
    [[nodiscard]] FetchPlan findOrThrow(const std::string &name) const;
    std::filesystem::path m_folder;
};

// Whether the file's content is what `wanted` says; `read` hears how many bytes are done.
[[nodiscard]] bool hasRightChecksum(const std::filesystem::path &path, const WantedFile &wanted, const std::function<void(std::uint64_t)> &read,
                                    std::stop_token stop);
// "1.6 GB", "75.6 MB", "912 bytes".
[[nodiscard]] std::string bytesText(std::uint64_t bytes);

}  // namespace braid::fetch
