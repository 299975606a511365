// For tests of what the trainer learns from: a folder of tones (tests/support/spoken_tones.h), a tokenizer for them, and recipes over them. No torch.
#pragma once

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <QTemporaryDir>

#include <nlohmann/json.hpp>

#include "core/text/whisper_tokenizer.h"
#include "lab/train/recipe.h"
#include "tests/support/small_whisper_folder.h"
#include "tests/support/spoken_tones.h"

namespace braid::test {

struct ToneSpeech {
    using Sentences = std::vector<std::vector<std::string>>;

    explicit ToneSpeech(const Sentences &sentences = {{"a"}, {"b", "c"}, {"c", "a", "d"}, {"d", "b", "a", "c"}, {"a", "b", "c", "d", "a", "b"}})
        : folder(place.path().toStdString())
    {
        std::filesystem::create_directories(folder / "model");
        std::ofstream(folder / "model" / "tokenizer.json") << byteTokenizerJson();
        tokenizer = text::WhisperTokenizer::load(folder / "model" / "tokenizer.json", 260);
        writeToneCorpus(folder, sentences);
    }
    [[nodiscard]] train::Recipe recipe(const nlohmann::json &changes = nlohmann::json::object()) const
    {
        nlohmann::json values = toneRecipe(folder, folder / "model");
        values.merge_patch(changes);
        return train::parseRecipe(values.dump(), folder, "tones.json");
    }

    // Sound without speech beside the tones: what a recipe's "noise" has to say.
    [[nodiscard]] nlohmann::json noise(const std::vector<std::int16_t> &sound) const
    {
        writeWave(folder / "noise.wav", sound);
        std::ofstream(folder / "noise.jsonl") << R"({"sound": "noise.wav", "text": ""})"
                                              << "\n";
        return {"noise.jsonl"};
    }

    QTemporaryDir place;
    std::filesystem::path folder;
    std::shared_ptr<const text::WhisperTokenizer> tokenizer;
};

}  // namespace braid::test
