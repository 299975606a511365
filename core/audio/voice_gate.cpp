#include <algorithm>
#include <deque>

#include "core/audio/voice_activity.h"

namespace braid::audio {
namespace {

constexpr Sample kBridged = samplesFromMs(200);  // a shorter pause within the first moments of speech (before a plosive) does not start the count anew
constexpr std::size_t kVoiceWindowFrames = 25;   // half a second

}  // namespace

struct VoiceGate::State {
    std::unique_ptr<VoiceDetector> detector;
    VoiceGateOptions options;
    Sample earliest = 0;         // nothing may begin before: the start, the end of the last utterance, of the last gap
    Sample frame_start = 0;      // session time of the first sample in `pending`
    std::vector<float> pending;  // less than a frame
    bool open = false;           // in an utterance
    bool burst = false;          // speech frames have come, not enough yet to begin
    Sample burst_start = 0;
    Sample burst_speech = 0;       // how much of the burst may be speech
    std::deque<FrameKind> newest;  // the last half second
    Sample speech_end = 0;         // end of the newest speech frame

    [[nodiscard]] Sample now() const { return frame_start + static_cast<Sample>(pending.size()); }
    [[nodiscard]] Sample beginOf(Sample first_speech) const { return std::max(earliest, first_speech - options.preroll_samples); }

    void judgeFrame(std::span<const float> frame, std::vector<VoiceEvent> &events)
    {
        const Sample frame_end = frame_start + kVoiceFrameSamples;
        const FrameKind kind = detector->judge(frame);
        const bool speech = kind != FrameKind::NoSpeech;
        newest.push_back(kind);
        if (newest.size() > kVoiceWindowFrames) {
            newest.pop_front();
        }
        if (open) {
            if (speech) {
                speech_end = frame_end;
            } else if (frame_end - speech_end >= options.hangover_samples) {
                end(speech_end + options.hangover_samples, events);
            }
            return;
        }
        burst_start = std::max(burst_start, frame_end - kLongestWaitForVoice);
        if (speech) {
            if (!burst) {
                burst = true;
                burst_start = frame_start;
                burst_speech = 0;
            }
            burst_speech += kVoiceFrameSamples;
            speech_end = frame_end;
            if (burst_speech >= options.minimum_speech_samples && newestVoice() >= options.minimum_voice_samples) {
                events.push_back({VoiceEventKind::UtteranceBegins, beginOf(burst_start)});
                open = true;
                burst = false;
            }
        } else if (burst && frame_end - speech_end > kBridged) {
            burst = false;
        }
    }

    [[nodiscard]] Sample newestVoice() const { return kVoiceFrameSamples * std::count(newest.begin(), newest.end(), FrameKind::Voice); }

    void end(Sample sample, std::vector<VoiceEvent> &events)
    {
        events.push_back({VoiceEventKind::UtteranceEnds, sample});
        open = false;
        earliest = sample;
    }

    // Nothing follows directly on what was pushed.
    void breakOff(std::vector<VoiceEvent> &events)
    {
        if (open) {
            end(std::min(now(), speech_end + options.hangover_samples), events);
        }
        burst = false;
        newest.clear();
        frame_start = now();
        pending.clear();
        earliest = frame_start;
    }
};

VoiceGate::VoiceGate(std::unique_ptr<VoiceDetector> detector, VoiceGateOptions options, Sample start_sample)
    : m_state(std::make_unique<State>())
{
    m_state->detector = std::move(detector);
    m_state->options = options;
    m_state->earliest = start_sample;
    m_state->frame_start = start_sample;
    m_state->pending.reserve(static_cast<std::size_t>(kVoiceFrameSamples));
}

VoiceGate::~VoiceGate() = default;

std::vector<VoiceEvent> VoiceGate::push(std::span<const float> sound)
{
    std::vector<VoiceEvent> events;
    State &state = *m_state;
    constexpr auto kFrame = static_cast<std::size_t>(kVoiceFrameSamples);
    while (!sound.empty()) {
        if (state.pending.empty() && sound.size() >= kFrame) {
            state.judgeFrame(sound.first(kFrame), events);
            sound = sound.subspan(kFrame);
        } else {
            const std::size_t count = std::min(kFrame - state.pending.size(), sound.size());
            state.pending.insert(state.pending.end(), sound.begin(), sound.begin() + static_cast<std::ptrdiff_t>(count));
            sound = sound.subspan(count);
            if (state.pending.size() < kFrame) {
                break;
            }
            state.judgeFrame(state.pending, events);
            state.pending.clear();
        }
        state.frame_start += kVoiceFrameSamples;
    }
    return events;
}

std::vector<VoiceEvent> VoiceGate::gap(Sample length_samples)
{
    std::vector<VoiceEvent> events;
    m_state->breakOff(events);
    m_state->frame_start += length_samples;
    m_state->earliest = m_state->frame_start;
    m_state->detector->reset();
    return events;
}

std::vector<VoiceEvent> VoiceGate::finish()
{
    std::vector<VoiceEvent> events;
    m_state->breakOff(events);
    return events;
}

bool VoiceGate::inUtterance() const noexcept
{
    return m_state->open;
}

Sample VoiceGate::settledUntil() const noexcept
{
    const State &state = *m_state;
    if (state.open) {
        return std::min(state.now(), state.speech_end + state.options.hangover_samples);
    }
    return state.beginOf(state.burst ? state.burst_start : state.frame_start);
}

}  // namespace braid::audio
