#include "ui/state/corrections.h"

#include <algorithm>

#include <QStringList>

#include "core/captions/caption_journal.h"
#include "core/metrics/word_error_rate.h"
#include "ui/shared/async.h"
#include "ui/state/caption_controller.h"

namespace braid::ui {
namespace {

// A word with the pieces that join it.
struct Unit {
    int first = 0;
    int last = 0;
    std::string text;
    std::string heard;
};

std::vector<Unit> unitsOf(const TranscriptModel &model, int first, int last)
{
    std::vector<Unit> units;
    for (int index = first; index <= last; ++index) {
        const text::Word &word = model.word(index);
        if (units.empty() || !word.starts_without_space) {
            units.push_back({index, index, {}, {}});
        }
        units.back().last = index;
        units.back().text += word.text;
        units.back().heard += text::heardText(word);
    }
    return units;
}

void addWord(std::string &text, const std::string &word)
{
    text += (text.empty() ? "" : " ") + word;
}

// What each of `units` says once all of them read as `line`.
std::vector<std::string> wantedOf(const std::vector<Unit> &units, const std::vector<std::string> &line)
{
    std::vector<std::string> said;
    std::vector<std::size_t> unit_of;  // those that say anything
    for (std::size_t index = 0; index < units.size(); ++index) {
        if (!units[index].text.empty()) {
            said.push_back(units[index].text);
            unit_of.push_back(index);
        }
    }
    std::vector<std::string> wanted(units.size());
    if (said.empty() || !metrics::canAlignWords(said.size(), line.size())) {
        for (const std::string &word : line) {
            addWord(wanted.front(), word);
        }
        return wanted;
    }
    std::string before_all;
    for (const metrics::Edit &edit : metrics::alignWords(said, line)) {
        const bool is_new = edit.kind == metrics::EditKind::Insertion;
        if (edit.kind == metrics::EditKind::Deletion) {
            continue;
        }
        if (is_new && edit.reference_index == 0) {
            addWord(before_all, line[edit.hypothesis_index]);
            continue;
        }
        addWord(wanted[unit_of[edit.reference_index - (is_new ? 1 : 0)]], line[edit.hypothesis_index]);
    }
    if (!before_all.empty()) {
        std::string &first = wanted[unit_of.front()];
        addWord(before_all, first);
        first = before_all;
    }
    return wanted;
}

}  // namespace

std::vector<WordText> correctionsOfLine(const TranscriptModel &model, int first, int last, const QString &line)
{
    std::vector<std::string> words;
    for (const QString &word : line.simplified().split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        words.push_back(word.toStdString());
    }
    if (first == last) {
        const std::string text = line.simplified().toStdString();
        return text == model.word(first).text ? std::vector<WordText>() : std::vector<WordText>{{first, text}};
    }
    const std::vector<Unit> units = unitsOf(model, first, last);
    const std::vector<std::string> wanted = wantedOf(units, words);
    std::vector<WordText> corrections;
    for (std::size_t index = 0; index < units.size(); ++index) {
        const Unit &unit = units[index];
        if (wanted[index] == unit.text) {
            continue;
        }
        const bool as_heard = wanted[index] == unit.heard;
        for (int word = unit.first; word <= unit.last; ++word) {
            corrections.push_back({word, as_heard ? std::nullopt : std::optional(word == unit.first ? wanted[index] : std::string())});
        }
    }
    return corrections;
}

Corrections::Corrections(CaptionController &captions, QObject *parent)
    : QObject(parent)
    , m_captions(captions)
{
    connect(&captions.transcript(), &TranscriptModel::cleared, this, [this] {
        m_done.clear();
        m_undone.clear();
        m_late.clear();
    });
    connect(&captions, &CaptionController::activityChanged, this, &Corrections::keepLate);
}

// The window closes: what waits is written now.
Corrections::~Corrections()
{
    for (const Write &write : m_writes) {
        try {
            captions::keepCorrections(write.journal, write.corrections);
        } catch (const std::exception &) {
            // Nobody is there to be told.
        }
    }
}

void Corrections::correct(const std::vector<WordText> &words)
{
    if (words.empty()) {
        return;
    }
    Step step;
    step.after = words;
    for (const WordText &each : words) {
        const text::Word &word = m_captions.transcript().word(each.word);
        step.before.push_back({each.word, text::isCorrected(word) ? std::optional(word.text) : std::nullopt});
    }
    m_undone.clear();
    put(words);
    m_done.push_back(std::move(step));
}

std::optional<int> Corrections::undo()
{
    if (m_done.empty()) {
        return {};
    }
    m_undone.push_back(std::move(m_done.back()));
    m_done.pop_back();
    put(m_undone.back().before);
    return m_undone.back().before.front().word;
}

std::optional<int> Corrections::redo()
{
    if (m_undone.empty()) {
        return {};
    }
    m_done.push_back(std::move(m_undone.back()));
    m_undone.pop_back();
    put(m_done.back().after);
    return m_done.back().after.front().word;
}

void Corrections::put(const std::vector<WordText> &words)
{
    for (const WordText &each : words) {
        m_captions.transcript().correct(each.word, each.text);
    }
    keep(words);
}

void Corrections::keep(const std::vector<WordText> &words)
{
    const auto correction = [this](const WordText &each, int first_word) {
        return text::WordCorrection{each.word - first_word, text::heardText(m_captions.transcript().word(each.word)), each.text};
    };
    for (const WordText &each : words) {
        const bool is_of_run = m_captions.activity() != RunActivity::Idle && each.word >= m_captions.runFirstWord();
        if (is_of_run) {
            if (!m_captions.keepInRun({correction(each, m_captions.runFirstWord())})) {
                m_late.push_back(each);
            }
            continue;
        }
        const std::vector<PageSegment> &segments = m_captions.segments();
        const auto after = std::upper_bound(segments.begin(), segments.end(), each.word, [](int word, const PageSegment &s) { return word < s.first_word; });
        if (after == segments.begin() || (after - 1)->journal.empty()) {
            continue;  // nothing of it is kept
        }
        const PageSegment &segment = *(after - 1);
        const text::WordCorrection kept = correction(each, segment.first_word);
        const bool is_same = m_writes.size() > (m_is_writing ? 1U : 0U) && m_writes.back().journal == segment.journal;
        if (is_same) {
            m_writes.back().corrections.push_back(kept);
        } else {
            m_writes.push_back({segment.journal, {kept}});
        }
    }
    writeNext();
}

void Corrections::keepLate()
{
    if (m_captions.activity() == RunActivity::Idle && !m_late.empty()) {
        keep(std::exchange(m_late, {}));
    }
}

void Corrections::writeNext()
{
    if (m_is_writing || m_writes.empty()) {
        return;
    }
    m_is_writing = true;
    const auto over = [this] {
        m_is_writing = false;
        m_writes.pop_front();
        writeNext();
    };
    runInBackground(
        this,
        [write = m_writes.front()] {
            captions::keepCorrections(write.journal, write.corrections);
            return true;
        },
        [over](bool) { over(); },
        [this, over](const QString &problem) {
            Q_EMIT failed(tr("The correction stands on the page, but could not be kept with the recording: %1").arg(problem));
            over();
        });
}

}  // namespace braid::ui
