// Batches ahead of time: worker threads make them while the trainer computes. They come in the same order and with the same content
// however many threads there are. Thread: next() from one thread. Errors: what a worker threw comes out of next().
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "lab/train/batch.h"
#include "lab/train/window_maker.h"

namespace braid::train {

// Where a run is in its data: batch `number` of epoch `epoch` comes next.
struct LoaderPlace {
    std::uint64_t epoch = 0;
    std::uint64_t number = 0;
};

class Loader {
  public:
    // Everything given must outlive the loader.
    Loader(const SpeechLibrary &library, const WindowMaker &maker, const Recipe &recipe, LoaderPlace from);
    ~Loader();
    Loader(const Loader &) = delete;
    Loader &operator=(const Loader &) = delete;

    struct Item {
        Batch batch;
        LoaderPlace place;  // of this batch
        bool ends_epoch = false;
    };
    [[nodiscard]] Item next();

  private:
    void work();
    // Gives out the next batch to make; plans an epoch when one begins. Called with the lock held.
    [[nodiscard]] LoaderPlace claim(PlannedBatch &planned, bool &ends_epoch);

    const SpeechLibrary &m_library;
    const WindowMaker &m_maker;
    const Recipe &m_recipe;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::vector<PlannedBatch> m_plan;
    LoaderPlace m_claim;          // the next to be claimed
    std::uint64_t m_claimed = 0;  // how many were
    std::uint64_t m_taken = 0;    // how many next() gave
    std::map<std::uint64_t, Item> m_ready;
    std::exception_ptr m_failure;
    bool m_is_stopping = false;
    std::vector<std::thread> m_threads;
};

}  // namespace braid::train
