// What can be changed about a translation while it goes on, as one value. Plain data.
#pragma once

#include <array>
#include <cstdint>

#include <QObject>
#include <QString>

#include "core/sessions/translation_session.h"

namespace braid::ui {

inline constexpr int kMostWaitK = 20;         // on the slider; behind it stands the whole sentence
inline constexpr int kWholeSentence = 0;      // in place of a k
inline constexpr double kMostPhi = 4096;
inline constexpr int kMostCatchUp = 60;

struct TranslationTuning {
    QString paradigm = QStringLiteral("group");  // as paradigms::paradigmNamed() knows them
    double phi = 0;                   // where the target's positions begin, in group streaming
    int k = 5;                        // kWholeSentence: reads all of a sentence before it writes
    int catch_up_units = 0;           // so many may wait before all of them are read at once; 0: never
    double temperature = 0;           // 0: always the most probable token
    QString language;                 // "en>fr"; empty: the model's own
    friend bool operator==(const TranslationTuning &, const TranslationTuning &) = default;
};

struct ParadigmEntry {
    QString id;
    QString title;
    QString explanation;
};

// In the order of the choice.
[[nodiscard]] inline std::array<ParadigmEntry, 6> translationParadigms()
{
    return {{{QStringLiteral("group"), QObject::tr("Group streaming"), QObject::tr("Source and target count their own positions: nothing is ever computed again")},
             {QStringLiteral("batch-all"), QObject::tr("Re-encode all"), QObject::tr("After every read all that was written is fed again: what group streaming saves")},
             {QStringLiteral("batch-positions"), QObject::tr("Re-encode positions"), QObject::tr("After every read the written tokens move to new positions")},
             {QStringLiteral("batch"), QObject::tr("No re-encoding"), QObject::tr("Positions by arrival; the source does not see the target")},
             {QStringLiteral("interleaved"), QObject::tr("Interleaved"), QObject::tr("Source and target in one row, as they come")},
             {QStringLiteral("offline"), QObject::tr("Offline"), QObject::tr("Reads the whole sentence, then writes")}}};
}

// Whether a tuning reads a whole sentence before it writes: chosen, or because the paradigm can do nothing else.
[[nodiscard]] inline bool waitsForSentence(const TranslationTuning &tuning)
{
    return tuning.k == kWholeSentence || tuning.paradigm == QLatin1String("offline");
}

// "k 5", "k 5, φ 0.5", "whole sentences".
[[nodiscard]] QString tuningText(const TranslationTuning &tuning);
// "Group streaming, k 5".
[[nodiscard]] QString describe(const TranslationTuning &tuning);
[[nodiscard]] sessions::TranslationSettings settingsFor(const TranslationTuning &tuning);
// Whether a running translation is only told, or its translator made anew: for paradigm, phi, sampling and language.
[[nodiscard]] bool needsNewTranslator(const TranslationTuning &now, const TranslationTuning &wanted);

}  // namespace braid::ui
