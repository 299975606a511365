#include "lab/conversations/tasks.h"

namespace braid::conversations {

std::string_view nameOf(Lane lane) noexcept
{
    constexpr std::string_view names[] = {"System", "User", "Document", "Answer", "Working", "Check", "Audit"};
    return names[static_cast<std::size_t>(lane)];
}

const std::string &Wordings::pick(const std::vector<std::string> &wordings)
{
    std::vector<std::size_t> fitting;
    for (std::size_t i = 0; i < wordings.size(); ++i) {
        if ((i % 4 == 3) == (m_split == Split::NewTemplates)) {
            fitting.push_back(i);
        }
    }
    return wordings[m_random.pick(fitting)];
}

void GivenAnswer::give(const std::string &sentence, Voices &voices, When when)
{
    if (sentence == m_given) {
        return;
    }
    if (m_given.empty()) {
        voices.say(Lane::Answer, sentence, when);
    } else {
        voices.stop(Lane::Answer);
        voices.say(Lane::Answer, ". no , " + sentence, when);  // the full stop closes what was begun
        voices.say(Lane::Audit, "answer changed .");
    }
    m_given = sentence;
}

std::vector<std::unique_ptr<Task>> allTasks()
{
    std::vector<std::unique_ptr<Task>> tasks;
    tasks.push_back(arithmeticTask());
    tasks.push_back(countingTask());
    tasks.push_back(extremeTask());
    tasks.push_back(sortingTask());
    tasks.push_back(spellingTask());
    tasks.push_back(factsTask());
    tasks.push_back(logicTask());
    tasks.push_back(planningTask());
    tasks.push_back(secretTask());
    return tasks;
}

const std::vector<std::string> &peopleWords()
{
    static const std::vector<std::string> words{"Mia",  "Tom",  "Ana",  "Ben",  "Eva",  "Max",  "Zoe",  "Leo",  "Ida",  "Jan", "Lea",  "Sam",
                                                "Nora", "Paul", "Rita", "Hugo", "Olga", "Finn", "Vera", "Emil", "Lola", "Kai", "Ruth", "Otto"};
    return words;
}

const std::vector<std::string> &thingWords()
{
    static const std::vector<std::string> words = [] {
        std::vector<std::string> things;
        for (const char *thing : {"key", "hat", "book", "cup", "lamp", "coat", "ball", "drum", "ring", "bike", "map", "bag", "shoe", "clock"}) {
            for (const std::string &colour : colourWords()) {
                things.push_back(colour + " " + thing);
            }
        }
        return things;
    }();
    return words;
}

const std::vector<std::string> &colourWords()
{
    static const std::vector<std::string> words{"red", "blue", "green", "white", "black", "brown", "gold", "pink"};
    return words;
}

const std::vector<std::string> &spellingWords()
{
    static const std::vector<std::string> words{
        "cat",   "dog",   "sun",   "moon",  "tree",  "fish",  "bird",  "house", "river", "stone", "cloud", "bread", "water", "light", "night", "green", "table",
        "chair", "horse", "mouse", "plant", "glass", "paper", "music", "dance", "smile", "dream", "ocean", "beach", "storm", "sugar", "honey", "lemon", "onion",
        "tiger", "zebra", "eagle", "whale", "shark", "snake", "frog",  "duck",  "goat",  "sheep", "wolf",  "bear",  "lion",  "hand",  "foot",  "head",  "heart",
        "voice", "word",  "story", "wheel", "train", "plane", "boat",  "ship",  "road",  "city",  "town",  "farm",  "field", "grass", "leaf",  "root",  "seed",
        "rain",  "snow",  "wind",  "fire",  "smoke", "metal", "wood",  "wool",  "silk",  "paint", "brush", "knife", "spoon", "plate"};
    return words;
}

const std::vector<std::string> &fruitWords()
{
    static const std::vector<std::string> words{"apple", "banana", "cherry", "grape", "mango", "melon", "peach", "plum", "kiwi", "papaya", "fig", "lime"};
    return words;
}

const std::vector<std::string> &endings()
{
    static const std::vector<std::string> words{"?",     ".",         "please .", "please ?", "that is all .", "thank you .",
                                                "now .", "can you ?", "for me .", "thanks .", "go .",          "would you ?"};
    return words;
}

const std::vector<std::string> &takingBack()
{
    static const std::vector<std::string> words{"no ,",         "wait ,",    "sorry ,",  "oh no ,", "no wait ,", "I mean",
                                                "correction :", "make that", "actually", "hm ,",    "or rather", "let me say"};
    return words;
}

}  // namespace braid::conversations
