// Draws the newest lines of one or two texts in outlined letters. The strip over other windows and the plain window for streaming are made of it.
// GUI thread; the sources outlive it.
#pragma once

#include <array>

#include <QWidget>

#include "ui/overlay/overlay_text.h"
#include "ui/state/overlay_options.h"

namespace braid::ui {

class OverlaySource;

enum class Backdrop : std::uint8_t {
    Translucent = 1,  // what lies behind is seen
    Plain,            // one colour, for software that keys it out
};

class OverlayCanvas : public QWidget {
    Q_OBJECT
  public:
    OverlayCanvas(OverlaySource &captions, OverlaySource &translation, Backdrop backdrop, QWidget *parent = nullptr);

    void setOptions(const OverlayOptions &options);
    [[nodiscard]] const OverlayOptions &options() const noexcept { return m_options; }
    // What its lines need.
    [[nodiscard]] int neededHeight() const;
    // All lines that stand, the original's first.
    [[nodiscard]] QStringList lines() const;
    [[nodiscard]] static QFont fontOf(const OverlayOptions &options);

  protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

  private:
    struct Block {
        OverlayText *text = nullptr;
        std::vector<OverlayLine> lines;
    };
    [[nodiscard]] bool shows(const Block &block) const { return block.text->isPartOf(m_options.shows); }
    [[nodiscard]] double lineHeight() const;
    void reshape();
    void take(Block &block);
    void paintLine(QPainter &painter, const OverlayLine &line, double top) const;

    OverlayOptions m_options;
    Backdrop m_backdrop;
    std::array<Block, 2> m_blocks;  // captions, translation
};

}  // namespace braid::ui
