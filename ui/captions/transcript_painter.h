// Draws a transcript from plain values; keeps nothing. The same call paints the screen, a picture for a test, and a print.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include <QFont>
#include <QPainter>

#include "ui/captions/transcript_layout.h"
#include "ui/captions/transcript_search.h"
#include "ui/captions/translation_rows.h"
#include "ui/shared/theme.h"
#include "ui/state/day_times.h"
#include "ui/state/transcript_model.h"

namespace braid::ui {

enum class LowProbability : std::uint8_t { Hidden = 1, Marked };
enum class TimesInMargin : std::uint8_t { Shown = 1, Hidden };

struct TranscriptMarks {
    std::optional<WordRef> hovered;
    std::optional<WordRef> pinned;
    std::optional<WordRef> cursor;  // keyboard's word, drawn with the focus ring
    int playing = -1;               // settled word being heard
    int selected_first = -1;
    int selected_last = -1;
    const std::vector<TextMatch> *matches = nullptr;
    int current_match = -1;
    std::vector<float> tail_fade;                     // by tail word: 1 just revised .. 0 settled down
    std::vector<std::pair<int, float>> settled_fade;  // settled words revised as they settled, likewise
    const std::vector<bool> *differing = nullptr;     // settled words that another transcript has otherwise
    LowProbability low_probability = LowProbability::Hidden;
    TimesInMargin times = TimesInMargin::Shown;
    const TranslationRows *translations = nullptr;  // under the words, where the layout keeps room for them
    QFont translation_font;
    const DayTimes *day_times = nullptr;  // the margin shows the time of day, where there is one; null: the time of the recording
};

inline constexpr float kLowProbability = 0.5F;

// Paints what of the transcript lies in `visible` (content coordinates; the painter is translated to them already).
void paintTranscript(QPainter &painter, const QRectF &visible, const TranscriptModel &model, const TranscriptLayout &layout, const TranscriptMarks &marks,
                     const Theme &theme, const QFont &font);

}  // namespace braid::ui
