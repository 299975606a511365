// Everything known about one word of a translation: what it looked at, its tokens and their rivals, its lag and what it cost. A tab a question;
// only the tab that shows is kept up to date. GUI thread; the controller outlives it.
#pragma once

#include <optional>

#include "ui/inspector/inspector_frame.h"
#include "ui/shared/appearance.h"
#include "ui/translation/bilingual_text.h"
#include "ui/translation/translation_controller.h"

class QCheckBox;
class QSlider;

namespace braid::ui {

class AlignmentMap;
class ChoiceBox;
class LagChart;
class TokenBars;

enum class TranslationTab : std::uint8_t { Attention = 1, Word, Timing };

class TranslationInspector : public InspectorFrame {
    Q_OBJECT
  public:
    TranslationInspector(TranslationController &controller, Appearance &appearance, QWidget *parent = nullptr);
    // Nothing: the newest word.
    void show(std::optional<PieceRef> ref, const QString &why);
    // The engine's newest state.
    void showState();
    using QWidget::show;
    [[nodiscard]] TranslationTab tab() const { return static_cast<TranslationTab>(page()); }
    [[nodiscard]] AlignmentMap &alignment() noexcept { return *m_alignment; }
    [[nodiscard]] LagChart &lagChart() noexcept { return *m_lag_chart; }
    [[nodiscard]] QString costText() const;

  Q_SIGNALS:
    void wordPointedAt(int word);  // -1: none
    void wordClicked(int word);

  private:
    void showTab();
    void takeView();

    TranslationController &m_controller;
    AlignmentMap *m_alignment;
    ChoiceBox *m_scale;
    QCheckBox *m_sink;
    QSlider *m_gamma;
    TokenBars *m_tokens;
    QLabel *m_word_facts = nullptr;
    LagChart *m_lag_chart;
    QLabel *m_lag_facts = nullptr;
    QLabel *m_cost = nullptr;
    std::optional<PieceRef> m_ref;
};

}  // namespace braid::ui
