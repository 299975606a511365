// What a causal encoder may look at and what it keeps: the block mask growing live, how full every layer's cache is, bytes. Pointing at
// a cell says what frame sees what. GUI thread.
#pragma once

#include <memory>
#include <optional>

#include <QPainter>
#include <QStringList>
#include <QWidget>

#include "ui/inspector/cache_geometry.h"
#include "ui/shared/appearance.h"

namespace braid::ui {

// Draws the mask: open cells by block, the newest block strongest, frames that are not there yet left empty. Keeps nothing.
void paintBlockMask(QPainter &painter, const CacheGeometry &geometry, std::optional<CacheCell> hovered, const Theme &theme);
// One bar a layer: how much of the window is cached.
void paintLayerBars(QPainter &painter, const QRectF &area, const captions::EncoderState &state, const Theme &theme, const QFont &font);

// What the cache holds, a line a thing. `offset`: where the run begins on the page's clock.
[[nodiscard]] QStringList cacheFacts(const captions::EncoderState &state, Sample offset);
// What a cell means.
[[nodiscard]] QString cacheCellText(const captions::EncoderState &state, const CacheGeometry &geometry, CacheCell cell, Sample offset);

class CacheView : public QWidget {
    Q_OBJECT
  public:
    explicit CacheView(Appearance &appearance, QWidget *parent = nullptr);
    void show(std::shared_ptr<const captions::EncoderState> state, Sample offset);
    [[nodiscard]] CacheGeometry maskGeometry() const;
    [[nodiscard]] QString textAt(const QPointF &point) const;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;

  protected:
    void paintEvent(QPaintEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    bool event(QEvent *event) override;

  private:
    [[nodiscard]] QRectF maskArea() const;
    [[nodiscard]] int layersHeight() const;

    Appearance &m_appearance;
    std::shared_ptr<const captions::EncoderState> m_state;
    Sample m_offset = 0;
    std::optional<CacheCell> m_hovered;
};

}  // namespace braid::ui
