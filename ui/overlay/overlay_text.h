// One text of an overlay: the words of a source, set in lines as they come. The strip, the plain window and the live text file show such. GUI thread; the
// source outlives it.
#pragma once

#include <cstdint>
#include <vector>

#include <QObject>

#include "ui/overlay/overlay_lines.h"
#include "ui/state/overlay_options.h"

namespace braid::ui {

class OverlaySource;

enum class OverlayPart : std::uint8_t { Captions = 1, Translation };

class OverlayText : public QObject {
    Q_OBJECT
  public:
    OverlayText(OverlayPart part, OverlaySource &source, QObject *parent);
    // Another width or font: the newest words are set anew.
    void reshape(double width, OverlayLines::Measure measure);
    [[nodiscard]] bool isPartOf(OverlayShows shows) const noexcept;
    // The newest `count` lines, oldest first; fewer where there are not so many.
    [[nodiscard]] std::vector<OverlayLine> newest(int count) { return m_lines.newest(count); }

  Q_SIGNALS:
    void changed();

  private:
    void take();

    OverlayPart m_part;
    OverlaySource &m_source;
    OverlayLines m_lines;
    int m_taken = 0;  // settled words of the source
};

}  // namespace braid::ui
