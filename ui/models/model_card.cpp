#include "ui/models/model_card.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/shared/core_words.h"

namespace braid::ui {
namespace {

constexpr qsizetype kLanguagesNamed = 4;
constexpr int kFractionSteps = 1000;

QLabel *addLine(QVBoxLayout &column, const QString &text, QWidget *parent)
{
    auto *label = new QLabel(text, parent);
    label->setWordWrap(true);
    column.addWidget(label);
    return label;
}

}  // namespace

QString sizeText(std::uint64_t bytes)
{
    const double megabytes = static_cast<double>(bytes) / 1e6;
    return megabytes < 1000 ? QObject::tr("%1 MB").arg(megabytes, 0, 'f', megabytes < 10 ? 1 : 0) : QObject::tr("%1 GB").arg(megabytes / 1000, 0, 'f', 1);
}

QString languagesText(const QStringList &codes)
{
    if (codes.isEmpty()) {
        return {};
    }
    QStringList shown;
    for (const QString &code : codes.mid(0, kLanguagesNamed)) {
        shown << languageName(code);
    }
    return codes.size() > kLanguagesNamed
               ? QObject::tr("%1 and %n more language(s)", nullptr, static_cast<int>(codes.size() - kLanguagesNamed)).arg(shown.join(QStringLiteral(", ")))
               : shown.join(QStringLiteral(", "));
}

ModelCard::ModelCard(const CardText &text, const std::vector<CardAction> &actions, QWidget *parent)
    : QFrame(parent)
    , m_column(new QVBoxLayout)
{
    setObjectName(QStringLiteral("card"));
    setAccessibleName(text.name);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(16, 12, 16, 12);
    m_column->setSpacing(4);
    row->addLayout(m_column, 1);
    addLine(*m_column, QStringLiteral("<b>%1</b>").arg(text.name.toHtmlEscaped()), this);
    if (!text.purpose.isEmpty()) {
        addLine(*m_column, text.purpose, this)->setTextFormat(Qt::PlainText);
    }
    addLine(*m_column, text.facts.join(QStringLiteral("\u00a0\u00b7 ")), this)->setTextFormat(Qt::PlainText);
    QLabel *place = addLine(*m_column, text.place, this);
    place->setProperty("soft", true);
    place->setTextFormat(Qt::PlainText);
    place->setTextInteractionFlags(Qt::TextSelectableByMouse);
    if (!text.problem.isEmpty()) {
        QLabel *problem = addLine(*m_column, QStringLiteral("\u26a0 ") + text.problem, this);
        problem->setObjectName(QStringLiteral("problem"));
        problem->setTextFormat(Qt::PlainText);
        problem->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    for (const CardAction &action : actions) {
        auto *button = new QPushButton(action.title, this);
        button->setAccessibleName(action.accessible_name);
        button->setEnabled(static_cast<bool>(action.action));
        if (action.action) {
            connect(button, &QPushButton::clicked, this, action.action);
        }
        row->addWidget(button, 0, Qt::AlignTop);
    }
}

void ModelCard::focusFirstButton()
{
    for (QPushButton *button : findChildren<QPushButton *>()) {
        if (button->isEnabled()) {
            button->setFocus();
            return;
        }
    }
}

void ModelCard::showProgress(const FetchLook &look)
{
    if (m_bar == nullptr) {
        m_bar = new QProgressBar(this);
        m_bar->setTextVisible(false);
        m_bar->setMaximumHeight(8);
        m_bar->setAccessibleName(tr("How much of it is here"));
        m_column->addWidget(m_bar);
        m_line = addLine(*m_column, QString(), this);
    }
    m_bar->setRange(0, look.fraction < 0 ? 0 : kFractionSteps);
    m_bar->setValue(static_cast<int>(look.fraction * kFractionSteps));
    m_line->setText(look.line);
}

}  // namespace braid::ui
