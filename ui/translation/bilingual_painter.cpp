#include "ui/translation/bilingual_painter.h"

#include <algorithm>
#include <cmath>

#include <QFontMetricsF>
#include <QPainterPath>

#include "ui/captions/word_ink.h"
#include "ui/shared/appearance.h"

namespace braid::ui {
namespace {

constexpr double kPathWidth = 1.6;
constexpr float kFaintestLight = 0.06F;

struct Scene {
    QPainter &painter;
    const BilingualText &text;
    const BilingualLayout &layout;
    const BilingualMarks &marks;
    const Theme &theme;
    QFontMetricsF metrics;
};

float lightOf(const BilingualMarks &marks, PieceRef ref)
{
    const int position = ref.index - marks.lit.first;
    const bool is_lit = ref.side == marks.lit.side && position >= 0 && position < static_cast<int>(marks.lit.weights.size());
    return is_lit ? marks.lit.weights[static_cast<std::size_t>(position)] : 0;
}

// Behind the letters a tint, under them a bar that is the longer the more it was looked at: the light does not hang on colour alone.
void drawLight(const Scene &scene, const QRectF &rect, float light)
{
    if (light < kFaintestLight) {
        return;
    }
    const double share = static_cast<double>(light);
    drawBehindWord(scene.painter, rect, mixed(scene.theme.colour(ColourToken::Paper), scene.theme.colour(ColourToken::Selection), share));
    const double height = std::max(2.0, std::round(rect.height() / 14));
    scene.painter.fillRect(QRectF(rect.left(), rect.bottom() - height - 1, rect.width() * share, height), scene.theme.colour(ColourToken::Accent));
}

void drawMatch(const Scene &scene, PieceRef ref, const QRectF &rect)
{
    if (scene.marks.matches == nullptr) {
        return;
    }
    const auto &matches = *scene.marks.matches;
    const auto isBefore = [](const PieceMatch &match, PieceRef at) { return match.side != at.side ? match.side < at.side : match.place.last_word < at.index; };
    for (auto match = std::lower_bound(matches.begin(), matches.end(), ref, isBefore);
         match != matches.end() && match->side == ref.side && match->place.first_word <= ref.index; ++match) {
        const QString text = scene.text.textOf(ref);
        const int from = ref.index == match->place.first_word ? match->place.first_character : 0;
        const int to = ref.index == match->place.last_word ? match->place.last_character : static_cast<int>(text.size());
        QRectF found = rect;
        if (!text.isRightToLeft()) {
            found.setLeft(rect.left() + scene.metrics.horizontalAdvance(text.left(from)));
            found.setRight(rect.left() + scene.metrics.horizontalAdvance(text.left(to)));
        }
        const bool is_current = match - matches.begin() == scene.marks.current_match;
        scene.painter.setPen(is_current ? QPen(scene.theme.colour(ColourToken::Accent), 2) : QPen(Qt::NoPen));
        scene.painter.setBrush(scene.theme.colour(ColourToken::Highlight));
        scene.painter.drawRoundedRect(found.adjusted(-1, 2, 1, -2), 3, 3);
    }
}

void drawPiece(const Scene &scene, PieceRef ref, bool is_settled)
{
    const BilingualMarks &marks = scene.marks;
    const QRectF rect = scene.layout.pieceRect(ref);
    if (ref.side == marks.selected_side && ref.index >= marks.selected_first && ref.index <= marks.selected_last) {
        drawBehindWord(scene.painter, rect, scene.theme.colour(ColourToken::Selection));
    }
    drawMatch(scene, ref, rect);
    if (marks.hovered == ref) {
        drawBehindWord(scene.painter, rect, scene.theme.colour(ColourToken::Hover));
    }
    drawLight(scene, rect, lightOf(marks, ref));
    // Line under line, the translation is what is read first.
    const bool is_quiet = !is_settled || (ref.side == TextSide::Source && scene.layout.shape().arrangement == PairArrangement::Interlinear);
    drawWordText(scene.painter, scene.metrics, scene.text.textOf(ref), rect, scene.theme.colour(is_quiet ? ColourToken::InkSoft : ColourToken::Ink));
    if (!is_settled) {
        drawUnsettledDots(scene.painter, scene.metrics, rect, scene.theme.colour(ColourToken::InkSoft));
    } else if (ref.side == TextSide::Target && marks.low_probability == LowProbability::Marked &&
               scene.text.word(ref.index).word.probability < kLowProbability) {
        scene.painter.fillRect(QRectF(rect.left(), belowBaseline(scene.metrics, rect), rect.width(), std::max(1.0, rect.height() / 24)),
                               mixed(scene.theme.colour(ColourToken::InkSoft), scene.theme.colour(ColourToken::Paper), 0.5));
    }
    if (marks.pinned == ref) {
        drawRingAround(scene.painter, rect, scene.theme.colour(ColourToken::Accent), 1.5);
    }
    if (marks.cursor == ref) {
        drawRingAround(scene.painter, rect, scene.theme.colour(ColourToken::Accent), 2.5);
    }
}

// The word of this sentence that the path marks: under the pointer or, without one, pinned; as its place in the sentence.
int markedWord(const Scene &scene, const SentencePair &sentence)
{
    for (const auto &ref : {scene.marks.hovered, scene.marks.cursor, scene.marks.pinned}) {
        if (ref && ref->side == TextSide::Target && ref->index >= sentence.first_word && ref->index - sentence.first_word < sentence.word_count) {
            return ref->index - sentence.first_word;
        }
    }
    return -1;
}

void drawStaircase(const Scene &scene, int index)
{
    const SentencePair &sentence = scene.text.sentences()[static_cast<std::size_t>(index)];
    if (sentence.read_units == 0) {
        return;
    }
    const StaircaseGeometry geometry = staircaseGeometry(sentence, scene.layout.bandRect(index));
    std::vector<std::int64_t> read_units;
    for (int word = 0; word < sentence.word_count; ++word) {
        read_units.push_back(scene.text.word(sentence.first_word + word).word.read_units);
    }
    QPolygonF path;
    for (const translation::StaircaseStep &step : translation::staircase(read_units, sentence.read_units)) {
        path << geometry.at(step);
    }
    // What lies between the path and a translation word for word is the lag.
    QPainterPath lag;
    lag.addPolygon(path);
    const std::int64_t behind = std::min<std::int64_t>(sentence.word_count, sentence.read_units);
    lag.lineTo(geometry.xOf(behind), geometry.yOf(behind));
    lag.lineTo(geometry.area.topLeft());
    scene.painter.fillPath(lag, mixed(scene.theme.colour(ColourToken::Paper), scene.theme.colour(ColourToken::Selection), 0.6));
    const double far = std::min(std::max<double>(static_cast<double>(sentence.read_units), sentence.word_count), static_cast<double>(geometry.stairs));
    scene.painter.setPen(QPen(scene.theme.colour(ColourToken::Line), 1, Qt::DashLine));
    scene.painter.drawLine(geometry.area.topLeft(), QPointF(geometry.xOf(static_cast<std::int64_t>(far)), geometry.yOf(static_cast<std::int64_t>(far))));
    scene.painter.setPen(
        QPen(scene.theme.colour(sentence.isOver() ? ColourToken::InkSoft : ColourToken::Accent), kPathWidth, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    scene.painter.setBrush(Qt::NoBrush);
    scene.painter.drawPolyline(path);
    const int marked = markedWord(scene, sentence);
    if (marked >= 0) {
        const std::int64_t read = scene.text.word(sentence.first_word + marked).word.read_units;
        const double y = (geometry.yOf(marked) + geometry.yOf(marked + 1)) / 2;
        scene.painter.setPen(QPen(scene.theme.colour(ColourToken::Accent), 1));
        scene.painter.drawLine(QPointF(geometry.area.left(), y), QPointF(geometry.xOf(read), y));
        scene.painter.setPen(Qt::NoPen);
        scene.painter.setBrush(scene.theme.colour(ColourToken::Accent));
        scene.painter.drawEllipse(QPointF(geometry.xOf(read), y), 3.5, 3.5);
    }
}

void drawSentence(const Scene &scene, int index)
{
    const SentencePair &sentence = scene.text.sentences()[static_cast<std::size_t>(index)];
    for (int unit = 0; unit < sentence.unit_count; ++unit) {
        drawPiece(scene, {TextSide::Source, sentence.first_unit + unit}, unit < sentence.read_units);
    }
    for (int word = 0; word < sentence.word_count; ++word) {
        drawPiece(scene, {TextSide::Target, sentence.first_word + word}, true);
    }
    drawStaircase(scene, index);
}

}  // namespace

StaircaseGeometry staircaseGeometry(const SentencePair &sentence, const QRectF &band)
{
    return {band, stairsFor(sentence.unit_count + 1, sentence.word_count)};
}

void paintBilingual(QPainter &painter, const QRectF &visible, const BilingualText &text, const BilingualLayout &layout, const BilingualMarks &marks,
                    const Theme &theme, const QFont &font)
{
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(font);
    const Scene scene{painter, text, layout, marks, theme, QFontMetricsF(font)};
    for (int index = layout.firstSentenceBelow(visible.top()); index < layout.sentenceCount() && layout.sentenceRect(index).top() <= visible.bottom();
         ++index) {
        drawSentence(scene, index);
    }
    const QRectF open = layout.openWordRect();
    if (!open.isEmpty() && open.intersects(visible)) {
        drawWordText(painter, scene.metrics, text.openWord(), open, theme.colour(ColourToken::InkSoft));
        drawUnsettledDots(painter, scene.metrics, open, theme.colour(ColourToken::InkSoft));
    }
    const auto waiting = static_cast<int>(text.sentences().size()) - layout.sentenceCount();
    if (waiting > 0 && layout.contentHeight() <= visible.bottom()) {
        painter.setFont(Appearance::interfaceFont(13));
        painter.setPen(theme.colour(ColourToken::InkSoft));
        const QString more = QObject::tr("%n more sentence(s) wait", nullptr, waiting);
        painter.drawText(QPointF(layout.shape().columnLeft(TextSide::Source), layout.contentHeight() + layout.shape().line_height * 0.8), more);
    }
}

}  // namespace braid::ui
