#include "ui/state/translation_pairs.h"

#include <QObject>

#include "ui/shared/language_name.h"

namespace braid::ui {
namespace {

constexpr const char *kPairs[] = {"en>fr", "en>de", "en>es", "en>it", "en>pt", "en>nl", "en>zh", "en>ja", "fr>en", "de>en", "es>en", "zh>en"};

}  // namespace

QString LanguagePair::name() const
{
    return QObject::tr("%1 \u2192 %2").arg(source, target);
}

std::vector<LanguagePair> pairsOf(const TranslationModelEntry &model)
{
    if (!model.source_language.isEmpty() && !model.target_language.isEmpty()) {
        return {{{}, languageName(model.source_language), languageName(model.target_language)}};
    }
    std::vector<LanguagePair> pairs;
    for (const char *pair : kPairs) {
        const QString code = QLatin1String(pair);
        pairs.push_back({code, languageName(code.section(QLatin1Char('>'), 0, 0)), languageName(code.section(QLatin1Char('>'), 1, 1))});
    }
    return pairs;
}

}  // namespace braid::ui
