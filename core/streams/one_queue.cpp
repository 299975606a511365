#include "core/streams/one_queue.h"

#include <algorithm>
#include <string>

#include "core/base/error.h"
#include "core/streams/collapse.h"

namespace braid::streams {
namespace {

std::int32_t oneToken(std::string_view mark, const TokenTexts &texts)
{
    const auto tokens = texts.encode(mark, TokenTexts::Specials::Recognised);
    if (tokens.size() != 1) {
        throw Error(ErrorKind::Model, "\"" + std::string(mark) + "\" is not one token of this model, so it was not trained as one queue of these streams", {},
                    "Choose the single-stream model that belongs to the layout");
    }
    return tokens.front();
}

Prediction silence(int stream, std::int32_t token)
{
    return {stream, {{token, 0}}, 0, 0};
}

// One stream whose every token sees those before it. Not causal(): a token that is looked at again must not see what came after it.
paradigms::Visibility oneStream()
{
    return paradigms::parallelBlocks();
}

}  // namespace

OneQueueModel::OneQueueModel(const Layout &layout, std::shared_ptr<StreamsModel> queue, const TokenTexts &texts)
    : m_queue(std::move(queue))
    , m_reading_order(readingOrder(layout))
    , m_end(oneToken(kEndMark, texts))
{
    if (layout.silence == SilenceRule::Absent) {
        throw Error(ErrorKind::Input, "one queue can only be shown in lanes that may be silent, and this layout has no silence", layout.name,
                    "Give it a token for silence");
    }
    for (const Stream &stream : layout.streams) {
        m_marks.push_back(oneToken(markOf(stream), texts));
        m_roles.push_back(stream.role);
    }
}

void OneQueueModel::begin(const paradigms::Visibility &, std::size_t)
{
    m_heard.clear();
    m_sequence.clear();
    m_history.clear();
    m_state = {};
    m_fed = 0;
    m_queue->begin(oneStream(), 1);
}

int OneQueueModel::markedBy(std::int32_t token) const noexcept
{
    const auto mark = std::find(m_marks.begin(), m_marks.end(), token);
    const auto stream = static_cast<std::size_t>(mark - m_marks.begin());
    return mark != m_marks.end() && m_roles[stream] == StreamRole::Assistant ? static_cast<int>(stream) : -1;
}

void OneQueueModel::append(const Said &said)
{
    m_sequence.push_back(said);
    m_state.sequence = m_sequence.size();
}

void OneQueueModel::hear(const StreamInput &input)
{
    if (input.entry.kind == EntryKind::Silent) {
        return;
    }
    if (m_roles[static_cast<std::size_t>(input.entry.stream)] != StreamRole::Assistant) {
        m_heard.push_back({input.token, input.entry});
        m_state.heard = m_heard.size();
    } else if (m_state.is_answering && input.entry.stream == m_state.lane) {
        append({input.token, input.entry});
    }
}

// The rules stand before every turn; of the others what was said since the turn before.
void OneQueueModel::ask()
{
    m_state.turn_begin = m_sequence.size();
    for (const std::size_t stream : m_reading_order) {
        const std::size_t from = m_roles[stream] == StreamRole::System ? 0 : m_state.answered;
        bool is_marked = false;
        for (std::size_t i = from; i < m_heard.size(); ++i) {
            const Said &word = m_heard[i];
            if (static_cast<std::size_t>(word.entry.stream) != stream) {
                continue;
            }
            if (!is_marked) {
                append({m_marks[stream], {word.entry.stream, 0, -1}});
                is_marked = true;
            }
            append(word);
        }
    }
    m_state.answered = m_heard.size();
    m_state.lane = -1;
    m_state.is_answering = true;
    m_queue->begin(oneStream(), 1);
    m_fed = 0;
}

std::optional<Prediction> OneQueueModel::predicted(const PredictionRequest &request, std::int64_t step)
{
    PredictionRequest behind;
    behind.streams = {0};
    behind.most_candidates = request.most_candidates == 0 ? 0 : request.most_candidates + m_marks.size() + 1;
    for (std::size_t marks = 0; marks <= m_marks.size(); ++marks) {
        const std::size_t length = m_sequence.size() - m_state.turn_begin;
        if (m_queue->mostPositions() > 0 && static_cast<std::int64_t>(length) > m_queue->mostPositions()) {
            m_state.is_answering = false;
            throw Error(ErrorKind::Input,
                        "one turn has grown to " + std::to_string(length) + " tokens, and the model was made for " + std::to_string(m_queue->mostPositions()),
                        {}, "Ask shorter questions, or go back to an earlier row");
        }
        std::vector<StreamInput> inputs;
        for (std::size_t i = m_fed; i < length; ++i) {
            inputs.push_back({m_sequence[m_state.turn_begin + i].token, {0, static_cast<double>(i), static_cast<std::int64_t>(i)}});
        }
        std::vector<Prediction> predictions = m_queue->feed(inputs, behind);
        m_fed = length;
        Prediction &next = predictions.front();
        const std::int32_t top = next.candidates.front().token;
        if (const int lane = markedBy(top); lane >= 0) {
            m_state.lane = lane;
            append({top, {lane, 0, step}});
            continue;
        }
        const bool is_asked = std::find(request.streams.begin(), request.streams.end(), m_state.lane) != request.streams.end();
        if (top == m_end || m_state.lane < 0 || !is_asked) {  // done; lost without a mark; or its lane has ended or is switched off
            break;
        }
        std::erase_if(next.candidates, [this](const Candidate &candidate) {
            return candidate.token == m_end || std::find(m_marks.begin(), m_marks.end(), candidate.token) != m_marks.end();
        });
        if (next.candidates.empty()) {
            break;
        }
        next.stream = m_state.lane;
        return std::move(next);
    }
    m_state.is_answering = false;
    return {};
}

std::vector<Prediction> OneQueueModel::feed(std::span<const StreamInput> inputs, const PredictionRequest &request)
{
    m_history.push_back(m_state);
    std::int64_t step = -1;
    for (const StreamInput &input : inputs) {
        hear(input);
        step = std::max(step, input.entry.step);
    }
    if (!m_state.is_answering && request.user_turn == UserTurn::Over && m_heard.size() > m_state.answered) {
        ask();
    }
    std::optional<Prediction> said;
    if (m_state.is_answering && !request.streams.empty()) {
        said = predicted(request, step + 1);
    }
    std::vector<Prediction> predictions;
    for (const int stream : request.streams) {
        predictions.push_back(said && said->stream == stream ? std::move(*said) : silence(stream, request.silence_token));
    }
    return predictions;
}

StreamsModel::Rewinding OneQueueModel::rewind(Mark mark)
{
    if (mark >= static_cast<Mark>(m_history.size())) {
        return Rewinding::Done;
    }
    m_state = m_history[static_cast<std::size_t>(mark)];
    m_history.resize(static_cast<std::size_t>(mark));
    m_heard.resize(m_state.heard);
    m_sequence.resize(m_state.sequence);
    m_queue->begin(oneStream(), 1);  // what is left of the turn is read once more with the next row
    m_fed = 0;
    return Rewinding::Done;
}

std::vector<AttendedEntry> OneQueueModel::look(const StreamInput &query, const LookOptions &options)
{
    const bool is_fed_word = m_roles[static_cast<std::size_t>(query.entry.stream)] != StreamRole::Assistant;
    const std::int64_t step = query.entry.step + (is_fed_word ? 0 : 1);  // of a lane's token: what stands before it predicted it
    for (std::size_t i = m_sequence.size(); i-- > m_state.turn_begin;) {
        const Said &said = m_sequence[i];
        const bool is_mark = said.token == m_marks[static_cast<std::size_t>(said.entry.stream)];
        if (is_mark || said.entry.stream != query.entry.stream || said.entry.step != step) {
            continue;
        }
        const std::size_t asked = i - m_state.turn_begin - (is_fed_word ? 0 : 1);
        if (asked >= m_fed) {
            break;
        }
        const auto place = static_cast<std::int64_t>(asked);
        auto attended = m_queue->look({m_sequence[m_state.turn_begin + asked].token, {0, static_cast<double>(place), place}}, options);
        for (AttendedEntry &entry : attended) {
            entry.entry = m_sequence[m_state.turn_begin + static_cast<std::size_t>(entry.entry.step)].entry;
        }
        return attended;
    }
    return {};
}

}  // namespace braid::streams
