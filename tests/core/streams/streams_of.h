// Streams for tests, written shortly.
#pragma once

#include <string>
#include <vector>

#include "core/streams/layout.h"

inline braid::streams::Stream streamOf(const std::string &name, braid::streams::StreamRole role, const std::vector<int> &sees = {})
{
    braid::streams::Stream stream;
    stream.name = name;
    stream.role = role;
    stream.sees = sees;
    return stream;
}
