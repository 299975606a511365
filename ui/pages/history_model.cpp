#include "ui/pages/history_model.h"

#include <algorithm>

#include <QDateTime>
#include <QLocale>

#include "core/base/sample_clock.h"

namespace braid::ui {
namespace {

constexpr qsizetype kShownText = 160;

}  // namespace

std::vector<SessionEntry> readSessions(const std::filesystem::path &parent)
{
    std::vector<SessionEntry> sessions;
    std::error_code error;
    for (auto entry = std::filesystem::directory_iterator(parent, error); !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
        if (!entry->is_directory(error)) {
            continue;
        }
        try {
            const engine::RecoveredJournal journal = engine::readJournal(entry->path());
            SessionEntry session{journal.folder, journal.info, journal.state, journal.sound_samples, 0, {}};
            for (const text::TranscriptItem &item : journal.transcript) {
                if (const auto *word = std::get_if<text::Word>(&item)) {
                    ++session.words;
                    session.text += (word->starts_without_space || session.text.isEmpty() ? QString() : QStringLiteral(" ")) + QString::fromStdString(word->text);
                }
            }
            sessions.push_back(std::move(session));
        } catch (const std::exception &) {
            // Something else lies in the folder; History shows journals.
        }
    }
    std::sort(sessions.begin(), sessions.end(), [](const SessionEntry &a, const SessionEntry &b) { return a.folder.filename() > b.folder.filename(); });
    return sessions;
}

void HistoryModel::setSessions(std::vector<SessionEntry> sessions)
{
    beginResetModel();
    m_sessions = std::move(sessions);
    endResetModel();
}

void HistoryModel::remove(int row)
{
    beginRemoveRows({}, row, row);
    m_sessions.erase(m_sessions.begin() + row);
    endRemoveRows();
}

int HistoryModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_sessions.size());
}

int HistoryModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant HistoryModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount()) {
        return {};
    }
    const SessionEntry &session = m_sessions[static_cast<std::size_t>(index.row())];
    if (role == kWholeTextRole) {
        return session.text;
    }
    if (role == Qt::ToolTipRole) {
        return QStringLiteral("%1\n%2, %3").arg(QString::fromStdString(session.folder.string()), QString::fromStdString(session.info.model), QString::fromStdString(session.info.policy));
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    switch (index.column()) {
    case When: {
        const QDateTime when = QDateTime::fromString(QString::fromStdString(session.info.started_at), Qt::ISODate);
        const QString time = when.isValid() ? QLocale().toString(when.toLocalTime(), QStringLiteral("d MMM yyyy, HH:mm")) : QString::fromStdString(session.info.started_at);
        return session.state == engine::JournalState::Interrupted ? tr("%1 (interrupted)").arg(time) : time;
    }
    case Length: return QString::fromStdString(formatClock(session.length));
    case Source: return QString::fromStdString(session.info.source);
    case Text: return session.words == 0 ? tr("(no words)") : session.text.left(kShownText);
    default: return {};
    }
}

QVariant HistoryModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role != Qt::DisplayRole || orientation != Qt::Horizontal) {
        return {};
    }
    switch (section) {
    case When: return tr("When");
    case Length: return tr("Length");
    case Source: return tr("Source");
    case Text: return tr("Begins");
    default: return {};
    }
}

}  // namespace braid::ui
