// The dot of a status line: filled while something runs, a cross where it failed. GUI thread.
#pragma once

#include <QLabel>

#include "core/runtime/run_events.h"
#include "ui/shared/appearance.h"
#include "ui/shared/label_text.h"

namespace braid::ui {

enum class RunActivity : std::uint8_t { Idle = 1, Running, Stopping };

inline void showRunDot(QLabel &dot, runtime::RunState state, const Appearance &appearance)
{
    const bool runs = state == runtime::RunState::Listening || state == runtime::RunState::Loading || state == runtime::RunState::Draining;
    const bool failed = state == runtime::RunState::Failed;
    setTextIfNew(&dot, runs ? QStringLiteral("\u25cf") : failed ? QStringLiteral("\u2716") : QStringLiteral("\u25cb"));
    const QColor colour = appearance.colour(failed ? ColourToken::Danger : runs ? ColourToken::Accent : ColourToken::InkSoft);
    QPalette palette = dot.palette();
    if (palette.color(QPalette::WindowText) != colour) {
        palette.setColor(QPalette::WindowText, colour);
        dot.setPalette(palette);
    }
}

}  // namespace braid::ui
