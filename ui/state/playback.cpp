#include "ui/state/playback.h"

#include <algorithm>
#include <cmath>

#include "core/audio/time_stretch.h"
#include "ui/shared/async.h"

namespace braid::ui {
namespace {

constexpr Sample kLongestStretch = samplesFromSeconds(60);
constexpr Sample kShortestStretch = samplesFromSeconds(5);  // but for the last one
constexpr Sample kPause = samplesFromMs(200);               // of the speech
// A word cut out exactly sounds clipped.
constexpr Sample kBefore = samplesFromMs(60);
constexpr Sample kAfter = samplesFromMs(120);

}  // namespace

Playback::Playback(CaptionController &captions, audio::SoundPlayer &player, QObject *parent)
    : QObject(parent)
    , m_captions(captions)
    , m_player(player)
{
    connect(&captions, &CaptionController::frame, this, &Playback::onFrame);
    connect(&captions.transcript(), &TranscriptModel::cleared, this, [this] {
        pause();
        m_position = 0;
        setLoop(PlaybackLoop::Off);
        Q_EMIT moved();
    });
}

const std::vector<double> &Playback::speeds()
{
    static const std::vector<double> offered = {0.5, 0.75, 1, 1.25, 1.5, 1.75, 2};
    return offered;
}

Sample Playback::length() const
{
    return std::max<Sample>(m_captions.heard(), m_captions.runStart());
}

std::optional<Sample> Playback::sounding() const
{
    return m_state == PlaybackState::Playing && m_has_begun ? std::optional(m_position) : std::nullopt;
}

void Playback::setState(PlaybackState state)
{
    if (state != m_state) {
        m_state = state;
        Q_EMIT changed();
    }
}

void Playback::stopSound()
{
    ++m_request;
    m_has_begun = false;
    m_player.stop();
}

void Playback::play(Sample from, Sample until)
{
    m_until = std::min(until, length());
    playStretch(std::clamp<Sample>(from, 0, m_until));
}

void Playback::playOrPause()
{
    if (m_state == PlaybackState::Playing) {
        pause();
    } else {
        play(m_position >= length() ? 0 : m_position, length());
    }
}

void Playback::pause()
{
    if (m_state == PlaybackState::Playing) {
        stopSound();
        setState(PlaybackState::Stopped);
    }
}

void Playback::seek(Sample position)
{
    m_position = std::clamp<Sample>(position, 0, length());
    if (m_state == PlaybackState::Playing) {
        play(m_position, length());
    }
    Q_EMIT moved();
}

void Playback::setSpeed(double speed)
{
    if (speed == m_speed) {
        return;
    }
    m_speed = std::clamp(speed, audio::kSlowestSpeed, audio::kFastestSpeed);
    if (m_state == PlaybackState::Playing) {
        playStretch(m_position);
    }
    Q_EMIT changed();
}

void Playback::stepSpeed(int direction)
{
    const std::vector<double> &offered = speeds();
    auto at = std::min_element(offered.begin(), offered.end(), [this](double a, double b) { return std::abs(a - m_speed) < std::abs(b - m_speed); });
    if (direction > 0 && at + 1 != offered.end()) {
        setSpeed(*(at + 1));
    } else if (direction < 0 && at != offered.begin()) {
        setSpeed(*(at - 1));
    }
}

void Playback::setLoop(PlaybackLoop loop)
{
    if (loop == m_loop) {
        return;
    }
    m_loop = loop;
    if (m_state == PlaybackState::Playing) {
        m_until = length();
        playStretch(m_position);  // its end is another one now
    }
    Q_EMIT changed();
}

std::optional<std::pair<Sample, Sample>> Playback::lineAt(Sample position) const
{
    const TranscriptModel &model = m_captions.transcript();
    const std::vector<Paragraph> &paragraphs = model.paragraphs();
    const Paragraph *line = nullptr;
    for (const Paragraph &paragraph : paragraphs) {
        if (paragraph.kind == ParagraphKind::Words && (line == nullptr || paragraph.start_sample - kBefore <= position)) {
            line = &paragraph;
        }
    }
    if (line == nullptr) {
        return {};
    }
    const Sample end = model.word(line->first_word + line->word_count - 1).end_sample + kAfter;
    return std::pair(std::max<Sample>(0, line->start_sample - kBefore), std::min(end, length()));
}

// The last pause of the speech that is near enough; without one, as much as is taken at once.
Sample Playback::stretchEnd(Sample from) const
{
    if (m_loop == PlaybackLoop::Line) {
        const auto line = lineAt(from);
        if (line && line->second > from) {
            return line->second;
        }
    }
    if (m_until - from <= kLongestStretch) {
        return m_until;
    }
    const TranscriptModel &model = m_captions.transcript();
    Sample end = from + kLongestStretch;
    for (int word = 1; word < model.wordCount(); ++word) {
        const Sample before = model.word(word - 1).end_sample;
        const Sample pause = model.word(word).start_sample - before;
        const Sample middle = before + pause / 2;
        if (middle > from + kLongestStretch) {
            break;
        }
        if (pause >= kPause && middle >= from + kShortestStretch) {
            end = middle;
        }
    }
    return end;
}

std::vector<float> Playback::soundOf(Sample from, Sample until) const
{
    std::vector<float> sound;
    while (from + static_cast<Sample>(sound.size()) < until) {
        const Sample at = from + static_cast<Sample>(sound.size());
        const std::vector<float> piece = m_captions.sound(at, until - at);
        if (piece.empty()) {
            break;
        }
        sound.insert(sound.end(), piece.begin(), piece.end());
    }
    return sound;
}

void Playback::playStretch(Sample from)
{
    stopSound();
    const Sample until = stretchEnd(from);
    std::vector<float> sound = soundOf(from, until);
    m_position = from;
    if (sound.empty()) {
        setState(PlaybackState::Stopped);
        if (from < until) {
            Q_EMIT soundMissing();
        }
        return;
    }
    m_stretch_start = from;
    m_stretch_end = from + static_cast<Sample>(sound.size());
    setState(PlaybackState::Playing);
    if (m_speed == 1) {
        m_player.play(std::move(sound), from);
    } else {
        runInBackground(
            this, [sound = std::move(sound), speed = m_speed] { return audio::stretchTime(sound, speed); },
            [this, request = m_request, from](std::vector<float> stretched) {
                if (request == m_request) {
                    m_player.play(std::move(stretched), from);
                }
            },
            [this](const QString &) { pause(); });
    }
    m_captions.requestFrames();
    Q_EMIT moved();
}

void Playback::onFrame()
{
    if (m_state != PlaybackState::Playing) {
        return;
    }
    m_captions.requestFrames();
    if (const auto played = m_player.position()) {
        m_has_begun = true;
        const auto heard = static_cast<Sample>(std::llround(static_cast<double>(*played - m_stretch_start) * m_speed));
        m_position = std::clamp(m_stretch_start + heard, m_stretch_start, m_stretch_end);
        Q_EMIT moved();
        return;
    }
    if (!m_has_begun) {
        return;  // the loudspeaker is being opened
    }
    m_position = m_stretch_end;
    const auto line = m_loop == PlaybackLoop::Line ? lineAt(m_stretch_start) : std::nullopt;
    if (line) {
        playStretch(line->first);
    } else if (m_stretch_end < m_until) {
        playStretch(m_stretch_end);
    } else {
        stopSound();
        setState(PlaybackState::Stopped);
        Q_EMIT moved();
    }
}

}  // namespace braid::ui
