// For tests of the training of language models: a folder with sentence pairs and small recipes over them, and a network that is shaken awake.
#pragma once

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <QTemporaryDir>

#include <ATen/Parallel.h>
#include <c10/core/GradMode.h>
#include <nlohmann/json.hpp>

#include "core/text/tokenizer_learner.h"
#include "lab/train/language/language_network.h"
#include "lab/train/language/language_recipe.h"
#include "lab/train/language/streams_source.h"
#include "lab/train/language/translation_pairs.h"
#include "tests/lab/train/remembering_watch.h"

namespace braid::test {

inline const std::vector<train::PairText> kPairs = {{"The cat sleeps.", "Le chat dort."},
                                                    {"Is the 10 o'clock train late, Tom?", "Le train de 10 heures est en retard, Tom ?"},
                                                    {"Yes!", "Oui !"},
                                                    {"I do not know where the old house was.", "Je ne sais pas o\u00f9 \u00e9tait la vieille maison."},
                                                    {"She said \"no\" twice.", "Elle a dit \u00ab non \u00bb deux fois."}};

// A folder with sentence pairs and recipes over them.
struct Place {
    Place()
        : folder(temporary.path().toStdString())
    {
        at::set_num_threads(1);
        std::ofstream out(folder / "pairs.tsv");
        for (const train::PairText &pair : kPairs) {
            out << pair.source << "\t" << pair.target << "\t(further columns do not count)\n";
        }
    }

    [[nodiscard]] train::LanguageRecipe recipe(const nlohmann::json &changes = nlohmann::json::object()) const
    {
        nlohmann::json values = {{"kind", "translation"},
                                 {"pairs", {{{"file", "pairs.tsv"}}}},
                                 {"start", {{"sizes", {{"width", 24}, {"inner_width", 40}, {"layers", 2}, {"heads", 2}}}, {"vocabulary", 300}}},
                                 {"translation", {{"source", "en"}, {"target", "fr"}, {"wait_k", {1, 2, 3, 9}}, {"context", 0.4}}},
                                 {"batch", {{"tokens", 200}, {"longest", 200}}},
                                 {"optimizer", {{"kind", "muon"}, {"learning_rate", 0.01}}},
                                 {"schedule", {{"kind", "steps"}, {"steps", 12}}},
                                 {"export", {{"number_type", "float32"}}}};
        values.merge_patch(changes);
        const auto path = folder / "recipe.json";
        std::ofstream(path) << values.dump();
        return train::readLanguageRecipe(path);
    }

    [[nodiscard]] train::LanguageRecipe streamsRecipe(const nlohmann::json &changes = nlohmann::json::object()) const
    {
        nlohmann::json values = {{"kind", "streams"},
                                 {"start", {{"sizes", {{"width", 24}, {"inner_width", 40}, {"layers", 2}, {"heads", 2}}}, {"vocabulary", 3000}}},
                                 {"streams", {{"layout", BRAID_SOURCE_DIR "/resources/layouts/box.json"}, {"conversations", 20}}},
                                 {"batch", {{"tokens", 2000}, {"longest", 1000}}},
                                 {"optimizer", {{"kind", "muon"}, {"learning_rate", 0.01}}},
                                 {"schedule", {{"kind", "steps"}, {"steps", 12}}},
                                 {"validation", {{"examples", 5}}},
                                 {"export", {{"number_type", "float32"}}}};
        values.merge_patch(changes);
        const auto path = folder / "streams.json";
        std::ofstream(path) << values.dump();
        return train::readLanguageRecipe(path);
    }

    [[nodiscard]] std::shared_ptr<const text::LanguageTokenizer> streamsTokenizer(const streams::Layout &layout) const
    {
        const auto path = folder / "streams-tokenizer.json";
        std::ofstream(path) << train::streamsTokenizerJson(layout, {}, 1, 3000);
        return text::LanguageTokenizer::load(path);
    }

    [[nodiscard]] std::shared_ptr<const text::LanguageTokenizer> tokenizer() const
    {
        text::TokenizerLearner learner;
        for (const train::PairText &pair : kPairs) {
            learner.add(" " + pair.source);
            learner.add(" " + pair.target);
        }
        const auto path = folder / "tokenizer.json";
        std::ofstream(path) << learner.json(300, {"<|source|>", "<|target|>", "<|end|>"});
        return text::LanguageTokenizer::load(path);
    }

    QTemporaryDir temporary;
    std::filesystem::path folder;
};

// Random numbers everywhere, so that what a block adds is not zero.
inline void shake(const train::LanguageNetwork &network)
{
    const c10::NoGradGuard no_gradients;
    train::Random random({7});
    for (const auto &[name, value] : network.parameters()) {
        at::Tensor tensor = value.detach();
        for (std::int64_t i = 0; i < tensor.numel(); ++i) {
            tensor.view({-1})[i] += 0.4 * random.uniform(-1, 1);
        }
    }
}

}  // namespace braid::test
