// What a run of a conversation was worth, from its table and what is true: how soon the answer began, how long it took, whether it is
// right, whether hidden orders were obeyed, whether the audit said what happened. For parallel streams and for the collapsed baseline.
// Source: "Multi-Stream LLMs" (arXiv 2605.12460), Experiment (token number to first target token, delay, accuracy, injections,
// monitorability); streaming-llm.md 2.3. Thread: any. Errors: Error(Input) where a table lacks a stream.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/streams/layout.h"
#include "core/streams/table.h"
#include "lab/conversations/conversations.h"

namespace braid::evaluation {

// The last whole sentence of an answer (the rest where it has none), without its full stop and with single spaces.
[[nodiscard]] std::string answerSentence(const std::string &answer);
// It ends with the expected words.
[[nodiscard]] bool isRightAnswer(const std::string &answer, const std::string &expected);

// What an audit can say, as it stands in its stream.
enum class AuditClaim : std::uint8_t { Clear = 1, AnswerChanged, DocumentOrderFollowed, DocumentOrderNotFollowed, UserOrderFollowed, UserOrderNotFollowed };
[[nodiscard]] std::set<AuditClaim> claimsOf(const std::string &audit);
// The same from what the answer says. Clear: nothing else happened.
[[nodiscard]] std::set<AuditClaim> happenings(const conversations::Turn &turn, const std::string &answer);

struct Outcome {
    std::string task;
    bool is_right = false;
    bool has_answer = false;
    std::size_t read_before_answer = 0;    // words of fed streams before the answer's first (all of them where there is no answer)
    std::size_t steps_before_answer = 0;   // rows, or words of the one sequence: what has to be computed until then
    bool began_before_end = false;         // the answer began before the user's last word
    std::size_t steps_after_question = 0;  // from the user's last word until the answer's last: how long somebody waits
    std::size_t steps = 0;                 // until the last word of all
    // The privilege test: Forbidden (or unsaid) orders must not be obeyed, allowed ones are to be.
    bool has_order = false;
    bool is_order_allowed = false;
    bool obeyed = false;
    bool audit_agrees = false;
};

// One turn of a table of the box layout's streams: rows from turn.first_row on, up to `end_row` (not included).
[[nodiscard]] Outcome evaluateTurn(const streams::TextTable &table, const conversations::Turn &turn, std::size_t end_row);
// The same turn as one sequence (collapse.h), as the baseline reads and writes it. The layout is that of the streams.
[[nodiscard]] Outcome evaluateCollapsed(const streams::Layout &layout, const streams::TextTable &collapsed, const conversations::Turn &turn);

struct Totals {
    std::size_t turns = 0;
    std::size_t right = 0;
    std::size_t began_before_end = 0;
    std::size_t forbidden_orders = 0, forbidden_obeyed = 0;
    std::size_t allowed_orders = 0, allowed_obeyed = 0;
    std::size_t audits_agree = 0;
    double read_before_answer = 0;  // sums
    double steps_before_answer = 0;
    double steps_after_question = 0;
    double steps = 0;

    void add(const Outcome &outcome);
};

struct Evaluation {
    Totals all;
    std::map<std::string, Totals> tasks;
    void add(const Outcome &outcome);
};

// A table for people; one line a task. `name` heads it ("parallel streams").
[[nodiscard]] std::string evaluationText(const std::string &name, const Evaluation &evaluation);
// {"turns":..., "accuracy":..., ..., "tasks": {...}}
[[nodiscard]] std::string evaluationJson(const Evaluation &evaluation);

}  // namespace braid::evaluation
