#include "core/captions/loudness_track.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace braid::captions {

namespace {

constexpr Sample kFrame = samplesFromMs(20);
constexpr float kSilence_dB = -70;       // below this it is quiet whatever the rest is like
constexpr float kLeastContrast_dB = 12;  // between speech and background
constexpr float kQuietShare = 0.35f;     // of that contrast, counted from the background
constexpr std::size_t kFewestFrames = 50;
constexpr std::size_t kMostFrames = 1500;

}  // namespace

void LoudnessTrack::restart(Sample start_sample)
{
    m_decibels.clear();
    m_rest.clear();
    m_start = start_sample;
}

void LoudnessTrack::append(std::span<const float> sound)
{
    m_rest.insert(m_rest.end(), sound.begin(), sound.end());
    std::size_t at = 0;
    for (; at + kFrame <= m_rest.size(); at += kFrame) {
        double sum = 0;
        for (const float value : std::span(m_rest).subspan(at, kFrame)) {
            sum += static_cast<double>(value) * static_cast<double>(value);
        }
        m_decibels.push_back(static_cast<float>(10 * std::log10(sum / static_cast<double>(kFrame) + 1e-12)));
    }
    m_rest.erase(m_rest.begin(), m_rest.begin() + static_cast<std::ptrdiff_t>(at));
}

void LoudnessTrack::dropBefore(Sample sample)
{
    const Sample frames = std::clamp<Sample>((sample - m_start) / kFrame, 0, static_cast<Sample>(m_decibels.size()));
    m_decibels.erase(m_decibels.begin(), m_decibels.begin() + frames);
    m_start += frames * kFrame;
}

float LoudnessTrack::threshold() const
{
    const std::size_t count = std::min(m_decibels.size(), kMostFrames);
    if (count < kFewestFrames) {
        return kSilence_dB;
    }
    std::vector<float> recent(m_decibels.end() - static_cast<std::ptrdiff_t>(count), m_decibels.end());
    const auto at = [&recent](double share) {
        const auto place = recent.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(recent.size() - 1));
        std::nth_element(recent.begin(), place, recent.end());
        return *place;
    };
    const float background = at(0.05), speech = at(0.9);
    return speech - background < kLeastContrast_dB ? kSilence_dB : std::max(kSilence_dB, background + kQuietShare * (speech - background));
}

std::vector<QuietStretch> LoudnessTrack::quiet(Sample from, Sample until) const
{
    const float limit = threshold();
    std::vector<QuietStretch> stretches;
    const auto first = std::max<Sample>(0, (from - m_start) / kFrame);
    for (Sample frame = first; frame < static_cast<Sample>(m_decibels.size()) && m_start + frame * kFrame < until; ++frame) {
        if (m_decibels[static_cast<std::size_t>(frame)] > limit) {
            continue;
        }
        const Sample begin = std::max(from, m_start + frame * kFrame), end = std::min(until, m_start + (frame + 1) * kFrame);
        if (!stretches.empty() && stretches.back().end_sample == begin) {
            stretches.back().end_sample = end;
        } else {
            stretches.push_back({begin, end});
        }
    }
    return stretches;
}

Sample LoudnessTrack::quietBefore(Sample sample) const
{
    const auto last = std::min(static_cast<Sample>(m_decibels.size()), (sample - m_start) / kFrame);
    const float limit = threshold();
    Sample frame = last;
    while (frame > 0 && m_decibels[static_cast<std::size_t>(frame - 1)] <= limit) {
        --frame;
    }
    return (last - frame) * kFrame;
}

}  // namespace braid::captions
