#include "ui/translation/translation_status.h"

#include "ui/shared/core_words.h"
#include "ui/translation/translation_side.h"

namespace braid::ui {

TranslationStatusText statusText(const translation::TranslationSnapshot &snapshot)
{
    TranslationStatusText text;
    const translation::TranslationStatistics &s = snapshot.statistics;
    const QString translating = snapshot.activity.empty() ? QObject::tr("translating") : coreWords(snapshot.activity);
    text.state = runStateText(snapshot.state, snapshot.activity, snapshot.loading_fraction, translating);
    text.amount = QObject::tr("read %1, written %2 words").arg(s.source_units).arg(s.target_words);
    text.lag = s.target_words == 0 ? QObject::tr("lag \u2013")
                                   : QObject::tr("lag %1 s, mean %2 units").arg(s.lag_ms_newest / 1000, 0, 'f', 2).arg(s.lag_units_mean, 0, 'f', 1);
    text.speed = QObject::tr("%1 tokens/s").arg(rateText(s.tokens_per_second));
    return text;
}

TranslationStatus::TranslationStatus(Appearance &appearance, QWidget *parent)
    : StatusBar(appearance, tr("Whether it translates"), tr("waiting for more source"),
                {{tr("Words read and written"), {}, tr("read %1, written %2 words").arg(QStringLiteral("00000"), QStringLiteral("00000")), Room::WhereThereIs},
                 {tr("Lag"), tr("How far the newest word was behind the source unit of the same number, and how many units ahead had been read on average."),
                  tr("lag %1 s, mean %2 units").arg(QStringLiteral("00.00"), QStringLiteral("00.0"))},
                 {tr("Speed"), tr("Tokens written for a second inside the model"), tr("%1 tokens/s").arg(QStringLiteral("0000.0")), Room::WhereThereIs}},
                nullptr, parent)
{
    show({});
}

void TranslationStatus::show(const translation::TranslationSnapshot &snapshot)
{
    const TranslationStatusText text = statusText(snapshot);
    showRun(snapshot.state, text.state, {text.amount, text.lag, text.speed});
}

}  // namespace braid::ui
