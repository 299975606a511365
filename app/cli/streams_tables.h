// `braid-cli streams simulate, check, tokens`, and a layout for tables that bring none.
#pragma once

#include <string>
#include <vector>

#include "app/cli/sub_commands.h"
#include "core/streams/layout.h"

namespace braid::cli {

void addStreamsTables(CLI::App &streams, Run &chosen, const models::ModelAccess &access);

// Streams called System, User and Document are read; all others speak.
[[nodiscard]] streams::Layout layoutOfNames(const std::vector<std::string> &names);

}  // namespace braid::cli
