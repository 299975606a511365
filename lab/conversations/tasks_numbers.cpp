// Tasks over numbers and lists: arithmetic, counting, the largest and smallest, sorting.
#include <algorithm>
#include <set>

#include "lab/conversations/tasks.h"

namespace braid::conversations {
namespace {

std::string numbersText(const std::vector<int> &numbers)
{
    std::string text;
    for (const int number : numbers) {
        text += (text.empty() ? "" : " ") + std::to_string(number);
    }
    return text;
}

// --- arithmetic ---

// So small that a model of a few million numbers can know every sum, and sums of sums are what is new to it.
constexpr int kLargestTotal = 20;

// Not "-": that is how the layout says silence.
constexpr const char *kMinusSign = "\u2212";

enum ArithmeticKind { kOperand = 1, kOperandFix };
enum Operation { kPlus = 1, kMinus, kTimes };

int applied(int value, int operation, int operand)
{
    return operation == kPlus ? value + operand : operation == kMinus ? value - operand : value * operand;
}

std::string signOf(int operation)
{
    return operation == kPlus ? "+" : operation == kMinus ? kMinusSign : "x";
}

class ArithmeticListener : public Listener {
  public:
    void hear(const Phrase &phrase, Voices &voices) override
    {
        if (phrase.kind == kOperand) {
            if (m_first) {
                voices.say(Lane::Answer, "let me see :");
            }
            m_before = m_total;
            m_operation = phrase.numbers[0];
            m_operand = phrase.numbers[1];
            m_total = applied(m_before, m_operation, m_operand);
            voices.say(Lane::Working, m_first ? std::to_string(m_total) : step());
            m_first = false;
        } else if (phrase.kind == kOperandFix) {
            const int wrong = m_operand;
            m_operand = phrase.numbers[0];
            m_total = applied(m_before, m_operation, m_operand);
            voices.say(Lane::Working, "not " + std::to_string(wrong) + " : " + step());
            if (m_answer.isGiven()) {
                finish(voices);
            }
        } else if (phrase.kind == kEnd) {
            finish(voices);
        }
    }

  private:
    std::string step() const
    {
        return std::to_string(m_before) + " " + signOf(m_operation) + " " + std::to_string(m_operand) + " = " + std::to_string(m_total);
    }
    void finish(Voices &voices)
    {
        m_answer.give("it is " + std::to_string(m_total) + " .", voices);
        // The last step backwards.
        const std::string back = m_operation == kTimes ? "/" : m_operation == kPlus ? kMinusSign : "+";
        voices.stop(Lane::Check);
        voices.say(Lane::Check, std::to_string(m_total) + " " + back + " " + std::to_string(m_operand) + " = " + std::to_string(m_before) + " ok .",
                   When::AfterWorking);
    }
    int m_total = 0;
    int m_before = 0;
    int m_operation = kPlus;
    int m_operand = 0;
    bool m_first = true;
    GivenAnswer m_answer;
};

class ArithmeticTask : public Task {
  public:
    std::string_view name() const override { return "arithmetic"; }
    std::unique_ptr<Listener> listener() const override { return std::make_unique<ArithmeticListener>(); }
    Script write(Random &random, Wordings &wordings) const override
    {
        static const std::vector<std::string> opens{"what is", "how much is",    "work out",    "tell me",  "please work out",     "can you say what is",
                                                    "compute", "I need",         "give me",     "find",     "what do you get for", "the result of",
                                                    "quick ,", "I want to know", "do you know", "reckon up"};
        static const std::vector<std::string> plus{"plus", "and", "add", "and then plus", "then add", "with", "plus another", "increased by"};
        static const std::vector<std::string> minus{"minus", "less", "take away", "then minus", "without", "and then minus", "take off", "decreased by"};
        static const std::vector<std::string> times{"times", "multiplied by", "all times", "taken times"};
        Script script;
        script.instance = "arithmetic";
        script.phrases.push_back({Lane::User, wordings.pick(opens), 0, {}, {}});
        int total = random.whole(1, 9);
        script.phrases.push_back({Lane::User, std::to_string(total), kOperand, {kPlus, total}, {}});
        script.instance += " " + std::to_string(total);
        const int operands = random.whole(1, 3);
        const int fixed = random.chance(0.35) ? random.whole(1, operands) : 0;
        const bool late = fixed == operands && random.chance(0.5);  // the mind changes after the question has ended
        std::vector<Phrase> fixes;
        for (int i = 1; i <= operands; ++i) {
            const int operation = total <= kLargestTotal / 2 && random.chance(0.15) ? kTimes : total > 1 && random.chance(0.4) ? kMinus : kPlus;
            const auto draw = [&] {
                return operation == kTimes   ? random.whole(2, std::min(3, kLargestTotal / std::max(total, 1)))
                       : operation == kMinus ? random.whole(1, std::min(total, 9))
                                             : random.whole(1, std::min(9, kLargestTotal - total));
            };
            if (operation == kPlus && total >= kLargestTotal) {
                break;
            }
            int operand = draw();
            const auto &words = operation == kPlus ? plus : operation == kMinus ? minus : times;
            script.phrases.push_back({Lane::User, wordings.pick(words) + " " + std::to_string(operand), kOperand, {operation, operand}, {}});
            script.instance += signOf(operation) + std::to_string(operand);
            if (i == fixed) {
                const int right = draw();
                if (right != operand) {
                    fixes.push_back({Lane::User, wordings.pick(takingBack()) + " " + std::to_string(right), kOperandFix, {right}, {}});
                    script.instance += "!" + std::to_string(right);
                    operand = right;
                    if (!late) {
                        script.phrases.push_back(fixes.back());
                    }
                }
            }
            total = applied(total, operation, operand);
        }
        script.phrases.push_back({Lane::User, wordings.pick(endings()), kEnd, {}, {}});
        if (late && !fixes.empty()) {
            script.phrases.push_back(fixes.back());
        }
        script.answer = std::to_string(total);
        return script;
    }
};

// --- counting ---

enum CountKind { kWanted = 1, kItem, kWantedFix };

class CountingListener : public Listener {
  public:
    void hear(const Phrase &phrase, Voices &voices) override
    {
        if (phrase.kind == kWanted) {
            m_wanted = phrase.names[0];
            voices.say(Lane::Answer, "counting " + m_wanted + " :");
        } else if (phrase.kind == kItem) {
            m_items.push_back(phrase.names[0]);
            if (phrase.names[0] == m_wanted) {
                voices.say(Lane::Working, std::to_string(count()));
            }
        } else if (phrase.kind == kWantedFix) {
            m_wanted = phrase.names[0];
            voices.say(Lane::Working, m_wanted + " " + std::to_string(count()));
            if (m_answer.isGiven()) {
                finish(voices);
            }
        } else if (phrase.kind == kEnd) {
            finish(voices);
        }
    }

  private:
    std::ptrdiff_t count() const { return std::count(m_items.begin(), m_items.end(), m_wanted); }
    void finish(Voices &voices)
    {
        m_answer.give(m_wanted + " " + std::to_string(count()) + " times .", voices);
        voices.stop(Lane::Check);
        voices.say(Lane::Check, std::to_string(count()) + " of " + std::to_string(m_items.size()) + " ok .", When::AfterWorking);
    }
    std::string m_wanted;
    std::vector<std::string> m_items;
    GivenAnswer m_answer;
};

class CountingTask : public Task {
  public:
    std::string_view name() const override { return "counting"; }
    std::unique_ptr<Listener> listener() const override { return std::make_unique<CountingListener>(); }
    Script write(Random &random, Wordings &wordings) const override
    {
        static const std::vector<std::string> opens{
            "how often is there", "count the word", "how many times do I say", "how many times is there", "please count", "tell me how often you hear",
            "listen for",         "keep count of"};
        static const std::vector<std::string> starts{"in", "here :", "in this list :", "among", "in what I say :", "in these :", "now :", "of these :"};
        std::vector<std::string> choices = colourWords();
        random.shuffle(choices);
        choices.resize(3);
        std::string wanted = choices[0];
        Script script;
        script.instance = "counting " + wanted;
        script.phrases.push_back({Lane::User, wordings.pick(opens) + " " + wanted, kWanted, {}, {wanted}});
        script.phrases.push_back({Lane::User, wordings.pick(starts), 0, {}, {}});
        const int items = random.whole(3, 9);
        const bool fix = random.chance(0.3);
        const int fix_at = fix ? random.whole(1, items + 1) : 0;
        const Phrase change{Lane::User, wordings.pick(takingBack()) + " count " + choices[1], kWantedFix, {}, {choices[1]}};
        std::vector<std::string> said;
        for (int i = 1; i <= items; ++i) {
            const std::string &item = random.pick(choices);
            said.push_back(item);
            script.instance += " " + item;
            script.phrases.push_back({Lane::User, item, kItem, {}, {item}});
            if (i == fix_at) {
                script.phrases.push_back(change);
            }
        }
        script.phrases.push_back({Lane::User, wordings.pick(endings()), kEnd, {}, {}});
        if (fix_at == items + 1) {
            script.phrases.push_back(change);
        }
        wanted = fix ? choices[1] : wanted;
        script.answer = wanted + " " + std::to_string(std::count(said.begin(), said.end(), wanted)) + " times";
        return script;
    }
};

// --- the largest, the smallest; sorting ---

constexpr int kLargestNumber = 30;

enum ListKind { kUpward = 1, kDownward, kNumber };  // Upward: sort up, or the largest

class ExtremeListener : public Listener {
  public:
    void hear(const Phrase &phrase, Voices &voices) override
    {
        if (phrase.kind == kUpward || phrase.kind == kDownward) {
            m_kind = phrase.kind;  // "sort" may still become "sort down": nothing is sure before the first number
            if (!m_numbers.empty()) {
                voices.say(Lane::Working, std::to_string(best()));
            }
            if (m_answer.isGiven()) {
                finish(voices);
            }
        } else if (phrase.kind == kNumber) {
            if (m_numbers.empty()) {
                voices.say(Lane::Answer, m_kind == kUpward ? "the largest :" : "the smallest :");
            }
            const int before = m_numbers.empty() ? -1 : best();
            m_numbers.push_back(phrase.numbers[0]);
            if (best() != before) {
                voices.say(Lane::Working, std::to_string(best()));
            }
        } else if (phrase.kind == kEnd) {
            finish(voices);
        }
    }

  private:
    int best() const
    {
        return m_kind == kDownward ? *std::min_element(m_numbers.begin(), m_numbers.end()) : *std::max_element(m_numbers.begin(), m_numbers.end());
    }
    void finish(Voices &voices)
    {
        m_answer.give("it is " + std::to_string(best()) + " .", voices);
        voices.stop(Lane::Check);
        voices.say(Lane::Check, std::string(m_kind == kUpward ? "none above " : "none below ") + std::to_string(best()) + " ok .", When::AfterWorking);
    }
    int m_kind = 0;
    std::vector<int> m_numbers;
    GivenAnswer m_answer;
};

class SortingListener : public Listener {
  public:
    void hear(const Phrase &phrase, Voices &voices) override
    {
        if (phrase.kind == kUpward || phrase.kind == kDownward) {
            m_kind = phrase.kind;
            if (!m_sorted.empty()) {
                std::reverse(m_sorted.begin(), m_sorted.end());
                voices.say(Lane::Working, m_kind == kUpward ? "now up" : "now down");
            }
            if (m_answer.isGiven()) {
                finish(voices);
            }
        } else if (phrase.kind == kNumber) {
            const int number = phrase.numbers[0];
            if (m_sorted.empty()) {
                voices.say(Lane::Answer, m_kind == kUpward ? "sorting up :" : "sorting down :");
            }
            const auto place = std::find_if(m_sorted.begin(), m_sorted.end(), [&](int other) { return m_kind == kUpward ? other > number : other < number; });
            voices.say(Lane::Working, std::to_string(number) + (place == m_sorted.begin() ? " first" : " after " + std::to_string(*(place - 1))));
            m_sorted.insert(place, number);
        } else if (phrase.kind == kEnd) {
            finish(voices);
        }
    }

  private:
    void finish(Voices &voices)
    {
        m_answer.give(numbersText(m_sorted) + " .", voices);
        voices.stop(Lane::Check);
        voices.say(Lane::Check, std::to_string(m_sorted.size()) + " numbers ok .", When::AfterWorking);
    }
    int m_kind = 0;
    std::vector<int> m_sorted;
    GivenAnswer m_answer;
};

Script writeList(Random &random, Wordings &wordings, const std::vector<std::string> &up, const std::vector<std::string> &down,
                 const std::vector<std::string> &change_up, const std::vector<std::string> &change_down, int least, int most)
{
    Script script;
    int kind = random.chance(0.5) ? kUpward : kDownward;
    script.instance = std::to_string(kind);
    script.phrases.push_back({Lane::User, wordings.pick(kind == kUpward ? up : down), kind, {}, {}});
    std::set<int> numbers;
    const auto count = static_cast<std::size_t>(random.whole(least, most));
    const bool fix = random.chance(0.3);
    const std::size_t fix_at = fix ? static_cast<std::size_t>(random.whole(1, static_cast<int>(count) + 1)) : 0;
    const int changed = kind == kUpward ? kDownward : kUpward;
    const Phrase change{Lane::User, wordings.pick(takingBack()) + " " + wordings.pick(changed == kUpward ? change_up : change_down), changed, {}, {}};
    while (numbers.size() < count) {
        const int number = random.whole(0, kLargestNumber);
        if (!numbers.insert(number).second) {
            continue;
        }
        script.phrases.push_back({Lane::User, std::to_string(number), kNumber, {number}, {}});
        script.instance += " " + std::to_string(number);
        if (numbers.size() == fix_at) {
            script.phrases.push_back(change);
        }
    }
    script.phrases.push_back({Lane::User, wordings.pick(endings()), kEnd, {}, {}});
    if (fix_at == count + 1) {
        script.phrases.push_back(change);
    }
    kind = fix ? changed : kind;
    std::vector<int> sorted(numbers.begin(), numbers.end());
    if (kind == kDownward) {
        std::reverse(sorted.begin(), sorted.end());
    }
    script.answer = numbersText(sorted);
    return script;
}

class ExtremeTask : public Task {
  public:
    std::string_view name() const override { return "largest"; }
    std::unique_ptr<Listener> listener() const override { return std::make_unique<ExtremeListener>(); }
    Script write(Random &random, Wordings &wordings) const override
    {
        static const std::vector<std::string> up{"which is the largest of", "the biggest of",     "find the largest :", "what is the maximum of",
                                                 "tell me the biggest of",  "largest of these :", "pick the highest :", "which number is the greatest :"};
        static const std::vector<std::string> down{"which is the smallest of", "the least of",        "find the smallest :", "what is the minimum of",
                                                   "tell me the least of",     "smallest of these :", "pick the lowest :",   "which number is the tiniest :"};
        static const std::vector<std::string> to_up{"the largest", "the biggest", "I want the largest", "the maximum"};
        static const std::vector<std::string> to_down{"the smallest", "the least", "I want the smallest", "the minimum"};
        Script script = writeList(random, wordings, up, down, to_up, to_down, 2, 6);
        script.instance = "largest " + script.instance;
        // Sorted downwards begins with the smallest wanted last: the largest is the last of "up", the smallest the last of "down".
        script.answer = script.answer.substr(script.answer.rfind(' ') + 1);
        return script;
    }
};

class SortingTask : public Task {
  public:
    std::string_view name() const override { return "sorting"; }
    std::unique_ptr<Listener> listener() const override { return std::make_unique<SortingListener>(); }
    Script write(Random &random, Wordings &wordings) const override
    {
        static const std::vector<std::string> up{
            "sort", "sort these :", "put in order :", "arrange upwards :", "please sort", "smallest first :", "sort up :", "order these numbers :"};
        static const std::vector<std::string> down{"sort down",        "sort these down :", "put in falling order :", "arrange downwards :",
                                                   "please sort down", "largest first :",   "sort backwards :",       "order these falling :"};
        static const std::vector<std::string> to_up{"upwards", "smallest first", "sort up", "rising"};
        static const std::vector<std::string> to_down{"downwards", "largest first", "sort down", "falling"};
        Script script = writeList(random, wordings, up, down, to_up, to_down, 2, 5);
        script.instance = "sorting " + script.instance;
        return script;
    }
};

}  // namespace

std::unique_ptr<Task> arithmeticTask()
{
    return std::make_unique<ArithmeticTask>();
}
std::unique_ptr<Task> countingTask()
{
    return std::make_unique<CountingTask>();
}
std::unique_ptr<Task> extremeTask()
{
    return std::make_unique<ExtremeTask>();
}
std::unique_ptr<Task> sortingTask()
{
    return std::make_unique<SortingTask>();
}

}  // namespace braid::conversations
