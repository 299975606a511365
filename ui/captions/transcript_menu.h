// What the right button, or the menu key, offers on the words. GUI thread.
#pragma once

class QMenu;
class QWidget;

#include <functional>

namespace braid::ui {

class TranscriptView;

struct TranscriptActions {
    std::function<void(int word)> hear;
    std::function<void(int word)> hear_on;    // from this word
    std::function<void(int word)> take_back;  // what the model said holds again
    std::function<void()> undo;               // empty: there is nothing to undo
    std::function<void()> find;
    std::function<void()> save;
};

// `word`: the settled word it was asked on; -1: on none. The menu deletes itself when it closes.
[[nodiscard]] QMenu *makeTranscriptMenu(TranscriptView &view, int word, const TranscriptActions &actions, QWidget *parent);

}  // namespace braid::ui
