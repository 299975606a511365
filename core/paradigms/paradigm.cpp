#include "core/paradigms/paradigm.h"

#include <algorithm>
#include <numeric>

#include "core/base/error.h"

namespace braid::paradigms {

namespace {

struct Fed {
    std::int32_t stream = kSource;
    std::int64_t own_index = 0;
    std::int64_t step = 0;
};

std::int64_t sum(std::span<const std::int64_t> lengths)
{
    return std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0});
}

void requireExample(std::span<const std::int64_t> source_lengths, std::span<const std::int64_t> target_lengths, std::int64_t k)
{
    const auto empty = [](std::int64_t length) { return length < 1; };
    if (k < 1 || source_lengths.empty() || target_lengths.empty() || std::any_of(source_lengths.begin(), source_lengths.end(), empty) ||
        std::any_of(target_lengths.begin(), target_lengths.end(), empty)) {
        throw Error(ErrorKind::Internal, "an example for translation has no instruction, no header, an empty word, or a k below 1");
    }
}

// Feeds segments of one side, a step for each call that feeds anything.
class Feeder {
  public:
    void feed(std::int32_t stream, std::int64_t count)
    {
        for (std::int64_t i = 0; i < count; ++i) {
            m_fed.push_back({stream, m_next[stream]++, m_step});
        }
        m_step += count > 0 ? 1 : 0;
    }
    [[nodiscard]] const std::vector<Fed> &fed() const { return m_fed; }

  private:
    std::vector<Fed> m_fed;
    std::int64_t m_next[2] = {0, 0};
    std::int64_t m_step = 0;
};

// The order in which a run feeds the tokens. Source and target apart: the last token of a word is fed after the read that follows it, as
// it predicts the next word; in one queue it goes before, and the read's last token predicts.
std::vector<Fed> feedingOrder(bool one_queue, std::span<const std::int64_t> source_lengths, std::span<const std::int64_t> target_lengths, std::int64_t k,
                              HeaderTime header_time)
{
    Feeder feeder;
    std::size_t read = 0;
    const auto readUpTo = [&](std::int64_t segments) {
        for (; read < source_lengths.size() && static_cast<std::int64_t>(read) < segments; ++read) {
            feeder.feed(kSource, source_lengths[read]);
        }
    };
    std::int64_t held_back = 0;
    for (std::size_t word = 0; word < target_lengths.size(); ++word) {
        const bool is_early = word == 0 && header_time == HeaderTime::AfterInstruction;
        readUpTo(is_early ? 1 : k + static_cast<std::int64_t>(word) + (one_queue && word == 0 ? 1 : 0));
        if (one_queue) {
            feeder.feed(kTarget, target_lengths[word]);
        } else {
            feeder.feed(kTarget, held_back + target_lengths[word] - 1);
            held_back = 1;
        }
    }
    readUpTo(k + static_cast<std::int64_t>(target_lengths.size()));
    feeder.feed(kTarget, held_back);
    readUpTo(static_cast<std::int64_t>(source_lengths.size()));  // what nobody waited for
    return feeder.fed();
}

}  // namespace

Paradigm interleaved()
{
    return {causal(), {Counting::Arrival, 0}, {Counting::Arrival, 0}, Reencoding::None};
}

Paradigm batchStreaming(Reencoding reencoding)
{
    if (reencoding == Reencoding::None) {
        return {sourceApart(), {Counting::Arrival, 0}, {Counting::Arrival, 0}, reencoding};
    }
    return {sourceApart(), {Counting::Own, 0}, {Counting::AfterSource, 0}, reencoding};
}

Paradigm groupStreaming(double phi)
{
    return {sourceApart(), {Counting::Own, 0}, {Counting::Own, phi}, Reencoding::None};
}

Paradigm offlineBatch()
{
    return {sourceApart(), {Counting::Own, 0}, {Counting::AfterSource, 0}, Reencoding::None};
}

Paradigm withoutPositions(Removed removed)
{
    Paradigm paradigm = batchStreaming(Reencoding::None);
    if (removed != Removed::Target) {
        paradigm.source = {Counting::Nothing, 0};
    }
    if (removed != Removed::Source) {
        paradigm.target = {Counting::Nothing, 0};
    }
    return paradigm;
}

std::span<const ParadigmEntry> allParadigms()
{
    static constexpr ParadigmEntry kParadigms[] = {
        {"group", "Group streaming", "Source and target count their own positions: nothing is ever computed again", groupStreaming},
        {"batch-all", "Re-encode all", "After every read all that was written is fed again: what group streaming saves",
         [](double) { return batchStreaming(Reencoding::All); }},
        {"batch-positions", "Re-encode positions", "After every read the written tokens move to new positions",
         [](double) { return batchStreaming(Reencoding::Positions); }},
        {"batch", "No re-encoding", "Positions by arrival; the source does not see the target", [](double) { return batchStreaming(Reencoding::None); }},
        {"interleaved", "Interleaved", "Source and target in one row, as they come", [](double) { return interleaved(); }},
        {"offline", "Offline", "Reads the whole sentence, then writes", [](double) { return offlineBatch(); }},
        {"no-source-positions", "No source positions", "No re-encoding, without positions of the source",
         [](double) { return withoutPositions(Removed::Source); }, Offered::ForMeasuring},
        {"no-target-positions", "No target positions", "No re-encoding, without positions of the target",
         [](double) { return withoutPositions(Removed::Target); }, Offered::ForMeasuring},
        {"no-positions", "No positions", "No re-encoding, without any positions", [](double) { return withoutPositions(Removed::Both); },
         Offered::ForMeasuring},
    };
    return kParadigms;
}

std::string paradigmNames()
{
    std::string names;
    for (const ParadigmEntry &entry : allParadigms()) {
        names += (names.empty() ? "" : ", ") + std::string(entry.name);
    }
    return names;
}

Paradigm paradigmNamed(std::string_view name, double phi)
{
    const auto entries = allParadigms();
    const auto found = std::find_if(entries.begin(), entries.end(), [name](const ParadigmEntry &entry) { return entry.name == name; });
    if (found == entries.end()) {
        throw Error(ErrorKind::Usage, "there is no paradigm \"" + std::string(name.substr(0, 60)) + "\"", {}, "There are " + paradigmNames());
    }
    return found->make(phi);
}

double positionOf(const StreamPositions &positions, std::int64_t own_index, std::int64_t arrived, std::int64_t source_count)
{
    switch (positions.counting) {
    case Counting::Arrival:
        return positions.offset + static_cast<double>(arrived);
    case Counting::Own:
        return positions.offset + static_cast<double>(own_index);
    case Counting::AfterSource:
        return positions.offset + static_cast<double>(source_count + own_index);
    case Counting::Nothing:
        break;
    }
    return positions.offset;
}

TrainingTokens waitKTokens(const Paradigm &paradigm, std::span<const std::int64_t> source_lengths, std::span<const std::int64_t> target_lengths, std::int64_t k,
                           HeaderTime header_time, std::int64_t learned_from)
{
    requireExample(source_lengths, target_lengths, k);
    if (paradigm.reencoding != Reencoding::None) {
        throw Error(ErrorKind::Internal, "a paradigm that computes again has no single training mask");
    }
    const bool one_queue = paradigm.visibility == causal();
    const std::vector<Fed> order = feedingOrder(one_queue, source_lengths, target_lengths, k, header_time);
    const std::int64_t source_count = sum(source_lengths);
    const std::int64_t first_learned = learned_from < 0 ? target_lengths.front() : std::max<std::int64_t>(learned_from, 1);

    TrainingTokens tokens;
    tokens.entries.resize(order.size());
    tokens.token_of.resize(order.size());
    tokens.counts.assign(order.size(), 0);
    const auto placeOf = [&](std::size_t arrived) {
        const Fed &fed = order[arrived];
        return one_queue ? arrived : static_cast<std::size_t>(fed.own_index + (fed.stream == kTarget ? source_count : 0));
    };
    for (std::size_t arrived = 0; arrived < order.size(); ++arrived) {
        const Fed &fed = order[arrived];
        const std::size_t place = placeOf(arrived);
        const StreamPositions &positions = fed.stream == kSource ? paradigm.source : paradigm.target;
        tokens.entries[place] = {fed.stream, positionOf(positions, fed.own_index, static_cast<std::int64_t>(arrived), source_count), fed.step,
                                 EntryKind::Token};
        tokens.token_of[place] = fed.own_index + (fed.stream == kTarget ? source_count : 0);
        if (fed.stream == kTarget && fed.own_index >= first_learned) {
            // In one queue what was fed just before predicts it, else the target token before it.
            tokens.counts[one_queue ? arrived - 1 : place - 1] = 1;
        }
    }
    return tokens;
}

std::vector<TrainingTokens> reencodedTokens(std::span<const std::int64_t> source_lengths, std::span<const std::int64_t> target_lengths, std::int64_t k)
{
    requireExample(source_lengths, target_lengths, k);
    const auto segments = static_cast<std::int64_t>(source_lengths.size());
    const auto words = static_cast<std::int64_t>(target_lengths.size());
    const std::int64_t source_count = sum(source_lengths);
    std::vector<TrainingTokens> states;
    for (std::int64_t word = 1; word < words;) {
        const std::int64_t read = std::min(k + word, segments);
        const std::int64_t end = read == segments ? words : word + 1;  // once all is read nothing changes any more
        const std::int64_t source = sum(source_lengths.first(static_cast<std::size_t>(read)));
        const std::int64_t before = sum(target_lengths.first(static_cast<std::size_t>(word)));
        const std::int64_t target = sum(target_lengths.first(static_cast<std::size_t>(end)));
        TrainingTokens tokens;
        for (std::int64_t i = 0; i < source + target; ++i) {
            const bool is_source = i < source;
            tokens.entries.push_back({is_source ? kSource : kTarget, static_cast<double>(i), is_source ? 0 : 1, EntryKind::Token});
            tokens.token_of.push_back(is_source ? i : source_count + i - source);
            tokens.counts.push_back(i >= source + before - 1 && i < source + target - 1 ? 1 : 0);
        }
        states.push_back(std::move(tokens));
        word = end;
    }
    return states;
}

}  // namespace braid::paradigms
