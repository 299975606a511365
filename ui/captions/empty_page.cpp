#include "ui/captions/empty_page.h"

#include <QObject>

#include "ui/shared/core_words.h"

namespace braid::ui {

EmptyPageWords emptyPageWords(RunActivity activity, const captions::CaptionSnapshot &snapshot)
{
    if (activity == RunActivity::Idle) {
        return {QObject::tr("Words will stand here"), QObject::tr("Press Space to start, or drop recordings on this window.")};
    }
    if (snapshot.state == runtime::RunState::Loading || snapshot.state == runtime::RunState::Idle) {
        return {snapshot.activity.empty() ? QObject::tr("Starting\u2026") : coreWords(snapshot.activity),
                QObject::tr("What is said meanwhile is kept and captioned afterwards.")};
    }
    if (snapshot.voice == captions::VoiceState::NoSound) {
        return {QObject::tr("No sound arrives yet"), QObject::tr("Is the right source chosen, and is it not muted?")};
    }
    return {snapshot.voice == captions::VoiceState::Silence    ? QObject::tr("Silence")
            : snapshot.voice == captions::VoiceState::NoSpeech ? QObject::tr("Sound, but no speech")
                                                               : QObject::tr("Listening\u2026"),
            QObject::tr("Words appear as they are said.")};
}

}  // namespace braid::ui
