#include "core/models/whisper/spoken_words.h"

#include <algorithm>

#include "core/models/whisper/word_alignment.h"
#include "core/text/utf8.h"

namespace braid::models::whisper {

namespace {

// Nothing but marks that end something, as one or more tokens (".", "?!", "!”").
bool isClosing(std::string_view piece)
{
    constexpr std::string_view kMarks = ".,;:!?\"')]}”’…。，！？：、";
    const std::vector<std::size_t> boundaries = text::characterBoundaries(piece);
    for (std::size_t i = 1; i < boundaries.size(); ++i) {
        if (kMarks.find(piece.substr(boundaries[i - 1], boundaries[i] - boundaries[i - 1])) == kMarks.npos) {
            return false;
        }
    }
    return !piece.empty();
}

}  // namespace

std::vector<text::Word> spokenWords(const Model &model, std::span<const text::Token> tokens, const std::string &language)
{
    std::vector<std::int32_t> ids;
    std::vector<text::Token> spoken;
    for (const text::Token &token : tokens) {
        if (!model.tokenizer().isSpecial(token.id)) {
            ids.push_back(token.id);
            spoken.push_back(token);
        }
    }
    // Tokens at the end may hold only a part of a character yet.
    const std::size_t complete = text::completeLength(model.tokenizer().decodeBytes(ids));
    std::size_t whole = 0;
    for (std::size_t end = 0; whole < ids.size(); ++whole) {
        end += model.tokenizer().tokenBytes(ids[whole]).size();
        if (end > complete) {
            break;
        }
    }
    std::vector<TimedWord> timed;
    for (text::WhisperTokenizer::WordPiece &piece : model.tokenizer().splitIntoWords(std::span(ids).first(whole), language)) {
        if (!timed.empty() && isClosing(piece.text)) {
            timed.back().text += piece.text;
            timed.back().ids.insert(timed.back().ids.end(), piece.ids.begin(), piece.ids.end());
        } else {
            timed.push_back({std::move(piece.text), std::move(piece.ids), 0, 0, 0});
        }
    }
    // Such a part belongs to the word it follows: without it, that word has not ended.
    if (!timed.empty() && whole < ids.size() && !model.tokenizer().tokenBytes(ids[whole]).starts_with(' ')) {
        timed.back().ids.insert(timed.back().ids.end(), ids.begin() + static_cast<std::ptrdiff_t>(whole), ids.end());
    }
    mergePunctuation(timed);
    std::size_t next = 0;
    for (TimedWord &word : timed) {
        double probability = 0;
        for (std::size_t i = next; i < std::min(spoken.size(), next + word.ids.size()); ++i) {
            probability += spoken[i].probability;
        }
        word.probability = word.ids.empty() ? 0.0f : static_cast<float>(probability / static_cast<double>(word.ids.size()));
        next += word.ids.size();
    }
    std::vector<text::Word> words = sessionWords(timed, spoken, language, 0, 0);
    for (text::Word &word : words) {
        word.time_method = text::WordTimeMethod::Unknown;
    }
    return words;
}

}  // namespace braid::models::whisper
