#include "ui/captions/transcript_accessible.h"

#include <QAccessibleWidget>
#include <QWidget>

namespace braid::ui {
namespace {

class SettledTextInterface : public QAccessibleWidget {
  public:
    SettledTextInterface(QWidget *widget, const SettledText &text)
        : QAccessibleWidget(widget, QAccessible::Document)
        , m_text(text)
    {
    }

    // The name stays the widget's; the value is the newest settled text, so that a reader asked for it reads what was said last.
    [[nodiscard]] QString text(QAccessible::Text what) const override
    {
        return what == QAccessible::Value ? m_text.newestText() : QAccessibleWidget::text(what);
    }

    [[nodiscard]] QAccessible::State state() const override
    {
        QAccessible::State state = QAccessibleWidget::state();
        state.readOnly = true;
        state.multiLine = true;
        return state;
    }

  private:
    const SettledText &m_text;
};

QAccessibleInterface *makeInterface(const QString &, QObject *object)
{
    auto *widget = qobject_cast<QWidget *>(object);
    const auto *text = dynamic_cast<SettledText *>(object);
    return widget != nullptr && text != nullptr ? new SettledTextInterface(widget, *text) : nullptr;
}

}  // namespace

void installTranscriptAccessibility()
{
    QAccessible::installFactory(makeInterface);
}

void announceText(QWidget *view, const QString &text)
{
    if (QAccessible::isActive() && !text.isEmpty()) {
        QAccessibleTextInsertEvent event(view, 0, text);
        QAccessible::updateAccessibility(&event);
    }
}

}  // namespace braid::ui
