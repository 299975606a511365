// The dot of a status line: filled while something runs, a cross where it failed. GUI thread.
#pragma once

#include <QLabel>

#include "core/engine/run_events.h"
#include "ui/theme/appearance.h"
#include "ui/widgets/label_text.h"

namespace braid::ui {

inline void showRunDot(QLabel &dot, engine::RunState state, const Appearance &appearance)
{
    const bool runs = state == engine::RunState::Listening || state == engine::RunState::Loading || state == engine::RunState::Draining;
    const bool failed = state == engine::RunState::Failed;
    setTextIfNew(&dot, runs ? QStringLiteral("\u25cf") : failed ? QStringLiteral("\u2716") : QStringLiteral("\u25cb"));
    const QColor colour = appearance.colour(failed ? ColourToken::Danger : runs ? ColourToken::Accent : ColourToken::InkSoft);
    QPalette palette = dot.palette();
    if (palette.color(QPalette::WindowText) != colour) {
        palette.setColor(QPalette::WindowText, colour);
        dot.setPalette(palette);
    }
}

}  // namespace braid::ui
