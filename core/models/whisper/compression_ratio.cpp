#include "core/models/whisper/compression_ratio.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#ifdef BRAID_HAS_ZLIB
#include <zlib.h>
#endif

namespace braid::models::whisper {

float compressionRatio(std::string_view text)
{
#ifdef BRAID_HAS_ZLIB
    if (text.empty()) {
        return 0;
    }
    std::vector<Bytef> packed(compressBound(static_cast<uLong>(text.size())));
    uLongf size = packed.size();
    if (compress(packed.data(), &size, reinterpret_cast<const Bytef *>(text.data()), static_cast<uLong>(text.size())) == Z_OK) {
        return static_cast<float>(text.size()) / static_cast<float>(size);
    }
#endif
    return estimatedCompressionRatio(text);
}

float estimatedCompressionRatio(std::string_view text)
{
    if (text.empty()) {
        return 0;
    }
    // Deflate writes a fresh letter of prose in about 7 bits and a repeated stretch (3 to 258 bytes) in about 20; its frame is 8 bytes.
    constexpr std::size_t kShortest = 3;
    constexpr std::size_t kLongest = 258;
    double bits = 8 * 8;
    std::unordered_map<std::string, std::size_t> newest;
    std::size_t i = 0;
    while (i < text.size()) {
        std::size_t length = 0;
        if (i + kShortest <= text.size()) {
            const auto seen = newest.find(std::string(text.substr(i, kShortest)));
            if (seen != newest.end()) {
                while (length < kLongest && i + length < text.size() && text[seen->second + length] == text[i + length]) {
                    ++length;
                }
            }
        }
        const std::size_t step = length >= kShortest ? length : 1;
        bits += length >= kShortest ? 20 : 7;
        for (std::size_t j = i; j < i + step && j + kShortest <= text.size(); ++j) {
            newest[std::string(text.substr(j, kShortest))] = j;
        }
        i += step;
    }
    return static_cast<float>(static_cast<double>(text.size()) * 8 / bits);
}

}  // namespace braid::models::whisper
