// Asking where to save and what to open, and saying that it was saved: the same on every page. GUI thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <vector>

#include <QStringList>

class QWidget;

namespace braid::ui {

class NoticeStack;

struct SaveQuestion {
    QString title;
    QStringList filters;  // "Text (*.txt)"; the first one's ending is taken where a person writes none
    QString file_name;    // proposed; may be empty
};
// Opens the dialog; `save` is called with the file that was chosen.
void askWhereToSave(QWidget *page, const SaveQuestion &question, std::function<void(const std::filesystem::path &)> save);

// As well: `save` is told which of the filters was chosen.
void askWhatToSave(QWidget *page, const SaveQuestion &question, std::function<void(const std::filesystem::path &, int filter)> save);

enum class OpenCount : std::uint8_t { One = 1, Many };
void askWhatToOpen(QWidget *page, const QString &title, const QStringList &filters, OpenCount count,
                   std::function<void(const std::vector<std::filesystem::path> &)> open);

void askForFolder(QWidget *page, const QString &title, std::function<void(const std::filesystem::path &)> take);

// "txt" of "Text (*.txt)".
[[nodiscard]] QString suffixOfFilter(const QString &filter);

// Where notices about a file stand: a later one of the same key takes an earlier one's place.
struct SaveNotices {
    QString problem = QStringLiteral("problem");
    QString saved = QStringLiteral("saved");
};
void tellSaved(NoticeStack &notices, const std::filesystem::path &file, const SaveNotices &keys = {});
// Calls `write`; what it throws becomes a notice. True when written.
bool saveAndTell(NoticeStack &notices, const std::filesystem::path &file, const std::function<void()> &write, const SaveNotices &keys = {});

}  // namespace braid::ui
