#include "core/streams/collapse.h"

#include <algorithm>

#include "core/base/error.h"

namespace braid::streams {
namespace {

std::vector<std::size_t> orderOf(const Layout &layout, const std::vector<std::string> &said_order)
{
    std::vector<std::size_t> order = readingOrder(layout);
    for (const std::string &name : said_order) {
        const int index = layout.indexOf(name);
        if (index < 0 || !layout.streams[static_cast<std::size_t>(index)].isSampled()) {
            throw Error(ErrorKind::Input, "\"" + name + "\" is no stream that says anything in this layout", layout.name);
        }
        order.push_back(static_cast<std::size_t>(index));
    }
    for (std::size_t i = 0; i < layout.size(); ++i) {
        if (std::find(order.begin(), order.end(), i) == order.end()) {
            order.push_back(i);
        }
    }
    return order;
}

// The stream whose mark this cell is; the layout's size where it is none.
std::size_t markedBy(const Layout &layout, const std::string &cell)
{
    std::size_t i = 0;
    while (i < layout.size() && markOf(layout.streams[i]) != cell) {
        ++i;
    }
    return i;
}

}  // namespace

std::string markOf(const Stream &stream)
{
    return "<|" + stream.name + "|>";
}

std::vector<std::size_t> readingOrder(const Layout &layout)
{
    std::vector<std::size_t> order;
    for (const StreamRole role : {StreamRole::System, StreamRole::User, StreamRole::Document}) {
        for (std::size_t i = 0; i < layout.size(); ++i) {
            if (layout.streams[i].role == role) {
                order.push_back(i);
            }
        }
    }
    return order;
}

std::vector<Segment> collapse(const Layout &layout, const TextTable &table, const std::vector<std::string> &said_order)
{
    const TextTable ordered = inOrderOf(layout, table, "the table");
    std::vector<Segment> segments;
    for (const std::size_t stream : orderOf(layout, said_order)) {
        if (ordered.wordsOf(stream) > 0) {
            segments.push_back({stream, ordered.textOf(stream)});
        }
    }
    return segments;
}

TextTable collapsedTable(const Layout &layout, const TextTable &table, const std::vector<std::string> &said_order)
{
    const TextTable ordered = inOrderOf(layout, table, "the table");
    TextTable collapsed{{"Text"}, {}};
    for (const std::size_t stream : orderOf(layout, said_order)) {
        if (ordered.wordsOf(stream) == 0) {
            continue;
        }
        collapsed.rows.push_back({markOf(layout.streams[stream])});
        for (const auto &row : ordered.rows) {
            if (!row[stream].empty()) {
                collapsed.rows.push_back({row[stream]});
            }
        }
    }
    collapsed.rows.push_back({std::string(kEndMark)});
    return collapsed;
}

std::vector<Segment> segmentsOf(const Layout &layout, const TextTable &collapsed)
{
    std::vector<Segment> segments;
    for (const auto &row : collapsed.rows) {
        const std::size_t stream = markedBy(layout, row[0]);
        if (row[0] == kEndMark) {
            break;
        }
        if (stream < layout.size()) {
            segments.push_back({stream, {}});
        } else if (segments.empty()) {
            throw Error(ErrorKind::Input, "a collapsed sequence begins without the mark of a stream", layout.name);
        } else {
            segments.back().text += row[0];
        }
    }
    return segments;
}

std::vector<bool> learntRows(const Layout &layout, const TextTable &collapsed)
{
    std::vector<bool> learnt;
    bool is_said = false;
    for (const auto &row : collapsed.rows) {
        if (const std::size_t stream = markedBy(layout, row[0]); stream < layout.size()) {
            is_said = layout.streams[stream].isSampled();
        }
        learnt.push_back(is_said || row[0] == kEndMark);
    }
    return learnt;
}

}  // namespace braid::streams
