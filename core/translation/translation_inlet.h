// What the owner of a translation gives its worker: source in order, and wishes of which only the newest counts.
// Thread: the owner puts, the worker takes; one mutex, never held while anything is computed.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/translation/translation_engine.h"

namespace braid::translation {

struct SentenceEndWish {};
struct SourceEnd {};
struct SourcePiece {
    std::variant<std::string, std::vector<text::TranscriptItem>, SentenceEndWish, SourceEnd> what;
    double arrived_ms = 0;  // since the run began
};

struct TranslationWishes {
    std::optional<TranslationSettings> settings;
    std::optional<Translator> translator;
};

class TranslationInlet {
  public:
    // --- owner
    void put(SourcePiece piece)
    {
        const std::lock_guard lock(m_mutex);
        if (!m_ended) {
            m_ended = std::holds_alternative<SourceEnd>(piece.what);
            m_pieces.push_back(std::move(piece));
            m_news.notify_all();
        }
    }
    void wish(const TranslationSettings &settings)
    {
        const std::lock_guard lock(m_mutex);
        m_wishes.settings = settings;
        m_news.notify_all();
    }
    void wish(Translator translator)
    {
        const std::lock_guard lock(m_mutex);
        m_wishes.translator = std::move(translator);
        m_news.notify_all();
    }

    // --- worker
    [[nodiscard]] std::deque<SourcePiece> takePieces()
    {
        const std::lock_guard lock(m_mutex);
        return std::exchange(m_pieces, {});
    }
    [[nodiscard]] TranslationWishes takeWishes()
    {
        const std::lock_guard lock(m_mutex);
        return std::exchange(m_wishes, {});
    }
    // Until something is there to take, `stop` is requested, or the time is up.
    void wait(std::stop_token stop, std::optional<std::chrono::milliseconds> time)
    {
        std::unique_lock lock(m_mutex);
        const auto is_there = [this] { return !m_pieces.empty() || m_wishes.settings || m_wishes.translator; };
        if (time) {
            m_news.wait_for(lock, stop, *time, is_there);
        } else {
            m_news.wait(lock, stop, is_there);
        }
    }

  private:
    std::mutex m_mutex;
    std::condition_variable_any m_news;
    std::deque<SourcePiece> m_pieces;
    TranslationWishes m_wishes;
    bool m_ended = false;
};

}  // namespace braid::translation
