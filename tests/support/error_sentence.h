// What a person would read when a call fails, for tests of these sentences.
#pragma once

#include <string>

#include "core/base/error.h"

namespace braid::test {

// The sentence of the braid::Error that `work` throws; empty where it throws none.
template <typename Work>
std::string sentenceOf(const Work &work)
{
    try {
        work();
    } catch (const Error &error) {
        return error.sentence();
    }
    return {};
}

// The same where the error must be of this kind; of another it says so before the sentence.
template <typename Work>
std::string sentenceOf(ErrorKind kind, const Work &work)
{
    try {
        work();
    } catch (const Error &error) {
        return error.kind() == kind ? error.sentence() : "an error of another kind: " + error.sentence();
    }
    return {};
}

inline bool contains(const std::string &text, const std::string &part)
{
    return text.find(part) != std::string::npos;
}

}  // namespace braid::test
