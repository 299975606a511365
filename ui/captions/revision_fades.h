// How far the mark of each word that was revised just now has faded. Times in milliseconds of whatever clock the caller keeps. Plain; GUI thread.
#pragma once

#include <utility>
#include <vector>

#include <QtGlobal>

#include "ui/shared/appearance.h"
#include "ui/state/transcript_model.h"

namespace braid::ui {

class RevisionFades {
  public:
    // Words have settled or the tail is another one; `model` is as it stands. Without motion nothing is marked.
    void onSettled(const TranscriptModel &model, qint64 now_ms, Motion motion);
    void onTailChanged(const TranscriptModel &model, qint64 now_ms, Motion motion);
    // Forgets what has faded by now.
    void advance(qint64 now_ms);
    [[nodiscard]] bool isFading() const noexcept { return m_fading; }
    // By word of the tail: 1 just revised .. 0 settled down.
    [[nodiscard]] std::vector<float> tail(qint64 now_ms) const;
    // Settled words revised as they settled, likewise.
    [[nodiscard]] std::vector<std::pair<int, float>> settled(qint64 now_ms) const;

  private:
    struct SettledWord {
        int word = 0;
        qint64 changed_ms = 0;
    };
    struct TailWord {
        int revisions = 0;
        qint64 changed_ms = 0;
    };
    std::vector<TailWord> m_tail;
    std::vector<SettledWord> m_settled;
    int m_settled_words = 0;  // of the model, when it was last looked at
    bool m_fading = false;
};

}  // namespace braid::ui
