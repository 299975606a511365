#include "lab/corpus/espeak_library.h"

#include <dlfcn.h>

#include <cstring>
#include <mutex>

#include "core/audio/pcm16.h"
#include "core/base/error.h"

namespace braid::corpus {
namespace {

// The library's binary interface, as its documentation gives it (speak_lib.h, API revision 12).
struct RawEvent {
    int type;
    unsigned unique_identifier;
    int text_position;  // in characters, from 1
    int length;
    int audio_position_ms;
    int sample;
    void *user_data;
    union {
        int number;
        const char *name;
        char string[8];
    } id;
};
using Callback = int (*)(short *, int, RawEvent *);

enum RawType { kListEnd = 0, kWord = 1, kEnd = 5, kMessageEnd = 6, kPhoneme = 7 };
enum RawParameter { kRate = 1, kPitch = 3, kRange = 4 };
constexpr int kSynchronous = 2;
constexpr int kPhonemeEvents = 0x0001;
constexpr int kDoNotExit = 0x8000;
constexpr unsigned kUtf8 = 1;
constexpr unsigned kEndPause = 0x1000;
constexpr int kPositionCharacter = 1;
constexpr int kPhonemesInIpa = 0x02;
constexpr std::size_t kMostSamples = 22050u * 3600u;

std::mutex &lock()
{
    static std::mutex mutex;
    return mutex;
}

// What the callback fills; only ever touched with the lock held.
struct Collected {
    EspeakSpeech speech;
    std::vector<RawEvent> raw;
};

int collect(short *samples, int count, RawEvent *events)
{
    Collected *into = nullptr;
    for (RawEvent *event = events; event != nullptr; ++event) {
        into = static_cast<Collected *>(event->user_data);
        if (event->type == kListEnd) {
            break;
        }
        if (into != nullptr && into->raw.size() < 1'000'000) {
            into->raw.push_back(*event);
        }
    }
    if (into == nullptr) {
        return 0;
    }
    if (samples != nullptr && count > 0) {
        if (into->speech.sound.size() + static_cast<std::size_t>(count) > kMostSamples) {
            return 1;  // stop
        }
        for (int i = 0; i < count; ++i) {
            into->speech.sound.push_back(audio::floatOf(samples[i]));
        }
    }
    return 0;
}

// Byte offset of every character of UTF-8 text, and the text's length.
std::vector<std::size_t> characterStarts(const std::string &text)
{
    std::vector<std::size_t> starts;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if ((static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U) {
            starts.push_back(i);
        }
    }
    starts.push_back(text.size());
    return starts;
}

}  // namespace

struct EspeakLibrary::Functions {
    void *handle = nullptr;
    int rate_hz = 0;
    std::string voice;  // the one that is set
    int (*initialize)(int, int, const char *, int) = nullptr;
    void (*set_callback)(Callback) = nullptr;
    int (*synth)(const void *, std::size_t, unsigned, int, unsigned, unsigned, unsigned *, void *) = nullptr;
    int (*set_parameter)(int, int, int) = nullptr;
    int (*set_voice)(const char *) = nullptr;
    const char *(*phonemes)(const void **, int, int) = nullptr;
    const char *(*info)(const char **) = nullptr;

    template <typename Function>
    [[nodiscard]] bool take(const char *name, Function &function)
    {
        function = reinterpret_cast<Function>(dlsym(handle, name));
        return function != nullptr;
    }
    void useVoice(const std::string &name)
    {
        if (name == voice) {
            return;
        }
        if (name.size() > 100 || set_voice(name.c_str()) != 0) {
            voice.clear();
            throw Error(ErrorKind::Usage, "eSpeak NG has no voice \"" + name.substr(0, 100) + "\"", {}, "braid-cli synth --list-voices lists them");
        }
        voice = name;
    }
};

std::shared_ptr<EspeakLibrary> EspeakLibrary::find()
{
    static const std::shared_ptr<EspeakLibrary> found = []() -> std::shared_ptr<EspeakLibrary> {
        auto functions = std::make_unique<Functions>();
        functions->handle = dlopen("libespeak-ng.so.1", RTLD_NOW | RTLD_LOCAL);
        if (functions->handle == nullptr) {
            return nullptr;
        }
        const bool complete = functions->take("espeak_Initialize", functions->initialize) &&
                              functions->take("espeak_SetSynthCallback", functions->set_callback) && functions->take("espeak_Synth", functions->synth) &&
                              functions->take("espeak_SetParameter", functions->set_parameter) &&
                              functions->take("espeak_SetVoiceByName", functions->set_voice) && functions->take("espeak_TextToPhonemes", functions->phonemes) &&
                              functions->take("espeak_Info", functions->info);
        if (complete) {
            functions->rate_hz = functions->initialize(kSynchronous, 100, nullptr, kPhonemeEvents | kDoNotExit);
        }
        if (functions->rate_hz < 8000 || functions->rate_hz > 192000) {
            return nullptr;
        }
        functions->set_callback(&collect);
        return std::shared_ptr<EspeakLibrary>(new EspeakLibrary(std::move(functions)));
    }();
    return found;
}

EspeakLibrary::EspeakLibrary(std::unique_ptr<Functions> functions)
    : m_functions(std::move(functions))
{
}

// The library stays loaded: unloading it at the end of a process gains nothing.
EspeakLibrary::~EspeakLibrary() = default;

std::filesystem::path EspeakLibrary::dataFolder() const
{
    const char *path = nullptr;
    m_functions->info(&path);
    return path == nullptr ? std::filesystem::path() : std::filesystem::path(path);
}

bool EspeakLibrary::hasVoice(const std::string &voice)
{
    const std::lock_guard hold(lock());
    try {
        m_functions->useVoice(voice);
        return true;
    } catch (const Error &) {
        return false;
    }
}

std::string EspeakLibrary::ipa(const std::string &word)
{
    const std::lock_guard hold(lock());
    m_functions->useVoice("en-us");
    std::string all;
    const void *rest = word.c_str();
    while (rest != nullptr && all.size() < 10'000) {
        const char *piece = m_functions->phonemes(&rest, kUtf8, kPhonemesInIpa);
        if (piece != nullptr) {
            all += (all.empty() ? "" : " ") + std::string(piece);
        }
    }
    return all;
}

EspeakSpeech EspeakLibrary::speak(const std::string &text, const EspeakManner &manner)
{
    const std::lock_guard hold(lock());
    m_functions->useVoice(manner.voice);
    m_functions->set_parameter(kRate, manner.words_per_minute, 0);
    m_functions->set_parameter(kPitch, manner.pitch, 0);
    m_functions->set_parameter(kRange, manner.pitch_range, 0);
    Collected collected;
    collected.speech.rate_hz = m_functions->rate_hz;
    // No SSML flag: "<" and "&" are characters like others.
    if (m_functions->synth(text.c_str(), text.size() + 1, 0, kPositionCharacter, 0, kUtf8 | kEndPause, nullptr, &collected) != 0 ||
        collected.speech.sound.empty()) {
        throw Error(ErrorKind::Input, "eSpeak NG could not speak it", text.substr(0, 60));
    }
    const auto starts = characterStarts(text);
    for (const RawEvent &raw : collected.raw) {
        EspeakEvent event;
        event.seconds = raw.audio_position_ms / 1000.0;
        if (raw.type == kWord) {
            if (raw.text_position < 1 || static_cast<std::size_t>(raw.text_position) > starts.size() || raw.length < 0) {
                continue;
            }
            event.text_byte = starts[static_cast<std::size_t>(raw.text_position) - 1];
            event.length = static_cast<std::size_t>(raw.length);
        } else if (raw.type == kPhoneme) {
            // "_", "_:", "_!" are pauses; no name is the end of a clause.
            const std::size_t length = strnlen(raw.id.string, sizeof(raw.id.string));
            event.kind = length == 0 || raw.id.string[0] == '_' ? EspeakEvent::Kind::Pause : EspeakEvent::Kind::Phoneme;
        } else if (raw.type == kEnd || raw.type == kMessageEnd) {
            event.kind = EspeakEvent::Kind::End;
        } else {
            continue;
        }
        collected.speech.events.push_back(event);
    }
    return std::move(collected.speech);
}

}  // namespace braid::corpus
