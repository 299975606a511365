#include "ui/translation/translation_controller.h"

#include "ui/shared/overloaded.h"
#include "ui/translation/translation_export.h"

namespace braid::ui {
namespace {

constexpr int kFrameMs = 16;

}  // namespace

TranslationController::TranslationController(TranslationKit kit, QObject *parent)
    : QObject(parent)
    , m_kit(std::move(kit))
    , m_snapshot(std::make_shared<const translation::TranslationSnapshot>())
{
    m_frames.setTimerType(Qt::PreciseTimer);
    m_frames.setInterval(kFrameMs);
    connect(&m_frames, &QTimer::timeout, this, &TranslationController::onFrame);
}

TranslationController::~TranslationController() = default;

void TranslationController::start(const TranslatorChoices &choices, const QString &source_name, int idle_ends_sentence_ms)
{
    m_present = choices;
    m_source_name = source_name;
    m_text.endRun();  // of a run that is left behind
    m_text.announce();
    m_snapshot = std::make_shared<const translation::TranslationSnapshot>();
    try {
        translation::TranslationRunConfig config;
        config.translator = m_kit.make_translator(choices);
        config.settings = settingsFor(choices.tuning);
        config.source_name = source_name.toStdString();
        config.idle_ends_sentence_ms = idle_ends_sentence_ms;
        config.journal_folder = choices.journal_folder;
        m_text.beginRun(QString::fromStdString(config.translator.name));
        m_generation = m_kit.backend->start(std::move(config));
    } catch (const std::exception &error) {
        setActivity(RunActivity::Idle);
        Q_EMIT failed(QString::fromUtf8(error.what()), {});
        return;
    }
    setActivity(RunActivity::Running);
    m_frames.start();
}

void TranslationController::addText(const QString &text)
{
    if (m_activity == RunActivity::Running) {
        m_kit.backend->addText(text.toStdString());
    }
}

void TranslationController::addCaptions(std::span<const text::TranscriptItem> items)
{
    if (m_activity == RunActivity::Running) {
        m_kit.backend->addCaptions(items);
    }
}

void TranslationController::endSentence()
{
    if (m_activity == RunActivity::Running) {
        m_kit.backend->endSentence();
    }
}

void TranslationController::endSource()
{
    if (m_activity == RunActivity::Running) {
        m_kit.backend->endSource();
        setActivity(RunActivity::Stopping);
    }
}

void TranslationController::stop()
{
    if (m_activity == RunActivity::Idle) {
        return;
    }
    const bool nothing_yet = m_snapshot->state == runtime::RunState::Loading && m_text.isEmpty();
    if (m_activity == RunActivity::Stopping || nothing_yet) {
        m_kit.backend->cancel();
        setActivity(RunActivity::Stopping);
    } else {
        endSource();
    }
}

void TranslationController::retune(const TranslatorChoices &choices)
{
    const TranslatorChoices before = std::exchange(m_present, choices);
    if (m_activity == RunActivity::Idle) {
        return;
    }
    try {
        m_kit.backend->adjust(settingsFor(choices.tuning));
        if (before.model != choices.model || needsNewTranslator(before.tuning, choices.tuning)) {
            m_kit.backend->changeTranslator(m_kit.make_translator(choices));
        }
    } catch (const std::exception &error) {
        Q_EMIT failed(QString::fromUtf8(error.what()), {});
    }
}

void TranslationController::clearPage()
{
    if (m_activity != RunActivity::Idle) {
        m_kit.backend->cancel();
        m_generation = 0;  // whatever still comes belongs to no page
        setActivity(RunActivity::Idle);
    }
    m_text.clear();
    m_snapshot = std::make_shared<const translation::TranslationSnapshot>();
    Q_EMIT snapshotChanged();
}

void TranslationController::show(const translation::RecoveredTranslation &translation)
{
    clearPage();
    appendRecovered(m_text, translation);
    m_text.announce();
}

void TranslationController::forgetModel()
{
    if (m_kit.forget_model) {
        m_kit.forget_model();
    }
}

void TranslationController::onFrame()
{
    for (const translation::TranslationEvent &event : m_kit.backend->takeEvents()) {
        // Events of a run that this page has left behind are dropped.
        if (event.generation == m_generation && m_activity != RunActivity::Idle) {
            take(event);
        }
    }
    m_text.announce();
    const auto newest = m_kit.backend->snapshot();
    if (newest != m_snapshot && newest->generation == m_generation) {
        m_snapshot = newest;
        if (m_activity != RunActivity::Idle) {
            m_text.setProgress(newest->progress);
        }
        Q_EMIT snapshotChanged();
    }
    Q_EMIT frame();
    if (m_activity == RunActivity::Idle) {
        m_frames.stop();
        Q_EMIT runFinished();
    }
}

void TranslationController::take(const translation::TranslationEvent &event)
{
    std::visit(Overloaded{
                   [](const translation::TranslationStarted &) {},
                   [this](const translation::TranslationSessionEvent &told) {
                       m_text.take(told);
                       if (const auto *notice = std::get_if<translation::SessionNotice>(&told)) {
                           Q_EMIT noticeRaised(QString::fromStdString(notice->sentence));
                       }
                   },
                   [this](const translation::TranslatorChanged &changed) {
                       m_text.changeTranslator(QString::fromStdString(changed.translator), changed.first_sentence);
                   },
                   [this](const runtime::Notice &notice) { Q_EMIT noticeRaised(QString::fromStdString(notice.sentence)); },
                   [this](const runtime::Failed &failure) {
                       Q_EMIT failed(QString::fromStdString(failure.sentence),
                                     tr("Source: %1\nModel: %2\n%3").arg(m_source_name, m_present.model_name, describe(m_present.tuning)));
                   },
                   [this](const translation::TranslationFinished &) {
                       m_text.endRun();
                       setActivity(RunActivity::Idle);
                   },
               },
               event.body);
}

void TranslationController::setActivity(RunActivity activity)
{
    if (activity != m_activity) {
        m_activity = activity;
        Q_EMIT activityChanged();
    }
}

}  // namespace braid::ui
