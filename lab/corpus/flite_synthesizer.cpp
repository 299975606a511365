#include <dlfcn.h>

#include <algorithm>
#include <mutex>

#include "core/audio/pcm16.h"
#include "core/audio/resampler.h"
#include "core/base/error.h"
#include "lab/corpus/synthesizer.h"

namespace braid::corpus {
namespace {

// Flite's binary interface, as far as it is used here (its documentation, "APIs"): everything but the wave is opaque.
struct RawVoice {
    const char *name;
    void *features;
};
struct RawWave {
    const char *type;
    int sample_rate;
    int num_samples;
    int num_channels;
    short *samples;
};

constexpr std::array kVoices = {"awb", "kal", "kal16", "rms", "slt"};

class Flite final : public Synthesizer {
  public:
    // True where the library is there with at least one voice.
    [[nodiscard]] bool load()
    {
        void *library = dlopen("libflite.so.1", RTLD_NOW | RTLD_GLOBAL);  // global: the voices look its functions up
        if (library == nullptr || dlopen("libflite_cmulex.so.1", RTLD_NOW | RTLD_GLOBAL) == nullptr ||
            dlopen("libflite_usenglish.so.1", RTLD_NOW | RTLD_GLOBAL) == nullptr) {
            return false;
        }
        int (*initialize)() = nullptr;
        const bool complete = take(library, "flite_init", initialize) && take(library, "flite_synth_text", m_synth) && take(library, "utt_wave", m_wave) &&
                              take(library, "utt_relation", m_relation) && take(library, "relation_head", m_head) && take(library, "item_next", m_next) &&
                              take(library, "flite_ffeature_float", m_number) && take(library, "flite_ffeature_string", m_text) &&
                              take(library, "flite_feat_set_float", m_set) && take(library, "delete_utterance", m_delete);
        if (!complete) {
            return false;
        }
        initialize();
        for (const char *name : kVoices) {
            void *voice = dlopen(("libflite_cmu_us_" + std::string(name) + ".so.1").c_str(), RTLD_NOW | RTLD_LOCAL);
            RawVoice *(*enter)(const char *) = nullptr;
            if (voice != nullptr && take(voice, ("register_cmu_us_" + std::string(name)).c_str(), enter)) {
                if (RawVoice *made = enter(nullptr); made != nullptr) {
                    m_voices.emplace_back(name, made);
                }
            }
        }
        return !m_voices.empty();
    }

    std::string name() const override { return "flite"; }

    std::vector<std::string> voices() const override
    {
        std::vector<std::string> names;
        for (const auto &voice : m_voices) {
            names.push_back(voice.first);
        }
        return names;
    }

    Spoken speak(const std::vector<SpeakableWord> &words, const std::string &voice, const Manner &manner) override
    {
        const std::string text = joined(words);
        const std::lock_guard hold(m_lock);
        const auto found = std::find_if(m_voices.begin(), m_voices.end(), [&voice](const auto &known) { return known.first == voice; });
        if (found == m_voices.end()) {
            throw Error(ErrorKind::Usage, "Flite has no voice \"" + voice.substr(0, 100) + "\"", {}, "braid-cli synth --list-voices lists them");
        }
        void *features = found->second->features;
        m_set(features, "duration_stretch", static_cast<float>(1 / manner.speed));
        m_set(features, "f0_shift", static_cast<float>(manner.pitch));                 // of the statistical voices
        m_set(features, "int_f0_target_mean", static_cast<float>(95 * manner.pitch));  // of the diphone voices
        const std::unique_ptr<void, void (*)(void *)> utterance(m_synth(text.c_str(), found->second), m_delete);
        const RawWave *wave = utterance ? m_wave(utterance.get()) : nullptr;
        if (wave == nullptr || wave->num_samples <= 0 || wave->num_channels != 1) {
            throw Error(ErrorKind::Input, "Flite could not speak it", text.substr(0, 60));
        }
        Spoken spoken;
        audio::Resampler resampler(wave->sample_rate);
        resampler.push(audio::floatsOf({wave->samples, static_cast<std::size_t>(wave->num_samples)}), spoken.sound);
        resampler.flush(spoken.sound);
        for (const SpeakableWord &word : words) {
            spoken.text += (spoken.text.empty() ? "" : " ") + word.word;
        }
        spoken.words = wordTimes(utterance.get(), words, static_cast<Sample>(spoken.sound.size()));
        return spoken;
    }

  private:
    template <typename Function>
    static bool take(void *library, const char *name, Function &function)
    {
        function = reinterpret_cast<Function>(dlsym(library, name));
        return function != nullptr;
    }

    // Tokens are what stands between spaces: our words. A token's words ("smith", "'s") follow as its daughters; a word's segments hang
    // below its syllables.
    std::vector<TimedWord> wordTimes(void *utterance, const std::vector<SpeakableWord> &words, Sample sound_end) const
    {
        std::vector<TimedWord> times;
        void *relation = m_relation(utterance, "Token");
        void *token = relation == nullptr ? nullptr : m_head(relation);
        for (const SpeakableWord &word : words) {
            if (token == nullptr || word.word != m_text(token, "name")) {
                return {};
            }
            const float start = m_number(token, "daughter1.R:SylStructure.daughter1.daughter1.R:Segment.p.end");
            float end = m_number(token, "daughtern.R:SylStructure.daughtern.daughtern.R:Segment.end");
            if (end <= start) {  // the last part has no syllable of its own
                end = m_number(token, "daughter1.R:SylStructure.daughtern.daughtern.R:Segment.end");
            }
            const Sample first = samplesFromSeconds(start);
            const Sample last = std::min(samplesFromSeconds(end), sound_end);
            if (last <= first || (!times.empty() && first < times.back().start_sample)) {
                return {};
            }
            times.push_back({word.word, first, last});
            token = m_next(token);
        }
        return token == nullptr ? times : std::vector<TimedWord>();
    }

    std::mutex m_lock;
    std::vector<std::pair<std::string, RawVoice *>> m_voices;
    void *(*m_synth)(const char *, RawVoice *) = nullptr;
    RawWave *(*m_wave)(void *) = nullptr;
    void *(*m_relation)(void *, const char *) = nullptr;
    void *(*m_head)(void *) = nullptr;
    void *(*m_next)(void *) = nullptr;
    float (*m_number)(void *, const char *) = nullptr;
    const char *(*m_text)(void *, const char *) = nullptr;
    void (*m_set)(void *, const char *, float) = nullptr;
    void (*m_delete)(void *) = nullptr;
};

}  // namespace

std::unique_ptr<Synthesizer> findFlite()
{
    auto flite = std::make_unique<Flite>();
    return flite->load() ? std::move(flite) : nullptr;
}

}  // namespace braid::corpus
