#include "ui/captions/queue_panel.h"

#include <algorithm>

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include "ui/captions/queue_row.h"

namespace braid::ui {
namespace {

constexpr int kRowHeight = 32;

QString wordsText(int words)
{
    return QObject::tr("%n word(s)", nullptr, words);
}

}  // namespace

QString progressText(const QueueEntry &entry)
{
    if (!entry.done) {
        return QObject::tr("begins");
    }
    const QString share = QObject::tr("%1 %").arg(static_cast<int>(*entry.done * 100));
    if (!entry.seconds_to) {
        return share;
    }
    const int seconds = *entry.seconds_to;
    const QString left = seconds < 60     ? QObject::tr("about %1 s left").arg(std::max(1, seconds))
                         : seconds < 3600 ? QObject::tr("about %1 min left").arg(seconds / 60)
                                          : QObject::tr("about %1 h %2 min left").arg(seconds / 3600).arg(seconds % 3600 / 60);
    return QObject::tr("%1, %2").arg(share, left);
}

QString stateText(const QueueEntry &entry)
{
    switch (entry.state) {
    case QueueState::Waiting:
        return QObject::tr("waits");
    case QueueState::Running:
        return progressText(entry);
    case QueueState::Done:
        return entry.words == 0 ? QObject::tr("done; nobody speaks in it") : QObject::tr("done, %1").arg(wordsText(entry.words));
    case QueueState::Stopped:
        return QObject::tr("stopped, %1").arg(wordsText(entry.words));
    case QueueState::Failed:
        break;
    }
    return entry.problem;
}

QueuePanel::QueuePanel(CaptionQueue &queue, QWidget *parent)
    : QFrame(parent)
    , m_queue(queue)
    , m_title(new QLabel(this))
    , m_go_on(new QPushButton(tr("Go on"), this))
    , m_save_all(new QPushButton(tr("Save all\u2026"), this))
    , m_tidy(new QPushButton(tr("Clear finished"), this))
    , m_scroll(new QScrollArea(this))
    , m_list(new QWidget(this))
    , m_column(new QVBoxLayout(m_list))
{
    setObjectName(QStringLiteral("choices"));  // the same surface as the row above
    setAttribute(Qt::WA_StyledBackground);
    setAccessibleName(tr("Recordings"));
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 4, 0, 4);
    column->setSpacing(0);
    auto *head = new QHBoxLayout();
    head->setContentsMargins(16, 0, 8, 0);
    m_title->setObjectName(QStringLiteral("section"));
    head->addWidget(m_title, 1);
    for (QPushButton *button : {m_go_on, m_save_all, m_tidy}) {
        button->setObjectName(QStringLiteral("link"));
        head->addWidget(button);
    }
    m_go_on->setToolTip(tr("Caption those that wait"));
    m_save_all->setToolTip(tr("Each in a file of its own, in one folder"));
    m_tidy->setToolTip(tr("Takes finished recordings off this list; nothing is deleted from the disk"));
    column->addLayout(head);
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(0);
    m_scroll->setWidget(m_list);
    m_scroll->setWidgetResizable(true);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->setAccessibleName(tr("Recordings"));
    column->addWidget(m_scroll);
    connect(m_go_on, &QPushButton::clicked, &queue, &CaptionQueue::goOn);
    connect(m_save_all, &QPushButton::clicked, this, &QueuePanel::saveAllRequested);
    connect(m_tidy, &QPushButton::clicked, this, [this] {
        m_queue.tidy();
        Q_EMIT tidied();
    });
    connect(&queue, &CaptionQueue::changed, this, &QueuePanel::rebuild);
    connect(&queue, &CaptionQueue::progressed, this, &QueuePanel::revise);
    rebuild();
}

void QueuePanel::setMostRows(int rows)
{
    if (rows != m_most_rows) {
        m_most_rows = rows;
        place();
    }
}

QString QueuePanel::rowText(int row) const
{
    return m_rows[static_cast<std::size_t>(row)]->text();
}

// Rows are filled anew rather than made anew: the one with the keyboard keeps it.
void QueuePanel::rebuild()
{
    const std::vector<QueueEntry> &entries = m_queue.entries();
    while (m_rows.size() < entries.size()) {
        auto *row = new QueueRow(m_queue, m_list);
        row->setFixedHeight(kRowHeight);
        m_column->addWidget(row);
        connect(row, &QueueRow::saveRequested, this, &QueuePanel::saveRequested);
        m_rows.push_back(row);
    }
    while (m_rows.size() > entries.size()) {
        m_rows.back()->hide();
        m_rows.back()->deleteLater();  // its button may be the one that was pressed
        m_rows.pop_back();
    }
    const bool is_free = m_queue.running() == nullptr;
    const auto waits = [&entries](std::size_t index) { return index < entries.size() && entries[index].isWaiting(); };
    std::size_t over = 0;
    int with_words = 0;
    for (std::size_t index = 0; index < entries.size(); ++index) {
        const QueueEntry &entry = entries[index];
        m_rows[index]->fill(entry, {index > 0 && waits(index - 1) ? QueueMove::Possible : QueueMove::Impossible,
                                    waits(index + 1) ? QueueMove::Possible : QueueMove::Impossible, entry.id == m_queue.shown(), is_free});
        over += entry.isOver() ? 1 : 0;
        with_words += entry.isReadable() ? 1 : 0;
    }
    m_title->setText(m_queue.waiting() == 0 ? tr("Recordings") : tr("Recordings: %1 of %2 done").arg(over).arg(entries.size()));
    m_go_on->setVisible(m_queue.isPaused() && m_queue.waiting() > 0);
    m_save_all->setVisible(with_words > 1);
    m_tidy->setVisible(over > 0);
    setVisible(!entries.empty());
    place();
}

void QueuePanel::revise()
{
    if (const QueueEntry *running = m_queue.running()) {
        const auto row = std::find_if(m_rows.begin(), m_rows.end(), [running](const QueueRow *each) { return each->id() == running->id; });
        if (row != m_rows.end()) {
            (*row)->showProgress(*running);
        }
    }
}

void QueuePanel::place()
{
    m_scroll->setFixedHeight(kRowHeight * std::min(m_most_rows, static_cast<int>(m_rows.size())));
}

}  // namespace braid::ui
