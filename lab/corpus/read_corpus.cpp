#include "lab/corpus/read_corpus.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <map>
#include <optional>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/text/utf8.h"
#include "lab/corpus/manifest.h"
#include "lab/corpus/text_grid.h"
#include "lab/corpus/training_text.h"
#include "lab/corpus/written_text.h"

namespace braid::corpus {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostListBytes = 1u << 30;
constexpr std::size_t kMostGridBytes = 64u << 20;
constexpr std::size_t kMostFiles = 2'000'000;
constexpr int kDeepestFolder = 8;
constexpr std::size_t kMostNotices = 1000;
constexpr std::array kSoundExtensions = {".flac", ".wav", ".opus", ".ogg", ".mp3", ".m4a", ".FLAC", ".WAV", ".OPUS", ".OGG", ".MP3", ".M4A"};

bool isSound(const fs::path &path)
{
    return std::find(kSoundExtensions.begin(), kSoundExtensions.end(), path.extension().string()) != kSoundExtensions.end();
}

bool isFile(const fs::path &path)
{
    std::error_code problem;
    return fs::is_regular_file(path, problem);
}

// All files below a folder, sorted, so that a corpus is the same on every machine. Links to folders are not followed.
std::vector<fs::path> filesBelow(const fs::path &folder)
{
    std::vector<fs::path> files;
    std::error_code problem;
    for (fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, problem), end; !problem && entry != end;
         entry.increment(problem)) {
        if (entry.depth() >= kDeepestFolder) {
            entry.disable_recursion_pending();
        }
        std::error_code unreadable;
        if (entry->is_regular_file(unreadable)) {
            files.push_back(entry->path());
        }
        if (files.size() > kMostFiles) {
            throw Error(ErrorKind::Input, "has more than two million files", folder.string(), "Name a folder below it");
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

// Finds the sound a list means.
class SoundFinder {
  public:
    explicit SoundFinder(fs::path folder)
        : m_folder(std::move(folder))
    {
    }

    [[nodiscard]] std::optional<fs::path> find(const std::string &given)
    {
        const fs::path path = fs::path(given).is_absolute() ? fs::path(given) : m_folder / given;
        if (isFile(path)) {
            return path;
        }
        for (const char *extension : kSoundExtensions) {
            fs::path with = path;
            with += extension;
            if (isFile(with)) {
                return with;
            }
        }
        if (given.find('/') != given.npos) {
            return std::nullopt;
        }
        if (!m_indexed) {
            for (const fs::path &file : filesBelow(m_folder)) {
                if (isSound(file)) {
                    m_by_name.emplace(file.stem().string(), file);
                }
            }
            m_indexed = true;
        }
        const auto found = m_by_name.find(given);
        return found == m_by_name.end() ? std::nullopt : std::optional(found->second);
    }

  private:
    fs::path m_folder;
    bool m_indexed = false;
    std::map<std::string, fs::path> m_by_name;
};

class Reader {
  public:
    explicit Reader(TextForm form)
        : m_form(form)
    {
    }

    void read(const fs::path &path)
    {
        std::error_code problem;
        if (fs::is_directory(path, problem)) {
            readFolder(path);
            return;
        }
        const std::string beginning = firstBytes(path);
        if (looksLikeTextGrid(beginning)) {
            readWords(path, gridWords(path));
        } else if (path.extension() == ".wrd" || path.extension() == ".WRD") {
            readWords(path, parseTimitWords(readTextFile(path, kMostGridBytes), path.string()));
        } else if (const auto first = beginning.find_first_not_of(" \t\r\n"); first != beginning.npos && beginning[first] == '{') {
            readManifestFile(path);
        } else if (beginning.find('\t') != beginning.npos) {
            readList(path);
        } else {
            throw Error(ErrorKind::Input, "is no corpus: neither JSON Lines, nor lines of PATH<TAB>TEXT, nor a TextGrid, nor a .wrd file", path.string());
        }
    }

    Corpus corpus;

  private:
    static std::string firstBytes(const fs::path &path)
    {
        std::ifstream file(path, std::ios::binary);
        if (!file) {
            throw Error(ErrorKind::Input, "cannot be opened", path.string(), "Check the path of the corpus");
        }
        std::string bytes(64 << 10, '\0');
        file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        bytes.resize(static_cast<std::size_t>(file.gcount()));
        return bytes;
    }

    void note(const std::string &sentence)
    {
        if (corpus.notices.size() < kMostNotices) {
            corpus.notices.push_back(sentence);
        }
    }

    // Brings texts into the form asked for. False where there is none.
    [[nodiscard]] bool bringIntoForm(Utterance &utterance) const
    {
        if (m_form == TextForm::AsWritten || utterance.text.empty()) {
            return true;
        }
        if (m_form == TextForm::Written) {
            const auto text = writtenText(utterance.text);
            utterance.text = text.value_or("");
            return text.has_value();
        }
        if (!utterance.words.empty()) {
            std::vector<TimedWord> words;
            for (const TimedWord &word : utterance.words) {
                const auto plain = speakableText(word.text);
                if (!plain) {
                    return false;
                }
                // "twenty-one" is two words, which share its time by their letters.
                std::size_t letters = 0;
                for (const auto &part : *plain) {
                    letters += part.word.size();
                }
                std::size_t before = 0;
                const auto at = [&] {
                    return word.start_sample + (word.end_sample - word.start_sample) * static_cast<Sample>(before) / static_cast<Sample>(letters);
                };
                for (const auto &part : *plain) {
                    const Sample start = at();
                    before += part.word.size();
                    words.push_back({part.word, start, at()});
                }
            }
            utterance.words = std::move(words);
        }
        const auto text = trainingText(utterance.text);
        utterance.text = text.value_or("");
        return text.has_value();
    }

    void add(Utterance &&utterance, const std::string &where)
    {
        const std::string written = utterance.text.substr(0, 60);
        if (!bringIntoForm(utterance)) {
            note(where + ": \"" + written + "\" was left out: it cannot be written in letters alone.");
            return;
        }
        if (corpus.utterances.size() >= kMostUtterances) {
            throw Error(ErrorKind::Input, "has more than 20 million utterances", where, "Split it");
        }
        corpus.utterances.push_back(std::move(utterance));
    }

    void readManifestFile(const fs::path &path)
    {
        ManifestReader reader(path);
        for (Utterance utterance; reader.next(utterance); utterance = {}) {
            add(std::move(utterance), path.string() + ", line " + std::to_string(reader.line()));
        }
    }

    void readList(const fs::path &path)
    {
        const std::string bytes = readTextFile(path, kMostListBytes);
        SoundFinder finder(path.has_parent_path() ? path.parent_path() : fs::path("."));
        std::size_t line_number = 0;
        for (std::size_t at = bytes.starts_with("\xEF\xBB\xBF") ? 3 : 0; at < bytes.size();) {
            const std::size_t end = std::min(bytes.find('\n', at), bytes.size());
            std::string line = bytes.substr(at, end - at);
            at = end + 1;
            ++line_number;
            if (!line.empty() && line.back() == '\r') {
                line.pop_back();
            }
            if (line.empty()) {
                continue;
            }
            const std::string where = path.string() + ", line " + std::to_string(line_number);
            const auto tab = line.find('\t');
            if (tab == line.npos || line.size() > kMostLineBytes || line.find('\0') != line.npos) {
                throw Error(ErrorKind::Input, "is not PATH<TAB>TEXT", where);
            }
            const auto second = line.find('\t', tab + 1);
            const auto sound = finder.find(line.substr(0, tab));
            if (!sound) {
                note(where + ": the sound " + line.substr(0, std::min<std::size_t>(tab, 200)) + " is not there.");
                continue;
            }
            Utterance utterance;
            utterance.sound = *sound;
            utterance.text = text::toValidUtf8(line.substr(tab + 1, second == line.npos ? line.npos : second - tab - 1));
            utterance.source = second == line.npos ? "" : text::toValidUtf8(line.substr(second + 1));
            add(std::move(utterance), where);
        }
    }

    static std::vector<TimedWord> gridWords(const fs::path &path)
    {
        const TextGrid grid = parseTextGrid(readTextFile(path, kMostGridBytes), path.string());
        const TextGridTier *tier = wordTier(grid);
        if (tier == nullptr) {
            throw Error(ErrorKind::Input, "has several tiers, none of them named \"words\"", path.string(), "Name the tier with the words so");
        }
        std::vector<TimedWord> words;
        for (const auto &interval : tier->intervals) {
            if (!isSilenceLabel(interval.text)) {
                words.push_back(
                    {interval.text, samplesFromSeconds(std::max(0.0, interval.start_seconds)), samplesFromSeconds(std::max(0.0, interval.end_seconds))});
            }
        }
        return words;
    }

    // Words whose sound lies beside their file.
    void readWords(const fs::path &path, std::vector<TimedWord> words)
    {
        Utterance utterance;
        for (const char *extension : kSoundExtensions) {
            const fs::path sound = fs::path(path).replace_extension(extension);
            if (isFile(sound)) {
                utterance.sound = sound;
                break;
            }
        }
        if (utterance.sound.empty()) {
            note(path.string() + ": there is no sound of this name beside it.");
            return;
        }
        for (const TimedWord &word : words) {
            utterance.text += (utterance.text.empty() ? "" : " ") + word.text;
        }
        utterance.words = std::move(words);
        utterance.source = path.parent_path().filename().string();
        add(std::move(utterance), path.string());
    }

    void readFolder(const fs::path &folder)
    {
        if (isFile(folder / "transcripts.tsv")) {
            readList(folder / "transcripts.tsv");
            return;
        }
        bool any = false;
        for (const fs::path &file : filesBelow(folder)) {
            const auto extension = file.extension();
            if (extension == ".TextGrid" || extension == ".textgrid" || extension == ".wrd" || extension == ".WRD") {
                any = true;
                read(file);
            }
        }
        if (!any) {
            throw Error(ErrorKind::Input, "has neither a transcripts.tsv nor TextGrid or .wrd files", folder.string());
        }
    }

    TextForm m_form;
};

}  // namespace

std::vector<TimedWord> parseTimitWords(std::string_view text, const std::string &where)
{
    std::vector<TimedWord> words;
    std::size_t line_number = 0;
    Sample previous = 0;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        ++line_number;
        while (!line.empty() && (line.back() == '\r' || line.back() == ' ' || line.back() == '\t')) {
            line.remove_suffix(1);
        }
        if (line.empty()) {
            continue;
        }
        Sample start = -1;
        Sample stop = -1;
        const auto first = std::from_chars(line.data(), line.data() + line.size(), start);
        const char *rest = first.ptr;
        while (rest != line.data() + line.size() && (*rest == ' ' || *rest == '\t')) {
            ++rest;
        }
        const auto second = std::from_chars(rest, line.data() + line.size(), stop);
        rest = second.ptr;
        const char *word = rest;
        while (word != line.data() + line.size() && (*word == ' ' || *word == '\t')) {
            ++word;
        }
        std::string name(word, line.data() + line.size());
        const bool right = first.ec == std::errc() && second.ec == std::errc() && word != rest && !name.empty() && name.size() < 1000 &&
                           name.find('\0') == name.npos && start >= previous && stop >= start && stop <= samplesFromSeconds(kLongestSeconds);
        if (!right || words.size() >= kMostWords) {
            throw Error(ErrorKind::Input, "is not START END WORD with times in samples, in order", where + ", line " + std::to_string(line_number));
        }
        previous = start;
        words.push_back({text::toValidUtf8(name), start, stop});
    }
    return words;
}

Corpus readCorpus(const fs::path &path, TextForm form)
{
    Reader reader(form);
    reader.read(path);
    return std::move(reader.corpus);
}

}  // namespace braid::corpus
