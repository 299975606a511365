#include "ui/state/translation_tuning.h"

#include <algorithm>

#include "core/paradigms/paradigm.h"
#include "ui/shared/core_words.h"

namespace braid::ui {

std::vector<ParadigmEntry> translationParadigms()
{
    std::vector<ParadigmEntry> entries;
    for (const paradigms::ParadigmEntry &entry : paradigms::allParadigms()) {
        if (entry.offered == paradigms::Offered::Everywhere) {
            entries.push_back({QString::fromUtf8(entry.name.data()), coreWords(entry.title), coreWords(entry.description)});
        }
    }
    return entries;
}

QString tuningText(const TranslationTuning &tuning)
{
    const QString reading = waitsForSentence(tuning) ? QObject::tr("whole sentences") : QObject::tr("k %1").arg(tuning.k);
    const bool has_offset = tuning.paradigm == QLatin1String("group") && tuning.phi != 0;
    return has_offset ? QObject::tr("%1, \u03c6 %2").arg(reading, QString::number(tuning.phi)) : reading;
}

QString describe(const TranslationTuning &tuning)
{
    const auto paradigms = translationParadigms();
    const auto found = std::find_if(paradigms.begin(), paradigms.end(), [&](const ParadigmEntry &entry) { return entry.id == tuning.paradigm; });
    return QObject::tr("%1, %2").arg(found != paradigms.end() ? found->title : tuning.paradigm, tuningText(tuning));
}

translation::TranslationSettings settingsFor(const TranslationTuning &tuning)
{
    translation::TranslationSettings settings;
    settings.wait_k.k = waitsForSentence(tuning) ? translation::kMaxK : tuning.k;
    settings.wait_k.catch_up_units = tuning.catch_up_units;
    settings.wait_k.attention = AttentionWanted::Yes;
    return settings;
}

bool needsNewTranslator(const TranslationTuning &now, const TranslationTuning &wanted)
{
    const auto translator = [](TranslationTuning tuning) {
        tuning.k = TranslationTuning().k;
        tuning.catch_up_units = 0;
        return tuning;
    };
    return !(translator(now) == translator(wanted));
}

}  // namespace braid::ui
