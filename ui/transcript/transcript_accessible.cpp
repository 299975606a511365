#include "ui/transcript/transcript_accessible.h"

#include <QAccessible>

#include "ui/transcript/transcript_view.h"
#include "ui/transcript/word_facts.h"

namespace braid::ui {
namespace {

constexpr int kWordsInValue = 60;

class TranscriptInterface : public QAccessibleWidget {
  public:
    explicit TranscriptInterface(TranscriptView *view) : QAccessibleWidget(view, QAccessible::Document), m_view(view) {}

    // The name stays the widget's; the value is the newest settled text, so that a reader asked for it reads what was said last.
    [[nodiscard]] QString text(QAccessible::Text what) const override
    {
        if (what == QAccessible::Value) {
            const int words = m_view->model().wordCount();
            return words == 0 ? QString() : m_view->model().plainText(std::max(0, words - kWordsInValue), words - 1);
        }
        return QAccessibleWidget::text(what);
    }

    [[nodiscard]] QAccessible::State state() const override
    {
        QAccessible::State state = QAccessibleWidget::state();
        state.readOnly = true;
        state.multiLine = true;
        return state;
    }

  private:
    TranscriptView *m_view;
};

QAccessibleInterface *makeInterface(const QString &class_name, QObject *object)
{
    if (class_name == QLatin1String("braid::ui::TranscriptView")) {
        if (auto *view = qobject_cast<TranscriptView *>(object)) {
            return new TranscriptInterface(view);
        }
    }
    return nullptr;
}

}  // namespace

void installTranscriptAccessibility()
{
    QAccessible::installFactory(makeInterface);
}

void announceSettledLine(TranscriptView *view, const QString &line)
{
    if (QAccessible::isActive() && !line.isEmpty()) {
        QAccessibleTextInsertEvent event(view, 0, line);
        QAccessible::updateAccessibility(&event);
    }
}

void announceWord(TranscriptView *view, const text::Word &word)
{
    if (QAccessible::isActive()) {
        QAccessibleTextInsertEvent event(view, 0, QString::fromStdString(word.text));
        QAccessible::updateAccessibility(&event);
    }
}

}  // namespace braid::ui
