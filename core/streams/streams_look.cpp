#include "core/streams/streams_look.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"

namespace braid::streams {

LookAnswer lookAt(const Look &wish, const StreamsRun &run, StreamsModel &model, const TokenTexts &texts)
{
    LookAnswer answer{wish, {}, {}};
    try {
        const auto query = run.explains(wish.row, wish.stream);
        if (!query) {
            answer.problem = "The model was not asked here, or has not read this yet.";
            return answer;
        }
        for (const AttendedEntry &entry : model.look(*query, wish.options)) {
            answer.cells.push_back({std::max<std::int64_t>(entry.entry.step, -1), entry.entry.stream, entry.token, texts.text(entry.token), entry.weight});
        }
    } catch (const Error &error) {
        answer.problem = error.sentence();
        return answer;
    }
    std::stable_sort(answer.cells.begin(), answer.cells.end(),
                     [](const Attended &a, const Attended &b) { return std::pair(a.row, a.stream) < std::pair(b.row, b.stream); });
    if (answer.cells.empty()) {
        answer.problem = "What was seen from here has left the model's memory.";
    }
    return answer;
}

}  // namespace braid::streams
