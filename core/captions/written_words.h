// A policy whose words are written as a person wants them (core/text/word_rules.h). The session, the engine and every outlet see only what it gives out: a
// committed word is written once and for ever. Words that the policy inside commits and that may be the beginning of an entry stay in the tail until what
// follows is known or the utterance ends. No entry goes over a pause.
#pragma once

#include <memory>
#include <mutex>

#include "core/captions/caption_engine.h"
#include "core/captions/caption_policy.h"
#include "core/text/word_rules.h"

namespace braid::captions {

// How words are written now. Runs look at every step, so another list holds from the next one on. Thread: any.
class WordBook {
  public:
    void set(text::WordRules rules);
    [[nodiscard]] std::shared_ptr<const text::WordRules> rules() const;  // never null

  private:
    mutable std::mutex m_mutex;
    std::shared_ptr<const text::WordRules> m_rules = std::make_shared<text::WordRules>();
};

[[nodiscard]] std::unique_ptr<CaptionPolicy> writtenBy(std::shared_ptr<const WordBook> book, std::unique_ptr<CaptionPolicy> policy);
// The policies that it makes.
[[nodiscard]] PolicyFactory writtenBy(std::shared_ptr<const WordBook> book, PolicyFactory make_policy);

}  // namespace braid::captions
