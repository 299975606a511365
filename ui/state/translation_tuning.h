// What can be changed about a translation while it goes on, as one value. Plain data.
#pragma once

#include <cstdint>
#include <vector>

#include <QObject>
#include <QString>

#include "core/translation/translation_session.h"

namespace braid::ui {

inline constexpr int kMostWaitK = 20;     // on the slider; behind it stands the whole sentence
inline constexpr int kWholeSentence = 0;  // in place of a k
inline constexpr double kMostPhi = 4096;
inline constexpr int kMostCatchUp = 60;

struct TranslationTuning {
    QString paradigm = QStringLiteral("group");  // as paradigms::paradigmNamed() knows them
    double phi = 0;                              // where the target's positions begin, in group streaming
    int k = 5;                                   // kWholeSentence: reads all of a sentence before it writes
    int catch_up_units = 0;                      // so many may wait before all of them are read at once; 0: never
    double temperature = 0;                      // 0: always the most probable token
    QString language;                            // "en>fr"; empty: the model's own
    friend bool operator==(const TranslationTuning &, const TranslationTuning &) = default;
};

struct ParadigmEntry {
    QString id;
    QString title;
    QString explanation;
};

// Those that are offered to everybody, in the order of the choice.
[[nodiscard]] std::vector<ParadigmEntry> translationParadigms();

// Whether a tuning reads a whole sentence before it writes: chosen, or because the paradigm can do nothing else.
[[nodiscard]] inline bool waitsForSentence(const TranslationTuning &tuning)
{
    return tuning.k == kWholeSentence || tuning.paradigm == QLatin1String("offline");
}

// "k 5", "k 5, φ 0.5", "whole sentences".
[[nodiscard]] QString tuningText(const TranslationTuning &tuning);
// "Group streaming, k 5".
[[nodiscard]] QString describe(const TranslationTuning &tuning);
[[nodiscard]] translation::TranslationSettings settingsFor(const TranslationTuning &tuning);
// Whether a running translation is only told, or its translator made anew: for paradigm, phi, sampling and language.
[[nodiscard]] bool needsNewTranslator(const TranslationTuning &now, const TranslationTuning &wanted);

}  // namespace braid::ui
