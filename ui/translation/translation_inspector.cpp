#include "ui/translation/translation_inspector.h"

#include <cmath>

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QSlider>
#include <QVBoxLayout>

#include "ui/inspector/token_bars.h"
#include "ui/shared/choice_box.h"
#include "ui/shared/label_text.h"
#include "ui/translation/alignment_map.h"
#include "ui/translation/lag_chart.h"
#include "ui/translation/translation_side.h"

namespace braid::ui {
namespace {

constexpr int kGammaSteps = 40;

double gammaOf(int step)
{
    // From 0.2 to 2, even in what the eye sees.
    return 0.2 * std::pow(10.0, static_cast<double>(step) / kGammaSteps);
}

int stepOf(double gamma)
{
    return static_cast<int>(std::lround(std::log10(gamma / 0.2) * kGammaSteps));
}

QString wordFacts(const translation::WordWritten &word)
{
    QString text = QObject::tr("Written after %n unit(s) had been read.", nullptr, static_cast<int>(word.word.read_units));
    text += QLatin1Char('\n') + lagText(word) + QLatin1Char('.');
    if (word.word.was_cut) {
        text += QObject::tr("\nIt grew too long and was cut.");
    }
    return text;
}

QString costFacts(const translation::TranslationStatistics &s)
{
    if (s.target_tokens == 0) {
        return QObject::tr("Nothing written yet.");
    }
    const QLocale locale;
    return QObject::tr(
               "%1 tokens a second\n%2 tokens written, %3 fed through the model (%4 for each)\n%5 passes, %6 s inside the model\ncache now: %7 entries, %8")
        .arg(rateText(s.tokens_per_second), locale.toString(static_cast<qlonglong>(s.target_tokens)),
             locale.toString(static_cast<qlonglong>(s.cost.tokens_fed)))
        .arg(static_cast<double>(s.cost.tokens_fed) / static_cast<double>(s.target_tokens), 0, 'f', 1)
        .arg(locale.toString(static_cast<qlonglong>(s.cost.passes)))
        .arg(s.compute_seconds, 0, 'f', 2)
        .arg(locale.toString(static_cast<qlonglong>(s.cost.cache_entries)), locale.formattedDataSize(static_cast<qint64>(s.cost.cache_bytes)));
}

}  // namespace

TranslationInspector::TranslationInspector(TranslationController &controller, Appearance &appearance, QWidget *parent)
    : InspectorFrame(parent)
    , m_controller(controller)
    , m_alignment(new AlignmentMap(appearance, this))
    , m_scale(new ChoiceBox(tr("Scale"), tr("What the darkest cell of the picture is"), this))
    , m_sink(new QCheckBox(tr("Leave out the first unit"), this))
    , m_gamma(new QSlider(Qt::Horizontal, this))
    , m_tokens(new TokenBars(appearance, this))
    , m_lag_chart(new LagChart(controller.text(), appearance, this))
{
    QVBoxLayout *attention = addPage(tr("Attention"));
    attention->addWidget(m_alignment);
    addSection(*attention, tr("How it is drawn"));
    m_scale->addItem(tr("Each word by itself"), static_cast<int>(translation::AttentionScale::PerRow));
    m_scale->addItem(tr("Each source unit by itself"), static_cast<int>(translation::AttentionScale::PerColumn));
    m_scale->addItem(tr("As it is"), static_cast<int>(translation::AttentionScale::AsIs));
    m_sink->setToolTip(tr("The first unit often draws attention for no reason of its own"));
    m_sink->setChecked(true);
    m_gamma->setAccessibleName(tr("How strongly small weights show"));
    m_gamma->setToolTip(tr("Left brings small weights out"));
    m_gamma->setRange(0, kGammaSteps);
    m_gamma->setValue(stepOf(0.6));
    attention->addWidget(m_scale);
    auto *row = new QHBoxLayout;
    row->setSpacing(12);
    row->addWidget(m_sink);
    row->addWidget(m_gamma, 1);
    attention->addLayout(row);
    QLabel *caution = addText(*attention);
    caution->setText(tr("The orange line is what had been read. Attention shows where the model looked, not why it chose a word."));
    caution->setProperty("soft", true);
    attention->addStretch(1);

    QVBoxLayout *word = addPage(tr("Word"));
    word->addWidget(m_tokens);
    addSection(*word, tr("When"));
    m_word_facts = addText(*word);
    word->addStretch(1);

    QVBoxLayout *timing = addPage(tr("Timing"));
    timing->addWidget(m_lag_chart);
    m_lag_facts = addText(*timing);
    addSection(*timing, tr("What it costs"));
    m_cost = addText(*timing);
    timing->addStretch(1);

    connect(this, &InspectorFrame::pageChanged, this, &TranslationInspector::showTab);
    connect(m_scale, &ChoiceBox::activated, this, &TranslationInspector::takeView);
    connect(m_sink, &QCheckBox::toggled, this, &TranslationInspector::takeView);
    connect(m_gamma, &QSlider::valueChanged, this, &TranslationInspector::takeView);
    connect(m_alignment, &AlignmentMap::wordPointedAt, this, &TranslationInspector::wordPointedAt);
    connect(m_alignment, &AlignmentMap::wordClicked, this, &TranslationInspector::wordClicked);
    connect(m_lag_chart, &LagChart::wordPointedAt, this, &TranslationInspector::wordPointedAt);
    takeView();
    show({}, {});
}

void TranslationInspector::takeView()
{
    translation::AttentionView view;
    view.scale = static_cast<translation::AttentionScale>(m_scale->currentData().toInt());
    view.gamma = gammaOf(m_gamma->value());
    view.sink = m_sink->isChecked() ? translation::AttentionSink::Removed : translation::AttentionSink::Kept;
    m_alignment->setView(view);
}

void TranslationInspector::show(std::optional<PieceRef> ref, const QString &why)
{
    const BilingualText &text = m_controller.text();
    m_ref = ref && text.contains(*ref) ? ref : std::nullopt;
    if (!m_ref && text.wordCount() > 0) {
        m_ref = PieceRef{TextSide::Target, text.wordCount() - 1};
    }
    if (!m_ref) {
        setHeading(tr("Inspector"), {}, tr("Point at a word to see what the model looked at when it wrote it; click to keep it."));
    } else if (m_ref->side == TextSide::Target) {
        const translation::WordWritten &word = text.word(m_ref->index);
        setHeading(ref ? why : tr("Newest word"), text.textOf(*m_ref),
                   tr("probability %1, %2 s behind").arg(static_cast<double>(word.word.probability), 0, 'f', 2).arg(word.lag_ms / 1000, 0, 'f', 2));
    } else {
        setHeading(why, text.textOf(*m_ref), text.isRead(m_ref->index) ? tr("read by the model") : tr("waits to be read"));
    }
    showTab();
}

void TranslationInspector::showState()
{
    if (tab() == TranslationTab::Timing) {
        showTab();
    }
}

void TranslationInspector::showTab()
{
    const BilingualText &text = m_controller.text();
    const bool is_word = m_ref && m_ref->side == TextSide::Target;
    switch (tab()) {
    case TranslationTab::Attention:
        m_alignment->show(text, m_ref);
        break;
    case TranslationTab::Word: {
        text::Word shown;
        if (is_word) {
            shown.tokens = text.word(m_ref->index).word.tokens;
        }
        m_tokens->show(&shown);
        setTextIfNew(m_word_facts, is_word ? wordFacts(text.word(m_ref->index)) : m_ref ? tr("A unit of the source: it was given, not chosen.") : QString());
        break;
    }
    case TranslationTab::Timing: {
        const translation::TranslationStatistics &statistics = m_controller.snapshot().statistics;
        m_lag_chart->mark(is_word ? m_ref->index : -1);
        setTextIfNew(m_lag_facts, statistics.target_words == 0
                                      ? QString()
                                      : tr("mean %1 s and %2 units behind, over %n word(s)", nullptr, static_cast<int>(statistics.target_words))
                                            .arg(statistics.lag_ms_mean / 1000, 0, 'f', 2)
                                            .arg(statistics.lag_units_mean, 0, 'f', 1));
        setTextIfNew(m_cost, costFacts(statistics));
        break;
    }
    }
}

QString TranslationInspector::costText() const
{
    return m_cost->text();
}

}  // namespace braid::ui
