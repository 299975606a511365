// What the Captions page has settled, for a page that takes it as its source: each item once. GUI thread; part of that page.
#pragma once

#include <span>

#include <QObject>

#include "ui/state/caption_controller.h"

namespace braid::ui {

class CaptionsFeed : public QObject {
    Q_OBJECT
  public:
    explicit CaptionsFeed(CaptionController &captions)
        : m_captions(captions)
    {
        connect(&captions.transcript(), &TranscriptModel::appended, this, &CaptionsFeed::arrived);
        connect(&captions.transcript(), &TranscriptModel::cleared, this, [this] { m_taken = 0; });
    }
    // What was settled since it was asked last, or since skip(); valid until the captions go on.
    [[nodiscard]] std::span<const text::TranscriptItem> take()
    {
        const text::Transcript &items = m_captions.transcript().items();
        const std::span<const text::TranscriptItem> fresh = std::span(items).subspan(std::min(m_taken, items.size()));
        m_taken = items.size();
        return fresh;
    }
    // What was settled so far is not taken.
    void skip() { m_taken = m_captions.transcript().items().size(); }
    // Everything on the page is to be taken anew.
    void again() { m_taken = 0; }
    [[nodiscard]] bool isListening() const { return m_captions.activity() != RunActivity::Idle; }

  Q_SIGNALS:
    void arrived();

  private:
    CaptionController &m_captions;
    std::size_t m_taken = 0;  // items
};

}  // namespace braid::ui
