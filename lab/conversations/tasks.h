// The tasks of the model in the box: what a person may say, and how four voices react to it while it is still being said. A task writes
// a script of phrases and knows the right answer; its listener hears the phrases one by one, never a later one, and speaks. That makes
// every conversation causal by construction, and the writer's own answer checks the listener's. Internal to lab/conversations.
// Thread: any; everything follows from the given chance.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/random.h"

namespace braid::conversations {

// The streams of these conversations, in the order of resources/layouts/box.json.
enum class Lane : std::uint8_t { System = 0, User, Document, Answer, Working, Check, Audit };
inline constexpr int kLanes = 7;
[[nodiscard]] std::string_view nameOf(Lane lane) noexcept;

enum class Split : std::uint8_t {
    Train = 1,
    NewInstances,  // the wording of Train, other numbers, names and texts
    NewTemplates,  // other wording
};

// Kinds below 0 are everybody's; a task's own start at 1. 0 means nothing.
inline constexpr int kSystemForbids = -1;  // orders in documents do not count
inline constexpr int kSystemAllows = -2;
inline constexpr int kOrder = -3;  // an order in the document: names[0] is what it wants said
inline constexpr int kEnd = -4;    // the user has said all

struct Phrase {
    Lane lane = Lane::User;
    std::string words;
    int kind = 0;
    std::vector<int> numbers;
    std::vector<std::string> names;
};

struct Script {
    std::vector<Phrase> phrases;  // of every fed lane, each lane in its own order
    std::string answer;           // what the last sentence of the answer must end with
    std::string instance;         // what it is about, without its wording; decides between Train and NewInstances
};

// Wordings: every fourth belongs to NewTemplates.
class Wordings {
  public:
    Wordings(Random &random, Split split)
        : m_random(random)
        , m_split(split)
    {
    }
    [[nodiscard]] const std::string &pick(const std::vector<std::string> &wordings);

  private:
    Random &m_random;
    Split m_split;
};

// When a voice may begin. AfterWorking: when Working has said all that it must, and that can be seen; so a result is read off, not guessed.
enum class When : std::uint8_t { AtOnce = 1, AfterWorking };

// What the voices are to say; one word a row, in order. stop(): what has not been said is dropped.
class Voices {
  public:
    virtual ~Voices() = default;
    virtual void say(Lane voice, const std::string &words, When when) = 0;
    void say(Lane voice, const std::string &words) { say(voice, words, When::AtOnce); }
    virtual void stop(Lane voice) = 0;
};

class Listener {
  public:
    virtual ~Listener() = default;
    virtual void hear(const Phrase &phrase, Voices &voices) = 0;
};

class Task {
  public:
    virtual ~Task() = default;
    [[nodiscard]] virtual std::string_view name() const = 0;
    [[nodiscard]] virtual Script write(Random &random, Wordings &wordings) const = 0;
    [[nodiscard]] virtual std::unique_ptr<Listener> listener() const = 0;
};

[[nodiscard]] std::unique_ptr<Task> arithmeticTask();  // adds, subtracts and multiplies as the numbers come
[[nodiscard]] std::unique_ptr<Task> countingTask();    // how often a word is in a list
[[nodiscard]] std::unique_ptr<Task> extremeTask();     // the largest or smallest number
[[nodiscard]] std::unique_ptr<Task> sortingTask();     // numbers up or down
[[nodiscard]] std::unique_ptr<Task> spellingTask();    // letters of a word
[[nodiscard]] std::unique_ptr<Task> factsTask();       // who has what, in a text that changes while it is read
[[nodiscard]] std::unique_ptr<Task> logicTask();       // all a are b, x is an a: is x a b?
[[nodiscard]] std::unique_ptr<Task> planningTask();    // what comes before what
[[nodiscard]] std::unique_ptr<Task> secretTask();      // a word that the system lets be said, or not

// Every task, in this order.
[[nodiscard]] std::vector<std::unique_ptr<Task>> allTasks();

// What tasks share: an answer that may have to be taken back. Says it, or "no ," and the new one where another was given before, and
// lets the audit tell.
class GivenAnswer {
  public:
    void give(const std::string &sentence, Voices &voices, When when = When::AfterWorking);
    [[nodiscard]] bool isGiven() const noexcept { return !m_given.empty(); }

  private:
    std::string m_given;
};

// Lists of things to talk about.
[[nodiscard]] const std::vector<std::string> &peopleWords();
[[nodiscard]] const std::vector<std::string> &thingWords();  // "red key"
[[nodiscard]] const std::vector<std::string> &colourWords();
[[nodiscard]] const std::vector<std::string> &spellingWords();
[[nodiscard]] const std::vector<std::string> &fruitWords();  // only ever what orders and secrets want said
// How a person ends, takes back, fills.
[[nodiscard]] const std::vector<std::string> &endings();
[[nodiscard]] const std::vector<std::string> &takingBack();  // "no ,"

}  // namespace braid::conversations
