#include "ui/captions/word_card.h"

#include <algorithm>

#include <QLabel>
#include <QVBoxLayout>

#include "ui/state/transcript_model.h"
#include "ui/state/word_facts.h"

namespace braid::ui {
namespace {

constexpr int kWidest = 420;
constexpr int kAway = 6;
constexpr int kMargin = 8;

// What the model would have written most probably in the word's least sure place: "or “county” 0.12". Empty where it told no rival.
QString bestRivalText(const text::Word &word)
{
    const text::Rival *best = nullptr;
    for (const text::Token &token : word.tokens) {
        for (const text::Rival &rival : token.rivals) {
            if (rival.token_id != token.id && (best == nullptr || rival.probability > best->probability)) {
                best = &rival;
            }
        }
    }
    if (best == nullptr) {
        return {};
    }
    const QString said = tokenText(best->text);
    return QObject::tr("or \u201c%1\u201d %2").arg(said.startsWith(QChar(0xB7)) ? said.mid(1) : said).arg(static_cast<double>(best->probability), 0, 'f', 2);
}

}  // namespace

WordCard::WordCard(QWidget *page)
    : QFrame(page)
    , m_word(new QLabel(this))
    , m_times(new QLabel(this))
{
    setObjectName(QStringLiteral("wordCard"));
    setAttribute(Qt::WA_StyledBackground);
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setMaximumWidth(kWidest);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(14, 8, 14, 8);
    column->setSpacing(2);
    m_word->setObjectName(QStringLiteral("cardWord"));
    for (QLabel *label : {m_word, m_times}) {
        label->setTextFormat(Qt::PlainText);
        column->addWidget(label);
    }
    m_times->setProperty("soft", true);
    hide();
}

void WordCard::show(const text::Word &word, const QRect &place)
{
    QStringList said = {shownText(word), QString::number(static_cast<double>(word.probability), 'f', 2)};
    if (const QString rival = bestRivalText(word); !rival.isEmpty()) {
        said << rival;
    }
    m_word->setText(said.join(QStringLiteral("   ")));
    m_times->setText(text::isCorrected(word) ? tr("%1\ncorrected; heard as \u201c%2\u201d").arg(wordTimeText(word), QString::fromStdString(word.heard))
                                             : wordTimeText(word));
    layout()->activate();
    resize(sizeHint().boundedTo(maximumSize()));
    const QRect room = parentWidget()->rect().adjusted(kMargin, kMargin, -kMargin, -kMargin);
    const int below = place.bottom() + kAway;
    const int top = below + height() <= room.bottom() ? below : std::max(room.top(), place.top() - kAway - height());
    move(std::clamp(place.center().x() - width() / 2, room.left(), std::max(room.left(), room.right() - width())), top);
    raise();
    QFrame::show();
}

QString WordCard::text() const
{
    return m_word->text() + QLatin1Char('\n') + m_times->text();
}

}  // namespace braid::ui
