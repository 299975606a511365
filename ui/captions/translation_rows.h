// Translated words of paragraphs set in rows as wide as the captions' own, in smaller letters: a word is placed behind those before it and stays, so that
// what comes later moves nothing. Plain values; widths in whatever `measure` says. GUI thread.
#pragma once

#include <functional>
#include <vector>

#include <QString>

#include "ui/state/line_translations.h"

namespace braid::ui {

class TranslationRows {
  public:
    using Measure = std::function<double(const QString &)>;

    // Another width or font: everything is to be taken anew.
    void reshape(double width, Measure measure);
    void clear() { m_rows.clear(); }
    // Takes paragraphs `first`..`count` - 1 as they are now.
    void take(const LineTranslations &translations, int first, int count);
    // Of a paragraph of the transcript; empty where nothing is translated.
    [[nodiscard]] const std::vector<QString> &rows(int paragraph) const;
    [[nodiscard]] int rowCount(int paragraph) const { return static_cast<int>(rows(paragraph).size()); }

  private:
    [[nodiscard]] std::vector<QString> setInRows(const std::vector<TranslatedPiece> &pieces) const;

    double m_width = 600;
    double m_space = 5;
    Measure m_measure;
    std::vector<std::vector<QString>> m_rows;  // by paragraph
};

}  // namespace braid::ui
