#include <algorithm>
#include <filesystem>

#include "core/audio/resampler.h"
#include "core/base/error.h"
#include "lab/corpus/espeak_library.h"
#include "lab/corpus/synthesizer.h"

namespace braid::corpus {
namespace {

namespace fs = std::filesystem;

// As files of the library: "en" is the English of Great Britain.
constexpr std::array kAccents = {"en-us", "en", "en-gb-scotland", "en-gb-x-rp", "en-gb-x-gbclan", "en-gb-x-gbcwmd", "en-029", "en-us-nyc"};
constexpr int kWordsPerMinute = 170;

// The time from each word's event to its last phoneme. Words that eSpeak NG speaks as one ("of the") have one event: they share its
// time by their letters.
std::vector<TimedWord> wordTimes(const std::vector<SpeakableWord> &words, const EspeakSpeech &speech)
{
    struct Event {
        std::size_t byte;
        double start;
        double end;
    };
    std::vector<Event> events;
    double sound_end = static_cast<double>(speech.sound.size()) / speech.rate_hz;
    double open_until = -1;
    for (const EspeakEvent &event : speech.events) {
        if (event.kind == EspeakEvent::Kind::Word) {
            if (!events.empty() && events.back().end < 0) {
                events.back().end = event.seconds;
            }
            if (events.empty() || event.text_byte > events.back().byte) {
                events.push_back({event.text_byte, event.seconds, -1});
            }
        } else if (event.kind != EspeakEvent::Kind::Phoneme && !events.empty() && events.back().end < 0 && event.seconds > events.back().start) {
            events.back().end = event.seconds;
        }
        open_until = std::max(open_until, event.seconds);
    }
    if (events.empty()) {
        return {};
    }
    if (events.back().end < 0) {
        events.back().end = std::min(open_until, sound_end);
    }
    std::vector<TimedWord> times;
    std::size_t byte = 0;   // of the word in joined()
    std::size_t event = 0;  // the one that covers it
    for (std::size_t first = 0; first < words.size();) {
        while (event + 1 < events.size() && events[event + 1].byte <= byte) {
            ++event;
        }
        // All words before the next event share this one.
        const std::size_t next_byte = event + 1 < events.size() ? events[event + 1].byte : SIZE_MAX;
        std::size_t last = first;
        std::size_t letters = 0;
        while (last < words.size() && (last == first || byte < next_byte)) {
            letters += words[last].word.size();
            byte += words[last].word.size() + (words[last].mark != 0 ? 2 : 1);
            ++last;
        }
        double at = events[event].start;
        const double span = events[event].end - at;
        if (span <= 0 || events[event].end > sound_end + 0.05) {
            return {};
        }
        for (; first < last; ++first) {
            const double share = span * static_cast<double>(words[first].word.size()) / static_cast<double>(letters);
            times.push_back({words[first].word, samplesFromSeconds(at), samplesFromSeconds(at + share)});
            at += share;
        }
    }
    return times;
}

class Espeak final : public Synthesizer {
  public:
    explicit Espeak(std::shared_ptr<EspeakLibrary> library)
        : m_library(std::move(library))
    {
        std::vector<std::string> variants = {""};
        std::error_code problem;
        for (fs::directory_iterator entry(m_library->dataFolder() / "voices" / "!v", problem), end; !problem && entry != end; entry.increment(problem)) {
            variants.push_back("+" + entry->path().filename().string());
        }
        // Some variants are for other languages only; the library says so when they are chosen.
        std::erase_if(variants, [this](const std::string &variant) { return !m_library->hasVoice("en-us" + variant); });
        for (const char *accent : kAccents) {
            for (const auto &variant : m_library->hasVoice(accent) ? variants : std::vector<std::string>()) {
                m_voices.push_back(accent + variant);
            }
        }
        std::sort(m_voices.begin(), m_voices.end());
    }

    std::string name() const override { return "espeak"; }
    std::vector<std::string> voices() const override { return m_voices; }

    Spoken speak(const std::vector<SpeakableWord> &words, const std::string &voice, const Manner &manner) override
    {
        EspeakManner how;
        how.voice = voice;
        how.words_per_minute = std::clamp(static_cast<int>(kWordsPerMinute * manner.speed), 80, 450);
        how.pitch = std::clamp(static_cast<int>(50 * manner.pitch), 0, 99);
        const EspeakSpeech speech = m_library->speak(joined(words), how);
        Spoken spoken;
        audio::Resampler resampler(speech.rate_hz);
        resampler.push(speech.sound, spoken.sound);
        resampler.flush(spoken.sound);
        for (const SpeakableWord &word : words) {
            spoken.text += (spoken.text.empty() ? "" : " ") + word.word;
        }
        spoken.words = wordTimes(words, speech);
        return spoken;
    }

  private:
    std::shared_ptr<EspeakLibrary> m_library;
    std::vector<std::string> m_voices;
};

}  // namespace

std::unique_ptr<Synthesizer> findEspeak()
{
    auto library = EspeakLibrary::find();
    return library ? std::make_unique<Espeak>(std::move(library)) : nullptr;
}

}  // namespace braid::corpus
