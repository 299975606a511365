// Fetches one model of the catalogue: asks for room on the disk, goes on where an earlier try ended, and puts the model in its place only when every size
// and checksum is right. A request is made only from here and from makePlan(), and only because somebody asked for this model.
//
// Thread: the caller's, which it blocks (FetchJob has a thread of its own). Errors: Error(Model), Error(Input), Error(Storage), Error(Cancelled), each with
// what to do; parts that are worth keeping are kept.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>

#include "core/fetch/catalogue.h"
#include "core/fetch/fetch_plan.h"
#include "core/fetch/model_store.h"

namespace braid::fetch {

enum class FetchStage : std::uint8_t { Asking = 1, Fetching, Waiting, Checking };

struct FetchProgress {
    FetchStage stage = FetchStage::Asking;
    std::uint64_t done_bytes = 0;
    std::uint64_t total_bytes = 0;  // 0: not known
    std::string trouble;            // Waiting: why the next try comes, a clause
};

struct FetchOptions {
    ModelStore store;
    HubAccess hub;
    // What is free where this folder lies, in bytes.
    std::function<std::uint64_t(const std::filesystem::path &)> free_bytes;
    // Between two tries; ends early on the stop.
    std::function<void(std::chrono::milliseconds, const std::stop_token &)> wait;
    int most_tries_without_progress = 6;
};
// Of this machine: its store, its environment, its disk.
[[nodiscard]] FetchOptions fetchOptions();

// Returns where the model lies. One that is there already is left as it is.
std::filesystem::path fetchModel(const CatalogueEntry &entry, const FetchOptions &options, const std::function<void(const FetchProgress &)> &progress,
                                 std::stop_token stop);

}  // namespace braid::fetch
