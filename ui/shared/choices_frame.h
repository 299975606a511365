// The row of choices at the top of a page, and the lists that its boxes show: what the three pages do alike. GUI thread.
#pragma once

#include <algorithm>
#include <filesystem>
#include <functional>
#include <system_error>
#include <utility>
#include <vector>

#include <QWidget>

#include "ui/shared/async.h"
#include "ui/shared/choice_box.h"
#include "ui/shared/run_dot.h"

class QPushButton;

namespace braid::ui {

// Where `box` has no line: that there are no models, or that they are looked for. Behind all lines: the door to better ones.
void addNoModelLine(ChoiceBox &box, bool arrived);
void addBetterModelLine(ChoiceBox &box);
// The model that was chosen earlier and is not there any more is named, never replaced by another in silence; Start says the sentence.
void addMissingModelLine(ChoiceBox &box, const QString &name);
[[nodiscard]] QString missingModelSentence(const QString &name);

// What a background thread finds: models, devices, layouts. `Entry` has a name and a problem, a sentence where it cannot be used.
template <typename Entry>
struct FoundList {
    std::vector<Entry> entries;
    QString problem;  // why nothing could be looked for
    bool arrived = false;

    // Looks in the background; `changed` is called when the answer or a problem is there.
    void find(QObject *context, const std::function<std::vector<Entry>()> &look, std::function<void()> changed)
    {
        runInBackground(
            context, look,
            [this, changed](std::vector<Entry> found) {
                arrived = true;
                problem.clear();
                entries = std::move(found);
                changed();
            },
            [this, changed](const QString &sentence) {
                arrived = true;
                problem = sentence;
                changed();
            });
    }
    [[nodiscard]] const Entry *named(const QString &name) const
    {
        const auto found = std::find_if(entries.begin(), entries.end(), [&name](const Entry &entry) { return entry.name == name; });
        return found == entries.end() ? nullptr : &*found;
    }
    // Whether `name` was chosen earlier and is neither among them nor a file or folder of its own.
    [[nodiscard]] bool isMissing(const QString &name) const
    {
        std::error_code ignored;
        return arrived && problem.isEmpty() && !name.isEmpty() && named(name) == nullptr && !std::filesystem::exists(name.toStdString(), ignored);
    }
    // Why there is none to take: `none` says that nothing was found, `looking` that the answer is still to come.
    [[nodiscard]] QString whyNone(const QString &none, const QString &looking) const { return !problem.isEmpty() ? problem : arrived ? none : looking; }
};

class ChoicesFrame : public QWidget {
    Q_OBJECT
  public:
    using QWidget::QWidget;

  Q_SIGNALS:
    void startStopRequested();
    void listsChanged();
    void betterModelWanted();  // the Models page should open

  protected:
    // Choices at the left, `buttons` and Start at the right.
    void layOut(const std::vector<QWidget *> &choices, const std::vector<QWidget *> &buttons);
    // Where the row is narrower, `control` gives way: Start and what it would start are never squeezed; keys and the menu stay.
    void giveWayBelow(int least_width, QWidget *control) { m_giving_way.emplace_back(least_width, control); }
    // What Start does now. `stop_now_tip`: while what is left is being finished.
    void showRun(RunActivity activity, bool loading, const QString &stop_now_tip);
    void setStart(const QString &text, const QString &tip);
    void enableStart(bool enabled);
    void fitStart();
    void resizeEvent(QResizeEvent *event) override;

  private:
    QPushButton *m_start = nullptr;  // made last: Tab comes to it last
    std::vector<std::pair<int, QWidget *>> m_giving_way;
};

// Fills `box` with every model: one that cannot be used says so and why. Chooses `wanted`, else the first that can be used.
template <typename Entry>
void fillModelBox(ChoiceBox &box, const FoundList<Entry> &models, const QString &wanted)
{
    box.clear();
    for (const Entry &model : models.entries) {
        const bool usable = model.problem.isEmpty();
        box.addItem(usable ? model.name : QObject::tr("%1 (cannot be used)").arg(model.name), model.name);
        box.setItemData(box.count() - 1, usable ? model.description : model.problem, Qt::ToolTipRole);
    }
    const auto first = std::find_if(models.entries.begin(), models.entries.end(), [](const Entry &model) { return model.problem.isEmpty(); });
    if (models.isMissing(wanted)) {
        addMissingModelLine(box, wanted);
    } else if (!box.choose(wanted) && first != models.entries.end()) {
        box.choose(first->name);
    }
    addNoModelLine(box, models.arrived);
    addBetterModelLine(box);
    box.updateGeometry();
}
}  // namespace braid::ui
