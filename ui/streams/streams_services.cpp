#include "ui/streams/streams_services.h"

namespace braid::ui {

sessions::StreamsSettings settingsOf(const StreamsChoices &choices)
{
    sessions::StreamsSettings settings;
    settings.form = choices.form;
    settings.layout = choices.layout;
    settings.system = choices.system;
    settings.seed = choices.seed;
    settings.rows_per_second = choices.rows_per_second;
    settings.recording = choices.recording;
    settings.playback = choices.playback;
    return settings;
}

}  // namespace braid::ui
