#include "ui/shared/choices_frame.h"

#include <QHBoxLayout>
#include <QPushButton>

namespace braid::ui {
namespace {

constexpr int kLeastStartWidth = 96;

int leastWidth(const QWidget &control)
{
    return std::max(control.minimumWidth(), std::min(control.minimumSizeHint().width(), control.maximumWidth()));
}

}  // namespace

void ChoicesFrame::layOut(const std::vector<QWidget *> &choices, const std::vector<QWidget *> &buttons)
{
    setObjectName(QStringLiteral("choices"));
    setAttribute(Qt::WA_StyledBackground);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(16, 10, 16, 10);
    row->setSpacing(8);
    for (QWidget *choice : choices) {
        row->addWidget(choice);
    }
    row->addStretch(1);
    for (QWidget *button : buttons) {
        row->addWidget(button);
    }
    m_start = new QPushButton(tr("Start"), this);
    m_start->setObjectName(QStringLiteral("primary"));
    m_start->setAccessibleName(tr("Start"));
    row->addWidget(m_start);
    setMinimumWidth(1);  // until it is shown, and knows what stands in it
    connect(m_start, &QPushButton::clicked, this, &ChoicesFrame::startStopRequested);
}

void ChoicesFrame::showRun(RunActivity activity, bool loading, const QString &stop_now_tip)
{
    const QString text = activity == RunActivity::Idle ? tr("Start") : activity == RunActivity::Stopping ? tr("Stop now") : loading ? tr("Cancel") : tr("Stop");
    setStart(text, activity == RunActivity::Stopping ? stop_now_tip : tr("%1 (Space)").arg(text));
}

void ChoicesFrame::setStart(const QString &text, const QString &tip)
{
    if (m_start->text() != text) {
        m_start->setText(text);
        m_start->setAccessibleName(text);
        fitStart();
        m_start->setToolTip(tip);
    }
}

void ChoicesFrame::fitStart()
{
    m_start->setMinimumWidth(std::max(kLeastStartWidth, m_start->sizeHint().width()));
}

void ChoicesFrame::enableStart(bool enabled)
{
    m_start->setEnabled(enabled);
}

// What always stands here, and of what gives way as much as there is room for in the words of this language.
void ChoicesFrame::resizeEvent(QResizeEvent *)
{
    std::vector<std::pair<int, QWidget *>> giving_way = m_giving_way;
    std::stable_sort(giving_way.begin(), giving_way.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
    const auto gives_way = [&giving_way](const QWidget *control) {
        return std::any_of(giving_way.begin(), giving_way.end(), [control](const auto &one) { return one.second == control; });
    };
    fitStart();
    const QMargins margins = layout()->contentsMargins();
    int needed = margins.left() + margins.right();
    for (int index = 0; index < layout()->count(); ++index) {
        if (const QWidget *control = layout()->itemAt(index)->widget(); control != nullptr && !control->isHidden() && !gives_way(control)) {
            needed += leastWidth(*control) + layout()->spacing();
        }
    }
    setMinimumWidth(needed);
    for (const auto &[least_width, control] : giving_way) {
        needed += leastWidth(*control) + layout()->spacing();
        control->setVisible(width() >= std::max(least_width, needed));
    }
}

void addNoModelLine(ChoiceBox &box, bool arrived)
{
    if (box.count() == 0) {
        box.addItem(arrived ? QObject::tr("No model found") : QObject::tr("Looking for models\u2026"), QString());
    }
}

void addBetterModelLine(ChoiceBox &box)
{
    box.addDoor(QObject::tr("Get a better model\u2026"));
}

void addMissingModelLine(ChoiceBox &box, const QString &name)
{
    box.addItem(QObject::tr("%1 (not there any more)").arg(name), name);
    box.setItemData(box.count() - 1, missingModelSentence(name), Qt::ToolTipRole);
    box.setCurrentIndex(box.count() - 1);
}

QString missingModelSentence(const QString &name)
{
    return QObject::tr("The model %1, which was chosen earlier, is not there any more. Choose another one, or fetch it on the Models page.").arg(name);
}

}  // namespace braid::ui
