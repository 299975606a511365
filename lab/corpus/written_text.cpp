#include "lab/corpus/written_text.h"

#include "core/text/unicode_classes.h"
#include "core/text/utf8.h"
#include "lab/corpus/training_text.h"

namespace braid::corpus {
namespace {

std::vector<std::string> piecesBetweenSpaces(std::string_view text)
{
    std::vector<std::string> pieces(1);
    for (std::size_t at = 0; at < text.size();) {
        const auto character = text::characterAt(text, at);
        if (text::characterClass(character.code_point) != text::CharacterClass::Space) {
            pieces.back() += text.substr(at, character.length);
        } else if (!pieces.back().empty()) {
            pieces.emplace_back();
        }
        at += character.length;
    }
    if (pieces.back().empty()) {
        pieces.pop_back();
    }
    return pieces;
}

bool hasSmallLetter(std::string_view text)
{
    for (std::size_t at = 0; at < text.size();) {
        const auto character = text::characterAt(text, at);
        if (text::generalCategory(character.code_point) == text::GeneralCategory::LowercaseLetter) {
            return true;
        }
        at += character.length;
    }
    return false;
}

}  // namespace

std::optional<std::string> writtenText(std::string_view text)
{
    auto training = trainingText(text);
    if (!training || !hasSmallLetter(text)) {
        return training;
    }
    std::string written;
    for (const std::string &piece : piecesBetweenSpaces(text::toValidUtf8(text))) {
        written += written.empty() ? "" : " ";
        written += piece;
    }
    return written;
}

std::vector<TimedWord> writtenWords(std::string_view written, const std::vector<TimedWord> &spoken)
{
    std::vector<TimedWord> words;
    std::string before;  // marks at the very beginning
    std::size_t next = 0;
    for (const std::string &piece : piecesBetweenSpaces(written)) {
        const auto parts = speakableText(piece);
        if (!parts) {
            std::string &text = words.empty() ? before : words.back().text;
            text += text.empty() ? "" : " ";
            text += piece;
            continue;
        }
        if (next + parts->size() > spoken.size()) {
            return {};
        }
        words.push_back({(before.empty() ? "" : before + " ") + piece, spoken[next].start_sample, spoken[next + parts->size() - 1].end_sample});
        before.clear();
        next += parts->size();
    }
    return next == spoken.size() ? words : std::vector<TimedWord>();
}

}  // namespace braid::corpus
