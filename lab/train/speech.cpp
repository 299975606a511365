#include "lab/train/speech.h"

#include <algorithm>
#include <cmath>

#include "core/audio/pcm16.h"
#include "core/base/error.h"
#include "core/text/words.h"
#include "lab/corpus/manifest.h"
#include "lab/corpus/utterance_sound.h"

namespace braid::train {

namespace fs = std::filesystem;

namespace {

std::vector<fs::path> soundFilesOf(const std::vector<fs::path> &places)
{
    std::vector<fs::path> files;
    for (const fs::path &place : places) {
        if (!fs::is_directory(place)) {
            files.push_back(place);
            continue;
        }
        for (const auto &entry : fs::directory_iterator(place)) {
            const auto ending = entry.path().extension();
            if (entry.is_regular_file() && (ending == ".wav" || ending == ".flac" || ending == ".opus" || ending == ".ogg" || ending == ".mp3")) {
                files.push_back(entry.path());
            }
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

}  // namespace

std::uint64_t soundKey(const corpus::Utterance &utterance)
{
    std::error_code unknown;
    const auto bytes = fs::file_size(utterance.sound, unknown);
    return keyOf(utterance.sound.lexically_normal().string() + "|" + std::to_string(utterance.offset) + "|" + std::to_string(utterance.length) + "|" +
                 (unknown ? "missing" : std::to_string(bytes)));
}

std::vector<SpokenToken> spokenTokens(const corpus::Utterance &utterance, const text::WhisperTokenizer &tokenizer)
{
    std::vector<SpokenToken> tokens;
    const auto add = [&](const std::string &word, std::int32_t number, Sample start, Sample end) {
        const std::vector<std::int32_t> ids = tokenizer.encode(" " + word);
        const double bytes = static_cast<double>(word.size()) + 1;
        double before = 0;
        for (const std::int32_t id : ids) {
            const double after = before + static_cast<double>(tokenizer.tokenBytes(id).size());
            const auto at = [&](double done) {
                return start + static_cast<Sample>(std::llround(static_cast<double>(end - start) * std::min(1.0, done / bytes)));
            };
            tokens.push_back({id, number, at(before), at(after)});
            before = after;
        }
    };
    std::int32_t number = 0;
    if (utterance.words.empty()) {
        for (const std::string &word : text::wordsOf(utterance.text)) {
            add(word, number++, 0, 0);
        }
    } else {
        for (const corpus::TimedWord &word : utterance.words) {
            add(word.text, number++, word.start_sample, word.end_sample);
        }
    }
    return tokens;
}

SpeechLibrary::SpeechLibrary(const Recipe &recipe, const text::WhisperTokenizer &tokenizer, const PreparationWatch &watch)
    : m_sounds(std::make_unique<KeyedStore>(recipe.cache / "sound"))
{
    std::vector<std::vector<corpus::Utterance>> corpora;
    for (const CorpusRecipe &corpus : recipe.corpora) {
        corpora.push_back(readUtterances(corpus.manifest));
        store(corpora.back(), corpus.manifest.filename().string(), watch);
    }
    std::vector<corpus::Utterance> noises;
    for (const fs::path &manifest : recipe.noise) {
        const auto more = readUtterances(manifest);
        noises.insert(noises.end(), more.begin(), more.end());
    }
    store(noises, "noise", watch);
    std::vector<corpus::Utterance> checks;
    for (const fs::path &manifest : recipe.validation.manifests) {
        const auto all = readUtterances(manifest);
        const std::size_t wanted = std::min(all.size(), static_cast<std::size_t>(recipe.validation.utterances));
        for (std::size_t i = 0; i < wanted; ++i) {
            checks.push_back(all[i * all.size() / wanted]);
        }
    }
    store(checks, "validation", watch);
    m_sounds->finishAdding();

    for (std::size_t i = 0; i < corpora.size(); ++i) {
        SpeechCorpus corpus{recipe.corpora[i].weight, {}};
        for (const corpus::Utterance &utterance : corpora[i]) {
            Speech speech = speechOf(utterance, tokenizer);
            speech.wants_features = recipe.corpora[i].wants_features;
            if (!speech.sound.empty()) {
                corpus.speech.push_back(std::move(speech));
            }
        }
        m_corpora.push_back(std::move(corpus));
    }
    for (const corpus::Utterance &utterance : noises) {
        if (const auto sound = soundOf(utterance); !sound.empty()) {
            m_noise.push_back(sound);
        }
    }
    for (const corpus::Utterance &utterance : checks) {
        Speech speech = speechOf(utterance, tokenizer);
        if (!speech.sound.empty()) {
            m_validation.push_back(std::move(speech));
        }
    }
    for (const fs::path &file : soundFilesOf(recipe.rooms)) {
        corpus::Utterance whole;
        whole.sound = file;
        m_rooms.push_back(corpus::readSound(whole));
    }
    if (hours() == 0) {
        throw Error(ErrorKind::Input, "none of the corpora has any sound that could be read", recipe.path.string(), m_notices.empty() ? "" : m_notices.front());
    }
}

std::vector<corpus::Utterance> SpeechLibrary::readUtterances(const fs::path &manifest) const
{
    return corpus::readManifest(manifest);
}

void SpeechLibrary::store(const std::vector<corpus::Utterance> &utterances, const std::string &name, const PreparationWatch &watch)
{
    std::size_t done = 0;
    for (const corpus::Utterance &utterance : utterances) {
        ++done;
        const std::uint64_t key = soundKey(utterance);
        if (m_sounds->contains(key)) {
            continue;
        }
        try {
            const auto sound = audio::pcm16Of(corpus::readSound(utterance));
            m_sounds->add(key, std::as_bytes(std::span(sound)));
        } catch (const Error &error) {
            if (error.kind() != ErrorKind::Input) {
                throw;
            }
            m_notices.push_back(error.sentence());
        }
        if (watch) {
            watch("decoding " + name, static_cast<double>(done) / static_cast<double>(utterances.size()));
        }
    }
}

std::span<const std::int16_t> SpeechLibrary::soundOf(const corpus::Utterance &utterance) const
{
    const auto bytes = m_sounds->find(soundKey(utterance));
    if (!bytes) {
        return {};
    }
    // Blocks are whole 16-bit samples, so every one begins at an even address of the map.
    return {reinterpret_cast<const std::int16_t *>(bytes->data()), bytes->size() / 2};
}

Speech SpeechLibrary::speechOf(const corpus::Utterance &utterance, const text::WhisperTokenizer &tokenizer) const
{
    Speech speech;
    speech.key = soundKey(utterance);
    speech.sound = soundOf(utterance);
    speech.tokens = spokenTokens(utterance, tokenizer);
    speech.has_times = !utterance.words.empty() || utterance.text.empty();
    speech.weight = utterance.weight;
    speech.text = utterance.text;
    speech.source = utterance.source;
    return speech;
}

double SpeechLibrary::hours() const
{
    double samples = 0;
    for (const SpeechCorpus &corpus : m_corpora) {
        for (const Speech &speech : corpus.speech) {
            samples += static_cast<double>(speech.sound.size());
        }
    }
    return samples / kSampleRateHz / 3600;
}

}  // namespace braid::train
