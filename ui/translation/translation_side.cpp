#include "ui/translation/translation_side.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QVBoxLayout>

#include "ui/shared/label_text.h"
#include "ui/translation/bilingual_view.h"

namespace braid::ui {
namespace {

constexpr int kHeadHeight = 48;  // the same with controls and without
constexpr int kRoomForSpeed = 460;

QString number(std::int64_t value)
{
    return QLocale().toString(static_cast<qlonglong>(value));
}

double fedForEach(const translation::TranslationStatistics &s)
{
    return s.target_tokens > 0 ? static_cast<double>(s.cost.tokens_fed) / static_cast<double>(s.target_tokens) : 0;
}

}  // namespace

QString rateText(double per_second)
{
    return QLocale().toString(per_second, 'f', per_second < 1000 ? 1 : 0);
}

std::vector<FigureLine> costLines(const translation::TranslationStatistics &mine, const translation::TranslationStatistics &other)
{
    const bool both = mine.target_tokens > 0 && other.target_tokens > 0;
    const auto beats = [both](bool is_better) { return both && is_better; };
    const auto seconds = [](double ms) { return QObject::tr("%1 s").arg(ms / 1000, 0, 'f', 2); };
    return {
        {QObject::tr("Tokens a second"), rateText(mine.tokens_per_second), beats(mine.tokens_per_second > other.tokens_per_second)},
        {QObject::tr("Tokens written, fed through the model"), QObject::tr("%1, %2").arg(number(mine.target_tokens), number(mine.cost.tokens_fed)), false},
        {QObject::tr("Fed for each token written"), QString::number(fedForEach(mine), 'f', 2), beats(fedForEach(mine) < fedForEach(other))},
        {QObject::tr("Time inside the model"), QObject::tr("%1 s").arg(mine.compute_seconds, 0, 'f', 2), beats(mine.compute_seconds < other.compute_seconds)},
        {QObject::tr("Lag, mean"), QObject::tr("%1 units, %2").arg(mine.lag_units_mean, 0, 'f', 1).arg(seconds(mine.lag_ms_mean)),
         beats(mine.lag_ms_mean < other.lag_ms_mean)},
    };
}

QString speedText(const translation::TranslationStatistics &statistics)
{
    return statistics.target_tokens == 0
               ? QString()
               : QObject::tr("%1 tokens/s, fed %2 for %3")
                     .arg(rateText(statistics.tokens_per_second), number(statistics.cost.tokens_fed), number(statistics.target_tokens));
}

TranslationSide::TranslationSide(TranslationKit kit, const QString &name, Appearance &appearance, QWidget *parent)
    : QWidget(parent)
    , m_controller(std::make_unique<TranslationController>(std::move(kit)))
    , m_head(new QWidget(this))
    , m_head_row(new QHBoxLayout(m_head))
    , m_title(new QLabel(m_head))
    , m_speed(new QLabel(m_head))
    , m_view(new BilingualView(m_controller->text(), appearance, this))
    , m_line(new QFrame(this))
    , m_figures(new FigureTable(this))
{
    setObjectName(QStringLiteral("compareSide"));
    setAttribute(Qt::WA_StyledBackground);
    setAccessibleName(name);
    m_view->setAccessibleName(tr("Source and translation, %1").arg(name));
    m_head->setMinimumHeight(kHeadHeight);
    m_head_row->setContentsMargins(24, 8, 24, 4);
    m_head_row->setSpacing(12);
    m_title->setProperty("soft", true);
    m_title->setTextFormat(Qt::PlainText);
    m_speed->setProperty("soft", true);
    m_speed->setAccessibleName(tr("Speed"));
    m_speed->setToolTip(tr(
        "Tokens written a second inside the model; tokens that went through it for those written.\nMethods that re-encode feed the same tokens again and again."));
    m_title->setMinimumWidth(40);
    m_head_row->addWidget(m_title);
    m_head_row->addStretch(1);
    m_head_row->addWidget(m_speed);
    m_line->setObjectName(QStringLiteral("hairline"));
    m_line->setFixedHeight(1);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_head);
    column->addWidget(m_view, 1);
    column->addWidget(m_line);
    column->addWidget(m_figures);
    setFiguresShown(false);
    connect(m_controller.get(), &TranslationController::snapshotChanged, this, &TranslationSide::showState);
}

TranslationSide::~TranslationSide()
{
    // The view looks at the controller's text while it goes.
    delete m_view;
}

void TranslationSide::setTitle(const QString &title)
{
    setTextIfNew(m_title, title);
}

void TranslationSide::showState()
{
    setTextIfNew(m_speed, speedText(m_controller->snapshot().statistics));
}

QString TranslationSide::speed() const
{
    return m_speed->text();
}

void TranslationSide::showFigures(const std::vector<FigureLine> &lines)
{
    m_figures->show(lines);
}

void TranslationSide::setFiguresShown(bool shown)
{
    m_line->setVisible(shown);
    m_figures->setVisible(shown);
}

// What translates matters more than how fast; the status line and the figures have the speed as well.
void TranslationSide::resizeEvent(QResizeEvent *)
{
    m_speed->setVisible(width() >= kRoomForSpeed);
}

void TranslationSide::setHeadShown(bool shown)
{
    m_head->setVisible(shown);
}

}  // namespace braid::ui
