// A reader at work on what it was given: it reads it or refuses it with an Error, and anything else is a finding.
#pragma once

#include "core/base/error.h"

namespace braid::fuzz {

template <typename Work>
void attempt(const Work &work)
{
    try {
        work();
    } catch (const Error &) {
    }
}

}  // namespace braid::fuzz
