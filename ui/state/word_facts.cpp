#include "ui/state/word_facts.h"

#include <QLocale>
#include <QObject>
#include <QStringDecoder>
#include <QStringList>

#include "core/base/sample_clock.h"

namespace braid::ui {
namespace {

QString clockWithHundredths(Sample sample)
{
    const auto hundredths = sample * 100 / kSampleRateHz;
    return QStringLiteral("%1:%2.%3").arg(hundredths / 6000).arg(hundredths / 100 % 60, 2, 10, QLatin1Char('0')).arg(hundredths % 100, 2, 10, QLatin1Char('0'));
}

QString seconds(Sample samples)
{
    return QLocale().toString(secondsFromSamples(samples), 'f', 2);
}

}  // namespace

QString wordTimeText(const text::Word &word)
{
    return QObject::tr("%1 to %2 (%3 s)")
        .arg(clockWithHundredths(word.start_sample), clockWithHundredths(word.end_sample), seconds(word.end_sample - word.start_sample));
}

QString timeMethodText(text::WordTimeMethod method)
{
    switch (method) {
    case text::WordTimeMethod::CrossAttention:
        return QObject::tr("from cross-attention, time-warped");
    case text::WordTimeMethod::SegmentTimestamps:
        return QObject::tr("spread between the model's own time marks");
    case text::WordTimeMethod::ChunkArrival:
        return QObject::tr("the chunk in which it first appeared");
    case text::WordTimeMethod::ChunkAndAttention:
        return QObject::tr("the chunk in which it first appeared, and where in it the token attended");
    case text::WordTimeMethod::Interpolated:
        return QObject::tr("estimated from its neighbours");
    case text::WordTimeMethod::Unknown:
        break;
    }
    return QObject::tr("not known how");
}

QString wordLagText(const text::Word &word)
{
    QStringList parts;
    if (word.first_seen_sample > 0) {
        parts << QObject::tr("first seen %1 s after its end").arg(seconds(word.first_seen_sample - word.end_sample));
    }
    parts << (word.committed_sample > 0 ? QObject::tr("settled after %1 s").arg(seconds(word.committed_sample - word.end_sample))
                                        : QObject::tr("not settled yet"));
    return parts.join(QStringLiteral(", "));
}

QString revisionText(const text::Word &word)
{
    if (word.revision_count == 0) {
        return QObject::tr("never changed");
    }
    const QString times = QObject::tr("changed %n time(s)", nullptr, word.revision_count);
    return word.revised_from.empty() ? times : QObject::tr("%1; said \u201c%2\u201d before").arg(times, QString::fromStdString(word.revised_from));
}

QString tokenText(const std::string &bytes)
{
    if (bytes.empty()) {
        return QObject::tr("(end)");  // marks have no text; the end is the one that rivals words
    }
    QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
    QString text = decoder.decode(QByteArrayView(bytes.data(), static_cast<qsizetype>(bytes.size())));
    if (decoder.hasError() || text.contains(QChar::ReplacementCharacter)) {
        return QStringLiteral("<%1>").arg(QString::fromLatin1(QByteArray(bytes.data(), static_cast<qsizetype>(bytes.size())).toHex(' ')));
    }
    if (text.startsWith(QLatin1Char(' '))) {
        text.replace(0, 1, QStringLiteral("\u00b7"));
    }
    return text.replace(QLatin1Char('\n'), QStringLiteral("\u21b5"));
}

QString clockText(Sample sample)
{
    return clockWithHundredths(sample);
}

QString historyOf(const std::vector<SaidBefore> &chain, const text::Word &word)
{
    if (word.revision_count == 0 || chain.size() < 2) {
        return revisionText(word);
    }
    QString text = QStringLiteral("\u201c%1\u201d").arg(QString::fromStdString(chain.front().text));
    for (std::size_t index = 1; index < chain.size(); ++index) {
        text += chain[index].since_sample > 0 ? QObject::tr("\n\u2192 \u201c%1\u201d when %2 was heard")
                                                    .arg(QString::fromStdString(chain[index].text), clockWithHundredths(chain[index].since_sample))
                                              : QObject::tr("\n\u2192 \u201c%1\u201d").arg(QString::fromStdString(chain[index].text));
    }
    const int missing = word.revision_count - static_cast<int>(chain.size()) + 1;
    return missing > 0 ? text + QLatin1Char('\n') + QObject::tr("%n change(s) in all", nullptr, word.revision_count) : text;
}

}  // namespace braid::ui
