// The Inspector: everything known about one word, the one under the pointer, else the pinned one, else the newest; and what the model
// keeps and how long it takes. A tab a question; only the tab that shows is kept up to date. GUI thread.
#pragma once

#include <optional>

#include "ui/inspector/inspector_frame.h"
#include "ui/shared/appearance.h"
#include "ui/state/caption_controller.h"

namespace braid::ui {

class AttentionView;
class CacheView;
class RevisionList;
class StepChart;
class TokenBars;

enum class InspectorTab : std::uint8_t { Token = 1, Attention, Timing, Changes, Cache };
inline constexpr int kInspectorTabs = 5;

class InspectorPanel : public InspectorFrame {
    Q_OBJECT
  public:
    InspectorPanel(CaptionController &controller, Appearance &appearance, QWidget *parent = nullptr);
    // `why`: what the heading says: "under the pointer", "pinned", "newest word".
    void show(std::optional<WordRef> ref, const QString &why);
    // The engine's newest state: timing, changes, cache.
    void showState();
    void openTab(InspectorTab tab) { openPage(static_cast<int>(tab)); }
    [[nodiscard]] InspectorTab tab() const { return static_cast<InspectorTab>(page()); }
    [[nodiscard]] QString historyText() const;
    [[nodiscard]] const TokenBars &tokens() const noexcept { return *m_tokens; }
    [[nodiscard]] const AttentionView &attention() const noexcept { return *m_attention; }
    [[nodiscard]] CacheView &cache() noexcept { return *m_cache; }
    [[nodiscard]] RevisionList &changes() noexcept { return *m_changes; }

  Q_SIGNALS:
    void tabChanged(braid::ui::InspectorTab tab);
    void tokenHovered(int token);  // of the word that shows; -1: none
    void placeActivated(braid::Sample start_sample);

  private:
    void showTab();
    void showToken(const text::Word &word);

    CaptionController &m_controller;
    // Token
    TokenBars *m_tokens;
    QLabel *m_history = nullptr;
    QLabel *m_times = nullptr;
    // Attention
    AttentionView *m_attention;
    // Timing
    QLabel *m_lag = nullptr;
    StepChart *m_steps;
    QLabel *m_step_facts = nullptr;
    // Changes
    RevisionList *m_changes;
    QLabel *m_no_changes = nullptr;
    // Cache
    CacheView *m_cache;
    QLabel *m_cache_facts = nullptr;
    std::optional<WordRef> m_ref;
};

}  // namespace braid::ui
