#include "core/paradigms/visibility.h"

namespace braid::paradigms {

namespace {

bool maySee(const Visibility &visibility, std::int32_t from, std::int32_t to)
{
    const auto row = static_cast<std::size_t>(from);
    return row >= visibility.sees.size() || (visibility.sees[row] >> to & 1) != 0;
}

bool seesOther(const Visibility &visibility, const Entry &query, const Entry &key, bool key_is_before)
{
    if (visibility.window_steps > 0 && isGone(visibility, key, query.step)) {
        return false;
    }
    if (key.kind == EntryKind::Silent && visibility.silent == SpecialEntries::Hidden) {
        return false;
    }
    if (key.stream == query.stream) {
        switch (visibility.own) {
        case OwnOrder::Arrival:
            return key_is_before;
        case OwnOrder::EarlierStep:
            return key.step < query.step;
        case OwnOrder::EarlierPosition:
            return key.position < query.position && key.step <= query.step;
        }
    }
    if (key.kind == EntryKind::Closing && visibility.closing_across == SpecialEntries::Hidden) {
        return false;
    }
    switch (visibility.across) {
    case AcrossOrder::Never:
        return false;
    case AcrossOrder::Arrival:
        return key_is_before && maySee(visibility, query.stream, key.stream);
    case AcrossOrder::EarlierStep:
        return key.step < query.step && maySee(visibility, query.stream, key.stream);
    case AcrossOrder::EarlierPosition:
        return key.position < query.position && key.step <= query.step && maySee(visibility, query.stream, key.stream);
    case AcrossOrder::NotLaterPosition:
        return key.position <= query.position && key.step <= query.step && maySee(visibility, query.stream, key.stream);
    }
    return false;
}

}  // namespace

Visibility causal()
{
    return {};
}

Visibility sourceApart()
{
    Visibility visibility;
    visibility.across = AcrossOrder::EarlierStep;
    visibility.sees = {std::uint64_t{1} << kSource, std::uint64_t{1} << kSource | std::uint64_t{1} << kTarget};
    return visibility;
}

Visibility parallelRows(SpecialEntries silent)
{
    Visibility visibility;
    visibility.own = OwnOrder::EarlierStep;
    visibility.across = AcrossOrder::EarlierStep;
    visibility.silent = silent;
    return visibility;
}

Visibility parallelBlocks(SameStep same_step, SpecialEntries closing_across)
{
    Visibility visibility;
    visibility.own = OwnOrder::EarlierPosition;
    visibility.across = same_step == SameStep::Visible ? AcrossOrder::NotLaterPosition : AcrossOrder::EarlierPosition;
    visibility.closing_across = closing_across;
    return visibility;
}

bool isGone(const Visibility &visibility, const Entry &key, std::int64_t step)
{
    return visibility.window_steps > 0 && key.step >= visibility.kept_steps && key.step <= step - visibility.window_steps;
}

bool sees(const Visibility &visibility, std::span<const Entry> entries, std::size_t q, std::size_t k)
{
    return q == k || seesOther(visibility, entries[q], entries[k], k < q);
}

bool visibleEntries(const Visibility &visibility, std::span<const Entry> entries, std::size_t first_query, std::int64_t window, std::vector<std::uint8_t> &seen)
{
    const std::size_t count = entries.size();
    seen.resize((count - first_query) * count);
    bool all = true;
    for (std::size_t q = first_query; q < count; ++q) {
        std::uint8_t *row = seen.data() + (q - first_query) * count;
        const double oldest = window > 0 ? entries[q].position - static_cast<double>(window) : 0;
        for (std::size_t k = 0; k < count; ++k) {
            const bool seen_here = q == k || (seesOther(visibility, entries[q], entries[k], k < q) && (window == 0 || entries[k].position > oldest));
            row[k] = seen_here ? 1 : 0;
            all = all && seen_here;
        }
    }
    return all;
}

}  // namespace braid::paradigms
