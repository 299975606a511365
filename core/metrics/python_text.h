// Text as Python sees it, because the reference scores are counted there: code points, and what str.split() takes for white space.
// Internal to core/metrics. Thread: any.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace braid::metrics {

[[nodiscard]] std::u32string codePoints(std::string_view valid_utf8);
[[nodiscard]] std::string utf8(std::u32string_view points);
// White space, and the separators U+001C to U+001F.
[[nodiscard]] bool isPythonSpace(char32_t point) noexcept;
[[nodiscard]] std::vector<std::string> splitAtSpace(std::u32string_view points);

}  // namespace braid::metrics
