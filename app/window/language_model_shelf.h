// The shelf of language models: one for translation, one for parallel streams.
#pragma once

#include <memory>

#include "app/window/model_shelf.h"
#include "core/models/language_model.h"

namespace braid::app {

using LanguageModelShelf = ModelShelf<models::LanguageModel>;

[[nodiscard]] inline std::shared_ptr<LanguageModelShelf> emptyLanguageModelShelf()
{
    return std::make_shared<LanguageModelShelf>([](const auto &path, const auto &device, const auto &progress, std::stop_token stop) {
        return models::LanguageModel::load(path, device, {}, progress, std::move(stop));
    });
}

}  // namespace braid::app
