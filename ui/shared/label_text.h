// Figures that come with every frame: a label is only touched when it says something new.
#pragma once

#include <QLabel>

namespace braid::ui {

inline void setTextIfNew(QLabel *label, const QString &text)
{
    if (label->text() != text) {
        label->setText(text);
    }
}

}  // namespace braid::ui
