#include "ui/shared/choice_box.h"

#include <QAbstractItemView>
#include <QEnterEvent>
#include <QStandardItemModel>
#include <QStyleOptionComboBox>
#include <QStylePainter>
#include <QWheelEvent>

namespace braid::ui {
namespace {

constexpr int kFrameWidth = 44;  // border, padding and arrow
constexpr int kDoorRole = Qt::UserRole + 100;

}  // namespace

ChoiceBox::ChoiceBox(const QString &name, const QString &explanation, QWidget *parent)
    : QComboBox(parent)
{
    setAccessibleName(name);
    setAccessibleDescription(explanation);
    setToolTip(explanation);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(8);
    connect(this, &QComboBox::currentTextChanged, this, [this] { updateGeometry(); });
    connect(this, &QComboBox::currentIndexChanged, this, [this](int index) {
        if (!isDoor(index)) {
            m_chosen = index;
        }
    });
    connect(this, &QComboBox::activated, this, [this](int index) {
        if (isDoor(index)) {
            setCurrentIndex(m_chosen);
            if (!m_is_stepping) {
                Q_EMIT doorChosen();
            }
        }
    });
}

bool ChoiceBox::choose(const QVariant &data)
{
    const int index = findData(data);
    if (index < 0) {
        return false;
    }
    setCurrentIndex(index);
    return true;
}

void ChoiceBox::addHeading(const QString &text)
{
    addItem(text);
    auto *items = qobject_cast<QStandardItemModel *>(model());
    if (items != nullptr) {
        items->item(count() - 1)->setFlags(Qt::NoItemFlags);
    }
}

void ChoiceBox::addDoor(const QString &text)
{
    addItem(text);
    setItemData(count() - 1, true, kDoorRole);
}

bool ChoiceBox::isDoor(int index) const
{
    return itemData(index, kDoorRole).toBool();
}

QSize ChoiceBox::sizeHint() const
{
    return {std::clamp(fontMetrics().horizontalAdvance(currentText()) + kFrameWidth, 84, 220), QComboBox::sizeHint().height()};
}

QSize ChoiceBox::minimumSizeHint() const
{
    // Short choices are always readable; long names give way.
    return {std::clamp(fontMetrics().horizontalAdvance(currentText()) + kFrameWidth, 64, 88), QComboBox::minimumSizeHint().height()};
}

// Whoever steps past the last choice with a key did not ask for the door; from the open list it can be chosen with keys as well.
void ChoiceBox::keyPressEvent(QKeyEvent *event)
{
    m_is_stepping = true;
    QComboBox::keyPressEvent(event);
    m_is_stepping = false;
}

void ChoiceBox::paintEvent(QPaintEvent *)
{
    QStylePainter painter(this);
    QStyleOptionComboBox option;
    initStyleOption(&option);
    const QRect room = style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this);
    option.currentText = fontMetrics().elidedText(option.currentText, Qt::ElideRight, room.width() - 2);
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    painter.drawControl(QStyle::CE_ComboBoxLabel, option);
}

void ChoiceBox::showPopup()
{
    Q_EMIT aboutToOpen();
    int widest = width();
    for (int index = 0; index < count(); ++index) {
        widest = std::max(widest, fontMetrics().horizontalAdvance(itemText(index)) + 48);
    }
    view()->setMinimumWidth(std::min(widest, 480));
    QComboBox::showPopup();
}

void ChoiceBox::hidePopup()
{
    QComboBox::hidePopup();
    Q_EMIT closed();
}

void ChoiceBox::enterEvent(QEnterEvent *event)
{
    QComboBox::enterEvent(event);
    Q_EMIT aboutToOpen();
}

bool ChoiceBox::isOpen() const
{
    return view()->isVisible();
}

// Turning the wheel over a row of choices must not change what runs.
void ChoiceBox::wheelEvent(QWheelEvent *event)
{
    event->ignore();
}

}  // namespace braid::ui
