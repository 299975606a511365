#include "ui/compare/compare_side.h"

#include <cmath>

#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/captions/transcript_view.h"
#include "ui/captions/tuning_controls.h"
#include "ui/shared/choice_box.h"

namespace braid::ui {

namespace {

// What a difference has to exceed to be more than chance: two standard errors of a mean or of a count, a tenth of what the machine's load moves.
constexpr double kStandardErrors = 2;
constexpr double kOfTheMachine = 0.1;

}  // namespace

std::vector<FigureLine> figureLines(const SideFigures &mine, const SideFigures &other)
{
    const bool both = mine.words > 0 && other.words > 0;
    const auto less_by = [both](double a, double b, double chance) { return both && b - a > chance && b - a >= 0.01; };
    const auto mean_is_less = [&less_by](double a, double a_error, double b, double b_error) {
        return less_by(a, b, kStandardErrors * std::hypot(a_error, b_error));
    };
    const auto less = [&less_by](double a, double b) { return less_by(a, b, kOfTheMachine * b); };
    const auto mine_revised = static_cast<double>(mine.revisions);
    const auto other_revised = static_cast<double>(other.revisions);
    const auto seconds = [](double s) { return QObject::tr("%1 s").arg(s, 0, 'f', 2); };
    return {
        {QObject::tr("Words, of them different"), QObject::tr("%1, %2").arg(mine.words).arg(mine.differing_words), false},
        {QObject::tr("Revisions on the way"), QString::number(mine.revisions),
         less_by(mine_revised, other_revised, kStandardErrors * std::sqrt(mine_revised + other_revised))},
        {QObject::tr("First word seen after"), seconds(mine.first_word_s), false},  // a single word proves nothing
        {QObject::tr("Words seen after, mean"), seconds(mine.seen_s), mean_is_less(mine.seen_s, mine.seen_error_s, other.seen_s, other.seen_error_s)},
        {QObject::tr("Words settled after, mean"), seconds(mine.settled_s),
         mean_is_less(mine.settled_s, mine.settled_error_s, other.settled_s, other.settled_error_s)},
        {QObject::tr("Step, median and 95 %"), QObject::tr("%1, %2 ms").arg(mine.step_ms_median, 0, 'f', 0).arg(mine.step_ms_p95, 0, 'f', 0),
         less(mine.step_ms_median, other.step_ms_median)},
        {QObject::tr("Real-time factor"), QString::number(mine.real_time_factor, 'f', 2), less(mine.real_time_factor, other.real_time_factor)},
    };
}

CompareSidePanel::CompareSidePanel(EngineKit kit, Services &services, Appearance &appearance, const QString &name, QWidget *parent)
    : QWidget(parent)
    , m_kit(std::move(kit))
    , m_controller(std::make_unique<CaptionController>(m_kit, *services.player))
    , m_tuning(new TuningControls(services.policies, this))
    , m_transcript(new TranscriptView(m_controller->transcript(), appearance, this))
    , m_state(new QLabel(this))
    , m_figures(new FigureTable(this))
{
    setObjectName(QStringLiteral("compareSide"));
    setAttribute(Qt::WA_StyledBackground);
    setAccessibleName(name);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto *row = new QHBoxLayout;
    row->setContentsMargins(12, 10, 12, 10);
    row->setSpacing(8);
    row->addWidget(&m_tuning->policyBox());
    row->addWidget(&m_tuning->decodingButton());
    row->addStretch(1);
    m_state->setProperty("soft", true);
    row->addWidget(m_state);
    column->addLayout(row);
    m_tuning->policyBox().setAccessibleName(tr("Method, %1").arg(name));
    m_transcript->setAccessibleName(tr("Captions, %1").arg(name));
    m_transcript->setTimesInMargin(TimesInMargin::Hidden);
    column->addWidget(m_transcript, 1);
    auto *line = new QFrame(this);
    line->setObjectName(QStringLiteral("hairline"));
    line->setFixedHeight(1);
    column->addWidget(line);
    column->addWidget(m_figures);
    connect(m_tuning, &TuningControls::changed, this, [this] {
        m_controller->retune(m_tuning->tuning());
        Q_EMIT tuned();
    });
    connect(m_transcript, &TranscriptView::hoveredChanged, this, [this] { Q_EMIT wordHovered(m_transcript->hoveredWord()); });
    connect(m_controller.get(), &CaptionController::frame, m_transcript, &TranscriptView::advanceFades);
}

CompareSidePanel::~CompareSidePanel()
{
    // The view looks at the controller's transcript while it goes.
    delete m_transcript;
}

void CompareSidePanel::showFigures(const std::vector<FigureLine> &lines)
{
    m_figures->show(lines);
}

void CompareSidePanel::showState(const QString &text) const
{
    if (m_state->text() != text) {
        m_state->setText(text);
    }
}

QString CompareSidePanel::stateText() const
{
    return m_state->text();
}

}  // namespace braid::ui
