#include "ui/captions/word_card.h"

#include <algorithm>

#include <QLabel>
#include <QVBoxLayout>

#include "ui/inspector/token_bars.h"
#include "ui/state/word_facts.h"

namespace braid::ui {
namespace {

constexpr int kWidth = 300;
constexpr int kAway = 6;
constexpr int kMargin = 8;

}  // namespace

WordCard::WordCard(Appearance &appearance, QWidget *page)
    : QFrame(page)
    , m_word(new QLabel(this))
    , m_tokens(new TokenBars(appearance, this))
    , m_history(new QLabel(this))
    , m_times(new QLabel(this))
{
    setObjectName(QStringLiteral("wordCard"));
    setAttribute(Qt::WA_StyledBackground);
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFixedWidth(kWidth);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(14, 10, 14, 10);
    column->setSpacing(6);
    m_word->setObjectName(QStringLiteral("cardWord"));
    for (QLabel *label : {m_word, m_history, m_times}) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
    }
    m_times->setProperty("soft", true);
    column->addWidget(m_word);
    column->addWidget(m_tokens);
    column->addWidget(m_history);
    column->addWidget(m_times);
    hide();
}

void WordCard::show(const text::Word &word, const std::vector<SaidBefore> &history, const QRect &place)
{
    m_word->setText(tr("%1   %2").arg(QString::fromStdString(word.text)).arg(static_cast<double>(word.probability), 0, 'f', 2));
    m_tokens->show(&word);
    m_tokens->setVisible(!word.tokens.empty());
    m_history->setText(historyOf(history, word));
    m_history->setVisible(word.revision_count > 0);
    m_times->setText(QStringList{wordTimeText(word), timeMethodText(word.time_method), wordLagText(word)}.join(QLatin1Char('\n')));
    layout()->activate();
    resize(kWidth, heightForWidth(kWidth) > 0 ? heightForWidth(kWidth) : sizeHint().height());
    const QRect room = parentWidget()->rect().adjusted(kMargin, kMargin, -kMargin, -kMargin);
    const int below = place.bottom() + kAway;
    const int top = below + height() <= room.bottom() ? below : std::max(room.top(), place.top() - kAway - height());
    move(std::clamp(place.center().x() - width() / 2, room.left(), std::max(room.left(), room.right() - width())), top);
    raise();
    QFrame::show();
}

QString WordCard::text() const
{
    return m_word->text() + QLatin1Char('\n') + m_history->text() + QLatin1Char('\n') + m_times->text();
}

}  // namespace braid::ui
