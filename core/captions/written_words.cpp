#include "core/captions/written_words.h"

#include <iterator>
#include <utility>
#include <vector>

namespace braid::captions {
namespace {

constexpr Sample kPauseInNoEntry = samplesFromMs(700);

class WrittenWords final : public CaptionPolicy {
  public:
    WrittenWords(std::shared_ptr<const WordBook> book, std::unique_ptr<CaptionPolicy> policy)
        : m_book(std::move(book))
        , m_policy(std::move(policy))
    {
    }
    [[nodiscard]] std::string name() const override { return m_policy->name(); }
    [[nodiscard]] Sample stepSamples() const override { return m_policy->stepSamples(); }
    void adjust(const PolicySettings &settings) override { m_policy->adjust(settings); }
    void beginUtterance(Sample start_sample) override
    {
        m_undecided.clear();
        m_policy->beginUtterance(start_sample);
    }
    void addSound(std::span<const float> sound) override { m_policy->addSound(sound); }
    [[nodiscard]] PolicyUpdate step() override { return written(m_policy->step(), text::WordsToCome::Maybe); }
    [[nodiscard]] PolicyUpdate endUtterance() override { return written(m_policy->endUtterance(), text::WordsToCome::None); }

  private:
    PolicyUpdate written(PolicyUpdate update, text::WordsToCome to_come)
    {
        const auto rules = m_book->rules();
        if (rules->isEmpty() && m_undecided.empty()) {
            return update;
        }
        update.committed = decided(*rules, m_undecided, std::move(update.committed), to_come);
        // It is not committed before it is decided: then, the session notes how much had been heard.
        for (text::Word &word : m_undecided) {
            word.committed_sample = 0;
        }
        // What may still change, as it would be written if nothing followed.
        std::vector<text::Word> tail = m_undecided;
        update.tail = decided(*rules, tail, std::move(update.tail), text::WordsToCome::None);
        return update;
    }

    // `words` behind `waiting`, of which what is decided is taken.
    static std::vector<text::Word> decided(const text::WordRules &rules, std::vector<text::Word> &waiting, std::vector<text::Word> words,
                                           text::WordsToCome to_come)
    {
        std::vector<text::Word> all;
        const auto take = [&](text::WordsToCome more) {
            std::vector<text::Word> some = rules.decide(waiting, more);
            all.insert(all.end(), std::make_move_iterator(some.begin()), std::make_move_iterator(some.end()));
        };
        for (text::Word &word : words) {
            if (!waiting.empty() && word.start_sample - waiting.back().end_sample >= kPauseInNoEntry) {
                take(text::WordsToCome::None);
            }
            waiting.push_back(std::move(word));
        }
        take(to_come);
        return all;
    }

    std::shared_ptr<const WordBook> m_book;
    std::unique_ptr<CaptionPolicy> m_policy;
    std::vector<text::Word> m_undecided;
};

}  // namespace

void WordBook::set(text::WordRules rules)
{
    auto made = std::make_shared<const text::WordRules>(std::move(rules));
    const std::lock_guard lock(m_mutex);
    m_rules = std::move(made);
}

std::shared_ptr<const text::WordRules> WordBook::rules() const
{
    const std::lock_guard lock(m_mutex);
    return m_rules;
}

std::unique_ptr<CaptionPolicy> writtenBy(std::shared_ptr<const WordBook> book, std::unique_ptr<CaptionPolicy> policy)
{
    return std::make_unique<WrittenWords>(std::move(book), std::move(policy));
}

PolicyFactory writtenBy(std::shared_ptr<const WordBook> book, PolicyFactory make_policy)
{
    return [book = std::move(book), make_policy = std::move(make_policy)](const auto &progress, std::stop_token stop) {
        return writtenBy(book, make_policy(progress, std::move(stop)));
    };
}

}  // namespace braid::captions
