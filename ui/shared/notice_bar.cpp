#include "ui/shared/notice_bar.h"

#include <algorithm>

#include <QAccessible>
#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

namespace braid::ui {
namespace {

constexpr std::size_t kMostNotices = 4;
constexpr int kMarginX = 16;
constexpr int kMarginY = 8;

QString severityName(Severity severity)
{
    switch (severity) {
    case Severity::Warn:
        return QStringLiteral("warn");
    case Severity::Danger:
        return QStringLiteral("danger");
    case Severity::Information:
        break;
    }
    return QStringLiteral("information");
}

// Told apart by a sign as well as by colour.
QString severitySign(Severity severity)
{
    return severity == Severity::Information ? QStringLiteral("\u2139") : severity == Severity::Warn ? QStringLiteral("\u26a0") : QStringLiteral("\u2716");
}

}  // namespace

NoticeBar::NoticeBar(const Notice &notice, QWidget *parent)
    : QFrame(parent)
    , m_sentence(notice.sentence)
    , m_key(notice.key)
{
    setObjectName(QStringLiteral("notice"));
    setProperty("severity", severityName(notice.severity));
    setAccessibleName(notice.sentence);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(12, 8, 8, 8);
    auto *row = new QHBoxLayout;
    row->setSpacing(8);
    column->addLayout(row);
    auto *sign = new QLabel(severitySign(notice.severity), this);
    sign->setAccessibleName(severityName(notice.severity));
    row->addWidget(sign, 0, Qt::AlignTop);
    auto *text = new QLabel(notice.sentence, this);
    text->setWordWrap(true);
    text->setTextFormat(Qt::PlainText);
    text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    row->addWidget(text, 1);
    for (const NoticeAction &action : notice.actions) {
        auto *button = new QPushButton(action.title, this);
        button->setAccessibleName(action.title);
        connect(button, &QPushButton::clicked, this, [this, act = action.action] {
            const auto keep = act;  // the bar, and this closure with it, is gone after closing
            Q_EMIT closed();
            if (keep) {
                keep();
            }
        });
        row->addWidget(button, 0, Qt::AlignTop);
    }
    if (!notice.details.isEmpty()) {
        auto *toggle = new QPushButton(tr("Details"), this);
        toggle->setObjectName(QStringLiteral("link"));
        toggle->setAccessibleName(tr("Show details"));
        row->addWidget(toggle, 0, Qt::AlignTop);
        m_details = new QWidget(this);
        auto *details_row = new QHBoxLayout(m_details);
        details_row->setContentsMargins(20, 0, 0, 0);
        auto *box = new QPlainTextEdit(notice.details, m_details);
        box->setReadOnly(true);
        box->setMaximumHeight(72);
        box->setAccessibleName(tr("Details"));
        auto *copy = new QPushButton(tr("Copy"), m_details);
        copy->setAccessibleName(tr("Copy details"));
        details_row->addWidget(box, 1);
        details_row->addWidget(copy, 0, Qt::AlignTop);
        column->addWidget(m_details);
        m_details->hide();
        connect(toggle, &QPushButton::clicked, this, [this] { m_details->setVisible(m_details->isHidden()); });
        connect(copy, &QPushButton::clicked, this,
                [whole = notice.sentence + QLatin1Char('\n') + notice.details] { QApplication::clipboard()->setText(whole); });
    }
    auto *close = new QToolButton(this);
    close->setText(QStringLiteral("\u2715"));
    close->setAccessibleName(tr("Dismiss"));
    close->setToolTip(tr("Dismiss"));
    row->addWidget(close, 0, Qt::AlignTop);
    connect(close, &QToolButton::clicked, this, &NoticeBar::closed);
}

bool NoticeBar::detailsAreShown() const
{
    return m_details != nullptr && !m_details->isHidden();
}

NoticeStack::NoticeStack(QWidget *parent)
    : QWidget(parent)
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    hide();
}

void NoticeStack::floatOverParent()
{
    m_placing = Placing::OverParent;
    parentWidget()->installEventFilter(this);
    place();
}

void NoticeStack::place()
{
    if (m_placing == Placing::OverParent) {
        const int width = std::max(0, parentWidget()->width() - 2 * kMarginX);
        setGeometry(kMarginX, kMarginY, width, layout()->hasHeightForWidth() ? layout()->heightForWidth(width) : sizeHint().height());
        raise();
    }
}

bool NoticeStack::event(QEvent *event)
{
    const bool done = QWidget::event(event);
    if (event->type() == QEvent::LayoutRequest) {
        place();
    }
    return done;
}

bool NoticeStack::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::Resize) {
        place();
    }
    return QWidget::eventFilter(watched, event);
}

void NoticeStack::add(const Notice &notice)
{
    if (!notice.key.isEmpty()) {
        remove(notice.key);
    }
    while (m_bars.size() >= kMostNotices) {
        forget(m_bars.back());
    }
    auto *bar = new NoticeBar(notice, this);
    static_cast<QVBoxLayout *>(layout())->insertWidget(0, bar);
    m_bars.insert(m_bars.begin(), bar);
    connect(bar, &NoticeBar::closed, this, [this, bar] { forget(bar); });
    show();
    showNewest();
    if (notice.severity == Severity::Information && notice.actions.empty()) {
        forgetWhenRead(bar);
    }
    if (QAccessible::isActive()) {
        QAccessibleEvent event(bar, QAccessible::Alert);
        QAccessible::updateAccessibility(&event);
    }
}

void NoticeStack::remove(const QString &key)
{
    const auto found = std::find_if(m_bars.begin(), m_bars.end(), [&key](const NoticeBar *bar) { return bar->key() == key; });
    if (found != m_bars.end()) {
        forget(*found);
    }
}

void NoticeStack::forget(NoticeBar *bar)
{
    std::erase(m_bars, bar);
    bar->hide();
    bar->deleteLater();
    setVisible(!m_bars.empty());
    showNewest();
}

void NoticeStack::forgetWhenRead(NoticeBar *bar)
{
    auto *timer = new QTimer(bar);
    timer->start(m_brief_time);
    connect(timer, &QTimer::timeout, this, [this, bar] {
        if (bar->isVisible() && !bar->underMouse() && !bar->detailsAreShown()) {
            forget(bar);
        }
    });
}

void NoticeStack::showNewest()
{
    for (NoticeBar *bar : m_bars) {
        bar->setVisible(bar == m_bars.front());
    }
    place();
}

QStringList NoticeStack::sentences() const
{
    QStringList sentences;
    for (const NoticeBar *bar : m_bars) {
        sentences << bar->sentence();
    }
    return sentences;
}

}  // namespace braid::ui
