// A word's tokens with their probabilities, and under each the rivals it won against, as bars. GUI thread.
#pragma once

#include <vector>

#include <QWidget>

#include "core/text/transcript.h"
#include "ui/shared/appearance.h"

namespace braid::ui {

enum class BarKind : std::uint8_t { Token = 1, Rival };

struct TokenBar {
    BarKind kind = BarKind::Token;
    QString label;
    double probability = 0;
    int token = 0;  // of the word
    friend bool operator==(const TokenBar &, const TokenBar &) = default;
};

// One bar a token, then its rivals (never the token itself), most probable first.
[[nodiscard]] std::vector<TokenBar> tokenBars(const text::Word &word);

class TokenBars : public QWidget {
    Q_OBJECT
  public:
    explicit TokenBars(Appearance &appearance, QWidget *parent = nullptr);
    void show(const text::Word *word);
    [[nodiscard]] const std::vector<TokenBar> &bars() const noexcept { return m_bars; }
    [[nodiscard]] QSize sizeHint() const override;

  Q_SIGNALS:
    void tokenHovered(int token);  // -1: none

  protected:
    void mouseMoveEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

  private:
    Appearance &m_appearance;
    std::vector<TokenBar> m_bars;
    int m_hovered_token = -1;
};

}  // namespace braid::ui
