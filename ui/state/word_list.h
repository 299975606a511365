// The person's list of how words are written, as text. It is kept in a file of its own beside the settings, which braid-cli reads as well. Thread: GUI.
#pragma once

#include <filesystem>

#include <QString>

#include "core/captions/written_words.h"
#include "core/text/word_rules.h"

namespace braid::ui {

struct Settings;
class SettingsStore;

inline constexpr const char *kWordListName = "words.txt";

// What is wrong with the list and what to do, in a sentence; empty where nothing is.
[[nodiscard]] QString wordListProblem(const QString &list);
// What holds for captions: the list, and with it the profanity that is masked where a person wants that. A list that is wrong holds nothing.
[[nodiscard]] text::WordRules wordRulesOf(const Settings &settings, const text::WordRules &profanity);

// Writes it into `book`, now and whenever it changes, as long as `store` is there.
void keepWords(captions::WordBook &book, SettingsStore &store, const text::WordRules &profanity);

// Empty where there is none or it cannot be read.
[[nodiscard]] QString readWordList(const std::filesystem::path &settings_file);
// Says nothing where it cannot be written: the settings beside it cannot be then either.
void writeWordList(const std::filesystem::path &settings_file, const QString &list);

}  // namespace braid::ui
