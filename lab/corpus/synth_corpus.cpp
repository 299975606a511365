#include "lab/corpus/synth_corpus.h"

#include <fnmatch.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <map>
#include <numeric>
#include <set>

#include "core/base/error.h"
#include "core/base/file.h"
#include "lab/corpus/augment.h"
#include "lab/corpus/manifest.h"
#include "lab/corpus/sound_writer.h"
#include "lab/corpus/training_text.h"
#include "lab/corpus/written_text.h"

namespace braid::corpus {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostVoices = 100'000;
constexpr std::size_t kMostTexts = 50'000'000;

struct Planned {
    std::vector<std::size_t> texts;
    std::size_t voice = 0;
    Manner manner;
};

// Which texts in which voice: cheap, so it is made whole, and is the same for every beginning and every number of workers.
std::vector<Planned> plan(std::size_t texts, const std::vector<VoiceChoice> &voices, const SynthOptions &options)
{
    std::vector<double> until;  // sums of weights
    for (const VoiceChoice &voice : voices) {
        until.push_back((until.empty() ? 0 : until.back()) + voice.weight);
    }
    std::vector<Planned> all;
    std::vector<std::size_t> order(texts);
    std::size_t next = texts;
    std::uint64_t pass = 0;
    while (options.utterances == 0 ? !(next == texts && pass > 0) : all.size() < options.utterances) {
        if (next == texts) {
            std::iota(order.begin(), order.end(), 0);
            Random shuffle(options.seed, "order", pass++);
            for (std::size_t i = texts; i > 1; --i) {
                std::swap(order[i - 1], order[shuffle.below(i)]);
            }
            next = 0;
        }
        Random random(options.seed, "utterance", all.size());
        Planned planned;
        const std::size_t sentences = random.chance(options.several_chance) ? 2 + random.below(2) : 1;
        for (std::size_t i = 0; i < sentences && next < texts; ++i) {
            planned.texts.push_back(order[next++]);
        }
        const double drawn = random.uniform(0, until.back());
        planned.voice = static_cast<std::size_t>(
            std::min(std::upper_bound(until.begin(), until.end(), drawn) - until.begin(), static_cast<std::ptrdiff_t>(voices.size() - 1)));
        // As often slower as faster: by ratio.
        planned.manner.speed = options.slowest * std::pow(options.fastest / options.slowest, random.unit());
        planned.manner.pitch = options.lowest * std::pow(options.highest / options.lowest, random.unit());
        all.push_back(std::move(planned));
    }
    return all;
}

Spoken speak(const Planned &planned, const std::vector<std::string> &texts, const VoiceChoice &voice, Random &random)
{
    std::vector<Spoken> parts;
    std::vector<Sample> pauses;
    // Silence before and after, as recordings have it.
    Spoken silence;
    silence.sound.resize(static_cast<std::size_t>(random.uniform(0, 0.4) * kSampleRateHz));
    parts.push_back(silence);
    for (const std::size_t text : planned.texts) {
        const auto words = speakableText(texts[text]);
        if (!words) {
            throw Error(ErrorKind::Input, "cannot be spoken", texts[text].substr(0, 60));
        }
        pauses.push_back(parts.size() == 1 ? 0 : samplesFromSeconds(random.uniform(0, 1.2)));
        parts.push_back(voice.synthesizer->speak(*words, voice.voice, planned.manner));
    }
    silence.sound.resize(static_cast<std::size_t>(random.uniform(0, 0.6) * kSampleRateHz));
    pauses.push_back(0);
    parts.push_back(silence);
    Spoken all = join(parts, pauses, random);
    const float loudest = std::abs(*std::max_element(all.sound.begin(), all.sound.end(), [](float a, float b) { return std::abs(a) < std::abs(b); }));
    if (loudest < 1e-3F) {
        throw Error(ErrorKind::Input, "came out silent", all.text.substr(0, 60));
    }
    if (loudest > 0.98F) {
        changeGain(all.sound, 20 * std::log10(0.98 / loudest));
    }
    return all;
}

std::string nameOf(std::size_t index)
{
    char name[64];
    std::snprintf(name, sizeof(name), "%03zu/%06zu", index / 1000, index);
    return name;
}

// What else the folder's sounds depend on, so that a folder is never continued in another way.
std::string fingerprint(const std::vector<std::string> &texts, const std::vector<VoiceChoice> &voices, const SynthOptions &options)
{
    Random mix(options.seed);
    std::uint64_t sum = mix.next();
    const auto add = [&sum](std::string_view text) { sum = Random(sum, text).next(); };
    for (const auto &text : texts) {
        add(text);
    }
    for (const auto &voice : voices) {
        add(voice.synthesizer->name() + "/" + voice.voice + "=" + std::to_string(voice.weight));
    }
    for (const double value : {options.several_chance, options.slowest, options.fastest, options.lowest, options.highest}) {
        add(std::to_string(value));
    }
    if (options.text == TextForm::Written) {
        add("written");
    }
    char text[64];
    std::snprintf(text, sizeof(text), "%016llx\n", static_cast<unsigned long long>(sum));
    return text;
}

// How many planned utterances are done: the last one written names its number.
std::size_t doneBefore(const fs::path &manifest)
{
    if (!fs::exists(manifest)) {
        return 0;
    }
    std::size_t done = 0;
    ManifestReader reader(manifest);
    for (Utterance utterance; reader.next(utterance);) {
        const std::string stem = utterance.sound.stem().string();
        std::size_t number = 0;
        if (std::from_chars(stem.data(), stem.data() + stem.size(), number).ec != std::errc()) {
            throw Error(ErrorKind::Usage, "was not made by braid-cli synth", manifest.string(), "Choose an empty folder");
        }
        done = number + 1;
    }
    return done;
}

}  // namespace

std::vector<VoiceChoice> chooseVoices(const std::vector<std::string> &patterns, const Synthesizers &synthesizers)
{
    std::vector<VoiceChoice> all;
    for (const auto &synthesizer : synthesizers.found) {
        for (const auto &voice : synthesizer->voices()) {
            all.push_back({synthesizer.get(), voice, 0});
        }
    }
    if (all.empty() || all.size() > kMostVoices) {
        std::string remedy;
        for (const auto &sentence : synthesizers.missing) {
            remedy += (remedy.empty() ? "" : " ") + sentence;
        }
        throw Error(ErrorKind::Usage, "there is no speech synthesizer on this machine", {}, remedy);
    }
    for (const std::string &given : patterns) {
        std::string pattern = given;
        double weight = 1;
        if (const auto equals = pattern.rfind('='); equals != pattern.npos) {
            const auto *end = pattern.data() + pattern.size();
            const auto read = std::from_chars(pattern.data() + equals + 1, end, weight);
            if (read.ec != std::errc() || read.ptr != end || !(weight > 0 && weight < 1e6)) {
                throw Error(ErrorKind::Usage, "is not a voice with a weight above 0", given, "For example flite/slt=3");
            }
            pattern.resize(equals);
        }
        const bool out = pattern.starts_with('-');
        pattern.erase(0, out ? 1 : 0);
        std::vector<VoiceChoice *> fitting;
        for (auto &voice : all) {
            if (::fnmatch(pattern.c_str(), (voice.synthesizer->name() + "/" + voice.voice).c_str(), 0) == 0) {
                fitting.push_back(&voice);
            }
        }
        if (fitting.empty()) {
            throw Error(ErrorKind::Usage, "no voice on this machine fits this", given, "braid-cli synth --list-voices lists them");
        }
        for (VoiceChoice *voice : fitting) {
            voice->weight = out ? 0 : voice->weight + weight / static_cast<double>(fitting.size());
        }
    }
    std::erase_if(all, [](const VoiceChoice &voice) { return voice.weight <= 0; });
    if (all.empty()) {
        throw Error(ErrorKind::Usage, "no voice is left", {}, "Name some with --voices");
    }
    return all;
}

std::vector<std::string> speakableTexts(const std::vector<std::string> &lines, const std::vector<std::string> &without, std::size_t fewest, std::size_t most)
{
    std::set<std::string> seen;
    for (const auto &line : without) {
        if (auto text = trainingText(line)) {
            seen.insert(std::move(*text));
        }
    }
    std::vector<std::string> texts;
    for (const auto &line : lines) {
        const auto text = line.size() > 10'000 ? std::nullopt : trainingText(line);
        const auto words = text ? static_cast<std::size_t>(std::count(text->begin(), text->end(), ' ')) + 1 : 0;
        if (words < fewest || words > most || words == 0 || !seen.insert(*text).second) {
            continue;
        }
        texts.push_back(line);
        if (texts.size() > kMostTexts) {
            throw Error(ErrorKind::Usage, "there are more than 50 million texts", {}, "Use a part of them");
        }
    }
    return texts;
}

SynthProgress synthesiseCorpus(const std::vector<std::string> &texts, const std::vector<VoiceChoice> &voices, const fs::path &folder,
                               const SynthOptions &options, const std::function<void(const SynthProgress &)> &spoken, const GoOn &go_on)
{
    if (texts.empty() || voices.empty()) {
        throw Error(ErrorKind::Usage, "there is no text to speak, or no voice");
    }
    std::error_code problem;
    fs::create_directories(folder, problem);
    const std::string made_from = fingerprint(texts, voices, options);
    const fs::path note = folder / "made-from";
    if (!fs::exists(note)) {
        if (fs::exists(folder / "manifest.jsonl")) {
            throw Error(ErrorKind::Usage, "has a manifest that was not made by braid-cli synth", folder.string(), "Choose an empty folder");
        }
        writeFileAtomically(note, made_from);
    } else if (readTextFile(note, 1000) != made_from) {
        throw Error(ErrorKind::Usage, "was begun with other texts, voices or options", folder.string(), "Choose an empty folder, or repeat the options");
    }
    const auto planned = plan(texts.size(), voices, options);
    const fs::path manifest = folder / "manifest.jsonl";
    ManifestWriter writer(manifest, ManifestOpening::Continue);
    SynthProgress progress;
    progress.total = planned.size();
    progress.done = doneBefore(manifest);

    struct Piece {
        Utterance utterance;
        std::string problem;
    };
    const std::function<Piece(int, std::size_t)> work = [&](int, std::size_t index) {
        Piece piece;
        const VoiceChoice &voice = voices[planned[index].voice];
        try {
            Random random(options.seed, "pauses", index);
            const Spoken all = speak(planned[index], texts, voice, random);
            piece.utterance.sound = folder / (nameOf(index) + soundExtension());
            piece.utterance.length = static_cast<Sample>(all.sound.size());
            piece.utterance.text = all.text;
            piece.utterance.words = all.words;
            if (options.text == TextForm::Written) {
                std::string written;
                for (const std::size_t text : planned[index].texts) {
                    written += written.empty() ? "" : " ";
                    written += writtenText(texts[text]).value_or("");
                }
                piece.utterance.words = writtenWords(written, all.words);
                piece.utterance.text = std::move(written);
            }
            piece.utterance.source = voice.synthesizer->name() + "/" + voice.voice;
            std::error_code ignored;
            fs::create_directories(piece.utterance.sound.parent_path(), ignored);
            writeSound(piece.utterance.sound, all.sound);
        } catch (const Error &error) {
            if (error.kind() != ErrorKind::Input) {
                throw;
            }
            piece.problem = error.what();
        }
        return piece;
    };
    const std::function<void(std::size_t, Piece &&)> take = [&](std::size_t, Piece &&piece) {
        ++progress.done;
        progress.problem = piece.problem;
        if (piece.problem.empty()) {
            writer.append(piece.utterance);
            progress.untimed += piece.utterance.words.empty() ? 1 : 0;
            progress.sound_seconds += secondsFromSamples(piece.utterance.length);
        } else {
            ++progress.failed;
        }
        spoken(progress);
    };
    runInOrder<Piece>(progress.done, planned.size(), options.workers, work, take, go_on);
    writer.sync();
    return progress;
}

}  // namespace braid::corpus
