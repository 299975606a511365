// Draws waveform columns, words and the time scale from plain values; keeps nothing.
#pragma once

#include <QFont>
#include <QPainter>

#include "ui/captions/timeline_geometry.h"
#include "ui/shared/theme.h"
#include "ui/state/peak_pyramid.h"
#include "ui/state/transcript_model.h"

namespace braid::ui {

struct TimelineBands {  // from top to bottom, in pixels
    double scale_height = 16;
    double wave_height = 56;
    double attention_height = 30;  // three tokens with their names
    double words_height = 22;
    [[nodiscard]] double attentionTop() const noexcept { return scale_height + wave_height; }
    [[nodiscard]] double wordsTop() const noexcept { return attentionTop() + attention_height; }
    [[nodiscard]] double height() const noexcept { return wordsTop() + words_height; }
};

struct TimelineMarks {
    Sample heard = 0;    // sound is there up to here
    Sample decoded = 0;  // the model has seen it up to here
    int playing_word = -1;
    std::optional<WordRef> hovered;
    std::optional<WordRef> pinned;
    double pointer_x = -1;  // hair line with its time; negative: none
    QString pointer_text;   // said beside the time; may be empty
};

// Columns [first, first + image width) of the waveform, a column being `samples_per_pixel` samples from sample 0 on.
void paintWaveColumns(QPainter &painter, const QRect &area, std::int64_t first_column, double samples_per_pixel, const PeakPyramid &peaks, const Theme &theme);
void paintTimeScale(QPainter &painter, const TimelineGeometry &geometry, const TimelineBands &bands, const Theme &theme, const QFont &font);
void paintTimelineWords(QPainter &painter, const TimelineGeometry &geometry, const TimelineBands &bands, const TranscriptModel &model,
                        const TimelineMarks &marks, const Theme &theme, const QFont &font);
// What lies over the waveform: gaps, heard but not yet decoded sound, the playing word, the pointer.
void paintTimelineMarks(QPainter &painter, const TimelineGeometry &geometry, const TimelineBands &bands, const TranscriptModel &model,
                        const TimelineMarks &marks, const Theme &theme, const QFont &font);
// First settled word that ends after `sample`.
[[nodiscard]] int firstWordEndingAfter(const TranscriptModel &model, Sample sample);

}  // namespace braid::ui
