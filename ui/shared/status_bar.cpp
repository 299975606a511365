#include "ui/shared/status_bar.h"

#include "ui/shared/core_words.h"

#include <algorithm>

#include <QHBoxLayout>
#include <QLabel>

#include "ui/shared/label_text.h"
#include "ui/shared/run_dot.h"

namespace braid::ui {
namespace {

constexpr int kSideMargin = 16;
constexpr int kSpacing = 20;
constexpr int kDotWidth = 24;  // with the space behind it
constexpr int kSlack = 4;

int widthOf(const QLabel &label)
{
    return label.minimumWidth() > 0 ? label.minimumWidth() : label.sizeHint().width();
}

}  // namespace

QString loadingText(const std::string &activity, double fraction)
{
    return activity.empty() ? QObject::tr("loading, %1 %").arg(fraction * 100, 0, 'f', 0) : coreWords(activity);
}

QString runStateText(runtime::RunState state, const std::string &activity, double loading_fraction, const QString &while_listening)
{
    switch (state) {
    case runtime::RunState::Idle:
        return QObject::tr("ready");
    case runtime::RunState::Loading:
        return loadingText(activity, loading_fraction);
    case runtime::RunState::Listening:
        return while_listening;
    case runtime::RunState::Draining:
        return QObject::tr("finishing");
    case runtime::RunState::Finished:
        return QObject::tr("finished");
    case runtime::RunState::Failed:
        return QObject::tr("stopped by an error");
    }
    return {};
}

StatusBar::StatusBar(Appearance &appearance, const QString &dot_name, const QString &widest_state, const std::vector<Figure> &figures, QWidget *beside_state,
                     QWidget *parent)
    : QWidget(parent)
    , m_appearance(appearance)
    , m_dot(new QLabel(QStringLiteral("\u25cb"), this))
    , m_state(new QLabel(this))
    , m_beside_state(beside_state)
    , m_compute(new QLabel(this))
{
    setObjectName(QStringLiteral("status"));
    setAttribute(Qt::WA_StyledBackground);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(kSideMargin, 6, kSideMargin, 6);
    row->setSpacing(kSpacing);
    auto *state = new QHBoxLayout;
    state->setSpacing(8);
    state->addWidget(m_dot);
    state->addWidget(m_state);
    row->addLayout(state);
    if (beside_state != nullptr) {
        row->addWidget(beside_state);
    }
    const QFontMetrics metrics(Appearance::interfaceFont(13));
    m_dot->setAccessibleName(dot_name);
    m_state->setObjectName(QStringLiteral("stateWord"));
    m_state->setAccessibleName(tr("State"));
    m_state->setMinimumWidth(metrics.horizontalAdvance(widest_state) + kSlack);
    for (const Figure &figure : figures) {
        auto *label = new QLabel(this);
        label->setAccessibleName(figure.name);
        label->setToolTip(figure.tip);
        if (figure.widest.isEmpty()) {
            label->setProperty("soft", true);
        } else {
            label->setMinimumWidth(metrics.horizontalAdvance(figure.widest) + kSlack);
        }
        row->addWidget(label);
        m_figures.push_back({label, figure.room});
    }
    row->addStretch(1);
    m_compute->setAccessibleName(tr("Where it runs"));
    m_compute->setProperty("soft", true);
    row->addWidget(m_compute);
}

void StatusBar::showRun(runtime::RunState dot, const QString &state, const QStringList &figures)
{
    showRunDot(*m_dot, dot, m_appearance);
    setTextIfNew(m_state, state);
    for (std::size_t figure = 0; figure < m_figures.size(); ++figure) {
        setTextIfNew(m_figures[figure].label, figures.value(static_cast<qsizetype>(figure)));
    }
    reviseRoom();
}

void StatusBar::setCompute(const QString &where, const QString &warning)
{
    setTextIfNew(m_compute, warning.isEmpty() ? where : QStringLiteral("\u26a0 ") + where);
    m_compute->setToolTip(warning.isEmpty() ? where : warning);
    reviseRoom();
}

QString StatusBar::stateText() const
{
    return m_state->text();
}

QString StatusBar::figureText(std::size_t figure) const
{
    return m_figures[figure].label->text();
}

void StatusBar::resizeEvent(QResizeEvent *)
{
    reviseRoom();
}

// Gives way from the right: first where it runs.
void StatusBar::reviseRoom()
{
    int room = width() - 2 * kSideMargin - kDotWidth - std::max(m_state->sizeHint().width(), m_state->minimumWidth());
    room -= m_beside_state != nullptr ? m_beside_state->width() + kSpacing : 0;
    for (const ShownFigure &figure : m_figures) {
        room -= figure.room == Room::Always ? widthOf(*figure.label) + kSpacing : 0;
    }
    for (const ShownFigure &figure : m_figures) {
        if (figure.room == Room::WhereThereIs) {
            room -= widthOf(*figure.label) + kSpacing;
            figure.label->setVisible(room >= 0);
        }
    }
    m_compute->setVisible(room >= m_compute->sizeHint().width() + kSpacing);
}

}  // namespace braid::ui
