// The Inspector: everything known about one word, the one under the pointer, else the pinned one, else the newest. GUI thread.
#pragma once

#include <optional>

#include <QWidget>

#include "ui/session/caption_controller.h"
#include "ui/theme/appearance.h"

class QLabel;

namespace braid::ui {

class AttentionView;
class TokenBars;

class InspectorPanel : public QWidget {
    Q_OBJECT
  public:
    InspectorPanel(CaptionController &controller, Appearance &appearance, QWidget *parent = nullptr);
    // `why`: what the heading says: "under the pointer", "pinned", "newest word".
    void show(std::optional<WordRef> ref, const QString &why);
    [[nodiscard]] QString wordText() const;
    [[nodiscard]] const TokenBars &tokens() const noexcept { return *m_tokens; }
    [[nodiscard]] const AttentionView &attention() const noexcept { return *m_attention; }
    [[nodiscard]] QSize sizeHint() const override { return {320, 400}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {220, 100}; }

  private:
    CaptionController &m_controller;
    QLabel *m_why;
    QLabel *m_word;
    QWidget *m_facts;  // hidden while there is no word
    QLabel *m_times;
    QLabel *m_lag;
    QLabel *m_revisions;
    QLabel *m_probability;
    TokenBars *m_tokens;
    AttentionView *m_attention;
};

}  // namespace braid::ui
