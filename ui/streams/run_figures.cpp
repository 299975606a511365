#include "ui/streams/run_figures.h"

namespace braid::ui {
namespace {

// First row of the newest turn: the user's first word behind the last end of a turn that has words behind it.
std::int64_t turnBegin(const LanesModel &lanes, int user)
{
    std::int64_t newest_end = -1;
    for (auto end = lanes.turnEnds().rbegin(); end != lanes.turnEnds().rend(); ++end) {
        if (end->stream == user && lanes.nextWord(user, end->row + 1, LanesModel::Direction::On) >= 0) {
            newest_end = end->row;
            break;
        }
    }
    return lanes.nextWord(user, newest_end + 1, LanesModel::Direction::On);
}

}  // namespace

RunFigures figuresOf(const LanesModel &lanes, int answer_stream)
{
    RunFigures figures;
    const int user = lanes.firstOf(streams::StreamRole::User);
    if (user < 0 || answer_stream < 0 || lanes.rows() == 0) {
        return figures;
    }
    const std::int64_t begin = turnBegin(lanes, user);
    if (begin < 0) {
        return figures;
    }
    figures.has_turn = true;
    const std::int64_t answer = lanes.nextWord(answer_stream, begin, LanesModel::Direction::On);
    if (answer >= 0) {
        figures.steps_to_answer = answer - begin;
        figures.ms_to_answer = lanes.timeOf(answer) - lanes.timeOf(begin);
    }
    std::int64_t last_fed = begin;
    std::int64_t last_said = begin;
    for (std::int64_t row = begin; row < lanes.rows(); ++row) {
        for (int stream = 0; stream < lanes.streams(); ++stream) {
            const streams::Cell &cell = lanes.cell({row, stream});
            if (cell.isSilent()) {
                continue;
            }
            if (cell.source == streams::CellSource::Fed) {
                last_fed = row;
                figures.words_read += answer < 0 || row < answer ? 1 : 0;
            } else if (cell.source == streams::CellSource::Sampled) {
                last_said = row;
            }
        }
    }
    figures.began_before_end = answer >= 0 && answer <= last_fed;
    figures.steps_to_end = last_said - begin;
    figures.ms_to_end = lanes.timeOf(last_said) - lanes.timeOf(begin);
    return figures;
}

std::vector<FigureLine> figureLines(const RunFigures &figures, const RunFigures &other)
{
    if (!figures.has_turn) {
        return {{QObject::tr("Nothing asked yet"), {}, false}};
    }
    const auto steps = [](std::int64_t count, std::int64_t ms) {
        return count < 0 ? QObject::tr("not yet")
                         : QObject::tr("%n step(s), %1 s", nullptr, static_cast<int>(count)).arg(static_cast<double>(ms) / 1000, 0, 'f', 1);
    };
    const bool both_answered = figures.steps_to_answer >= 0 && other.steps_to_answer >= 0;
    const QString when = figures.steps_to_answer < 0 ? QObject::tr("not yet")
                         : figures.began_before_end  ? QObject::tr("while it was asked")
                                                     : QObject::tr("after the question");
    return {
        {QObject::tr("Words read before the answer"), QString::number(figures.words_read), both_answered && figures.words_read < other.words_read},
        {QObject::tr("First word of the answer"), steps(figures.steps_to_answer, figures.ms_to_answer),
         both_answered && figures.steps_to_answer < other.steps_to_answer},
        {QObject::tr("It began"), when, both_answered && figures.began_before_end && !other.began_before_end},
        {QObject::tr("Last word of all"), steps(figures.steps_to_end, figures.ms_to_end), both_answered && figures.steps_to_end < other.steps_to_end},
        {QObject::tr("Tokens a second"), QString::number(figures.tokens_per_second, 'f', 0),
         both_answered && figures.tokens_per_second > other.tokens_per_second},
    };
}

}  // namespace braid::ui
