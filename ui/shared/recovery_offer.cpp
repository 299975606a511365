#include "ui/shared/recovery_offer.h"

#include <QDateTime>
#include <QLocale>
#include <QObject>

namespace braid::ui {
namespace {

QString lengthText(Sample samples)
{
    const auto seconds = static_cast<int>(secondsFromSamples(samples));
    return seconds < 90 ? QObject::tr("%n second(s)", nullptr, seconds) : QObject::tr("%n minute(s)", nullptr, (seconds + 30) / 60);
}

QString sentenceFor(const std::vector<runtime::InterruptedRun> &runs)
{
    const runtime::RunJournalInfo &newest = runs.front().info;
    const auto count = static_cast<int>(runs.size());
    if (newest.kind == runtime::RunKind::Captions) {
        const QString length = lengthText(runs.front().sound_samples);
        return runs.size() == 1
                   ? QObject::tr("A session of %1 was interrupted. Its words and its sound are kept.").arg(length)
                   : QObject::tr("%n session(s) were interrupted, the last of %1. Their words and their sound are kept; all are under History.", nullptr, count)
                         .arg(length);
    }
    const QDateTime started = QDateTime::fromString(QString::fromStdString(newest.started_at), Qt::ISODate);
    const QString when =
        started.isValid() ? QLocale().toString(started.toLocalTime(), QStringLiteral("d MMM yyyy, HH:mm")) : QString::fromStdString(newest.started_at);
    if (newest.kind == runtime::RunKind::Conversation) {
        return runs.size() == 1 ? QObject::tr("A conversation of %1 was interrupted. What was said is kept.").arg(when)
                                : QObject::tr("%n conversation(s) were interrupted, the last of %1. What was said is kept.", nullptr, count).arg(when);
    }
    return runs.size() == 1 ? QObject::tr("A translation of %1 was interrupted. Its words are kept.").arg(when)
                            : QObject::tr("%n translation(s) were interrupted, the last of %1. Their words are kept.", nullptr, count).arg(when);
}

}  // namespace

void offerInterruptedRuns(NoticeStack &notices, const std::vector<runtime::InterruptedRun> &runs,
                          const std::function<void(const runtime::InterruptedRun &)> &open, const std::function<void(const QString &)> &raise_problem)
{
    if (runs.empty()) {
        return;
    }
    const auto open_newest = [&notices, runs, open, raise_problem] {
        open(runs.front());
        offerInterruptedRuns(notices, {runs.begin() + 1, runs.end()}, open, raise_problem);
    };
    const auto settle = [runs, raise_problem] {
        for (const runtime::InterruptedRun &run : runs) {
            settleIfInterrupted(run.folder, runtime::JournalState::Interrupted, raise_problem);
        }
    };
    notices.add({Severity::Information,
                 sentenceFor(runs),
                 QString::fromStdString(runs.front().folder.string()),
                 {{QObject::tr("Open it"), open_newest}, {QObject::tr("Not now"), settle}},
                 QStringLiteral("recovery")});
}

void settleIfInterrupted(const std::filesystem::path &folder, runtime::JournalState state, const std::function<void(const QString &)> &raise_problem)
{
    if (state == runtime::JournalState::Finished) {
        return;
    }
    try {
        runtime::settleRun(folder);
    } catch (const std::exception &error) {
        raise_problem(QString::fromUtf8(error.what()));
    }
}

}  // namespace braid::ui
