// Runs translations for the window: one page, runs one after the other on it, an engine polled on a 16 ms frame clock. Keeps what the page
// shows: the text of both sides and the newest state. GUI thread; never waits for the engine.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <QObject>
#include <QTimer>

#include "core/translation/translation_journal.h"
#include "ui/state/caption_controller.h"
#include "ui/state/translation_backend.h"
#include "ui/translation/bilingual_text.h"

namespace braid::ui {

class TranslationController : public QObject {
    Q_OBJECT
  public:
    explicit TranslationController(TranslationKit kit, QObject *parent = nullptr);
    ~TranslationController() override;

    [[nodiscard]] BilingualText &text() noexcept { return m_text; }
    [[nodiscard]] const BilingualText &text() const noexcept { return m_text; }
    [[nodiscard]] RunActivity activity() const noexcept { return m_activity; }
    // Never null.
    [[nodiscard]] const translation::TranslationSnapshot &snapshot() const noexcept { return *m_snapshot; }
    [[nodiscard]] const TranslatorChoices &present() const noexcept { return m_present; }

    // Begins a run on this page; one that is going is cancelled first.
    void start(const TranslatorChoices &choices, const QString &source_name, int idle_ends_sentence_ms);
    // Source of the present run; dropped where none is going.
    void addText(const QString &text);
    void addCaptions(std::span<const text::TranscriptItem> items);
    void endSentence();
    // No more source: what there is is translated. While loading for the first time, and at the second call: ends at once.
    void stop();
    // As stop(), but never ends before all of it is translated.
    void endSource();
    // The run that is going goes on with this: told at once, or from the next sentence on.
    void retune(const TranslatorChoices &choices);
    // An empty page; ends a run that is going.
    void clearPage();
    // Shows what a journal kept on an empty page.
    void show(const translation::RecoveredTranslation &translation);
    void forgetModel();

  Q_SIGNALS:
    void frame();
    void snapshotChanged();
    void noticeRaised(const QString &sentence);
    void failed(const QString &sentence, const QString &details);
    void activityChanged();
    void runFinished();

  private:
    void onFrame();
    void take(const translation::TranslationEvent &event);
    void setActivity(RunActivity activity);

    TranslationKit m_kit;
    BilingualText m_text;
    QTimer m_frames;
    std::shared_ptr<const translation::TranslationSnapshot> m_snapshot;
    TranslatorChoices m_present;
    QString m_source_name;
    std::uint64_t m_generation = 0;
    RunActivity m_activity = RunActivity::Idle;
};

}  // namespace braid::ui
