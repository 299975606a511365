#include "ui/captions/timeline_view.h"

#include <algorithm>
#include <cmath>

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

namespace braid::ui {

TimelineView::TimelineView(const TranscriptModel &model, const PeakPyramid &peaks, Appearance &appearance, QWidget *parent)
    : QWidget(parent)
    , m_model(model)
    , m_peaks(peaks)
    , m_appearance(appearance)
{
    setObjectName(QStringLiteral("timeline"));
    setAccessibleName(tr("Waveform and words in time"));
    setAccessibleDescription(tr("Left and right move, plus and minus zoom, L goes to live."));
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&model, &TranscriptModel::appended, this, [this] { update(); });
    connect(&model, &TranscriptModel::tailChanged, this, [this] { update(); });
    connect(&model, &TranscriptModel::cleared, this, &TimelineView::clear);
    connect(&appearance, &Appearance::changed, this, [this] {
        m_wave = QImage();
        update();
    });
}

QSize TimelineView::sizeHint() const
{
    return {600, static_cast<int>(m_bands.height()) + 2};
}

void TimelineView::setClock(Sample heard, Sample decoded)
{
    if (heard == m_marks.heard && decoded == m_marks.decoded) {
        return;
    }
    m_marks.heard = heard;
    m_marks.decoded = decoded;
    if (m_following) {
        m_geometry.follow(heard);
    }
    update();
}

void TimelineView::setPlayingWord(int word)
{
    if (word != m_marks.playing_word) {
        m_marks.playing_word = word;
        update();
    }
}

void TimelineView::setMarkedWords(std::optional<WordRef> hovered, std::optional<WordRef> pinned)
{
    if (hovered != m_marks.hovered || pinned != m_marks.pinned) {
        m_marks.hovered = hovered;
        m_marks.pinned = pinned;
        update();
    }
}

void TimelineView::setAttention(AttentionTrace trace)
{
    if (!(trace == m_trace)) {
        m_trace = std::move(trace);
        revisePointerText();
        update();
    }
}

void TimelineView::revisePointerText()
{
    m_marks.pointer_text = m_marks.pointer_x >= 0 ? attentionTextAt(m_trace, m_geometry.sampleAt(m_marks.pointer_x)) : QString();
}

void TimelineView::setFollowing(bool following)
{
    if (following != m_following) {
        m_following = following;
        Q_EMIT followingChanged();
    }
}

void TimelineView::followLive()
{
    setFollowing(true);
    m_geometry.follow(m_marks.heard);
    update();
    Q_EMIT viewChanged(*this);
}

void TimelineView::showSample(Sample sample)
{
    const double x = m_geometry.xOf(sample);
    if (x < 0 || x > m_geometry.width) {
        setFollowing(false);
        m_geometry.first_sample = static_cast<double>(sample) - m_geometry.width * m_geometry.samples_per_pixel / 2;
        moved();
    }
}

void TimelineView::showLike(const TimelineView &other)
{
    m_geometry.samples_per_pixel = other.m_geometry.samples_per_pixel;
    m_geometry.first_sample = other.m_geometry.first_sample;
    setFollowing(other.m_following);
    update();
}

void TimelineView::setBands(const TimelineBands &bands)
{
    m_bands = bands;
    m_wave = QImage();
    updateGeometry();
    update();
}

void TimelineView::clear()
{
    m_marks = {};
    m_trace = {};
    m_wave = QImage();
    m_geometry.first_sample = 0;
    setFollowing(true);
    update();
}

void TimelineView::moved()
{
    m_geometry.keepWithin(m_marks.heard);
    update();
    Q_EMIT viewChanged(*this);
}

// Keeps the columns that are still on the page, draws those that came in and those whose sound was not complete.
void TimelineView::refreshWave()
{
    const int columns = m_geometry.width + 2;
    const auto height = static_cast<int>(m_bands.wave_height);
    const double ratio = devicePixelRatioF();
    const auto first = static_cast<std::int64_t>(std::floor(m_geometry.first_sample / m_geometry.samples_per_pixel));
    const auto paint = [&](std::int64_t from, std::int64_t to) {
        if (from >= to) {
            return;
        }
        QPainter painter(&m_wave);
        paintWaveColumns(painter, QRect(static_cast<int>(from - first), 0, static_cast<int>(to - from), height), from, m_geometry.samples_per_pixel, m_peaks,
                         m_appearance.theme());
        m_columns_painted += static_cast<int>(to - from);
    };
    const QSize size(static_cast<int>(columns * ratio), static_cast<int>(height * ratio));
    const std::int64_t shift = first - m_wave_first;
    if (m_wave.size() != size || m_wave_samples_per_pixel != m_geometry.samples_per_pixel || std::abs(shift) >= columns) {
        m_wave = QImage(size, QImage::Format_RGB32);
        m_wave.setDevicePixelRatio(ratio);
        paint(first, first + columns);
    } else {
        const auto final_column = static_cast<std::int64_t>(std::floor(static_cast<double>(m_wave_valid_to) / m_geometry.samples_per_pixel));
        if (shift != 0) {
            QImage moved_wave(size, QImage::Format_RGB32);
            moved_wave.setDevicePixelRatio(ratio);
            QPainter(&moved_wave).drawImage(QPointF(static_cast<double>(-shift), 0), m_wave);
            m_wave = moved_wave;
        }
        const std::int64_t kept_from = std::max(first, m_wave_first);
        const std::int64_t kept_to = std::min({first + columns, m_wave_first + columns, final_column});
        if (kept_to <= kept_from) {
            paint(first, first + columns);
        } else {
            const auto newest_column = static_cast<std::int64_t>(std::ceil(static_cast<double>(m_peaks.samples()) / m_geometry.samples_per_pixel)) + 1;
            paint(first, kept_from);
            // Beyond the newest sound nothing changed either, except where columns came onto the page.
            const std::int64_t page_end = m_wave_first + columns;
            paint(kept_to, std::min(first + columns, std::max(newest_column, kept_to)));
            paint(std::max({page_end, newest_column, kept_to}), first + columns);
        }
    }
    m_wave_first = first;
    m_wave_samples_per_pixel = m_geometry.samples_per_pixel;
    m_wave_valid_to = m_peaks.samples();
}

void TimelineView::paintEvent(QPaintEvent *)
{
    if (m_bands.wave_height > 0) {
        refreshWave();
    }
    QPainter painter(this);
    const Theme &theme = m_appearance.theme();
    painter.fillRect(rect(), theme.colour(ColourToken::Paper));
    painter.fillRect(QRectF(0, 0, width(), 1), theme.colour(ColourToken::Line));
    const QFont small = Appearance::interfaceFont(11);
    const double wave_x = static_cast<double>(m_wave_first) - m_geometry.first_sample / m_geometry.samples_per_pixel;
    painter.drawImage(QPointF(wave_x, m_bands.scale_height), m_wave);
    if (m_bands.scale_height > 0) {
        paintTimeScale(painter, m_geometry, m_bands, theme, small);
    }
    paintAttentionStrip(painter, QRectF(0, m_bands.attentionTop(), width(), m_bands.attention_height), m_trace, m_geometry, theme, small);
    paintTimelineMarks(painter, m_geometry, m_bands, m_model, m_marks, theme, small);
    paintTimelineWords(painter, m_geometry, m_bands, m_model, m_marks, theme, Appearance::interfaceFont(12));
    if (hasFocus()) {
        painter.setPen(QPen(theme.colour(ColourToken::Accent), 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(1, 1, -1, -1));
    }
}

void TimelineView::resizeEvent(QResizeEvent *)
{
    m_geometry.width = std::max(1, width());
    if (m_following) {
        m_geometry.follow(m_marks.heard);
    }
}

void TimelineView::wheelEvent(QWheelEvent *event)
{
    const QPoint delta = event->angleDelta();
    if (std::abs(delta.x()) > std::abs(delta.y())) {
        setFollowing(false);
        m_geometry.panBy(delta.x());
    } else {
        const double factor = std::pow(0.998, delta.y());
        // While following, the newest sound is what stays in place.
        m_geometry.zoomAt(event->position().x(), factor);
        if (m_following) {
            m_geometry.follow(m_marks.heard);
        }
    }
    if (!m_following) {
        m_geometry.keepWithin(m_marks.heard);
    }
    update();
    Q_EMIT viewChanged(*this);
    event->accept();
}

std::optional<WordRef> TimelineView::wordAt(double x) const
{
    const Sample sample = m_geometry.sampleAt(x);
    const int word = firstWordEndingAfter(m_model, sample);
    if (word < m_model.wordCount() && m_model.word(word).start_sample <= sample) {
        return WordRef{WordPart::Settled, word};
    }
    const auto &tail = m_model.tail();
    for (std::size_t index = 0; index < tail.size(); ++index) {
        if (tail[index].start_sample <= sample && sample < tail[index].end_sample) {
            return WordRef{WordPart::Tail, static_cast<int>(index)};
        }
    }
    return {};
}

void TimelineView::mousePressEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton) {
        m_press_x = m_last_x = event->position().x();
        m_dragged = false;
    }
}

void TimelineView::mouseMoveEvent(QMouseEvent *event)
{
    const double x = event->position().x();
    if (event->buttons() & Qt::LeftButton) {
        if (m_dragged || std::abs(x - m_press_x) > 4) {
            m_dragged = true;
            setFollowing(false);
            m_geometry.panBy(x - m_last_x);
            setCursor(Qt::ClosedHandCursor);
            moved();
        }
        m_last_x = x;
        return;
    }
    m_marks.pointer_x = x;
    Q_EMIT hoveredChanged(wordAt(x));
    revisePointerText();
    update();
}

void TimelineView::mouseReleaseEvent(QMouseEvent *event)
{
    unsetCursor();
    if (event->button() == Qt::LeftButton && !m_dragged) {
        const auto ref = wordAt(event->position().x());
        if (ref && ref->part == WordPart::Settled) {
            Q_EMIT wordActivated(ref->index);
        }
    }
}

void TimelineView::leaveEvent(QEvent *)
{
    m_marks.pointer_x = -1;
    m_marks.pointer_text.clear();
    Q_EMIT hoveredChanged({});
    update();
}

void TimelineView::keyPressEvent(QKeyEvent *event)
{
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
        setFollowing(false);
        m_geometry.panBy(event->key() == Qt::Key_Left ? width() / 8.0 : -width() / 8.0);
        moved();
        break;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
    case Qt::Key_Minus:
        m_geometry.zoomAt(m_following ? m_geometry.xOf(m_marks.heard) : width() / 2.0, event->key() == Qt::Key_Minus ? 1.25 : 0.8);
        if (m_following) {
            m_geometry.follow(m_marks.heard);
        }
        update();
        Q_EMIT viewChanged(*this);
        break;
    default:
        QWidget::keyPressEvent(event);
    }
}

}  // namespace braid::ui
