#include "core/streams/visibility.h"

namespace braid::streams {

static_assert(kMostStreams <= static_cast<std::size_t>(paradigms::kMaxStreams), "who sees whom is a bit for each stream");

paradigms::Visibility visibilityOf(const Layout &layout)
{
    const auto silence = layout.silence == SilenceRule::Skipped ? paradigms::SpecialEntries::Hidden : paradigms::SpecialEntries::Seen;
    paradigms::Visibility visibility = paradigms::parallelRows();
    if (layout.form == VisibilityForm::Blocks) {
        visibility = paradigms::parallelBlocks(layout.same_step == SameStep::Visible ? paradigms::SameStep::Visible : paradigms::SameStep::Hidden);
    }
    visibility.silent = silence;
    visibility.window_steps = layout.window_rows;
    visibility.kept_steps = layout.kept_rows;
    for (const Stream &stream : layout.streams) {
        std::uint64_t seen = 0;
        for (const int read : stream.sees) {
            seen |= std::uint64_t{1} << read;
        }
        visibility.sees.push_back(seen);
    }
    return visibility;
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

double Positions::next(int stream, std::int64_t step, EntryKind kind)
{
    if (m_rule == PositionRule::Row) {
        return static_cast<double>(step);
    }
    auto &count = m_counts[static_cast<std::size_t>(stream)];
    // The others begin where the system text ended; it has been fed by then.
    const std::int64_t start = m_system >= 0 && stream != m_system ? m_counts[static_cast<std::size_t>(m_system)] : 0;
    const double position = static_cast<double>(start + count);
    if (kind != EntryKind::Silent || m_silence == SilenceRule::Stored) {
        ++count;
    }
    return position;
}

}  // namespace braid::streams
