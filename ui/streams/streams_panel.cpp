#include "ui/streams/streams_panel.h"

#include <algorithm>
#include <cmath>

#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include "ui/shared/choice_box.h"

namespace braid::ui {
namespace {

constexpr int kAllStreams = -1;
constexpr int kTitleWidth = 88;
constexpr int kTempoWidth = 132;

}  // namespace

QString tempoText(double rows_per_second)
{
    return rows_per_second <= 0 ? QObject::tr("Full speed") : QObject::tr("%1 steps/s").arg(rows_per_second, 0, 'g', 3);
}

StreamsPanel::StreamsPanel(QWidget *parent)
    : QFrame(parent)
    , m_stream(new ChoiceBox(tr("Whose sampling"), tr("The streams that the next rows are about"), this))
    , m_temperature(new QDoubleSpinBox(this))
    , m_top_k(new QSpinBox(this))
    , m_top_p(new QDoubleSpinBox(this))
    , m_penalty(new QDoubleSpinBox(this))
    , m_reset(new QPushButton(tr("Reset"), this))
    , m_seed(new QSpinBox(this))
    , m_system(new QPlainTextEdit(this))
    , m_baseline(new ChoiceBox(tr("Baseline"), tr("The model of the single queue of messages"), this))
{
    setObjectName(QStringLiteral("tuningPanel"));
    setAttribute(Qt::WA_StyledBackground);
    setAccessibleName(tr("How it runs"));
    setFixedWidth(kTuningPanelWidth);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(16, 14, 16, 14);
    const auto section = [&](const QString &title) {
        auto *label = new QLabel(title, this);
        label->setObjectName(QStringLiteral("section"));
        column->addWidget(label);
        QGridLayout *grid = addSliderGrid(*column);
        grid->setVerticalSpacing(6);
        grid->setColumnMinimumWidth(0, kTitleWidth);
        return grid;
    };
    const auto add = [this](QGridLayout &grid, const QString &title, QWidget *wide, QWidget *beside) {
        const int at = grid.rowCount();
        auto *label = new QLabel(title, this);
        label->setBuddy(wide);
        grid.addWidget(label, at, 0);
        grid.addWidget(wide, at, 1, 1, beside != nullptr ? 1 : 2);
        if (beside != nullptr) {
            grid.addWidget(beside, at, 2);
        }
        wide->setAccessibleName(title);
    };
    QGridLayout *now = section(tr("From the next step on"));
    m_tempo = addSliderRow(*this, *now, {tr("Tempo"), tr(" steps/s"), 1, kMostTempo + 1, 1, 5});
    m_tempo.explanation->setText(tr("A small model is faster than people read. The right end is as fast as it goes."));
    m_tempo.number->setFixedWidth(kTempoWidth);
    m_reset->setToolTip(tr("As the layout says"));
    m_reset->setAccessibleName(tr("Sampling as the layout says"));
    add(*now, tr("Streams"), m_stream, m_reset);
    m_temperature->setRange(0, 2);
    m_temperature->setSingleStep(0.1);
    m_temperature->setDecimals(2);
    m_temperature->setSpecialValueText(tr("0 (the most probable)"));
    add(*now, tr("Temperature"), m_temperature, nullptr);
    m_top_k->setRange(0, 1000);
    m_top_k->setSpecialValueText(tr("0 (all)"));
    add(*now, tr("Top k"), m_top_k, nullptr);
    m_top_p->setRange(0.01, 1);
    m_top_p->setSingleStep(0.05);
    m_top_p->setDecimals(2);
    add(*now, tr("Top p"), m_top_p, nullptr);
    m_penalty->setRange(-20, 20);
    m_penalty->setSingleStep(0.5);
    m_penalty->setDecimals(1);
    m_penalty->setToolTip(tr("Taken from the logit of silence: above 0 the stream speaks more, below it speaks less"));
    m_penalty->setSuffix(tr(" on silence"));
    add(*now, tr("Penalty"), m_penalty, nullptr);
    column->addSpacing(8);
    QGridLayout *later = section(tr("From the next start on"));
    m_seed->setRange(0, 1'000'000);
    add(*later, tr("Seed"), m_seed, nullptr);
    m_system->setFixedHeight(64);
    m_system->setTabChangesFocus(true);
    add(*later, tr("System"), m_system, nullptr);
    add(*later, tr("Baseline"), m_baseline, nullptr);
    QLabel *baseline_text = addExplanation(*this, *later, later->rowCount());
    baseline_text->setText(tr("One queue of messages: the same words, answered one after the other."));
    m_explanations = {m_tempo.explanation, baseline_text};

    connect(m_tempo.number, &QSpinBox::valueChanged, this, [this](int value) {
        m_tempo.number->setSuffix(value > kMostTempo ? tr(", full") : tr(" steps/s"));
        if (!m_filling) {
            Q_EMIT tempoChanged(tempo());
        }
    });
    for (QDoubleSpinBox *box : {m_temperature, m_top_p, m_penalty}) {
        box->setKeyboardTracking(false);
        connect(box, &QDoubleSpinBox::valueChanged, this, &StreamsPanel::take);
    }
    m_top_k->setKeyboardTracking(false);
    connect(m_top_k, &QSpinBox::valueChanged, this, &StreamsPanel::take);
    connect(m_stream, &ChoiceBox::activated, this, &StreamsPanel::fill);
    connect(m_reset, &QPushButton::clicked, this, &StreamsPanel::resetTuning);
    connect(m_seed, &QSpinBox::valueChanged, this, [this] {
        if (!m_filling) {
            Q_EMIT nextStartChanged();
        }
    });
    connect(m_system, &QPlainTextEdit::textChanged, this, [this] {
        if (!m_filling) {
            Q_EMIT nextStartChanged();
        }
    });
    connect(m_baseline, &ChoiceBox::activated, this, &StreamsPanel::baselineChanged);
}

void StreamsPanel::fit()
{
    for (QLabel *explanation : m_explanations) {
        fitExplanation(*explanation);
    }
    adjustSize();
}

void StreamsPanel::setLayoutOfStreams(const streams::Layout &layout)
{
    m_layout = layout;
    m_tunings.clear();
    m_stream->clear();
    m_stream->addItem(tr("All who speak"), kAllStreams);
    for (std::size_t stream = 0; stream < layout.size(); ++stream) {
        const streams::Stream &named = layout.streams[stream];
        m_tunings.push_back({named.sampling, named.penalty});
        if (named.isSampled()) {
            m_stream->addItem(layoutNameOf(named), static_cast<int>(stream));
        }
    }
    m_penalty->setEnabled(layout.silence != streams::SilenceRule::Absent);
    const bool has_system =
        std::any_of(layout.streams.begin(), layout.streams.end(), [](const streams::Stream &stream) { return stream.role == streams::StreamRole::System; });
    m_system->setEnabled(has_system);
    m_system->setPlaceholderText(has_system ? tr("What the system stream says before everything else") : tr("This layout has no system stream"));
    fill();
}

void StreamsPanel::showNames(const LaneLooks &looks)
{
    for (int item = 0; item < m_stream->count(); ++item) {
        const int stream = m_stream->itemData(item).toInt();
        if (stream != kAllStreams && static_cast<std::size_t>(stream) < looks.size()) {
            const QString &own = looks[static_cast<std::size_t>(stream)].name;
            m_stream->setItemText(item, own.isEmpty() ? layoutNameOf(m_layout.streams[static_cast<std::size_t>(stream)]) : own);
        }
    }
}

void StreamsPanel::setTempo(double rows_per_second)
{
    m_filling = true;
    m_tempo.number->setValue(rows_per_second <= 0 ? kMostTempo + 1 : std::clamp(static_cast<int>(std::lround(rows_per_second)), 1, kMostTempo));
    m_filling = false;
}

void StreamsPanel::setSeed(std::uint64_t seed)
{
    m_filling = true;
    m_seed->setValue(static_cast<int>(std::min<std::uint64_t>(seed, static_cast<std::uint64_t>(m_seed->maximum()))));
    m_filling = false;
}

void StreamsPanel::setSystemText(const QString &text)
{
    m_filling = true;
    m_system->setPlainText(text);
    m_filling = false;
}

void StreamsPanel::setBaselines(const std::vector<StreamsModelEntry> &models, const QString &chosen)
{
    m_baseline->clear();
    for (const StreamsModelEntry &model : models) {
        if (model.streams == 0) {
            m_baseline->addItem(model.name, model.name);
            m_baseline->setItemData(m_baseline->count() - 1, model.problem.isEmpty() ? model.description : model.problem, Qt::ToolTipRole);
        }
    }
    if (m_baseline->count() == 0) {
        m_baseline->addItem(tr("No model found"), QString());
    }
    m_baseline->choose(chosen);
    m_baseline->setEnabled(m_baseline->count() > 1);
}

double StreamsPanel::tempo() const
{
    return m_tempo.number->value() > kMostTempo ? 0 : m_tempo.number->value();
}

std::uint64_t StreamsPanel::seed() const
{
    return static_cast<std::uint64_t>(m_seed->value());
}

std::string StreamsPanel::systemText() const
{
    return m_system->isEnabled() ? m_system->toPlainText().trimmed().toStdString() : std::string();
}

QString StreamsPanel::baseline() const
{
    return m_baseline->currentData().toString();
}

streams::Layout StreamsPanel::tuned(streams::Layout layout) const
{
    for (std::size_t stream = 0; stream < std::min(layout.size(), m_tunings.size()); ++stream) {
        layout.streams[stream].sampling = m_tunings[stream].sampling;
        layout.streams[stream].penalty = m_tunings[stream].penalty;
    }
    return layout;
}

std::vector<int> StreamsPanel::chosenStreams() const
{
    const int chosen = m_stream->currentData().toInt();
    return chosen == kAllStreams ? m_layout.sampled() : std::vector<int>{chosen};
}

void StreamsPanel::fill()
{
    const auto chosen = chosenStreams();
    if (chosen.empty()) {
        return;
    }
    m_filling = true;
    const StreamTuning &tuning = m_tunings[static_cast<std::size_t>(chosen.front())];
    m_temperature->setValue(tuning.sampling.temperature);
    m_top_k->setValue(tuning.sampling.top_k);
    m_top_p->setValue(tuning.sampling.top_p);
    m_penalty->setValue(tuning.penalty.logits);
    m_filling = false;
}

void StreamsPanel::take()
{
    if (m_filling) {
        return;
    }
    for (const int stream : chosenStreams()) {
        StreamTuning &tuning = m_tunings[static_cast<std::size_t>(stream)];
        const StreamTuning before = tuning;
        tuning.sampling = {m_temperature->value(), m_top_k->value(), m_top_p->value()};
        tuning.penalty.logits = m_penalty->value();
        if (!(tuning == before)) {
            Q_EMIT sampledOtherwise(stream);
        }
    }
}

void StreamsPanel::resetTuning()
{
    for (const int stream : chosenStreams()) {
        const streams::Stream &named = m_layout.streams[static_cast<std::size_t>(stream)];
        StreamTuning &tuning = m_tunings[static_cast<std::size_t>(stream)];
        if (!(tuning == StreamTuning{named.sampling, named.penalty})) {
            tuning = {named.sampling, named.penalty};
            Q_EMIT sampledOtherwise(stream);
        }
    }
    fill();
}

}  // namespace braid::ui
