#include "ui/library/history_model.h"

#include <algorithm>

#include <QDateTime>
#include <QLocale>

#include "core/base/sample_clock.h"
#include "core/captions/caption_journal.h"
#include "core/streams/streams_journal.h"
#include "core/translation/translation_journal.h"

namespace braid::ui {
namespace {

constexpr qsizetype kShownText = 160;
constexpr qsizetype kShownBefore = 24;  // letters before what was looked for

QString kindText(runtime::RunKind kind)
{
    switch (kind) {
    case runtime::RunKind::Captions:
        return QObject::tr("Captions");
    case runtime::RunKind::Conversation:
        return QObject::tr("Conversation");
    case runtime::RunKind::Translation:
        break;
    }
    return QObject::tr("Translation");
}

void append(QString &text, const std::string &word, bool starts_without_space)
{
    text += (starts_without_space || text.isEmpty() ? QString() : QStringLiteral(" ")) + QString::fromStdString(word);
}

SessionEntry captionsEntry(const std::filesystem::path &folder)
{
    const captions::RecoveredCaptions captions = captions::readCaptionsJournal(folder);
    SessionEntry entry{folder, captions.info, captions.state, captions.sound_samples, {}};
    for (const text::TranscriptItem &item : captions.transcript) {
        if (const auto *word = std::get_if<text::Word>(&item); word != nullptr && !word->text.empty()) {
            append(entry.text, word->text, word->starts_without_space);
        }
    }
    return entry;
}

// The words around the first place of `searched`; the beginning where nothing is looked for.
QString excerpt(const QString &text, const QString &searched)
{
    const qsizetype place = searched.isEmpty() ? -1 : text.indexOf(searched, 0, Qt::CaseInsensitive);
    if (place < 0) {
        return text.section(QLatin1Char('\n'), 0, 0, QString::SectionSkipEmpty).left(kShownText);
    }
    const qsizetype first = std::max<qsizetype>(0, place - kShownBefore);
    const QString around = text.mid(first, kShownText).simplified();
    return first > 0 ? QStringLiteral("\u2026 ") + around : around;
}

// The translation on the first line, its source behind it.
SessionEntry translationEntry(const std::filesystem::path &folder)
{
    const translation::RecoveredTranslation translation = translation::readTranslationJournal(folder);
    SessionEntry entry{folder, translation.info, translation.state, 0, {}};
    QString source;
    double length_ms = 0;
    for (const translation::TranslationEventBody &event : translation.events) {
        const auto *told = std::get_if<translation::TranslationSessionEvent>(&event);
        if (told == nullptr) {
            continue;
        }
        if (const auto *written = std::get_if<translation::WordWritten>(told)) {
            append(entry.text, written->word.text, written->word.starts_without_space);
            length_ms = std::max(length_ms, written->written_ms);
        } else if (const auto *arrived = std::get_if<translation::UnitsArrived>(told)) {
            for (const translation::ArrivedUnit &unit : arrived->units) {
                append(source, unit.text, unit.starts_without_space);
                length_ms = std::max(length_ms, unit.arrived_ms);
            }
        }
    }
    entry.text += QLatin1Char('\n') + source;
    entry.length = samplesFromMs(static_cast<std::int64_t>(length_ms));
    return entry;
}

// Lane by lane.
SessionEntry conversationEntry(const std::filesystem::path &folder)
{
    const streams::RecoveredConversation recovered = streams::readConversationJournal(folder);
    SessionEntry entry{folder, recovered.info, recovered.state, 0, {}};
    const streams::TextTable table = recovered.conversation.table();
    for (std::size_t stream = 0; stream < table.streams.size(); ++stream) {
        if (const QString said = QString::fromStdString(table.textOf(stream)).simplified(); !said.isEmpty()) {
            append(entry.text, table.streams[stream] + ": " + said.toStdString(), false);
        }
    }
    if (!recovered.conversation.events.empty()) {
        entry.length = samplesFromMs(recovered.conversation.events.back().time_ms);
    }
    return entry;
}

SessionEntry entryOf(const std::filesystem::path &folder)
{
    switch (runtime::RunJournalReader(folder).info().kind) {
    case runtime::RunKind::Captions:
        return captionsEntry(folder);
    case runtime::RunKind::Conversation:
        return conversationEntry(folder);
    case runtime::RunKind::Translation:
        break;
    }
    return translationEntry(folder);
}

}  // namespace

std::vector<SessionEntry> readSessions(const std::filesystem::path &parent)
{
    std::vector<SessionEntry> sessions;
    std::error_code error;
    for (auto entry = std::filesystem::directory_iterator(parent, error); !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
        try {
            sessions.push_back(entryOf(entry->path()));
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

void HistoryModel::setSearched(const QString &words)
{
    m_searched = words;
    if (!m_sessions.empty()) {
        Q_EMIT dataChanged(index(0, Text), index(rowCount() - 1, Text));
        Q_EMIT headerDataChanged(Qt::Horizontal, Text, Text);
    }
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
        return QStringLiteral("%1\n%2%3")
            .arg(QString::fromStdString(session.folder.string()), QString::fromStdString(session.info.model),
                 session.info.policy.empty() ? QString() : QStringLiteral(", ") + QString::fromStdString(session.info.policy));
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    switch (index.column()) {
    case When: {
        const QDateTime when = QDateTime::fromString(QString::fromStdString(session.info.started_at), Qt::ISODate);
        const QString time =
            when.isValid() ? QLocale().toString(when.toLocalTime(), QStringLiteral("d MMM yyyy, HH:mm")) : QString::fromStdString(session.info.started_at);
        return session.state == runtime::JournalState::Interrupted ? tr("%1 (interrupted)").arg(time) : time;
    }
    case Kind:
        return kindText(session.info.kind);
    case Length:
        return QString::fromStdString(formatClock(session.length));
    case Source:
        return QString::fromStdString(session.info.source);
    case Text:
        return session.text.trimmed().isEmpty() ? tr("(no words)") : excerpt(session.text, m_searched);
    default:
        return {};
    }
}

QVariant HistoryModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role != Qt::DisplayRole || orientation != Qt::Horizontal) {
        return {};
    }
    switch (section) {
    case When:
        return tr("When");
    case Kind:
        return tr("What");
    case Length:
        return tr("Length");
    case Source:
        return tr("Source");
    case Text:
        return m_searched.isEmpty() ? tr("Begins") : tr("Where it was said");
    default:
        return {};
    }
}

}  // namespace braid::ui
