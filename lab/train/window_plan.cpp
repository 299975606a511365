#include "lab/train/window_plan.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "lab/train/random.h"

namespace braid::train {

namespace {

constexpr std::uint64_t kPlanStream = 11;
constexpr Sample kShortestPiece = samplesFromMs(1000);
constexpr Sample kPauseRoom = samplesFromMs(600);  // reserved for the pause between two joined utterances
constexpr double kSpeedRoom = 1.12;                // slowed-down speech must still fit

class Planner {
  public:
    Planner(const SpeechLibrary &library, const Recipe &recipe, Sample step, std::uint64_t epoch)
        : m_library(library)
        , m_recipe(recipe)
        , m_step(step)
        , m_random({recipe.seed, kPlanStream, epoch})
        , m_room(static_cast<Sample>(recipe.windows.longest_s / kSpeedRoom * kSampleRateHz) / step * step)
    {
    }

    std::vector<PlannedBatch> plan()
    {
        std::vector<PlannedWindow> windows = joined(drawn());
        const auto silent = static_cast<std::size_t>(std::lround(m_recipe.windows.silence * static_cast<double>(windows.size())));
        for (std::size_t i = 0; i < silent; ++i) {
            windows.push_back({{}, m_random.between(samplesFromMs(1000), std::max(samplesFromMs(1000), m_room)) / m_step * m_step});
        }
        return bucketed(std::move(windows));
    }

  private:
    std::vector<const Speech *> drawn()
    {
        std::vector<const Speech *> pool;
        for (const SpeechCorpus &corpus : m_library.corpora()) {
            std::vector<const Speech *> own;
            for (const Speech &speech : corpus.speech) {
                own.push_back(&speech);
            }
            double passes = corpus.weight;
            for (; passes >= 1; passes -= 1) {
                take(own, own.size(), pool);
            }
            m_random.shuffle(own);
            take(own, static_cast<std::size_t>(std::lround(passes * static_cast<double>(own.size()))), pool);
        }
        m_random.shuffle(pool);
        return pool;
    }

    void take(const std::vector<const Speech *> &own, std::size_t count, std::vector<const Speech *> &pool)
    {
        for (std::size_t i = 0; i < count; ++i) {
            if (m_random.chance(own[i]->weight)) {
                pool.push_back(own[i]);
            }
        }
    }

    Sample atStep(Sample at) const { return at / m_step * m_step; }

    // The whole utterance, or a part of it where the recipe wants one or it is too long.
    std::optional<Segment> segment(const Speech &speech)
    {
        const auto whole = static_cast<Sample>(speech.sound.size());
        const bool fits = whole <= m_room;
        const double kind = m_random.uniform();
        if (whole < m_step || (!fits && !speech.has_times)) {
            return std::nullopt;
        }
        if (!speech.has_times || speech.tokens.empty() || (fits && kind >= m_recipe.windows.cut)) {
            return fits ? std::optional(Segment{&speech, 0, whole}) : std::nullopt;
        }
        if (fits && kind < m_recipe.windows.cut / 3) {  // the sound stops somewhere, also inside a word
            const Sample least = std::min(whole, kShortestPiece);
            return Segment{&speech, 0, std::max(m_step, atStep(m_random.between(least, whole)))};
        }
        // Half way between two words, at both ends.
        std::vector<Sample> cuts = {0};
        for (std::size_t i = 1; i < speech.tokens.size(); ++i) {
            if (speech.tokens[i].word != speech.tokens[i - 1].word) {
                cuts.push_back(atStep((speech.tokens[i - 1].end + speech.tokens[i].start) / 2));
            }
        }
        const Sample from = cuts[static_cast<std::size_t>(m_random.below(static_cast<std::int64_t>(cuts.size())))];
        cuts.push_back(whole);
        std::vector<Sample> ends;
        std::copy_if(cuts.begin(), cuts.end(), std::back_inserter(ends), [&](Sample end) { return end - from >= kShortestPiece && end - from <= m_room; });
        if (ends.empty()) {
            return std::nullopt;
        }
        const double share = m_random.uniform(0.6, 1.0);
        return Segment{&speech, from, ends[static_cast<std::size_t>(share * static_cast<double>(ends.size()))]};
    }

    std::vector<PlannedWindow> joined(const std::vector<const Speech *> &pool)
    {
        std::vector<PlannedWindow> windows;
        PlannedWindow current;
        Sample room = 0;
        std::int64_t wanted = 0;
        for (const Speech *speech : pool) {
            const auto piece = segment(*speech);
            if (!piece) {
                continue;
            }
            const Sample needed = piece->to - piece->from + kPauseRoom;
            if (!current.segments.empty() && (wanted <= 0 || room < needed)) {
                windows.push_back(std::move(current));
                current = {};
            }
            if (current.segments.empty()) {
                room = m_room;
                wanted = m_random.chance(m_recipe.windows.join) ? m_random.between(1, 3) : 0;
            } else {
                --wanted;
            }
            current.segments.push_back(*piece);
            room -= needed;
        }
        if (!current.segments.empty()) {
            windows.push_back(std::move(current));
        }
        return windows;
    }

    static Sample lengthOf(const PlannedWindow &window)
    {
        Sample sum = window.silence_samples;
        for (const Segment &segment : window.segments) {
            sum += segment.to - segment.from + kPauseRoom / 2;
        }
        return sum;
    }

    std::vector<PlannedBatch> bucketed(std::vector<PlannedWindow> windows)
    {
        // Lengths are blurred a little, so that windows do not meet the same neighbours in every epoch.
        std::vector<std::pair<double, std::size_t>> order;
        for (std::size_t i = 0; i < windows.size(); ++i) {
            order.emplace_back(static_cast<double>(lengthOf(windows[i])) * (1 + 0.08 * m_random.normal()), i);
        }
        std::sort(order.begin(), order.end());
        const double most = m_recipe.windows.batch_s * kSampleRateHz;
        std::vector<PlannedBatch> batches;
        PlannedBatch batch;
        for (const auto &[length, index] : order) {
            if (!batch.empty() && static_cast<double>(batch.size() + 1) * length > most) {
                batches.push_back(std::move(batch));
                batch = {};
            }
            batch.push_back(std::move(windows[index]));
        }
        if (!batch.empty()) {
            batches.push_back(std::move(batch));
        }
        m_random.shuffle(batches);
        return batches;
    }

    const SpeechLibrary &m_library;
    const Recipe &m_recipe;
    Sample m_step;
    Random m_random;
    Sample m_room;
};

}  // namespace

std::vector<PlannedBatch> planEpoch(const SpeechLibrary &library, const Recipe &recipe, Sample step, std::uint64_t epoch)
{
    return Planner(library, recipe, step, epoch).plan();
}

}  // namespace braid::train
