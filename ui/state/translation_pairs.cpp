#include "ui/state/translation_pairs.h"

#include <QObject>

#include "ui/shared/core_words.h"

namespace braid::ui {
namespace {

constexpr const char *kPairs[] = {"en>fr", "en>de", "en>es", "en>it", "en>pt", "en>nl", "en>zh", "en>ja", "fr>en", "de>en", "es>en", "zh>en"};

}  // namespace

QString LanguagePair::name() const
{
    return QObject::tr("%1 \u2192 %2").arg(source, target);
}

LanguagePair pairOf(const QString &code)
{
    return {code, languageName(code.section(QLatin1Char('>'), 0, 0)), languageName(code.section(QLatin1Char('>'), 1, 1))};
}

QString ownPair(const TranslationModelEntry &model)
{
    return model.source_language.isEmpty() || model.target_language.isEmpty() ? QString() : model.source_language + QLatin1Char('>') + model.target_language;
}

std::vector<LanguagePair> pairsOf(const TranslationModelEntry &model)
{
    if (const QString own = ownPair(model); !own.isEmpty()) {
        LanguagePair pair = pairOf(own);
        pair.code.clear();
        return {pair};
    }
    std::vector<LanguagePair> pairs;
    for (const char *pair : kPairs) {
        pairs.push_back(pairOf(QLatin1String(pair)));
    }
    return pairs;
}

}  // namespace braid::ui
