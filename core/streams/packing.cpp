#include "core/streams/packing.h"

#include <algorithm>

#include "core/base/error.h"

namespace braid::streams {
namespace {

// In blocks the system text stands before the first row, whole.
void checkSystem(const Layout &layout, const TokenTable &table)
{
    for (std::size_t i = 0; i < layout.size(); ++i) {
        const auto &column = table.columns[i];
        if (layout.streams[i].role == StreamRole::System &&
            std::any_of(column.begin(), column.end(), [](std::int32_t token) { return token != TokenTable::kSilent; })) {
            throw Error(ErrorKind::Input,
                        "\"" + layout.streams[i].name + "\" speaks within the rows, but the layout \"" + layout.name + "\" reads it before them");
        }
    }
}

// Without a token for silence a sampled stream speaks from its first row until it ends.
void checkGaps(const Layout &layout, const TokenTable &table)
{
    for (std::size_t i = 0; i < layout.size(); ++i) {
        if (!layout.streams[i].isSampled()) {
            continue;
        }
        const auto &column = table.columns[i];
        const auto first_silent = std::find(column.begin(), column.end(), TokenTable::kSilent);
        if (std::any_of(first_silent, column.end(), [](std::int32_t token) { return token != TokenTable::kSilent; })) {
            throw Error(ErrorKind::Input,
                        "\"" + layout.streams[i].name + "\" is silent before it speaks, but the layout \"" + layout.name + "\" has no silence", {},
                        "Give the layout a token for silence, or fill the gap");
        }
    }
}

void shareLoss(const Layout &layout, const PackOptions &options, PackedTokens &packed)
{
    std::vector<double> sums(layout.size(), 0);
    for (std::size_t i = 0; i < packed.size(); ++i) {
        if (packed.labels[i] != kNoLabel) {
            const bool is_silence = layout.silence != SilenceRule::Absent && packed.labels[i] == options.silence_token;
            packed.weights[i] = is_silence ? options.silence_weight : 1.0F;
            sums[static_cast<std::size_t>(packed.entries[i].stream)] += packed.weights[i];
        }
    }
    const auto speaking = static_cast<double>(std::count_if(sums.begin(), sums.end(), [](double sum) { return sum > 0; }));
    for (std::size_t i = 0; i < packed.size(); ++i) {
        const auto stream = static_cast<std::size_t>(packed.entries[i].stream);
        double scale = layout.streams[stream].loss_weight;
        if (options.share == LossShare::PerStream && sums[stream] > 0) {
            scale /= sums[stream] * speaking;
        }
        packed.weights[i] = static_cast<float>(packed.weights[i] * scale);
    }
}

}  // namespace

PackedTokens pack(const Layout &layout, const TokenTable &table, const std::vector<std::vector<std::int32_t>> &before, const PackOptions &options)
{
    if (table.columns.size() != layout.size()) {
        throw Error(ErrorKind::Input, "the table has " + std::to_string(table.columns.size()) + " streams, the layout \"" + layout.name + "\" has " +
                                          std::to_string(layout.size()));
    }
    if (layout.silence == SilenceRule::Absent) {
        checkGaps(layout, table);
    }
    if (layout.form == VisibilityForm::Blocks) {
        checkSystem(layout, table);
    }
    if (layout.form == VisibilityForm::Rows && std::any_of(before.begin(), before.end(), [](const auto &tokens) { return !tokens.empty(); })) {
        throw Error(ErrorKind::Input, "the layout \"" + layout.name + "\" is made of rows and reads nothing before them");
    }
    PackedTokens packed;
    Positions positions(layout);
    std::vector<std::size_t> last(layout.size(), SIZE_MAX);  // of each stream, the token that predicts its next
    const auto add = [&](std::size_t stream, std::int64_t step, std::int32_t cell) {
        const bool silent = cell == TokenTable::kSilent;
        if (silent && layout.silence == SilenceRule::Absent) {
            return;
        }
        const std::int32_t token = silent ? options.silence_token : cell;
        const auto index = static_cast<std::int32_t>(stream);
        const EntryKind kind = silent ? EntryKind::Silent : EntryKind::Token;
        if (step >= 0 && last[stream] != SIZE_MAX && layout.streams[stream].isSampled()) {
            packed.labels[last[stream]] = token;
        }
        last[stream] = packed.size();
        packed.tokens.push_back(token);
        packed.entries.push_back({index, positions.next(index, step, kind), step, kind});
        packed.labels.push_back(kNoLabel);
        packed.weights.push_back(0);
    };
    for (const bool system : {true, false}) {  // the others count from where the system text ends
        for (std::size_t i = 0; i < before.size() && i < layout.size(); ++i) {
            if ((layout.streams[i].role == StreamRole::System) == system) {
                for (const std::int32_t token : before[i]) {
                    add(i, -1, token);
                }
            }
        }
    }
    for (std::size_t row = 0; row < table.rows(); ++row) {
        for (std::size_t i = 0; i < layout.size(); ++i) {
            add(i, static_cast<std::int64_t>(row), table.columns[i][row]);
        }
    }
    shareLoss(layout, options, packed);
    return packed;
}

Unpacked unpack(const Layout &layout, const PackedTokens &packed, const PackOptions &options)
{
    Unpacked result;
    result.before.resize(layout.size());
    std::int64_t rows = 0;
    for (const Entry &entry : packed.entries) {
        if (entry.stream < 0 || entry.stream >= static_cast<int>(layout.size())) {
            throw Error(ErrorKind::Input, "a packed token is of a stream that the layout \"" + layout.name + "\" does not have");
        }
        rows = std::max(rows, entry.step + 1);
    }
    for (const Stream &stream : layout.streams) {
        result.table.streams.push_back(stream.name);
    }
    result.table.columns.assign(layout.size(), std::vector<std::int32_t>(static_cast<std::size_t>(rows), TokenTable::kSilent));
    for (std::size_t i = 0; i < packed.size(); ++i) {
        const auto stream = static_cast<std::size_t>(packed.entries[i].stream);
        if (packed.entries[i].step < 0) {
            result.before[stream].push_back(packed.tokens[i]);
        } else if (layout.silence == SilenceRule::Absent || packed.tokens[i] != options.silence_token) {
            result.table.columns[stream][static_cast<std::size_t>(packed.entries[i].step)] = packed.tokens[i];
        }
    }
    return result;
}

}  // namespace braid::streams
