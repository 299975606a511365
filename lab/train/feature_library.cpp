#include "lab/train/feature_library.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/base/error.h"

namespace braid::train {

namespace {

std::vector<float> readStatistics(const std::filesystem::path &path, std::int64_t width)
{
    const MappedFile file(path);
    std::vector<float> values(static_cast<std::size_t>(2 * width));
    if (file.bytes().size() != values.size() * sizeof(float)) {
        throw Error(ErrorKind::Input, "the teacher's statistics are not of its width", path.string(),
                    "Delete the teacher's files in the cache; they are then made anew");
    }
    std::memcpy(values.data(), file.bytes().data(), file.bytes().size());
    return values;
}

// All 65,536 of them: reading a feature is then one look.
const std::vector<float> &halves()
{
    static const std::vector<float> table = [] {
        std::vector<float> values(65536);
        for (std::size_t bits = 0; bits < values.size(); ++bits) {
            const auto exponent = static_cast<int>(bits >> 10 & 31);
            const auto mantissa = static_cast<float>(bits & 1023);
            float size = exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024.0f + mantissa, exponent - 25);
            if (exponent == 31) {
                size = mantissa == 0 ? INFINITY : NAN;
            }
            values[bits] = (bits & 0x8000) != 0 ? -size : size;
        }
        return values;
    }();
    return table;
}

}  // namespace

float floatFromHalf(std::uint16_t bits) noexcept
{
    return halves()[bits];
}

FeatureLibrary::FeatureLibrary(const std::filesystem::path &path, std::int64_t width, FeatureUnit unit)
    : m_store(path)
    , m_width(width)
{
    m_store.finishAdding();
    if (unit == FeatureUnit::Plain) {
        m_mean.assign(static_cast<std::size_t>(width), 0.0f);
        m_deviation.assign(static_cast<std::size_t>(width), 1.0f);
        return;
    }
    const auto statistics = readStatistics(path.string() + ".stats", width);
    m_mean.assign(statistics.begin(), statistics.begin() + width);
    m_deviation.assign(statistics.begin() + width, statistics.end());
}

std::vector<float> FeatureLibrary::rows(std::uint64_t key, std::int64_t first, std::int64_t count) const
{
    const auto bytes = m_store.find(key);
    if (!bytes) {
        return {};
    }
    const auto has = static_cast<std::int64_t>(bytes->size()) / 2 / m_width;
    first = std::clamp<std::int64_t>(first, 0, has);
    count = std::clamp<std::int64_t>(count, 0, has - first);
    std::vector<float> out(static_cast<std::size_t>(count * m_width));
    const std::byte *at = bytes->data() + first * m_width * 2;
    for (std::size_t i = 0; i < out.size(); ++i, at += 2) {
        std::uint16_t bits = 0;
        std::memcpy(&bits, at, 2);
        const std::size_t column = i % static_cast<std::size_t>(m_width);
        out[i] = (floatFromHalf(bits) - m_mean[column]) / m_deviation[column];
    }
    return out;
}

}  // namespace braid::train
