#include "ui/captions/queue_row.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QProgressBar>
#include <QToolButton>

#include "ui/captions/queue_panel.h"

namespace braid::ui {
namespace {

constexpr int kBarWidth = 96;
constexpr int kRoomForBar = 620;  // of a row: a narrower one says it in words alone

}  // namespace

QueueRow::QueueRow(CaptionQueue &queue, QWidget *parent)
    : QFrame(parent)
    , m_queue(queue)
    , m_name(new QLabel(this))
    , m_bar(new QProgressBar(this))
    , m_state(new QLabel(this))
{
    setObjectName(QStringLiteral("queueRow"));
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(16, 0, 8, 0);
    row->setSpacing(8);
    m_name->setTextFormat(Qt::PlainText);
    m_name->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_state->setProperty("soft", true);
    m_state->setTextFormat(Qt::PlainText);
    m_state->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_state->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_bar->setRange(0, 1000);
    m_bar->setTextVisible(false);
    m_bar->setFixedSize(kBarWidth, 6);
    row->addWidget(m_name, 3);
    row->addWidget(m_state, 4);
    row->addWidget(m_bar);
    m_up = addButton(QStringLiteral("up"), QStringLiteral("\u2191"), tr("Earlier (Alt+Up)"));
    m_down = addButton(QStringLiteral("down"), QStringLiteral("\u2193"), tr("Later (Alt+Down)"));
    m_show = addButton(QStringLiteral("show"), tr("Show"), tr("Its words on the page"));
    m_save = addButton(QStringLiteral("save"), tr("Save\u2026"), tr("Its words as a file of their own"));
    m_cancel = addButton(QStringLiteral("cancel"), QStringLiteral("\u00d7"), tr("Leave it out (Delete)"));
    connect(m_up, &QToolButton::clicked, this, [this] { m_queue.move(m_id, -1); });
    connect(m_down, &QToolButton::clicked, this, [this] { m_queue.move(m_id, 1); });
    connect(m_show, &QToolButton::clicked, this, [this] { m_queue.show(m_id); });
    connect(m_save, &QToolButton::clicked, this, [this] { Q_EMIT saveRequested(m_id); });
    connect(m_cancel, &QToolButton::clicked, this, [this] { m_queue.cancel(m_id); });
}

QToolButton *QueueRow::addButton(const QString &name, const QString &text, const QString &tip)
{
    auto *button = new QToolButton(this);
    button->setObjectName(name);
    button->setText(text);
    button->setToolTip(tip);
    layout()->addWidget(button);
    button->installEventFilter(this);
    return button;
}

void QueueRow::fill(const QueueEntry &entry, const QueueChances &chances)
{
    m_id = entry.id;
    m_title = entry.title;
    const bool waits = entry.isWaiting();
    const bool runs = entry.isRunning();
    m_up->setVisible(waits);
    m_up->setEnabled(chances.up == QueueMove::Possible);
    m_down->setVisible(waits);
    m_down->setEnabled(chances.down == QueueMove::Possible);
    m_show->setVisible(entry.isReadable() && !chances.is_shown);
    m_show->setEnabled(chances.page_is_free);
    m_save->setVisible(entry.isReadable());
    m_cancel->setVisible(waits || runs);
    m_cancel->setToolTip(runs ? tr("Stop it here; what was heard is kept (Delete)") : tr("Leave it out (Delete)"));
    QFont font = m_name->font();
    font.setBold(chances.is_shown);
    m_name->setFont(font);
    m_name->setToolTip(QString::fromStdString(entry.file.string()));
    const auto name = [&entry](QToolButton *button, const QString &what) { button->setAccessibleName(what.arg(entry.title)); };
    name(m_up, tr("%1 earlier"));
    name(m_down, tr("%1 later"));
    name(m_show, tr("Show %1"));
    name(m_save, tr("Save %1"));
    name(m_cancel, runs ? tr("Stop %1") : tr("Leave out %1"));
    showProgress(entry);
}

void QueueRow::showProgress(const QueueEntry &entry)
{
    m_state_text = stateText(entry);
    m_bar->setVisible(entry.isRunning() && entry.done && width() >= kRoomForBar);
    m_bar->setValue(static_cast<int>(entry.done.value_or(0) * 1000));
    m_bar->setAccessibleName(tr("How far %1 is").arg(entry.title));
    m_state->setToolTip(entry.problem);
    setAccessibleName(text());
    elide();
}

QString QueueRow::text() const
{
    return tr("%1: %2").arg(m_title, m_state_text);
}

void QueueRow::elide()
{
    m_name->setText(m_name->fontMetrics().elidedText(m_title, Qt::ElideMiddle, m_name->width()));
    m_state->setText(m_state->fontMetrics().elidedText(m_state_text, Qt::ElideRight, m_state->width()));
}

void QueueRow::resizeEvent(QResizeEvent *event)
{
    QFrame::resizeEvent(event);
    elide();
}

// Keys on any of its buttons: the buttons would take the arrows to go to the next one.
bool QueueRow::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::KeyPress) {
        const auto *key = static_cast<QKeyEvent *>(event);
        const bool moves = key->modifiers().testFlag(Qt::AltModifier) && (key->key() == Qt::Key_Up || key->key() == Qt::Key_Down);
        if (moves) {
            m_queue.move(m_id, key->key() == Qt::Key_Up ? -1 : 1);
            return true;
        }
        if (key->key() == Qt::Key_Delete) {
            m_queue.cancel(m_id);
            return true;
        }
    }
    return QFrame::eventFilter(watched, event);
}

}  // namespace braid::ui
