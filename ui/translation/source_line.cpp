#include "ui/translation/source_line.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStackedLayout>

#include "ui/shared/choice_box.h"
#include "ui/shared/label_text.h"

namespace braid::ui {

SourceLine::SourceLine(QWidget *parent)
    : QWidget(parent)
    , m_pages(new QStackedLayout(this))
    , m_field(nullptr)
    , m_mode(nullptr)
    , m_followed(nullptr)
    , m_captions(nullptr)
{
    setObjectName(QStringLiteral("sourceLine"));
    setAttribute(Qt::WA_StyledBackground);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    const auto page = [this] {
        auto *widget = new QWidget(this);
        auto *row = new QHBoxLayout(widget);
        row->setContentsMargins(16, 8, 16, 8);
        row->setSpacing(8);
        m_pages->addWidget(widget);
        return row;
    };
    QHBoxLayout *typing = page();
    m_field = new TypingField(typing->parentWidget());
    m_field->setObjectName(QStringLiteral("sourceField"));
    m_mode = new ChoiceBox(tr("When words go"), tr("When words leave the field"), typing->parentWidget());
    m_mode->addItem(tr("As I type"), static_cast<int>(TypingMode::AsTyped));
    m_mode->addItem(tr("With Enter"), static_cast<int>(TypingMode::WithEnter));
    auto *open = new QPushButton(tr("Open\u2026"), typing->parentWidget());
    open->setAccessibleName(tr("Open a text"));
    open->setToolTip(tr("Translate a text file (Ctrl+O)"));
    typing->addWidget(m_field, 1);
    typing->addWidget(m_mode);
    typing->addWidget(open);
    QHBoxLayout *following = page();
    m_followed = new QLabel(following->parentWidget());
    m_followed->setProperty("soft", true);
    m_followed->setTextFormat(Qt::PlainText);
    m_captions = new QPushButton(tr("Go to the captions"), following->parentWidget());
    following->addWidget(m_followed, 1);
    following->addWidget(m_captions);

    connect(m_field, &TypingField::said, this, [this](const QString &words) { Q_EMIT typed(words + QLatin1Char(' ')); });
    connect(m_field, &TypingField::interrupted, this, [this](const QString &words) { Q_EMIT typed(words + QLatin1Char('\n')); });
    connect(m_field, &TypingField::turnEnded, this, [this] { Q_EMIT typed(QStringLiteral("\n")); });
    connect(m_field, &TypingField::leaveRequested, this, &SourceLine::leaveRequested);
    connect(m_mode, &ChoiceBox::activated, this, [this] {
        const auto mode = static_cast<TypingMode>(m_mode->currentData().toInt());
        setMode(mode);
        Q_EMIT modeChanged(mode);
    });
    connect(open, &QPushButton::clicked, this, &SourceLine::openRequested);
    connect(m_captions, &QPushButton::clicked, this, &SourceLine::captionsRequested);
    setMode(TypingMode::AsTyped);
}

void SourceLine::setMode(TypingMode mode)
{
    m_mode->choose(static_cast<int>(mode));
    m_field->setMode(mode);
    m_field->setAccessibleName(tr("Text to translate"));
    m_field->setAccessibleDescription(mode == TypingMode::AsTyped
                                          ? tr("Every word is translated with the space behind it. Enter ends the sentence. Pasted text goes at once.")
                                          : tr("Enter sends the line. Pasted text of several lines goes at once."));
    m_field->setPlaceholderText(mode == TypingMode::AsTyped ? tr("Type or paste here; Enter ends the sentence") : tr("Type or paste here, then press Enter"));
}

void SourceLine::showField(const QString &language)
{
    if (!language.isEmpty()) {
        m_field->setAccessibleName(tr("Text to translate, in %1").arg(language));
    }
    m_pages->setCurrentIndex(0);
}

void SourceLine::showFollowed(const QString &sentence)
{
    setTextIfNew(m_followed, sentence);
    m_pages->setCurrentIndex(1);
}

QString SourceLine::followedText() const
{
    return m_followed->text();
}

}  // namespace braid::ui
