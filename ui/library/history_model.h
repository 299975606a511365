// Captions, translations and conversations kept as journals, as a table: when, what, how long, from what, how they begin. Read off the GUI thread by
// readSessions().
#pragma once

#include <filesystem>
#include <vector>

#include <QAbstractTableModel>

#include "core/runtime/run_journal_reader.h"

namespace braid::ui {

struct SessionEntry {
    std::filesystem::path folder;
    runtime::RunJournalInfo info;
    runtime::JournalState state = runtime::JournalState::Finished;
    Sample length = 0;  // of the sound, or up to the last event
    QString text;       // whole, for searching; how it begins stands on the first line
};

// Every readable journal under `parent`, newest first. Any thread.
[[nodiscard]] std::vector<SessionEntry> readSessions(const std::filesystem::path &parent);

class HistoryModel : public QAbstractTableModel {
    Q_OBJECT
  public:
    enum Column { When = 0, Kind, Length, Source, Text, ColumnCount };
    static constexpr int kWholeTextRole = Qt::UserRole + 1;

    explicit HistoryModel(QObject *parent = nullptr)
        : QAbstractTableModel(parent)
    {
    }
    void setSessions(std::vector<SessionEntry> sessions);
    // The column of words shows the place of these; empty: the beginning.
    void setSearched(const QString &words);
    void remove(int row);
    [[nodiscard]] const SessionEntry &session(int row) const { return m_sessions[static_cast<std::size_t>(row)]; }

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    std::vector<SessionEntry> m_sessions;
    QString m_searched;
};

}  // namespace braid::ui
