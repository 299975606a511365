#include "ui/streams/lane_arrangement.h"

#include <algorithm>

namespace braid::ui {
namespace {

int rankOf(streams::StreamRole role)
{
    switch (role) {
    case streams::StreamRole::User:
        return 0;
    case streams::StreamRole::Assistant:
        return 1;
    case streams::StreamRole::Document:
        return 2;
    case streams::StreamRole::System:
        break;
    }
    return 3;
}

}  // namespace

LaneArrangement LaneArrangement::of(const streams::Layout &layout)
{
    LaneArrangement arrangement;
    for (std::size_t stream = 0; stream < layout.size(); ++stream) {
        arrangement.order.push_back(static_cast<int>(stream));
        const bool is_read_only = layout.streams[stream].role == streams::StreamRole::Document || layout.streams[stream].role == streams::StreamRole::System;
        arrangement.folds.push_back(is_read_only ? LaneFold::Folded : LaneFold::Open);
    }
    std::stable_sort(arrangement.order.begin(), arrangement.order.end(), [&layout](int a, int b) {
        return rankOf(layout.streams[static_cast<std::size_t>(a)].role) < rankOf(layout.streams[static_cast<std::size_t>(b)].role);
    });
    return arrangement;
}

LaneArrangement LaneArrangement::of(const streams::Layout &layout, const QStringList &names)
{
    LaneArrangement arrangement = of(layout);
    int place = 0;
    for (const QString &entry : names) {
        const int stream = layout.indexOf(entry.mid(1).toStdString());
        if (stream >= 0 && (entry.startsWith(QLatin1Char('+')) || entry.startsWith(QLatin1Char('-')))) {
            arrangement.move(stream, place++);
            arrangement.setFold(stream, entry.startsWith(QLatin1Char('+')) ? LaneFold::Open : LaneFold::Folded);
        }
    }
    return arrangement;
}

QStringList LaneArrangement::names(const streams::Layout &layout) const
{
    QStringList names;
    for (const int stream : order) {
        names << (isOpen(stream) ? QStringLiteral("+") : QStringLiteral("-")) + QString::fromStdString(layout.streams[static_cast<std::size_t>(stream)].name);
    }
    return names;
}

int LaneArrangement::placeOf(int stream) const noexcept
{
    return static_cast<int>(std::find(order.begin(), order.end(), stream) - order.begin());
}

void LaneArrangement::move(int stream, int place)
{
    std::erase(order, stream);
    order.insert(order.begin() + std::clamp<std::ptrdiff_t>(place, 0, static_cast<std::ptrdiff_t>(order.size())), stream);
}

}  // namespace braid::ui
