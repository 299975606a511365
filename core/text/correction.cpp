#include "core/text/correction.h"

#include <algorithm>

#include "core/text/utf8.h"

namespace braid::text {
namespace {

std::string tidied(const std::string &typed)
{
    std::string text = toValidUtf8(typed);
    if (text.size() > kMostCorrectionBytes) {
        text.resize(kMostCorrectionBytes);
        text.resize(completeLength(text));
    }
    std::replace_if(
        text.begin(), text.end(), [](unsigned char character) { return character < 0x20 || character == 0x7F; }, ' ');
    const auto first = text.find_first_not_of(' ');
    return first == std::string::npos ? std::string() : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

}  // namespace

void correctWord(Word &word, const std::optional<std::string> &text)
{
    const std::string heard = heardText(word);
    word.text = text ? tidied(*text) : heard;
    word.heard = word.text == heard ? std::string() : heard;
}

}  // namespace braid::text
