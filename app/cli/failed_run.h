// The trouble that ended a run, as the error of a command.
#pragma once

#include "core/base/error.h"
#include "core/runtime/run_events.h"

namespace braid::cli {

[[nodiscard]] inline Error errorOf(const runtime::Failed &failed)
{
    auto sentence = failed.sentence;
    while (!sentence.empty() && sentence.back() == '.') {
        sentence.pop_back();
    }
    return {failed.kind, sentence};
}

}  // namespace braid::cli
