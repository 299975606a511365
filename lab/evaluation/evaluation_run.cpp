#include "lab/evaluation/evaluation_run.h"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

namespace braid::evaluation {

MeasuredTurn measureTurn(const streams::Layout &layout, const std::shared_ptr<streams::StreamsModel> &model,
                         const std::shared_ptr<const streams::TokenTexts> &texts, const conversations::MadeConversation &made, streams::StreamsForm form,
                         std::int64_t most_rows_after)
{
    streams::StreamsSettings settings;
    settings.form = form;
    settings.layout = layout;
    settings.at_silence = streams::AtSilence::Ends;
    settings.rivals = 0;
    const streams::TextTable given = streams::inOrderOf(layout, made.table, "the made conversation");
    std::int64_t last_fed = 0;
    for (std::size_t row = 0; row < given.rows.size(); ++row) {
        for (std::size_t stream = 0; stream < layout.size(); ++stream) {
            if (!layout.streams[stream].isSampled() && !given.rows[row][stream].empty()) {
                last_fed = static_cast<std::int64_t>(row);
                settings.script.push_back({last_fed, static_cast<int>(stream), given.rows[row][stream], streams::ScriptText::Cell});
            }
        }
    }
    for (std::size_t stream = 0; stream < layout.size(); ++stream) {
        if (!layout.streams[stream].isSampled()) {
            settings.script.push_back({last_fed, static_cast<int>(stream), {}, streams::ScriptText::Words});
        }
    }
    streams::StreamsSession session(std::move(settings), model, texts);
    MeasuredTurn measured;
    measured.table.streams = given.streams;
    std::vector<double> until;  // seconds of computing up to and with each row
    for (bool goes_on = true; goes_on && static_cast<std::int64_t>(until.size()) <= last_fed + most_rows_after;) {
        const auto began = std::chrono::steady_clock::now();
        goes_on = session.step();
        measured.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
        for (const streams::StreamsEvent &event : session.takeEvents()) {
            if (event.type == streams::StreamsEventType::Row) {
                std::vector<std::string> cells;
                for (const streams::Cell &cell : event.cells) {
                    cells.push_back(cell.text);
                }
                measured.table.rows.push_back(std::move(cells));
                until.push_back(measured.seconds);
            }
        }
    }
    conversations::Turn turn = made.turns.front();
    turn.first_row = 0;
    measured.outcome = evaluateTurn(measured.table, turn, measured.table.rows.size());
    const auto user = layout.indexOf(conversations::nameOf(conversations::Lane::User));
    std::size_t last_user = 0;
    for (std::size_t row = 0; row < measured.table.rows.size() && user >= 0; ++row) {
        last_user = measured.table.rows[row][static_cast<std::size_t>(user)].empty() ? last_user : row;
    }
    if (const std::size_t answered = last_user + measured.outcome.steps_after_question; answered < until.size()) {
        measured.answer_seconds = until[answered] - until[last_user];
    }
    return measured;
}

}  // namespace braid::evaluation
