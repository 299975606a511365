#include "ui/inspector/revision_list.h"

#include "ui/state/word_facts.h"

namespace braid::ui {

QString revisionLine(const captions::Revision &revision)
{
    return QObject::tr("%1   %2 \u2192 %3")
        .arg(clockText(revision.heard_sample), QString::fromStdString(revision.before), QString::fromStdString(revision.after));
}

void RevisionListModel::follow(const RevisionHistory &history)
{
    const auto &all = history.all();
    const auto same = [](const captions::Revision &a, const captions::Revision &b) {
        return a.heard_sample == b.heard_sample && a.start_sample == b.start_sample && a.before == b.before && a.after == b.after;
    };
    const bool unchanged = all.size() == m_seen && (all.empty() || same(all.back(), m_last));
    if (unchanged) {
        return;
    }
    // Changes are rare beside frames: a new beginning of at most kMostShown lines costs nothing that counts.
    beginResetModel();
    const auto first = all.size() > kMostShown ? all.end() - kMostShown : all.begin();
    m_newest.assign(first, all.end());
    m_seen = all.size();
    m_last = all.empty() ? captions::Revision() : all.back();
    endResetModel();
}

int RevisionListModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_newest.size());
}

QVariant RevisionListModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount()) {
        return {};
    }
    const captions::Revision &revision = m_newest[m_newest.size() - 1 - static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return revisionLine(revision);
    case Qt::AccessibleTextRole:
        return tr("at %1, %2 became %3").arg(clockText(revision.heard_sample), QString::fromStdString(revision.before), QString::fromStdString(revision.after));
    case Qt::ToolTipRole:
        return tr("\u201c%1\u201d at %2 became \u201c%3\u201d when %4 had been heard")
            .arg(QString::fromStdString(revision.before), clockText(revision.start_sample), QString::fromStdString(revision.after),
                 clockText(revision.heard_sample));
    case kStartRole:
        return static_cast<qlonglong>(revision.start_sample);
    default:
        return {};
    }
}

RevisionList::RevisionList(QWidget *parent)
    : QListView(parent)
{
    setAccessibleName(tr("Newest revisions"));
    setObjectName(QStringLiteral("revisions"));
    setModel(&m_model);
    setUniformItemSizes(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(this, &QListView::clicked, this,
            [this](const QModelIndex &index) { Q_EMIT placeActivated(index.data(RevisionListModel::kStartRole).toLongLong()); });
    connect(this, &QListView::activated, this,
            [this](const QModelIndex &index) { Q_EMIT placeActivated(index.data(RevisionListModel::kStartRole).toLongLong()); });
}

void RevisionList::follow(const RevisionHistory &history)
{
    m_model.follow(history);
}

}  // namespace braid::ui
