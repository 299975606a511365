// What braid-cli does for captions. Returns the exit code; troubles that end it are thrown as braid::Error.
#pragma once

#include "app/cli/options.h"
#include "app/cli/terminal.h"

namespace braid::cli {

[[nodiscard]] int runCaption(const CaptionOptions &options, const models::ModelAccess &access, Interrupts &interrupts);
// The recordings of options.archive. Returns 75 where some are left to do and the same command will do them.
[[nodiscard]] int runCaptionArchive(const CaptionOptions &options, const models::ModelAccess &access, Interrupts &interrupts);

}  // namespace braid::cli
