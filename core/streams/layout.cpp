#include "core/streams/layout.h"

#include <algorithm>

namespace braid::streams {

std::string_view hexOf(LaneColour colour) noexcept
{
    switch (colour) {
    case LaneColour::Blue:
        return "#0072B2";
    case LaneColour::Orange:
        return "#E69F00";
    case LaneColour::Green:
        return "#009E73";
    case LaneColour::Pink:
        return "#CC79A7";
    case LaneColour::Sky:
        return "#56B4E9";
    case LaneColour::Vermilion:
        return "#D55E00";
    case LaneColour::Yellow:
        return "#F0E442";
    case LaneColour::Grey:
        break;
    }
    return "#8A8F98";
}

int Layout::indexOf(std::string_view stream_name) const noexcept
{
    for (std::size_t i = 0; i < streams.size(); ++i) {
        if (streams[i].name == stream_name) {
            return static_cast<int>(i);
        }
    }
    return -1;
}

std::vector<int> Layout::sampled() const
{
    std::vector<int> indices;
    for (std::size_t i = 0; i < streams.size(); ++i) {
        if (streams[i].isSampled()) {
            indices.push_back(static_cast<int>(i));
        }
    }
    return indices;
}

bool Layout::mayRead(int reader, int read) const noexcept
{
    const auto &sees = streams[static_cast<std::size_t>(reader)].sees;
    return std::binary_search(sees.begin(), sees.end(), read);
}

std::int64_t Layout::warmRows() const noexcept
{
    std::size_t most = 0;
    for (const Stream &stream : streams) {
        most = std::max(most, stream.warm_start.size());
    }
    return static_cast<std::int64_t>(most);
}

std::string problemOf(const Layout &layout, std::int64_t streams_of_model)
{
    if (streams_of_model == 0 || static_cast<std::int64_t>(layout.size()) <= streams_of_model) {
        return {};
    }
    return "the layout \"" + layout.name + "\" has " + std::to_string(layout.size()) + " streams, the model was trained for " +
           std::to_string(streams_of_model);
}

}  // namespace braid::streams
