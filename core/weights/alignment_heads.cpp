#include "core/weights/alignment_heads.h"

#include <cstdint>

namespace braid::weights {
namespace {

constexpr std::int64_t kEnglishVocabulary = 51864;
constexpr std::int64_t kMultilingualVocabulary = 51865;  // 99 languages
constexpr std::int64_t kLargeV3Vocabulary = 51866;       // and Cantonese

using Heads = std::vector<std::pair<int, int>>;

struct PublishedModel {
    std::int64_t vocabulary;
    std::int64_t state;
    std::int64_t audio_layers;
    std::int64_t text_layers;
    const char *only_named;  // must be a part of the name; null: any
    Heads heads;
};

const std::vector<PublishedModel> &publishedModels()
{
    static const std::vector<PublishedModel> models = {
        {kEnglishVocabulary, 384, 4, 4, nullptr, {{1, 0}, {2, 0}, {2, 5}, {3, 0}, {3, 1}, {3, 2}, {3, 3}, {3, 4}}},
        {kMultilingualVocabulary, 384, 4, 4, nullptr, {{2, 2}, {3, 0}, {3, 2}, {3, 3}, {3, 4}, {3, 5}}},
        {kEnglishVocabulary, 512, 6, 6, nullptr, {{3, 3}, {4, 7}, {5, 1}, {5, 5}, {5, 7}}},
        {kMultilingualVocabulary, 512, 6, 6, nullptr, {{3, 1}, {4, 2}, {4, 3}, {4, 7}, {5, 1}, {5, 2}, {5, 4}, {5, 6}}},
        {kEnglishVocabulary,
         768,
         12,
         12,
         nullptr,
         {{6, 6},
          {7, 0},
          {7, 3},
          {7, 8},
          {8, 2},
          {8, 5},
          {8, 7},
          {9, 0},
          {9, 4},
          {9, 8},
          {9, 10},
          {10, 0},
          {10, 1},
          {10, 2},
          {10, 3},
          {10, 6},
          {10, 11},
          {11, 2},
          {11, 4}}},
        {kMultilingualVocabulary, 768, 12, 12, nullptr, {{5, 3}, {5, 9}, {8, 0}, {8, 4}, {8, 7}, {8, 8}, {9, 0}, {9, 7}, {9, 9}, {10, 5}}},
        {kEnglishVocabulary,
         1024,
         24,
         24,
         nullptr,
         {{11, 4},
          {14, 1},
          {14, 12},
          {14, 14},
          {15, 4},
          {16, 0},
          {16, 4},
          {16, 9},
          {17, 12},
          {17, 14},
          {18, 7},
          {18, 10},
          {18, 15},
          {20, 0},
          {20, 3},
          {20, 9},
          {20, 14},
          {21, 12}}},
        {kMultilingualVocabulary, 1024, 24, 24, nullptr, {{13, 15}, {15, 4}, {15, 15}, {16, 1}, {20, 0}, {23, 4}}},
        {kMultilingualVocabulary, 1280, 32, 32, "large-v1", {{9, 19}, {11, 2}, {11, 4}, {11, 17}, {22, 7}, {22, 11}, {22, 17}, {23, 2}, {23, 15}}},
        {kMultilingualVocabulary, 1280, 32, 32, nullptr, {{10, 12}, {13, 17}, {16, 11}, {16, 12}, {16, 13}, {17, 15}, {17, 16}, {18, 4},
                                                          {18, 11}, {18, 19}, {19, 11}, {21, 2},  {21, 3},  {22, 3},  {22, 9},  {22, 12},
                                                          {23, 5},  {23, 7},  {23, 13}, {25, 5},  {26, 1},  {26, 12}, {27, 15}}},
        {kLargeV3Vocabulary, 1280, 32, 32, nullptr, {{7, 0}, {10, 17}, {12, 18}, {13, 12}, {16, 1}, {17, 14}, {19, 11}, {21, 4}, {24, 1}, {25, 6}}},
        {kLargeV3Vocabulary, 1280, 32, 4, nullptr, {{2, 4}, {2, 11}, {3, 3}, {3, 6}, {3, 11}, {3, 14}}},
    };
    return models;
}

}  // namespace

Heads publishedAlignmentHeads(const WhisperDims &dims, std::string_view name)
{
    for (const auto &model : publishedModels()) {
        if (dims.n_vocab == model.vocabulary && dims.n_text_state == model.state && dims.n_audio_layer == model.audio_layers &&
            dims.n_text_layer == model.text_layers && (model.only_named == nullptr || name.find(model.only_named) != name.npos)) {
            return model.heads;
        }
    }
    return {};
}

}  // namespace braid::weights
