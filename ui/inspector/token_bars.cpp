#include "ui/inspector/token_bars.h"

#include <algorithm>

#include <QFontMetricsF>
#include <QMouseEvent>
#include <QPainter>

#include "ui/state/word_facts.h"

namespace braid::ui {
namespace {

constexpr int kBarPx = 20;
constexpr double kLabelWidth = 96;
constexpr double kNumberWidth = 36;

}  // namespace

std::vector<TokenBar> tokenBars(const text::Word &word)
{
    std::vector<TokenBar> bars;
    for (int index = 0; index < static_cast<int>(word.tokens.size()); ++index) {
        const text::Token &token = word.tokens[static_cast<std::size_t>(index)];
        bars.push_back({BarKind::Token, tokenText(token.text), token.probability, index});
        std::vector<text::Rival> rivals = token.rivals;
        std::erase_if(rivals, [&token](const text::Rival &rival) { return rival.token_id == token.id; });
        std::stable_sort(rivals.begin(), rivals.end(), [](const text::Rival &a, const text::Rival &b) { return a.probability > b.probability; });
        for (const text::Rival &rival : rivals) {
            bars.push_back({BarKind::Rival, tokenText(rival.text), rival.probability, index});
        }
    }
    return bars;
}

TokenBars::TokenBars(Appearance &appearance, QWidget *parent)
    : QWidget(parent)
    , m_appearance(appearance)
{
    setObjectName(QStringLiteral("tokenBars"));
    setAccessibleName(tr("Tokens and their rivals"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setMouseTracking(true);
    connect(&appearance, &Appearance::changed, this, [this] { update(); });
}

void TokenBars::show(const text::Word *word)
{
    std::vector<TokenBar> bars = word != nullptr ? tokenBars(*word) : std::vector<TokenBar>();
    if (bars == m_bars) {
        return;
    }
    m_bars = std::move(bars);
    QStringList said;
    for (const TokenBar &bar : m_bars) {
        said << tr("%1 %2").arg(bar.label).arg(bar.probability, 0, 'f', 2);
    }
    setAccessibleDescription(said.join(QStringLiteral(", ")));
    updateGeometry();
    update();
}

void TokenBars::mouseMoveEvent(QMouseEvent *event)
{
    const auto bar = static_cast<std::size_t>(std::max(0.0, event->position().y()) / kBarPx);
    const int token = bar < m_bars.size() ? m_bars[bar].token : -1;
    if (token != m_hovered_token) {
        m_hovered_token = token;
        Q_EMIT tokenHovered(token);
        update();
    }
}

void TokenBars::leaveEvent(QEvent *)
{
    if (m_hovered_token >= 0) {
        m_hovered_token = -1;
        Q_EMIT tokenHovered(-1);
        update();
    }
}

QSize TokenBars::sizeHint() const
{
    return {220, std::max(1, static_cast<int>(m_bars.size())) * kBarPx + 4};
}

void TokenBars::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QFont font = Appearance::tokenFont(12);
    const QFontMetricsF metrics(font);
    painter.setFont(font);
    if (m_bars.empty()) {
        painter.setFont(Appearance::interfaceFont(13));
        painter.setPen(m_appearance.colour(ColourToken::InkSoft));
        painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter, tr("This word has no tokens to show."));
        return;
    }
    const double room = std::max(20.0, width() - kLabelWidth - kNumberWidth - 8);
    double top = 0;
    for (const TokenBar &bar : m_bars) {
        const bool is_token = bar.kind == BarKind::Token;
        const double indent = is_token ? 0 : 14;
        if (bar.token == m_hovered_token) {
            painter.fillRect(QRectF(0, top, width(), kBarPx), m_appearance.colour(ColourToken::Hover));
        }
        painter.setPen(m_appearance.colour(is_token ? ColourToken::Ink : ColourToken::InkSoft));
        painter.drawText(QRectF(indent, top, kLabelWidth - indent - 6, kBarPx), Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(bar.label, Qt::ElideRight, kLabelWidth - indent - 8));
        painter.drawText(QRectF(width() - kNumberWidth, top, kNumberWidth, kBarPx), Qt::AlignRight | Qt::AlignVCenter,
                         QString::number(bar.probability, 'f', 2));
        painter.setPen(Qt::NoPen);
        painter.setBrush(m_appearance.colour(ColourToken::Line));
        const double height = is_token ? 8 : 4;
        const QRectF trough(kLabelWidth, top + (kBarPx - height) / 2, room, height);
        painter.drawRoundedRect(trough, height / 2, height / 2);
        painter.setBrush(m_appearance.colour(is_token ? ColourToken::Accent : ColourToken::InkSoft));
        const double filled = std::clamp(bar.probability, 0.0, 1.0) * room;
        if (filled > 0.5) {
            painter.drawRoundedRect(QRectF(trough.topLeft(), QSizeF(std::max(filled, height), height)), height / 2, height / 2);
        }
        top += kBarPx;
    }
}

}  // namespace braid::ui
