// What a person corrects on the captions' page: put on the page, kept in the journals of the runs that said it, undone and redone. GUI thread; the disk is
// written by others.
#pragma once

#include <deque>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <QObject>
#include <QString>

#include "core/text/correction.h"

namespace braid::ui {

class CaptionController;
class TranscriptModel;

struct WordText {
    int word = 0;                     // of the page
    std::optional<std::string> text;  // as text::WordCorrection has it
    friend bool operator==(const WordText &, const WordText &) = default;
};

// What makes settled words `first`..`last` read as `line`: words that stay are left alone, new ones go to the word before them, words that are gone are
// struck out. Pieces of a word, or all of a line in a language without spaces, are corrected as one.
[[nodiscard]] std::vector<WordText> correctionsOfLine(const TranscriptModel &model, int first, int last, const QString &line);

class Corrections : public QObject {
    Q_OBJECT
  public:
    explicit Corrections(CaptionController &captions, QObject *parent = nullptr);
    ~Corrections() override;

    // One act of a person: one step of undo().
    void correct(const std::vector<WordText> &words);
    [[nodiscard]] bool canUndo() const noexcept { return !m_done.empty(); }
    [[nodiscard]] bool canRedo() const noexcept { return !m_undone.empty(); }
    // The first word that changed; nothing where there is no step.
    std::optional<int> undo();
    std::optional<int> redo();

  Q_SIGNALS:
    void failed(const QString &sentence);

  private:
    struct Step {
        std::vector<WordText> before;
        std::vector<WordText> after;
    };
    struct Write {
        std::filesystem::path journal;
        std::vector<text::WordCorrection> corrections;
    };
    void put(const std::vector<WordText> &words);
    void keep(const std::vector<WordText> &words);
    void keepLate();
    void writeNext();

    CaptionController &m_captions;
    std::vector<Step> m_done;
    std::vector<Step> m_undone;
    std::vector<WordText> m_late;  // the run they belong to was just ending
    std::deque<Write> m_writes;    // one after the other: the newest correction of a word comes last
    bool m_is_writing = false;
};

}  // namespace braid::ui
