// What the Models page needs in order to offer models that can be fetched; handed in by the program or a test. Without it the page shows what is installed.
// Functions marked "any thread" may take long and throw braid::Error; the rest are quick and belong to the GUI thread.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <QString>
#include <QStringList>

#include "ui/state/services.h"

namespace braid::ui {

enum class OfferState : std::uint8_t { ToFetch = 1, PartlyHere, Here };

// A model of the catalogue.
struct ModelOffer {
    QString name;
    QString title;
    QString purpose;
    QString use;                     // "Captions", "Translation and streams"
    QStringList languages;           // codes; empty: not stated
    QString licence;                 // empty: not stated
    QString page;                    // an address for people
    bool asks_first = false;         // its page wants terms accepted before it gives the files
    std::uint64_t bytes = 0;         // 0: not known before it is asked for
    std::uint64_t memory_bytes = 0;  // 0: not known
    OfferState state = OfferState::ToFetch;
};

enum class FetchState : std::uint8_t { Running = 1, Done, Failed, Cancelled };

struct FetchLook {
    QString name;
    FetchState state = FetchState::Running;
    double fraction = -1;  // below 0: not known
    QString line;          // "12.0 MB of 75.6 MB, 3.1 MB/s, 21 s left"
    QString problem;       // Failed: a sentence
};

struct FetchDesk {
    std::function<std::vector<ModelOffer>()> list_offers;           // any thread; asks nobody
    std::function<std::vector<ModelEntry>()> list_language_models;  // any thread
    std::function<void(const QString &name)> start;                 // asks the network, because a person pressed Get
    std::function<void(const QString &name)> cancel;                // what came so far is kept
    std::function<std::vector<FetchLook>()> looks;                  // of all that run, and of each that ended since the last call
    std::function<bool(const QString &name)> remove;                // any thread; takeBack() can undo it
    std::function<bool(const QString &name)> take_back;             // any thread
    [[nodiscard]] bool isThere() const { return static_cast<bool>(list_offers); }
};

}  // namespace braid::ui
