#include "ui/streams/answer_text.h"

#include <utility>

#include "core/text/utf8.h"

namespace braid::ui {
namespace {

constexpr std::int64_t kRowsThatEndAWord = 3;  // of silence

Sample sampleOf(std::int64_t time_ms)
{
    return time_ms * (kSampleRateHz / 1000);
}

// Marks of a chat template are no words.
bool isMark(const std::string &text)
{
    return text.size() >= 4 && text.rfind("<|", 0) == 0 && text.compare(text.size() - 2, 2, "|>") == 0;
}

}  // namespace

int answerStream(const streams::Layout &layout)
{
    for (const char *name : {"Answer", "Output", "Assistant"}) {
        const int stream = layout.indexOf(name);
        if (stream >= 0) {
            return stream;
        }
    }
    const auto sampled = layout.sampled();
    return sampled.empty() ? -1 : sampled.front();
}

AnswerText::AnswerText(const LanesModel &lanes, QObject *parent)
    : QObject(parent)
    , m_lanes(lanes)
{
    connect(&lanes, &LanesModel::wasReset, this, &AnswerText::onReset);
    connect(&lanes, &LanesModel::rowsAppended, this, &AnswerText::onRows);
    connect(&lanes, &LanesModel::rewound, this, &AnswerText::rebuild);
    connect(&lanes, &LanesModel::laneEnded, this, [this](int stream) {
        if (stream == m_stream) {
            settle();
        }
    });
    connect(&lanes, &LanesModel::runEnded, this, &AnswerText::settle);
    onReset();
}

void AnswerText::onReset()
{
    // A stream that a person chose stays while the layout does.
    if (m_lanes.layout().name != m_layout || m_stream < 0 || m_stream >= m_lanes.streams()) {
        m_layout = m_lanes.layout().name;
        m_stream = answerStream(m_lanes.layout());
    }
    rebuild();
}

void AnswerText::setStream(int stream)
{
    if (stream != m_stream) {
        m_stream = stream;
        rebuild();
    }
}

std::int64_t AnswerText::rowOf(int word) const
{
    return word >= 0 && word < static_cast<int>(m_rows.size()) ? m_rows[static_cast<std::size_t>(word)] : -1;
}

void AnswerText::rebuild()
{
    m_transcript.clear();
    m_rows.clear();
    m_word = {};
    m_word_row = -1;
    m_turns = 0;
    m_silent_rows = 0;
    m_turn_is_over = false;
    if (m_lanes.rows() > 0) {
        onRows(0);
    }
}

void AnswerText::onRows(std::int64_t first_row)
{
    if (m_stream < 0) {
        return;
    }
    const int user = m_lanes.firstOf(streams::StreamRole::User);
    for (std::int64_t row = first_row; row < m_lanes.rows(); ++row) {
        // Ends of turns are told behind their row: those before this one count.
        for (; m_turns < m_lanes.turnEnds().size() && m_lanes.turnEnds()[m_turns].row < row; ++m_turns) {
            m_turn_is_over = m_turn_is_over || m_lanes.turnEnds()[m_turns].stream == user;
        }
        if (user >= 0 && m_turn_is_over && m_lanes.cell({row, user}).source == streams::CellSource::Fed) {
            m_turn_is_over = false;
            endWord();
            if (m_transcript.wordCount() > 0) {
                m_transcript.append(std::vector<text::TranscriptItem>{text::LineBreak{sampleOf(m_lanes.timeOf(row))}});
            }
        }
        const streams::Cell &cell = m_lanes.cell({row, m_stream});
        if (cell.isSilent() || isMark(cell.text)) {
            if (++m_silent_rows >= kRowsThatEndAWord) {
                endWord();
            }
            continue;
        }
        m_silent_rows = 0;
        if (!continuesWord(cell) || m_word_row < 0) {
            endWord();
            m_word_row = row;
            m_word.start_sample = sampleOf(m_lanes.timeOf(row));
            m_word.starts_without_space = continuesWord(cell) && m_transcript.wordCount() > 0;
        }
        m_word.end_sample = sampleOf(m_lanes.timeOf(row));
        m_word.tokens.push_back({cell.token, cell.text, static_cast<float>(cell.probability), {}});
    }
    showTail();
}

void AnswerText::endWord()
{
    if (m_word_row < 0) {
        return;
    }
    std::string bytes;
    float probability = 0;
    for (const text::Token &token : m_word.tokens) {
        bytes += token.text;
        probability += token.probability;
    }
    m_word.text = QString::fromStdString(text::toValidUtf8(bytes)).trimmed().toStdString();
    m_word.probability = probability / static_cast<float>(m_word.tokens.size());
    m_word.first_seen_sample = m_word.start_sample;
    m_word.committed_sample = m_word.end_sample;
    if (!m_word.text.empty()) {
        m_transcript.append(std::vector<text::TranscriptItem>{m_word});
        m_rows.push_back(m_word_row);
    }
    m_word = {};
    m_word_row = -1;
}

void AnswerText::settle()
{
    endWord();
    showTail();
}

// The word being said is not settled: it may still grow.
void AnswerText::showTail()
{
    std::vector<text::Word> tail;
    if (m_word_row >= 0) {
        text::Word word = m_word;
        std::string bytes;
        for (const text::Token &token : word.tokens) {
            bytes += token.text;
        }
        word.text = QString::fromStdString(bytes.substr(0, text::completeLength(bytes))).trimmed().toStdString();
        word.probability = word.tokens.back().probability;
        if (!word.text.empty()) {
            tail.push_back(std::move(word));
        }
    }
    m_transcript.setTail(std::move(tail));
}

}  // namespace braid::ui
