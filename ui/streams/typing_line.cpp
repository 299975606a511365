#include "ui/streams/typing_line.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include "ui/shared/choice_box.h"

namespace braid::ui {
namespace {

constexpr int kRoomForEnd = 900;
constexpr int kRoomForVoice = 640;
constexpr int kRoomForMode = 560;

}  // namespace

TypingLine::TypingLine(QWidget *parent)
    : QWidget(parent)
    , m_stream(new ChoiceBox(tr("Stream"), tr("The stream that your words enter"), this))
    , m_field(new TypingField(this))
    , m_waiting(new QLabel(this))
    , m_drop(new QPushButton(tr("Drop"), this))
    , m_end(new QPushButton(tr("End turn"), this))
    , m_mode(new ChoiceBox(tr("When words enter"), tr("When words leave the line"), this))
    , m_captions(new QPushButton(tr("Voice"), this))
{
    setObjectName(QStringLiteral("choices"));
    setAttribute(Qt::WA_StyledBackground);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(12, 6, 12, 6);
    row->setSpacing(8);
    row->addWidget(m_stream);
    row->addWidget(m_field, 1);
    row->addWidget(m_waiting);
    row->addWidget(m_drop);
    row->addWidget(m_mode);
    row->addWidget(m_captions);
    row->addWidget(m_end);
    m_captions->setCheckable(true);
    m_captions->setAccessibleName(tr("Follow the captions"));
    m_captions->setToolTip(tr("What the Captions page hears enters this stream as it settles; a pause ends the turn"));
    connect(m_captions, &QPushButton::toggled, this, &TypingLine::captionsToggled);
    m_stream->setObjectName(QStringLiteral("typingStream"));
    m_mode->setObjectName(QStringLiteral("typingMode"));
    m_mode->addItem(tr("As I type"), static_cast<int>(TypingMode::AsTyped));
    m_mode->addItem(tr("With Enter"), static_cast<int>(TypingMode::WithEnter));
    m_waiting->setProperty("soft", true);
    m_waiting->setAccessibleName(tr("Words that wait to enter"));
    m_drop->setObjectName(QStringLiteral("link"));
    m_drop->setAccessibleName(tr("Drop the words that wait"));
    m_end->setAccessibleName(tr("End your turn"));
    m_end->setToolTip(tr("Your words are over: whoever waits for that begins (Enter)"));
    setMode(TypingMode::AsTyped);
    showWaiting(0);
    connect(m_field, &TypingField::said, this, [this](const QString &words) { Q_EMIT said(stream(), words); });
    connect(m_field, &TypingField::interrupted, this, [this](const QString &words) { Q_EMIT interrupted(stream(), words); });
    connect(m_field, &TypingField::turnEnded, this, [this] { Q_EMIT turnEnded(stream()); });
    connect(m_field, &TypingField::leaveRequested, this, &TypingLine::leaveRequested);
    connect(m_field, &QPlainTextEdit::textChanged, this, &TypingLine::unfinishedChanged);
    connect(m_stream, &ChoiceBox::activated, this, [this] {
        reviseWords();
        Q_EMIT streamChanged();
        m_field->setFocus();
    });
    connect(m_mode, &ChoiceBox::activated, this, [this] {
        setMode(mode());
        Q_EMIT modeChanged();
        m_field->setFocus();
    });
    connect(m_drop, &QPushButton::clicked, this, [this] { Q_EMIT dropRequested(stream()); });
    connect(m_end, &QPushButton::clicked, this, [this] {
        QKeyEvent enter(QEvent::KeyPress, Qt::Key_Return, Qt::NoModifier);
        QCoreApplication::sendEvent(m_field, &enter);
        m_field->setFocus();
    });
}

void TypingLine::setStreams(const LanesModel &lanes)
{
    const int before = stream();
    m_stream->clear();
    const auto add = [&](streams::StreamRole role) {
        for (int index = 0; index < lanes.streams(); ++index) {
            // A system text of blocks is read before the first step; it stands in the panel.
            const bool can_be_fed = role != streams::StreamRole::System || lanes.layout().form == streams::VisibilityForm::Rows;
            if (lanes.layout().streams[static_cast<std::size_t>(index)].role == role && can_be_fed) {
                m_stream->addItem(lanes.nameOf(index), index);
            }
        }
    };
    add(streams::StreamRole::User);
    add(streams::StreamRole::Document);
    add(streams::StreamRole::System);
    m_field->setEnabled(m_stream->count() > 0);
    if (!m_stream->choose(before)) {
        m_stream->setCurrentIndex(0);
    }
    m_stream->setVisible(m_stream->count() > 1);
    reviseWords();
}

void TypingLine::reviseWords()
{
    m_field->setAccessibleName(m_stream->currentText().isEmpty() ? tr("Words for the stream") : tr("Words for %1").arg(m_stream->currentText()));
}

int TypingLine::stream() const
{
    return m_stream->currentIndex() < 0 ? -1 : m_stream->currentData().toInt();
}

void TypingLine::setStream(int stream)
{
    m_stream->choose(stream);
    reviseWords();
}

void TypingLine::setMode(TypingMode mode)
{
    m_mode->choose(static_cast<int>(mode));
    m_field->setMode(mode);
    m_field->setPlaceholderText(mode == TypingMode::AsTyped ? tr("Type; Enter ends your turn") : tr("Type, then Enter"));
}

TypingMode TypingLine::mode() const
{
    return static_cast<TypingMode>(m_mode->currentData().toInt());
}

void TypingLine::showWaiting(std::size_t words)
{
    const QString text = words == 0 ? QString() : tr("%Ln word(s) wait", nullptr, static_cast<int>(words));
    if (m_waiting->text() != text) {
        m_waiting->setText(text);
    }
    m_waiting->setVisible(words > 0);
    m_drop->setVisible(words > 0);
}

// The field comes first; Enter ends the turn without a button.
void TypingLine::resizeEvent(QResizeEvent *)
{
    m_end->setVisible(width() >= kRoomForEnd);
    m_captions->setVisible(width() >= kRoomForVoice);
    m_mode->setVisible(width() >= kRoomForMode);
}

bool TypingLine::followsCaptions() const
{
    return m_captions->isChecked();
}

QString TypingLine::unfinished() const
{
    return m_field->mode() == TypingMode::AsTyped ? m_field->toPlainText() : QString();
}

}  // namespace braid::ui
