// Past sessions: find one by its words, open it, save it in another form, move it to the bin (from which the desktop restores). GUI thread.
#pragma once

#include <filesystem>

#include <QSortFilterProxyModel>
#include <QWidget>

#include "core/runtime/run_journal_reader.h"
#include "ui/library/history_model.h"
#include "ui/shared/notice_bar.h"

class QLabel;
class QLineEdit;
class QPushButton;
class QTableView;

namespace braid::ui {

class HistoryPage : public QWidget {
    Q_OBJECT
  public:
    explicit HistoryPage(const std::filesystem::path &journal_folder, QWidget *parent = nullptr);
    // Reads the folder anew, in the background.
    void refresh();
    [[nodiscard]] int shownSessions() const;
    [[nodiscard]] QTableView &table() noexcept { return *m_table; }
    [[nodiscard]] NoticeStack &notices() noexcept { return *m_notices; }
    void openSelected();
    bool saveSelectedTo(const std::filesystem::path &file);

  Q_SIGNALS:
    // `words`: what was looked for, to be shown where it stands; may be empty.
    void openRequested(braid::runtime::RunKind kind, const std::filesystem::path &folder, const QString &words);
    void refreshed();

  private:
    [[nodiscard]] int selectedRow() const;
    void saveSelected();
    void binSelected();
    void reviseState();

    std::filesystem::path m_folder;
    HistoryModel m_model;
    QSortFilterProxyModel m_found;
    NoticeStack *m_notices;
    QLineEdit *m_search;
    QTableView *m_table;
    QLabel *m_empty;
    QPushButton *m_open;
    QPushButton *m_save;
    QPushButton *m_bin;
};

}  // namespace braid::ui
