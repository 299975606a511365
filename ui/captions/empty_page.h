// What a page of captions says while no word stands on it: what to do, or what it waits for. Thread: GUI.
#pragma once

#include <QString>

#include "core/captions/caption_engine.h"
#include "ui/state/caption_controller.h"

namespace braid::ui {

struct EmptyPageWords {
    QString title;
    QString text;
};

[[nodiscard]] EmptyPageWords emptyPageWords(RunActivity activity, const captions::CaptionSnapshot &snapshot);

}  // namespace braid::ui
