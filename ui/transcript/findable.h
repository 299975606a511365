// What the find bar asks of a view of text. GUI thread.
#pragma once

#include <QString>

namespace braid::ui {

class Findable {
  public:
    virtual ~Findable() = default;
    // Marks every place of `needle` and shows the first behind the top of the page; an empty one ends finding.
    virtual void find(const QString &needle) = 0;
    // Counted round: behind the last comes the first.
    virtual void showMatch(int index) = 0;
    [[nodiscard]] virtual int matchCount() const = 0;
    [[nodiscard]] virtual int currentMatch() const = 0;
};

}  // namespace braid::ui
