#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <sstream>

#include "core/base/error.h"
#include "lab/corpus/child_process.h"
#include "lab/corpus/synthesizer.h"
#include "lab/corpus/utterance_sound.h"

namespace braid::corpus {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kPatience{60};

// Speaks, writes the wave, and prints the tokens (what stands between spaces) with the times of their parts; punctuation is a part
// without sound, whose end is 0. The pitch of voices that predict it by linear regression is the mean of that prediction.
// HTS voices have an engine of their own, with a rate and a shift in half tones.
constexpr char kFunctions[] = R"((define (braid_say text stretch pitch half_tones file)
  (let (u old old_hts)
    (Parameter.set 'Duration_Stretch stretch)
    (set! old int_lr_params)
    (set! int_lr_params (mapcar (lambda (p) (if (member_string (car p) '(target_f0_mean target_f0_std)) (list (car p) (* pitch (cadr p))) p)) old))
    (if (boundp 'hts_engine_params)
        (begin (set! old_hts hts_engine_params)
               (set! hts_engine_params (append old_hts (list (list "-r" (/ 1 stretch)) (list "-fm" half_tones))))))
    (set! u (utt.synth (eval (list 'Utterance 'Text text))))
    (set! int_lr_params old)
    (if (boundp 'hts_engine_params) (set! hts_engine_params old_hts))
    (utt.save.wave u file 'riff)
    (let ((token (utt.relation.first u 'Token)))
      (while token
        (format t "W %s\n" (item.name token))
        (mapcar (lambda (d) (format t "D %l %l\n"
            (item.feat d "R:SylStructure.daughter1.daughter1.R:Segment.segment_start")
            (item.feat d "R:SylStructure.daughtern.daughtern.R:Segment.end"))) (item.daughters token))
        (set! token (item.next token))))))
(define (braid_voices)
  (mapcar (lambda (v) (format t "V %l %l\n" v (car (cdr (assoc 'language (car (cdr (assoc v Voice_descriptions)))))))) (voice.list)))
)";

class FestivalProcess {
  public:
    FestivalProcess()
        : m_program({"festival", "--pipe"})
    {
        std::string pattern = (fs::temp_directory_path() / "braid-festival-XXXXXX").string();
        if (::mkdtemp(pattern.data()) == nullptr) {
            throw Error(ErrorKind::Storage, "no folder could be made", pattern);
        }
        m_folder = pattern;
        m_program.write(kFunctions);
    }
    ~FestivalProcess()
    {
        std::error_code ignored;
        fs::remove_all(m_folder, ignored);
    }
    FestivalProcess(const FestivalProcess &) = delete;
    FestivalProcess &operator=(const FestivalProcess &) = delete;

    [[nodiscard]] fs::path waveFile() const { return m_folder / "speech.wav"; }

    // The lines that `expression` prints.
    [[nodiscard]] std::vector<std::string> ask(const std::string &expression)
    {
        m_program.write(expression + "\n(format t \"\\nBRAID-DONE\\n\")\n(fflush nil)\n");
        std::vector<std::string> lines;
        while (true) {
            std::string line = m_program.readLine(kPatience);
            if (line == "BRAID-DONE") {
                return lines;
            }
            if (lines.size() > 100'000) {
                throw Error(ErrorKind::Internal, "festival does not stop talking");
            }
            lines.push_back(std::move(line));
        }
    }

    // The voice that is chosen in this process.
    std::string voice;

  private:
    ChildProcess m_program;
    fs::path m_folder;
};

class Festival final : public Synthesizer {
  public:
    // True where the program is there with at least one English voice.
    [[nodiscard]] bool load()
    {
        try {
            auto process = take();
            for (const std::string &line : process->ask("(braid_voices)")) {
                std::istringstream words(line);
                std::string mark;
                std::string voice;
                std::string language;
                if (words >> mark >> voice >> language && mark == "V" && language.find("english") != language.npos) {
                    m_voices.push_back(voice);
                }
            }
            give(std::move(process));
        } catch (const Error &) {
            return false;
        }
        std::sort(m_voices.begin(), m_voices.end());
        return !m_voices.empty();
    }

    std::string name() const override { return "festival"; }
    std::vector<std::string> voices() const override { return m_voices; }

    Spoken speak(const std::vector<SpeakableWord> &words, const std::string &voice, const Manner &manner) override
    {
        if (std::find(m_voices.begin(), m_voices.end(), voice) == m_voices.end()) {
            throw Error(ErrorKind::Usage, "Festival has no voice \"" + voice.substr(0, 100) + "\"", {}, "braid-cli synth --list-voices lists them");
        }
        const std::string text = joined(words);
        auto process = take();
        std::error_code ignored;
        fs::remove(process->waveFile(), ignored);
        std::string expression;
        if (process->voice != voice) {
            expression = "(voice_" + voice + ")\n";  // one of the program's own list
            process->voice = voice;
        }
        std::ostringstream call;
        call << "(braid_say " << schemeString(text) << ' ' << 1 / manner.speed << ' ' << manner.pitch << ' ' << 12 * std::log2(manner.pitch) << ' '
             << schemeString(process->waveFile().string()) << ")";
        std::vector<std::string> lines;
        try {
            lines = process->ask(expression + call.str());
        } catch (const Error &) {
            throw Error(ErrorKind::Input, "Festival could not speak it", text.substr(0, 60));  // that process ends with this scope
        }
        if (!fs::exists(process->waveFile(), ignored)) {
            process->voice.clear();
            give(std::move(process));
            throw Error(ErrorKind::Input, "Festival could not speak it", text.substr(0, 60));
        }
        Spoken spoken;
        spoken.sound = readSound(process->waveFile());
        give(std::move(process));
        for (const SpeakableWord &word : words) {
            spoken.text += (spoken.text.empty() ? "" : " ") + word.word;
        }
        spoken.words = wordTimes(words, lines, static_cast<Sample>(spoken.sound.size()));
        return spoken;
    }

  private:
    static std::vector<TimedWord> wordTimes(const std::vector<SpeakableWord> &words, const std::vector<std::string> &lines, Sample sound_end)
    {
        std::vector<TimedWord> times;
        bool expected = true;
        for (const std::string &line : lines) {
            if (line.starts_with("W ")) {
                expected = expected && times.size() < words.size() && line.substr(2) == words[times.size()].word;
                if (!expected) {
                    return {};
                }
                times.push_back({line.substr(2), -1, -1});
            } else if (line.starts_with("D ") && !times.empty()) {
                std::istringstream numbers(line.substr(2));
                double start = 0;
                double end = 0;
                if (numbers >> start >> end && end > start) {
                    times.back().start_sample = times.back().start_sample < 0 ? samplesFromSeconds(start) : times.back().start_sample;
                    times.back().end_sample = std::min(samplesFromSeconds(end), sound_end);
                }
            }
        }
        Sample previous = 0;
        for (const TimedWord &time : times) {
            if (time.start_sample < previous || time.end_sample <= time.start_sample) {
                return {};
            }
            previous = time.start_sample;
        }
        return times.size() == words.size() ? times : std::vector<TimedWord>();
    }

    std::unique_ptr<FestivalProcess> take()
    {
        {
            const std::lock_guard hold(m_lock);
            if (!m_idle.empty()) {
                auto process = std::move(m_idle.back());
                m_idle.pop_back();
                return process;
            }
        }
        return std::make_unique<FestivalProcess>();
    }
    void give(std::unique_ptr<FestivalProcess> process)
    {
        const std::lock_guard hold(m_lock);
        m_idle.push_back(std::move(process));
    }

    std::vector<std::string> m_voices;
    std::mutex m_lock;
    std::vector<std::unique_ptr<FestivalProcess>> m_idle;
};

}  // namespace

std::string schemeString(std::string_view text)
{
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            quoted += '\\';
        }
        quoted += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    return quoted + "\"";
}

std::unique_ptr<Synthesizer> findFestival()
{
    auto festival = std::make_unique<Festival>();
    return festival->load() ? std::move(festival) : nullptr;
}

}  // namespace braid::corpus
