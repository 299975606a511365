// The language pairs that are offered of a model. Plain data.
#pragma once

#include <vector>

#include <QString>

#include "ui/state/translation_backend.h"

namespace braid::ui {

struct LanguagePair {
    QString code;  // "en>fr"; empty: the model's own
    QString source;
    QString target;                      // "French"
    [[nodiscard]] QString name() const;  // "English -> French", with an arrow
};

// Of a code such as "en>fr".
[[nodiscard]] LanguagePair pairOf(const QString &code);
// "en>fr" of a model made for one pair, else empty.
[[nodiscard]] QString ownPair(const TranslationModelEntry &model);
// One of a model made for one pair; of models that are told in words what to do, those that people ask for most.
[[nodiscard]] std::vector<LanguagePair> pairsOf(const TranslationModelEntry &model);

}  // namespace braid::ui
