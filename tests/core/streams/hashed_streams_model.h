// A model for tests whose predictions depend on exactly what a query may see: a hash over the tokens, streams, steps and positions
// that are visible to it. Two runs agree only where everything that matters was the same. Words can be scripted over it.
#pragma once

#include <cmath>
#include <functional>
#include <vector>

#include "core/base/error.h"
#include "core/base/random.h"
#include "core/streams/streams_model.h"

class HashedStreamsModel : public braid::streams::StreamsModel {
  public:
    explicit HashedStreamsModel(std::int32_t vocabulary, std::int32_t silence = 0)
        : m_vocabulary(vocabulary)
        , m_silence(silence)
    {
    }

    // What a stream says at a row, in place of the hash; nothing: -1.
    std::function<std::int32_t(int stream, std::int64_t step)> script;
    std::vector<std::vector<braid::streams::StreamInput>> calls;
    bool forgets = false;       // cannot rewind
    bool forgets_gone = false;  // drops what has left the window
    int fails_at_call = -1;     // throws there, after having taken the inputs
    std::int64_t most_positions = 0;

    void begin(const braid::paradigms::Visibility &visibility, std::size_t) override
    {
        m_visibility = visibility;
        m_cache.clear();
    }
    std::vector<braid::streams::Prediction> feed(std::span<const braid::streams::StreamInput> inputs, const braid::streams::PredictionRequest &request) override
    {
        using namespace braid::streams;
        calls.emplace_back(inputs.begin(), inputs.end());
        const std::size_t before = m_cache.size();
        m_cache.insert(m_cache.end(), inputs.begin(), inputs.end());
        if (fails_at_call == static_cast<int>(calls.size())) {
            throw braid::Error(braid::ErrorKind::Device, "the device is gone");
        }
        std::vector<Prediction> predictions;
        for (const int stream : request.streams) {
            std::size_t query = m_cache.size();
            std::vector<Entry> entries;
            for (std::size_t i = 0; i < m_cache.size(); ++i) {
                query = i >= before && m_cache[i].entry.stream == stream ? i : query;
                entries.push_back(m_cache[i].entry);
            }
            std::uint64_t sum = 0;
            for (std::size_t i = 0; i < m_cache.size(); ++i) {
                const StreamInput &key = m_cache[i];
                if (braid::paradigms::sees(m_visibility, entries, query, i)) {
                    sum += braid::Random(static_cast<std::uint64_t>(key.token), "key",
                                         static_cast<std::uint64_t>(key.entry.stream * 1'000'003 + key.entry.step * 7919) +
                                             static_cast<std::uint64_t>(key.entry.position * 2))
                               .next();
                }
            }
            Prediction prediction;
            prediction.stream = stream;
            braid::Random random(sum, "logits", static_cast<std::uint64_t>(stream));
            const std::int32_t said = script ? script(stream, entries[query].step + 1) : -1;
            double total = 0;
            for (std::int32_t token = 0; token < m_vocabulary; ++token) {
                auto logit = static_cast<float>(random.unit() * 4 - (token >= 1 && token <= 256 ? 8 : 0));
                logit += token == said ? 50 : 0;
                prediction.candidates.push_back({token, logit});
                total += std::exp(logit);
            }
            prediction.log_sum = std::log(total);
            std::sort(prediction.candidates.begin(), prediction.candidates.end(),
                      [](const Candidate &a, const Candidate &b) { return a.logit > b.logit || (a.logit == b.logit && a.token < b.token); });
            if (request.most_candidates > 0 && prediction.candidates.size() > request.most_candidates) {
                const auto silence =
                    std::find_if(prediction.candidates.begin(), prediction.candidates.end(), [&](const Candidate &c) { return c.token == m_silence; });
                const Candidate kept = *silence;
                const bool far = silence - prediction.candidates.begin() >= static_cast<std::ptrdiff_t>(request.most_candidates);
                prediction.candidates.resize(request.most_candidates);
                if (far) {
                    prediction.candidates.push_back(kept);
                }
            }
            predictions.push_back(std::move(prediction));
        }
        if (m_visibility.silent == braid::paradigms::SpecialEntries::Hidden) {
            std::erase_if(m_cache, [](const StreamInput &input) { return input.entry.kind == EntryKind::Silent; });
        }
        if (forgets_gone && !m_cache.empty()) {
            const std::int64_t next = m_cache.back().entry.step + 1;
            std::erase_if(m_cache, [&](const StreamInput &input) { return braid::paradigms::isGone(m_visibility, input.entry, next); });
        }
        return predictions;
    }
    // All that is visible, and itself, alike.
    std::vector<braid::streams::AttendedEntry> look(const braid::streams::StreamInput &query, const braid::streams::LookOptions &) override
    {
        using namespace braid::streams;
        std::vector<Entry> entries;
        for (const StreamInput &input : m_cache) {
            entries.push_back(input.entry);
        }
        entries.push_back(query.entry);
        std::vector<AttendedEntry> attended;
        for (std::size_t i = 0; i < entries.size(); ++i) {
            if (braid::paradigms::sees(m_visibility, entries, entries.size() - 1, i)) {
                attended.push_back({entries[i], i < m_cache.size() ? m_cache[i].token : query.token, 0});
            }
        }
        for (AttendedEntry &entry : attended) {
            entry.weight = 1.0F / static_cast<float>(attended.size());
        }
        return attended;
    }
    Mark mark() const override { return static_cast<Mark>(m_cache.size()); }
    Rewinding rewind(Mark mark) override
    {
        if (forgets) {
            return Rewinding::Forgotten;
        }
        m_cache.resize(static_cast<std::size_t>(mark));
        return Rewinding::Done;
    }
    std::int64_t entries() const override { return static_cast<std::int64_t>(m_cache.size()); }
    std::int64_t mostPositions() const override { return most_positions; }

  private:
    std::int32_t m_vocabulary;
    std::int32_t m_silence;
    braid::paradigms::Visibility m_visibility;
    std::vector<braid::streams::StreamInput> m_cache;
};
