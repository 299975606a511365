#include "core/models/whisper/spoken_words.h"

#include <algorithm>

#include "core/models/whisper/word_alignment.h"

namespace braid::models::whisper {

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
    std::vector<TimedWord> timed;
    for (text::WhisperTokenizer::WordPiece &piece : model.tokenizer().splitIntoWords(ids, language)) {
        timed.push_back({std::move(piece.text), std::move(piece.ids), 0, 0, 0});
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
