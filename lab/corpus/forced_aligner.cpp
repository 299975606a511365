#include "lab/corpus/forced_aligner.h"

#include <pocketsphinx.h>
#include <sphinxbase/err.h>
#include <sphinxbase/fsg_model.h>

#include <algorithm>
#include <map>

#include "core/audio/pcm16.h"
#include "core/base/error.h"
#include "core/text/words.h"
#include "lab/corpus/espeak_library.h"
#include "lab/corpus/pronunciation.h"

namespace braid::corpus {
namespace {

namespace fs = std::filesystem;

constexpr Sample kFrame = kSampleRateHz / 100;
constexpr std::size_t kMostAlignedWords = 5000;
constexpr char kSearch[] = "text";

struct DecoderDeleter {
    void operator()(ps_decoder_t *decoder) const { ps_free(decoder); }
};
struct ConfigDeleter {
    void operator()(cmd_ln_t *config) const { cmd_ln_free_r(config); }
};
struct GrammarDeleter {
    void operator()(fsg_model_t *grammar) const { fsg_model_free(grammar); }
};
using Decoder = std::unique_ptr<ps_decoder_t, DecoderDeleter>;

enum class Beam { Narrow = 1, Wide };

// "read(2)" is the second pronunciation of "read".
std::string_view withoutAlternate(std::string_view word)
{
    if (word.size() > 3 && word.back() == ')') {
        const auto open = word.rfind('(');
        if (open != word.npos && open > 0) {
            return word.substr(0, open);
        }
    }
    return word;
}

}  // namespace

struct ForcedAligner::Engine {
    fs::path model;
    Decoder narrow;
    Decoder wide;  // made when first needed
    std::map<std::string, std::string> guessed;

    [[nodiscard]] Decoder make(Beam beam) const
    {
        const std::string acoustic = (model / "en-us").string();
        const std::string dictionary = (model / "cmudict-en-us.dict").string();
        err_set_logfp(nullptr);
        const bool is_wide = beam == Beam::Wide;
        // -remove_silence: frames that are left out would move the times of all that follows.
        const std::unique_ptr<cmd_ln_t, ConfigDeleter> config(
            cmd_ln_init(nullptr, ps_args(), TRUE, "-hmm", acoustic.c_str(), "-dict", dictionary.c_str(), "-remove_silence", "no", "-fsgusefiller", "yes",
                        "-fsgusealtpron", "yes", "-silprob", "0.1", "-fillprob", "1e-4", "-lw", "1.0", "-wip", "1.0", "-beam", is_wide ? "1e-200" : "1e-64",
                        "-pbeam", is_wide ? "1e-200" : "1e-64", "-wbeam", is_wide ? "1e-150" : "1e-48", "-maxhmmpf", "-1", "-bestpath", "no", nullptr));
        Decoder decoder(config ? ps_init(config.get()) : nullptr);
        if (!decoder) {
            throw Error(ErrorKind::Model, "the acoustic model cannot be loaded", model.string(),
                        "Install the package pocketsphinx-en-us or name a folder with --acoustic-model");
        }
        for (const auto &[word, phones] : guessed) {
            ps_add_word(decoder.get(), word.c_str(), phones.c_str(), FALSE);
        }
        return decoder;
    }

    // Makes sure the dictionary has the word. False where it cannot be spoken.
    [[nodiscard]] bool know(const std::string &word)
    {
        if (char *phones = ps_lookup_word(narrow.get(), word.c_str()); phones != nullptr) {
            ckd_free(phones);
            return true;
        }
        if (word.size() > 100 || word.find_first_of("()<>[]") != word.npos) {
            return false;  // the dictionary's own marks
        }
        std::string phones;
        if (const auto espeak = EspeakLibrary::find()) {
            phones = phonesFromIpa(espeak->ipa(word));
        }
        if (phones.empty()) {
            phones = phonesFromLetters(word);
        }
        if (phones.empty() || ps_add_word(narrow.get(), word.c_str(), phones.c_str(), FALSE) < 0) {
            return false;
        }
        if (wide) {
            ps_add_word(wide.get(), word.c_str(), phones.c_str(), FALSE);
        }
        guessed.emplace(word, phones);
        return true;
    }

    static void setGrammar(ps_decoder_t *decoder, const std::vector<std::string> &words)
    {
        const auto states = static_cast<int32>(words.size()) + 1;
        const std::unique_ptr<fsg_model_t, GrammarDeleter> grammar(fsg_model_init(kSearch, ps_get_logmath(decoder), 1.0F, states));
        grammar->start_state = 0;
        grammar->final_state = states - 1;
        for (int32 state = 0; state + 1 < states; ++state) {
            fsg_model_trans_add(grammar.get(), state, state + 1, 0, fsg_model_word_add(grammar.get(), words[static_cast<std::size_t>(state)].c_str()));
        }
        if (ps_set_fsg(decoder, kSearch, grammar.get()) < 0 || ps_set_search(decoder, kSearch) < 0) {
            throw Error(ErrorKind::Internal, "PocketSphinx did not take the grammar of the text");
        }
    }

    // Empty where the search did not reach the text's end.
    [[nodiscard]] static Alignment run(ps_decoder_t *decoder, const std::vector<short> &sound, const std::vector<std::string> &words)
    {
        setGrammar(decoder, words);
        Alignment alignment;
        // A new stream each time: frame counts and the running mean begin anew.
        if (ps_start_stream(decoder) < 0 || ps_start_utt(decoder) < 0) {
            throw Error(ErrorKind::Internal, "PocketSphinx did not begin");
        }
        const int processed = ps_process_raw(decoder, sound.data(), sound.size(), FALSE, TRUE);
        ps_end_utt(decoder);
        if (processed < 0) {
            return alignment;
        }
        int32 path_score = 0;
        if (ps_get_hyp(decoder, &path_score) == nullptr) {
            return alignment;
        }
        for (ps_seg_t *segment = ps_seg_iter(decoder); segment != nullptr; segment = ps_seg_next(segment)) {
            int first = 0;
            int last = 0;
            ps_seg_frames(segment, &first, &last);
            const std::string_view word = withoutAlternate(ps_seg_word(segment));
            if (alignment.words.size() < words.size() && word == words[alignment.words.size()]) {
                alignment.words.push_back({std::string(word), first * kFrame, std::min<Sample>((last + 1) * kFrame, static_cast<Sample>(sound.size()))});
            } else if (!word.starts_with('<') && !word.starts_with('[') && word != "(NULL)") {
                alignment.words.clear();  // not the text's words: nothing of it can be trusted
                ps_seg_free(segment);
                break;
            }
        }
        if (alignment.words.size() != words.size()) {
            alignment.words.clear();
        }
        alignment.score = static_cast<double>(path_score) / std::max(1, ps_get_n_frames(decoder));
        return alignment;
    }
};

ForcedAligner::ForcedAligner(const fs::path &model)
    : m_engine(std::make_unique<Engine>())
{
    m_engine->model = model.empty() ? fs::path(BRAID_POCKETSPHINX_MODELS) / "en-us" : model;
    if (!fs::exists(m_engine->model / "cmudict-en-us.dict")) {
        throw Error(ErrorKind::Model, "there is no American English model of PocketSphinx", m_engine->model.string(),
                    "Install the package pocketsphinx-en-us or name a folder with --acoustic-model");
    }
    m_engine->narrow = m_engine->make(Beam::Narrow);
}

ForcedAligner::~ForcedAligner() = default;
ForcedAligner::ForcedAligner(ForcedAligner &&) noexcept = default;
ForcedAligner &ForcedAligner::operator=(ForcedAligner &&) noexcept = default;

std::size_t ForcedAligner::guessedWords() const noexcept
{
    return m_engine->guessed.size();
}

Alignment ForcedAligner::align(std::span<const float> sound, const std::string &text, double lowest_score)
{
    Alignment alignment;
    const auto words = text::wordsOf(text);
    if (words.empty() || words.size() > kMostAlignedWords) {
        alignment.problem = words.empty() ? "there is no text" : "the text has more than 5000 words";
        return alignment;
    }
    for (const std::string &word : words) {
        if (!m_engine->know(word)) {
            alignment.problem = "the word \"" + word.substr(0, 60) + "\" has no pronunciation";
            return alignment;
        }
    }
    const std::vector<std::int16_t> samples = audio::pcm16Of(sound);
    alignment = Engine::run(m_engine->narrow.get(), samples, words);
    if (alignment.words.empty()) {
        if (!m_engine->wide) {
            m_engine->wide = m_engine->make(Beam::Wide);
        }
        alignment = Engine::run(m_engine->wide.get(), samples, words);
    }
    if (alignment.words.empty() || alignment.score < lowest_score) {
        alignment.words.clear();
        alignment.problem = "the sound does not fit the text \"" + text.substr(0, 60) + "\"";
    }
    return alignment;
}

bool alignerBuiltIn() noexcept
{
    return true;
}

}  // namespace braid::corpus
