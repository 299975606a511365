// How a person wants words of captions written: their own spellings ("lib torch" as "libtorch"), and words that are masked with asterisks. A list is a
// text file (docs/formats.md); this is the one place where it is read and applied, for live runs, whole recordings, the window and braid-cli.
//
// Applied to words before they are committed, never after: a word that may still become part of a longer entry waits until what follows it is known
// (decide()), and what is committed stays. The words of an entry become one word; what the model said stays on record in Word::heard.
// Thread: values; a const list may be read by several.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/transcript.h"

namespace braid::text {

inline constexpr std::size_t kMostWordRules = 20000;
inline constexpr std::size_t kMostWordRuleBytes = 200;  // of either side of an entry
inline constexpr std::size_t kMostWordsOfRule = 8;

// Whether more words of the same line may follow those that are there.
enum class WordsToCome : std::uint8_t { Maybe = 1, None };

class WordRules {
  public:
    WordRules() = default;
    // `name` is the file's, for errors. Throws Error(Input) with the line's number, what is wrong with it and what to do.
    static WordRules parse(std::string_view list, const std::string &name);

    [[nodiscard]] bool isEmpty() const noexcept { return m_entries.empty(); }
    [[nodiscard]] std::size_t size() const noexcept { return m_entries.size(); }
    // Entries of `more` for words that have none here.
    void add(const WordRules &more);

    // Takes from the front of `waiting`, the words of one line so far, those whose writing is decided, as they are to be written. With WordsToCome::None
    // all of them. Words that a person corrected, and those already rewritten, stay as they are.
    [[nodiscard]] std::vector<Word> decide(std::vector<Word> &waiting, WordsToCome to_come) const;
    // All of a transcript, line by line.
    [[nodiscard]] Transcript applied(const Transcript &transcript) const;

    friend bool operator==(const WordRules &, const WordRules &) = default;

  private:
    struct Entry {
        std::u32string heard;     // as a person wrote it, words with single spaces between
        std::string written;      // empty: masked
        bool minds_case = false;  // a capital in `heard`: only where it was said with the same capitals
        friend bool operator==(const Entry &, const Entry &) = default;
    };
    struct Found {
        std::size_t words = 0;  // 0: nothing begins here
        std::string text;
    };
    void insert(Entry entry);
    [[nodiscard]] const Entry *entryFor(std::u32string_view said, std::u32string_view folded) const;
    [[nodiscard]] Found longestAt(const std::vector<Word> &words, std::size_t first, std::size_t end) const;
    [[nodiscard]] bool mayGoOn(const std::vector<Word> &words, std::size_t first, std::size_t end) const;

    std::map<std::u32string, std::vector<Entry>> m_entries;  // by what is heard, in small letters; those that mind capitals first
    std::set<std::u32string> m_beginnings;                   // in small letters: the first words of entries of several
    std::size_t m_longest = 0;                               // characters of the longest entry
};

}  // namespace braid::text
