// The newest revisions of the page, newest first: when, what it was, what it became. A list model and the view that shows it. GUI thread.
#pragma once

#include <vector>

#include <QAbstractListModel>
#include <QListView>

#include "ui/state/revision_history.h"

namespace braid::ui {

class RevisionListModel : public QAbstractListModel {
    Q_OBJECT
  public:
    static constexpr int kMostShown = 300;
    enum Role { kStartRole = Qt::UserRole + 1 };  // where the place lies on the page's clock

    using QAbstractListModel::QAbstractListModel;
    // Takes what `history` has more; starts anew where it was cleared.
    void follow(const RevisionHistory &history);
    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;

  private:
    std::vector<captions::Revision> m_newest;  // oldest first
    captions::Revision m_last;
    std::size_t m_seen = 0;
};

class RevisionList : public QListView {
    Q_OBJECT
  public:
    explicit RevisionList(QWidget *parent = nullptr);
    void follow(const RevisionHistory &history);

  Q_SIGNALS:
    void placeActivated(braid::Sample start_sample);

  private:
    RevisionListModel m_model;
};

// "0:12.34  rise \u2192 rice".
[[nodiscard]] QString revisionLine(const captions::Revision &revision);

}  // namespace braid::ui
