// What braid-cli can do. Each returns the exit code; troubles that end a command are thrown as braid::Error.
#pragma once

#include "app/cli/options.h"
#include "app/cli/terminal.h"

namespace braid::cli {

[[nodiscard]] int runCaption(const CaptionOptions &options, Interrupts &interrupts);
[[nodiscard]] int listAudioDevices();
[[nodiscard]] int listInstalledModels();
[[nodiscard]] int runRecover(const RecoverOptions &options);

}  // namespace braid::cli
