#include "core/translation/translation_session.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/translation/source_sentences.h"

namespace braid::translation {

namespace {

// The session cuts the source itself: every unit is one for the translator as it is.
WaitKSettings forTranslator(WaitKSettings settings)
{
    settings.source_unit = ReadingUnit::Segments;
    return settings;
}

SourceCutting cuttingOf(const TranslationSettings &settings)
{
    return {settings.wait_k.source_unit, settings.sentences};
}

void addWork(TranslationCost &sum, const TranslationCost &cost)
{
    sum.tokens_fed += cost.tokens_fed;
    sum.passes += cost.passes;
    sum.target_passes += cost.target_passes;
}

void append(std::string &text, std::string_view word, bool starts_without_space)
{
    text.append(text.empty() || starts_without_space ? "" : " ").append(word);
}

}  // namespace

void requireUsable(const TranslationSettings &settings)
{
    requireUsable(settings.wait_k);
    const auto &limits = settings.sentences;
    if (limits.soft_units < 1 || limits.most_units < limits.soft_units || limits.long_pause_ms < 0 || limits.short_pause_ms < 0) {
        throw Error(ErrorKind::Usage, "the limits of sentences are not in order", {},
                    "The soft limit is at least 1 and not above the hard one; pauses are not below 0");
    }
    if (settings.context_units < 0) {
        throw Error(ErrorKind::Usage, "the length of the context cannot be below 0");
    }
}

struct TranslationSession::Impl {
    Impl(std::unique_ptr<TranslationModel> first_model, const TranslationSettings &session_settings, std::function<double()> clock, Tell told)
        : model(std::move(first_model))
        , settings(session_settings)
        , ms_clock(std::move(clock))
        , tell(std::move(told))
        , source(cuttingOf(settings), tell)
        , history(settings.context_sentences, settings.context_units)
    {
    }

    std::unique_ptr<TranslationModel> model;
    std::unique_ptr<TranslationModel> next_model;
    TranslationSettings settings;
    std::function<double()> ms_clock;
    Tell tell;
    SourceSentences source;
    SentenceHistory history;
    std::optional<WaitKTranslator> translator;

    // Of the sentence being translated:
    bool is_open = false;
    std::int64_t words = 0;  // counted as units
    std::int64_t most_read = 0;
    std::string target;
    TranslationEnd limit = TranslationEnd::NotYet;  // the first that was met
    // Where a limit was met it is translated in parts, each with an empty cache:
    static constexpr auto kWhole = static_cast<std::size_t>(-1);
    bool has_context = false;
    std::size_t first_unit = 0;       // of the part
    std::size_t part_limit = kWhole;  // units a part may have
    std::size_t units_given = 0;      // to the translator; the rest may still arrive
    std::int64_t part_words = 0;
    std::int64_t newest_line = -1;

    TranslationStatistics statistics;
    TranslationCost cost_before;  // of models that are gone
    double lag_units_sum = 0;
    double lag_ms_sum = 0;

    void takeNextModel()
    {
        if (!next_model) {
            return;
        }
        const TranslationCost cost = model->cost();
        addWork(cost_before, cost);
        translator.reset();
        model = std::move(next_model);
        history.clear();
    }

    void begin(const SourceSentence &sentence)
    {
        takeNextModel();
        history.limit(settings.context_sentences, settings.context_units);
        if (sentence.line > newest_line + 1) {
            history.clear();
        }
        newest_line = sentence.line;
        is_open = true;
        first_unit = 0;
        part_limit = kWhole;
        words = most_read = 0;
        limit = TranslationEnd::NotYet;
        target.clear();
        beginPart(history.context());
    }

    void beginPart(const TranslationContext &context)
    {
        units_given = first_unit;
        part_words = 0;
        has_context = !context.source.empty() || !context.target.empty();
        if (translator) {
            translator->adjust(forTranslator(settings.wait_k));
        } else {
            translator.emplace(*model, forTranslator(settings.wait_k));
        }
        translator->beginSentence(context);
    }

    void giveUnits(const SourceSentence &sentence)
    {
        const auto is_full = [&] { return units_given - first_unit >= part_limit; };
        for (; units_given < sentence.units.size() && !is_full(); ++units_given) {
            translator->addUnit({sentence.units[units_given].text, sentence.units[units_given].starts_without_space});
        }
        if (is_full() || (sentence.is_closed && units_given == sentence.units.size())) {
            translator->endSource();
        }
    }

    [[nodiscard]] Step work(const SourceSentence &sentence)
    {
        giveUnits(sentence);
        const double before_ms = ms_clock();
        TranslationStep step = translator->step();
        const double now_ms = ms_clock();
        statistics.compute_seconds += (now_ms - before_ms) / 1000;
        if (step.action == TranslationAction::Waiting) {
            return Step::Idle;
        }
        if (step.token) {
            ++statistics.target_tokens;
        }
        if (step.units_read > 0) {
            tellRead(sentence, now_ms);
        }
        if (step.word) {
            tellWord(sentence, std::move(*step.word), now_ms);
        }
        if (step.action == TranslationAction::Finished) {
            endPart(sentence, step.end);
        }
        return Step::Worked;
    }

    // The end of a part that is not the sentence's counts as no unit.
    [[nodiscard]] std::int64_t unitsRead(const SourceSentence &sentence) const
    {
        const auto units = static_cast<std::int64_t>(sentence.units.size());
        const std::int64_t read = static_cast<std::int64_t>(first_unit) + translator->unitsRead();
        return sentence.is_closed && units_given == sentence.units.size() ? std::min(read, units + 1) : std::min(read, static_cast<std::int64_t>(units_given));
    }

    void tellRead(const SourceSentence &sentence, double now_ms)
    {
        if (const std::int64_t read = unitsRead(sentence); read > most_read) {
            most_read = read;
            tell(UnitsRead{sentence.number, read, now_ms});
        }
    }

    void tellWord(const SourceSentence &sentence, TranslatedWord word, double now_ms)
    {
        const auto last = static_cast<std::int64_t>(sentence.units.size()) - 1;
        word.read_units = most_read;
        if (!word.attention.empty()) {
            word.attention.insert(word.attention.begin(), first_unit, 0.0F);
        }
        WordWritten written;
        written.sentence = sentence.number;
        written.written_ms = now_ms;
        written.lag_units = std::min(word.read_units, last + 1) - words;
        written.lag_ms = now_ms - sentence.units[static_cast<std::size_t>(std::min(words, last))].arrived_ms;
        const bool has_read_end = word.read_units > last + 1;
        const double newest_ms =
            has_read_end ? sentence.closed_ms : sentence.units[static_cast<std::size_t>(std::max<std::int64_t>(word.read_units - 1, 0))].arrived_ms;
        written.compute_ms = now_ms - newest_ms;
        append(target, word.text, word.starts_without_space);
        words += word.units;
        part_words += word.units;
        ++statistics.target_words;
        lag_units_sum += static_cast<double>(written.lag_units);
        lag_ms_sum += written.lag_ms;
        statistics.lag_ms_newest = written.lag_ms;
        written.word = std::move(word);
        tell(std::move(written));
    }

    void endPart(const SourceSentence &sentence, TranslationEnd end)
    {
        std::size_t done = units_given - first_unit;
        if (end != TranslationEnd::Said && end != TranslationEnd::NoSource) {
            limit = limit == TranslationEnd::NotYet ? end : limit;
            const auto read = std::min(static_cast<std::size_t>(translator->unitsRead()), done);
            // A word a unit: what was read and has no word yet is read again.
            done = std::min(static_cast<std::size_t>(part_words), read);
            if (end == TranslationEnd::NoRoom && done == 0 && has_context) {
                beginPart({});  // perhaps it was the context that left no room
                return;
            }
            if (end == TranslationEnd::NoRoom) {
                part_limit = std::max<std::size_t>(read / 2, 1);
                if (done == 0 && read > 1) {
                    beginPart({});
                    return;
                }
            }
            if (done == 0) {
                tell(SessionNotice{"The model has no room for \"" + sentence.units[first_unit].text + "\"; it was left out."});
                done = 1;
            }
        }
        first_unit += done;
        if (sentence.is_closed && first_unit == sentence.units.size()) {
            endSentence(sentence);
        } else {
            beginPart({});
        }
    }

    void endSentence(const SourceSentence &sentence)
    {
        SentenceEnded ended;
        ended.sentence = sentence.number;
        ended.end = limit == TranslationEnd::NotYet ? TranslationEnd::Said : limit;
        for (const ArrivedUnit &unit : sentence.units) {
            append(ended.source, unit.text, unit.starts_without_space);
        }
        ended.target = target;
        if (limit != TranslationEnd::NotYet) {
            history.clear();
        } else {
            history.add(ended.source, ended.target);
        }
        ++statistics.sentences;
        statistics.source_units += static_cast<std::int64_t>(sentence.units.size());
        is_open = false;
        tell(std::move(ended));
        source.dropOldest();
    }
};

TranslationSession::TranslationSession(std::unique_ptr<TranslationModel> model, const TranslationSettings &settings, std::function<double()> ms_clock,
                                       Tell tell)
{
    requireUsable(settings);
    m_impl = std::make_unique<Impl>(std::move(model), settings, std::move(ms_clock), std::move(tell));
}

TranslationSession::~TranslationSession() = default;

void TranslationSession::adjust(const TranslationSettings &settings)
{
    requireUsable(settings);
    m_impl->settings = settings;
    m_impl->source.adjust(cuttingOf(settings));
    if (m_impl->is_open) {
        m_impl->translator->adjust(forTranslator(settings.wait_k));
    }
}

void TranslationSession::changeModel(std::unique_ptr<TranslationModel> model)
{
    m_impl->next_model = std::move(model);
    if (!m_impl->is_open) {
        m_impl->takeNextModel();
    }
}

bool TranslationSession::modelWaits() const noexcept
{
    return m_impl->next_model != nullptr;
}

void TranslationSession::arrivedAt(double ms)
{
    m_impl->source.arrivedAt(ms);
}

void TranslationSession::addText(std::string_view text)
{
    m_impl->source.addText(text);
}

void TranslationSession::addSpokenWord(std::string_view word, bool starts_without_space, SoundSpan sound)
{
    m_impl->source.addSpokenWord(word, starts_without_space, sound);
}

void TranslationSession::endLine()
{
    m_impl->source.endLine();
}

void TranslationSession::endSpokenLine()
{
    m_impl->source.endSpokenLine();
}

void TranslationSession::endSentence()
{
    m_impl->source.endSentence();
}

void TranslationSession::endSource()
{
    m_impl->source.endSource();
}

TranslationSession::Step TranslationSession::step()
{
    const SourceSentence *const sentence = m_impl->source.oldest();
    if (sentence == nullptr) {
        return m_impl->source.hasEnded() ? Step::Over : Step::Idle;
    }
    if (!m_impl->is_open) {
        m_impl->begin(*sentence);
    }
    return m_impl->work(*sentence);
}

TranslationProgress TranslationSession::progress() const
{
    const Impl &now = *m_impl;
    TranslationProgress progress;
    const SourceSentence *const oldest = now.source.oldest();
    progress.sentence = oldest != nullptr ? oldest->number : now.source.nextNumber();
    progress.growing_unit = now.source.growingUnit();
    progress.units_waiting = now.source.unitsKept();
    if (now.is_open && oldest != nullptr) {
        progress.open_word = now.translator->openText();
        progress.units_read = now.most_read;
        progress.words_written = now.words;
        progress.units_waiting -= std::min(progress.units_read, static_cast<std::int64_t>(oldest->units.size()));
    }
    return progress;
}

TranslationStatistics TranslationSession::statistics() const
{
    const Impl &now = *m_impl;
    TranslationStatistics statistics = now.statistics;
    statistics.cost = now.model->cost();
    addWork(statistics.cost, now.cost_before);
    statistics.tokens_per_second = statistics.compute_seconds > 0 ? static_cast<double>(statistics.target_tokens) / statistics.compute_seconds : 0;
    if (now.is_open) {
        statistics.source_units += std::min(now.most_read, static_cast<std::int64_t>(now.source.oldest()->units.size()));
    }
    if (statistics.target_words > 0) {
        statistics.lag_units_mean = now.lag_units_sum / static_cast<double>(statistics.target_words);
        statistics.lag_ms_mean = now.lag_ms_sum / static_cast<double>(statistics.target_words);
    }
    return statistics;
}

}  // namespace braid::translation
