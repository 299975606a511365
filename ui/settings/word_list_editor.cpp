#include "ui/settings/word_list_editor.h"

#include <QEvent>
#include <QFontMetrics>
#include <QLabel>
#include <QPlainTextEdit>
#include <QVBoxLayout>

#include "ui/state/word_list.h"

namespace braid::ui {
namespace {

constexpr int kRestMs = 800;
constexpr int kRowsShown = 6;

}  // namespace

WordListEditor::WordListEditor(QWidget *parent)
    : QWidget(parent)
    , m_field(new QPlainTextEdit(this))
    , m_problem(new QLabel(this))
{
    auto *explanation =
        new QLabel(tr("An entry a line: what is heard, an arrow, and how it is written. Words with * before them are written with asterisks. It "
                      "holds for words that are still to come."),
                   this);
    explanation->setWordWrap(true);
    m_field->setObjectName(QStringLiteral("wordList"));
    m_field->setAccessibleName(tr("Words that are written so"));
    m_field->setAccessibleDescription(explanation->text());
    m_field->setPlaceholderText(QStringLiteral("lib torch -> libtorch\nbraid -> Braid\n* darn"));
    m_field->setTabChangesFocus(true);
    m_field->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_field->setFixedHeight(QFontMetrics(m_field->font()).lineSpacing() * kRowsShown + 24);
    m_field->installEventFilter(this);
    m_problem->setObjectName(QStringLiteral("wordListProblem"));
    m_problem->setWordWrap(true);
    m_problem->hide();
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(explanation);
    column->addWidget(m_field);
    column->addWidget(m_problem);
    m_rest.setSingleShot(true);
    m_rest.setInterval(kRestMs);
    connect(&m_rest, &QTimer::timeout, this, &WordListEditor::take);
    connect(m_field, &QPlainTextEdit::textChanged, &m_rest, qOverload<>(&QTimer::start));
}

void WordListEditor::show(const QString &list)
{
    m_told = list;
    if (m_field->toPlainText() != list) {
        m_field->setPlainText(list);
        m_rest.stop();
    }
    showProblem();
}

bool WordListEditor::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_field && event->type() == QEvent::FocusOut) {
        take();
    }
    return QWidget::eventFilter(watched, event);
}

void WordListEditor::take()
{
    m_rest.stop();
    showProblem();
    const QString list = m_field->toPlainText();
    if (list != m_told) {
        m_told = list;
        Q_EMIT changed(list);
    }
}

void WordListEditor::showProblem()
{
    const QString problem = wordListProblem(m_field->toPlainText());
    m_problem->setText(problem.isEmpty() ? QString() : tr("Nothing of this list holds: %1").arg(problem));
    m_problem->setVisible(!problem.isEmpty());
}

}  // namespace braid::ui
