#include "lab/corpus/align_corpus.h"

#include <cmath>
#include <optional>

#include "core/base/error.h"
#include "lab/corpus/forced_aligner.h"
#include "lab/corpus/manifest.h"
#include "lab/corpus/training_text.h"
#include "lab/corpus/utterance_sound.h"
#include "lab/corpus/written_text.h"

namespace braid::corpus {
namespace {

namespace fs = std::filesystem;

constexpr Sample kLongest = samplesFromSeconds(600);

// Opens `out` to go on after what an earlier run left there; gives how many utterances that were.
ManifestWriter continued(const fs::path &out, const std::vector<Utterance> &utterances, std::size_t &done)
{
    ManifestWriter writer(out, ManifestOpening::Continue);
    ManifestReader reader(out);
    Utterance utterance;
    done = 0;
    while (reader.next(utterance)) {
        const auto same = [&](const Utterance &other) {
            return utterance.sound.filename() == other.sound.filename() && utterance.offset == other.offset && utterance.text == other.text;
        };
        if (done >= utterances.size() || !same(utterances[done])) {
            throw Error(ErrorKind::Usage, "was made from other utterances", out.string() + ", line " + std::to_string(reader.line()),
                        "Name another file, or delete this one");
        }
        ++done;
    }
    return writer;
}

}  // namespace

AlignProgress alignCorpus(const std::vector<Utterance> &utterances, const fs::path &out, const AlignOptions &options, const OnAligned &aligned,
                          const GoOn &go_on)
{
    AlignProgress progress;
    progress.total = utterances.size();
    std::vector<std::optional<ForcedAligner>> aligners(static_cast<std::size_t>(std::clamp(options.workers, 1, 256)));
    aligners.front().emplace(options.model);  // says at once where there is none
    ManifestWriter writer = continued(out, utterances, progress.done);

    struct Piece {
        Alignment alignment;
        double seconds = 0;
    };
    const std::function<Piece(int, std::size_t)> work = [&](int worker, std::size_t index) {
        auto &aligner = aligners[static_cast<std::size_t>(worker)];
        if (!aligner) {
            aligner.emplace(options.model);
        }
        Piece piece;
        try {
            const auto sound = readSound(utterances[index], kLongest);
            piece.seconds = secondsFromSamples(static_cast<Sample>(sound.size()));
            const std::string &text = utterances[index].text;
            const auto spoken = trainingText(text);
            piece.alignment = aligner->align(sound, spoken.value_or(text), options.lowest_score);
            if (spoken && *spoken != text && !piece.alignment.words.empty()) {
                piece.alignment.words = writtenWords(text, piece.alignment.words);
            }
        } catch (const Error &error) {
            if (error.kind() != ErrorKind::Input) {
                throw;
            }
            piece.alignment.problem = error.what();  // one bad file does not end a night's work
        }
        return piece;
    };
    const std::function<void(std::size_t, Piece &&)> take = [&](std::size_t index, Piece &&piece) {
        Utterance utterance = utterances[index];
        const auto &found = piece.alignment.words;
        if (utterance.words.size() == found.size()) {
            for (std::size_t i = 0; i < found.size(); ++i) {
                progress.deviations.starts.push_back(std::abs(secondsFromSamples(found[i].start_sample - utterance.words[i].start_sample)));
                progress.deviations.ends.push_back(std::abs(secondsFromSamples(found[i].end_sample - utterance.words[i].end_sample)));
            }
        }
        utterance.words = found;
        writer.append(utterance);
        ++progress.done;
        progress.failed += found.empty() ? 1 : 0;
        progress.sound_seconds += piece.seconds;
        progress.problem = piece.alignment.problem;
        progress.sound = utterance.sound;
        aligned(progress);
    };
    runInOrder<Piece>(progress.done, utterances.size(), options.workers, work, take, go_on);
    writer.sync();
    return progress;
}

}  // namespace braid::corpus
