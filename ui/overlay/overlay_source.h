// Where an overlay's words come from: captions or their translation. GUI thread; what they read outlives them.
#pragma once

#include <vector>

#include <QObject>

#include "ui/overlay/overlay_lines.h"

namespace braid::ui {

class BilingualText;
class TranscriptModel;

class OverlaySource : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;
    [[nodiscard]] virtual int count() const = 0;  // settled words
    [[nodiscard]] virtual OverlayWord word(int index) const = 0;
    [[nodiscard]] virtual std::vector<OverlayWord> tail() const = 0;

  Q_SIGNALS:
    void changed();
    void cleared();
};

class CaptionWords : public OverlaySource {
    Q_OBJECT
  public:
    explicit CaptionWords(TranscriptModel &model, QObject *parent = nullptr);
    [[nodiscard]] int count() const override;
    [[nodiscard]] OverlayWord word(int index) const override;
    [[nodiscard]] std::vector<OverlayWord> tail() const override;

  private:
    TranscriptModel &m_model;
};

class TranslatedWords : public OverlaySource {
    Q_OBJECT
  public:
    explicit TranslatedWords(BilingualText &text, QObject *parent = nullptr);
    // Takes another translation's words from now on.
    void follow(BilingualText &text);
    [[nodiscard]] int count() const override;
    [[nodiscard]] OverlayWord word(int index) const override;
    [[nodiscard]] std::vector<OverlayWord> tail() const override;

  private:
    BilingualText *m_text;
};

}  // namespace braid::ui
