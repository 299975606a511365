#include "ui/shared/figure_table.h"

#include <QGridLayout>
#include <QLabel>

#include "ui/shared/label_text.h"

namespace braid::ui {

FigureTable::FigureTable(QWidget *parent) : QWidget(parent), m_grid(new QGridLayout(this))
{
    m_grid->setContentsMargins(24, 10, 24, 12);
    m_grid->setVerticalSpacing(3);
    m_grid->setColumnStretch(0, 1);
}

void FigureTable::show(const std::vector<FigureLine> &lines)
{
    for (std::size_t index = m_lines.size(); index < lines.size(); ++index) {
        auto *name = new QLabel(this);
        name->setProperty("soft", true);
        auto *value = new QLabel(this);
        value->setAlignment(Qt::AlignRight);
        m_grid->addWidget(name, static_cast<int>(index), 0);
        m_grid->addWidget(value, static_cast<int>(index), 1);
        m_lines.emplace_back(name, value);
    }
    for (std::size_t index = 0; index < lines.size(); ++index) {
        const auto &[name, value] = m_lines[index];
        setTextIfNew(name, lines[index].name);
        setTextIfNew(value, lines[index].value);
        value->setAccessibleName(lines[index].name);
        QFont font = value->font();
        if (font.bold() != lines[index].better) {
            font.setBold(lines[index].better);
            value->setFont(font);
        }
    }
}

}  // namespace braid::ui
