// `braid-cli streams simulate, check, tokens`.
#pragma once

#include "app/cli/sub_commands.h"

namespace braid::cli {

void addStreamsTables(CLI::App &streams, Run &chosen);

}  // namespace braid::cli
