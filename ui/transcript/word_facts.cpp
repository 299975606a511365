#include "ui/transcript/word_facts.h"

#include <QObject>
#include <QStringList>
#include <QStringDecoder>

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
    return QString::number(secondsFromSamples(samples), 'f', 2);
}

}  // namespace

QString wordTimeText(const text::Word &word)
{
    return QObject::tr("%1 to %2 (%3 s)").arg(clockWithHundredths(word.start_sample), clockWithHundredths(word.end_sample), seconds(word.end_sample - word.start_sample));
}

QString timeMethodText(text::WordTimeMethod method)
{
    switch (method) {
    case text::WordTimeMethod::CrossAttention: return QObject::tr("from cross-attention, time-warped");
    case text::WordTimeMethod::SegmentTimestamps: return QObject::tr("spread between the model's own time marks");
    case text::WordTimeMethod::ChunkArrival: return QObject::tr("the chunk in which it first appeared");
    case text::WordTimeMethod::ChunkAndAttention: return QObject::tr("the chunk in which it first appeared, and where in it the token attended");
    case text::WordTimeMethod::Interpolated: return QObject::tr("estimated from its neighbours");
    case text::WordTimeMethod::Unknown: break;
    }
    return QObject::tr("not known how");
}

QString wordLagText(const text::Word &word)
{
    QStringList parts;
    if (word.first_seen_sample > 0) {
        parts << QObject::tr("first seen %1 s after its end").arg(seconds(word.first_seen_sample - word.end_sample));
    }
    parts << (word.committed_sample > 0 ? QObject::tr("settled after %1 s").arg(seconds(word.committed_sample - word.end_sample)) : QObject::tr("not settled yet"));
    return parts.join(QStringLiteral(", "));
}

QString revisionText(const text::Word &word)
{
    if (word.revision_count == 0) {
        return QObject::tr("never changed");
    }
    const QString times = word.revision_count == 1 ? QObject::tr("changed once") : QObject::tr("changed %1 times").arg(word.revision_count);
    return word.revised_from.empty() ? times : QObject::tr("%1; said \u201c%2\u201d before").arg(times, QString::fromStdString(word.revised_from));
}

QString tokenText(const std::string &bytes)
{
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

QString wordFactsAsHtml(const text::Word &word)
{
    QStringList lines;
    lines << QStringLiteral("<b>%1</b>").arg(QString::fromStdString(word.text).toHtmlEscaped());
    lines << wordTimeText(word) + QStringLiteral(", ") + timeMethodText(word.time_method);
    lines << QObject::tr("probability %1").arg(static_cast<double>(word.probability), 0, 'f', 2);
    QStringList rivals;
    for (const text::Token &token : word.tokens) {
        for (const text::Rival &rival : token.rivals) {
            if (rival.token_id != token.id && rivals.size() < 4) {
                rivals << QStringLiteral("%1 %2").arg(tokenText(rival.text).toHtmlEscaped()).arg(static_cast<double>(rival.probability), 0, 'f', 2);
            }
        }
    }
    if (!rivals.isEmpty()) {
        lines << QObject::tr("rivals: %1").arg(rivals.join(QStringLiteral(", ")));
    }
    lines << revisionText(word).toHtmlEscaped() + QStringLiteral("; ") + wordLagText(word);
    return QStringLiteral("<div style='white-space:nowrap'>%1</div>").arg(lines.join(QStringLiteral("<br>")));
}

}  // namespace braid::ui
