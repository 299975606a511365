// What a transcript's lines are in another language, as it comes, for a view that shows it under them. GUI thread.
#pragma once

#include <vector>

#include <QObject>
#include <QString>

#include "core/text/transcript.h"

namespace braid::ui {

struct TranslatedPiece {
    QString text;         // a word, or a character of a language without spaces
    bool joined = false;  // no space before it
};

class LineTranslations : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;
    // Of a paragraph of the TranscriptModel, by its index; empty where nothing is translated yet. Until cleared() only ever grows at its end.
    [[nodiscard]] virtual std::vector<TranslatedPiece> pieces(int paragraph) const = 0;
    // All of it, with the times of what it translates: for saving.
    [[nodiscard]] virtual text::Transcript transcript() const = 0;

  Q_SIGNALS:
    void grew(int first_paragraph);                    // it and those after it may have more
    void sentenceSettled(const QString &translation);  // whole, once: what screen readers are told
    void cleared();
};

}  // namespace braid::ui
