#include "core/streams/visibility.h"

namespace braid::streams {

Visibility Visibility::of(const Layout &layout)
{
    Visibility visibility{layout.form, layout.same_step, layout.window_rows, layout.kept_rows, {}};
    const int count = static_cast<int>(layout.size());
    for (int reader = 0; reader < count; ++reader) {
        std::vector<bool> row;
        for (int read = 0; read < count; ++read) {
            row.push_back(layout.mayRead(reader, read));
        }
        visibility.may_read.push_back(std::move(row));
    }
    return visibility;
}

bool Visibility::sees(const Entry &query, const Entry &key) const noexcept
{
    const bool same_stream = query.stream == key.stream;
    if (same_stream && query.step == key.step && query.position == key.position) {
        return true;
    }
    if (!may_read[static_cast<std::size_t>(query.stream)][static_cast<std::size_t>(key.stream)]) {
        return false;
    }
    if (window_rows > 0 && key.step >= kept_rows && key.step <= query.step - window_rows) {
        return false;
    }
    if (form == VisibilityForm::Rows) {
        return key.step < query.step;
    }
    if (key.step > query.step) {
        return false;
    }
    return key.position < query.position || (key.position == query.position && (same_stream || same_step == SameStep::Visible));
}

bool Visibility::isGone(const Entry &key, std::int64_t next_step) const noexcept
{
    return window_rows > 0 && key.step >= kept_rows && key.step <= next_step - window_rows;
}

Positions::Positions(const Layout &layout)
    : m_rule(layout.positions)
    , m_silence(layout.silence)
    , m_counts(layout.size(), 0)
{
    for (std::size_t i = 0; i < layout.size(); ++i) {
        if (layout.form == VisibilityForm::Blocks && layout.streams[i].role == StreamRole::System) {
            m_system = static_cast<int>(i);
        }
    }
}

double Positions::next(int stream, std::int64_t step, Kind kind)
{
    if (m_rule == PositionRule::Row) {
        return static_cast<double>(step);
    }
    auto &count = m_counts[static_cast<std::size_t>(stream)];
    // The others begin where the system text ended; it has been fed by then.
    const std::int64_t start = m_system >= 0 && stream != m_system ? m_counts[static_cast<std::size_t>(m_system)] : 0;
    const double position = static_cast<double>(start + count);
    if (kind == Kind::Word || m_silence == SilenceRule::Stored) {
        ++count;
    }
    return position;
}

}  // namespace braid::streams
