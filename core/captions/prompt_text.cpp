#include "core/captions/prompt_text.h"

#include <algorithm>
#include <vector>

namespace braid::captions {

namespace {
// Words still inside the window are no prompt yet; no window holds more text than this.
constexpr std::size_t kReserveBytes = 8192;
}  // namespace

void PromptText::append(const text::Word &word)
{
    if (m_options.characters == 0) {
        return;
    }
    m_pieces.push_back({(word.starts_without_space ? "" : " ") + word.text, word.end_sample});
    m_bytes += m_pieces.back().text.size();
    while (m_bytes > m_options.characters + kReserveBytes) {
        m_bytes -= m_pieces.front().text.size();
        m_pieces.pop_front();
    }
}

std::string PromptText::before(Sample sample) const
{
    const auto ends_later = [sample](const Piece &piece) { return piece.end_sample > sample; };
    auto piece = std::find_if_not(m_pieces.rbegin(), m_pieces.rend(), ends_later);
    if (piece == m_pieces.rend() || sample - piece->end_sample > m_options.lifetime_samples) {
        return {};
    }
    std::vector<const std::string *> taken;
    for (std::size_t bytes = 0; piece != m_pieces.rend() && bytes + piece->text.size() <= m_options.characters; ++piece) {
        taken.push_back(&piece->text);
        bytes += piece->text.size();
    }
    std::string prompt;
    for (auto text = taken.rbegin(); text != taken.rend(); ++text) {
        prompt += **text;
    }
    if (!prompt.empty() && prompt.front() == ' ') {
        prompt.erase(0, 1);
    }
    return prompt;
}

}  // namespace braid::captions
