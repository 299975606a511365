#include "core/models/whisper/language_memory.h"

#include "core/models/whisper/decode_window.h"

namespace braid::models::whisper {

namespace {

constexpr Sample kShortest = samplesFromSeconds(1);  // less says nothing about the language
constexpr Sample kEnough = samplesFromSeconds(5);
constexpr float kSure = 0.8f;

}  // namespace

const std::string &LanguageMemory::languageOf(const Model &model, const SoundCache &sound, Sample heard_samples)
{
    if (!m_settled) {
        const auto languages = detectLanguage(model, sound);
        m_language = languages.empty() ? std::string("en") : languages.front().first;
        m_settled = languages.empty() || heard_samples >= kEnough || (heard_samples >= kShortest && languages.front().second >= kSure);
    }
    return m_language;
}

}  // namespace braid::models::whisper
