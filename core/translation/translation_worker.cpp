// The worker thread of a translation: makes the model, leads the session through the source, and publishes what it brings.
#include <optional>
#include <utility>

#include "core/base/error.h"
#include "core/translation/translation_json.h"
#include "core/translation/translation_run.h"

namespace braid::translation {
namespace {

class TranslationWorker {
  public:
    explicit TranslationWorker(TranslationRun &run)
        : m_run(run)
    {
    }

    void load()
    {
        const Translator &translator = m_run.config.translator;
        const std::string what = "loading " + translator.name;
        m_run.show(runtime::RunState::Loading, what);
        auto model = make(translator, what);
        m_session.emplace(
            std::move(model), m_run.config.settings, [this] { return m_run.nowMs(); }, [this](TranslationSessionEvent event) { tell(std::move(event)); });
        m_run.board.change([&](TranslationSnapshot &now) { now.translator = translator.name; });
        m_run.journal.begin({runtime::RunKind::Translation, {}, m_run.config.source_name, translator.name});
        m_run.publishStarted(TranslationStarted{m_run.config.source_name, translator.name});
        m_run.show(runtime::RunState::Listening, kWaitingForSource);
    }

    void translate()
    {
        while (!cancelled()) {
            obeyWishes();
            takeSource();
            const TranslationSession::Step step = m_session->step();
            tellChangedTranslator();
            show(step);
            if (step == TranslationSession::Step::Over) {
                return;
            }
            if (step == TranslationSession::Step::Idle) {
                waitForSource();
            }
        }
    }

    [[nodiscard]] TranslationStatistics statistics() const { return m_session ? m_session->statistics() : TranslationStatistics(); }

  private:
    static constexpr const char *kTranslating = "translating";

    // Kept before it is told.
    void tell(TranslationEventBody event)
    {
        if (m_run.journal.keeps()) {
            m_run.journal.append(eventToJsonLine(event));
        }
        m_run.publish(std::move(event));
    }

    [[nodiscard]] bool cancelled() const { return m_run.cancel.stop_requested(); }

    [[nodiscard]] std::unique_ptr<TranslationModel> make(const Translator &translator, const std::string &what)
    {
        auto model = translator.make([&](double fraction, const std::string &detail) { m_run.showLoading(what, fraction, detail); }, m_run.cancel.get_token());
        if (!model) {
            throw Error(ErrorKind::Internal, "no translation model was made");
        }
        return model;
    }

    void obeyWishes()
    {
        TranslationWishes wishes = m_run.inlet.takeWishes();
        if (wishes.settings) {
            m_session->adjust(*wishes.settings);
        }
        if (wishes.translator) {
            changeTranslator(*wishes.translator);
        }
    }

    void changeTranslator(const Translator &translator)
    {
        try {
            m_session->changeModel(make(translator, "changing to " + translator.name));
            m_next_translator = translator.name;
        } catch (...) {
            const runtime::RunFailure failure = runtime::describeException("The translation model");
            if (failure.kind != ErrorKind::Cancelled) {
                m_run.notice("The translation goes on as before: " + failure.sentence);
            }
        }
    }

    void tellChangedTranslator()
    {
        if (m_next_translator && !m_session->modelWaits()) {
            m_run.board.change([&](TranslationSnapshot &now) { now.translator = *m_next_translator; });
            tell(TranslatorChanged{*m_next_translator, m_session->progress().sentence});
            m_next_translator.reset();
        }
    }

    void takeSource()
    {
        for (SourcePiece &piece : m_run.inlet.takePieces()) {
            m_session->arrivedAt(piece.arrived_ms);
            m_newest_source_ms = piece.arrived_ms;
            m_may_be_idle = true;
            if (const auto *text = std::get_if<std::string>(&piece.what)) {
                m_session->addText(*text);
            } else if (const auto *items = std::get_if<std::vector<text::TranscriptItem>>(&piece.what)) {
                for (const text::TranscriptItem &item : *items) {
                    addCaption(item);
                }
            } else if (std::holds_alternative<SentenceEndWish>(piece.what)) {
                m_session->endSentence();
            } else {
                m_session->endSource();
                m_run.show(runtime::RunState::Draining, kTranslating);
            }
        }
    }

    void addCaption(const text::TranscriptItem &item)
    {
        if (const auto *word = std::get_if<text::Word>(&item)) {
            m_session->addSpokenWord(word->text, word->starts_without_space, SoundSpan{word->start_sample, word->end_sample});
        } else {
            m_session->endSpokenLine();
        }
    }

    void show(TranslationSession::Step step)
    {
        TranslationProgress progress = m_session->progress();
        const TranslationStatistics statistics = m_session->statistics();
        m_run.board.change([&](TranslationSnapshot &now) {
            now.activity = step == TranslationSession::Step::Worked ? kTranslating : kWaitingForSource;
            now.loading_fraction = 0;
            now.progress = std::move(progress);
            now.statistics = statistics;
        });
    }

    void waitForSource()
    {
        const int patience_ms = m_run.config.idle_ends_sentence_ms;
        if (patience_ms <= 0 || !m_may_be_idle) {
            m_run.inlet.wait(m_run.cancel.get_token(), {});
            return;
        }
        const double left_ms = m_newest_source_ms + patience_ms - m_run.nowMs();
        if (left_ms > 0) {
            m_run.inlet.wait(m_run.cancel.get_token(), std::chrono::milliseconds(static_cast<std::int64_t>(left_ms) + 1));
            return;
        }
        m_may_be_idle = false;  // until more comes
        if (m_session->progress().growing_unit.empty()) {
            m_session->arrivedAt(m_run.nowMs());
            m_session->endSentence();
        }
    }

    TranslationRun &m_run;
    std::optional<TranslationSession> m_session;
    std::optional<std::string> m_next_translator;
    double m_newest_source_ms = 0;
    bool m_may_be_idle = false;
};

}  // namespace

void runTranslation(TranslationRun &run)
{
    TranslationWorker worker(run);
    auto failure = runtime::failureOf("The translation model", [&worker] {
        worker.load();
        worker.translate();
    });
    run.end(std::move(failure), TranslationFinished{worker.statistics()});
}

}  // namespace braid::translation
