// Finding in a view of text: the words looked for, which match is the present one, and finding on while text comes. Where the matches are, the view
// knows. GUI thread; part of the view.
#pragma once

#include <cstdint>
#include <functional>

#include <QObject>
#include <QString>

namespace braid::ui {

class Finder : public QObject {
    Q_OBJECT
  public:
    struct View {
        // Looks for `needle` in the text from `first` on, counted as the view counts it; matches before it stay. Returns how many there are in all.
        std::function<int(const QString &needle, std::int64_t first)> search;
        std::function<int()> first_on_page;     // the match to begin with; only asked where there are some
        std::function<void(int match)> reveal;  // scrolls there
        std::function<void()> update;           // draws the matches anew
    };
    explicit Finder(View view)
        : m_view(std::move(view))
    {
    }

    // Marks every place of `needle` and shows the first on the page or behind it; an empty one ends finding. Runs of spaces count as one.
    void find(const QString &needle);
    // Counted round: behind the last comes the first.
    void showMatch(int index);
    [[nodiscard]] int count() const noexcept { return m_count; }
    [[nodiscard]] int current() const noexcept { return m_current; }

    // The text from `first` on is new or has changed.
    void searchFrom(std::int64_t first);
    // The view has dropped matches behind the first `count`.
    void keepFirst(int count);

  Q_SIGNALS:
    void changed();

  private:
    void tell();
    View m_view;
    QString m_needle;
    int m_count = 0;
    int m_current = -1;
};

}  // namespace braid::ui
