// Several tokens a step: further heads of a language model propose the tokens behind the next one, and a rule says how many of the proposals stand.
// Source: "Faster Speech-LLaMA with multi-token prediction", III-A. Torch-free. Thread: any.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

namespace braid::drafting {

enum class Verification : std::uint8_t {
    Greedy = 1,  // a proposal stands where the model, asked token by token, says the same: the text is the one without proposals
    TopM,        // where it is among the M tokens that the model then finds most probable (equation 9)
    Threshold,   // where the heads were sure enough of it and of all before it; the model is not asked again (equation 10)
};
inline constexpr std::array<std::pair<std::string_view, Verification>, 3> kVerifications = {
    {{"greedy", Verification::Greedy}, {"top-m", Verification::TopM}, {"threshold", Verification::Threshold}}};

struct DraftSettings {
    std::int64_t heads = 1;  // tokens predicted at once, the next one among them; 1: nothing is proposed
    Verification verification = Verification::Greedy;
    int top_m = 2;           // TopM: 1 is Greedy
    double threshold = 0.8;  // Threshold: the least probability, above 0 and at most 1
    friend bool operator==(const DraftSettings &, const DraftSettings &) = default;
};

// Throws Error(Usage) naming the setting and what it may be. `most_heads`: what the model has.
void requireUsable(const DraftSettings &settings, std::int64_t most_heads);

// Equation 9. `ranked`: tokens, the most probable first, at least `most` of them or all there are.
[[nodiscard]] bool standsByRank(std::span<const std::int32_t> ranked, std::int32_t token, int most) noexcept;

// Equation 10: how many of the tokens of one step stand. `probabilities`: what head 1, 2, ... gave the token it proposes. The model's own next token always
// stands, sure or not, so that every step writes one.
[[nodiscard]] std::size_t standByProbability(std::span<const double> probabilities, double threshold) noexcept;

}  // namespace braid::drafting
