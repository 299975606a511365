#include "ui/streams/streams_inspector.h"

#include <algorithm>

#include <QHBoxLayout>
#include <QLabel>
#include <QSpinBox>
#include <QVBoxLayout>

#include "ui/inspector/token_bars.h"
#include "ui/shared/choice_box.h"
#include "ui/state/word_facts.h"
#include "ui/streams/lanes_painter.h"
#include "ui/streams/share_bars.h"

namespace braid::ui {
namespace {

constexpr std::size_t kCellsListed = 6;
constexpr int kMostLayers = 200;

QString sourceText(const streams::Cell &cell)
{
    switch (cell.source) {
    case streams::CellSource::Nobody:
        return QObject::tr("nobody had to say anything");
    case streams::CellSource::Given:
        return QObject::tr("given: the layout's warm start");
    case streams::CellSource::Fed:
        return QObject::tr("fed: somebody's word");
    case streams::CellSource::Silenced:
        return QObject::tr("not asked: the stream has ended or is switched off");
    case streams::CellSource::Sampled:
        break;
    }
    return QObject::tr("probability %1, entropy %2 nats").arg(cell.probability, 0, 'f', 3).arg(cell.entropy, 0, 'f', 2);
}

}  // namespace

std::vector<double> sharesOf(const streams::LookAnswer &look, int streams)
{
    std::vector<double> shares(static_cast<std::size_t>(std::max(0, streams)));
    double sum = 0;
    for (const streams::Attended &attended : look.cells) {
        if (attended.stream >= 0 && attended.stream < streams) {
            shares[static_cast<std::size_t>(attended.stream)] += static_cast<double>(attended.weight);
            sum += static_cast<double>(attended.weight);
        }
    }
    for (double &share : shares) {
        share = sum > 0 ? share / sum : 0;
    }
    return shares;
}

StreamsInspector::StreamsInspector(StreamsController &controller, Appearance &appearance, QWidget *parent)
    : InspectorFrame(parent)
    , m_controller(controller)
    , m_appearance(appearance)
    , m_tokens(new TokenBars(appearance, this))
    , m_summary(new ChoiceBox(tr("Heads together"), tr("How layers and heads are put together"), this))
    , m_layer(new QSpinBox(this))
    , m_head(new QSpinBox(this))
    , m_shares(new ShareBars(appearance, this))
    , m_parallel(new FigureTable(this))
    , m_baseline_title(new QLabel(tr("One queue of messages"), this))
    , m_baseline(new FigureTable(this))
{
    QVBoxLayout *word = addPage(tr("Word"));
    word->addWidget(m_tokens);
    addSection(*word, tr("What it attended to"));
    auto *row = new QHBoxLayout;
    row->setSpacing(6);
    m_summary->addItem(tr("Mean"), static_cast<int>(streams::LookSummary::Mean));
    m_summary->addItem(tr("Greatest"), static_cast<int>(streams::LookSummary::Greatest));
    for (const auto &[box, all, name] : {std::tuple{m_layer, tr("All layers"), tr("Layer")}, std::tuple{m_head, tr("All heads"), tr("Head")}}) {
        box->setRange(0, kMostLayers);
        box->setSpecialValueText(all);
        box->setPrefix(name + QLatin1Char(' '));
        box->setAccessibleName(name);
        box->setKeyboardTracking(false);
        box->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
        connect(box, &QSpinBox::valueChanged, this, &StreamsInspector::lookChanged);
        row->addWidget(box, 1);
    }
    word->addLayout(row);
    word->addWidget(m_summary, 0, Qt::AlignLeft);
    connect(m_summary, &ChoiceBox::activated, this, &StreamsInspector::lookChanged);
    m_shares->setAccessibleName(tr("Attention by stream"));
    word->addWidget(m_shares);
    m_cells = addText(*word);
    m_cells->setFont(Appearance::tokenFont(12));
    word->addStretch(1);
    QVBoxLayout *run = addPage(tr("Run"));
    addSection(*run, tr("Parallel streams"));
    run->addWidget(m_parallel);
    m_baseline_title->setObjectName(QStringLiteral("section"));
    run->addWidget(m_baseline_title);
    run->addWidget(m_baseline);
    run->addStretch(1);
    for (FigureTable *table : {m_parallel, m_baseline}) {
        table->layout()->setContentsMargins(0, 0, 0, 0);
    }
    showFigures({}, {});
    show({}, {});
}

void StreamsInspector::showFigures(const std::vector<FigureLine> &parallel, const std::vector<FigureLine> &baseline)
{
    m_parallel->show(parallel);
    m_baseline->show(baseline);
    m_baseline_title->setVisible(!baseline.empty());
    m_baseline->setVisible(!baseline.empty());
}

void StreamsInspector::show(std::optional<CellRef> ref, const QString &why)
{
    const LanesModel &lanes = m_controller.lanes();
    if (ref && !lanes.contains(*ref)) {
        ref.reset();
    }
    const bool is_same = ref == m_ref;
    m_ref = ref;
    if (!ref) {
        setHeading(tr("Nothing chosen"), {}, tr("Point at a word in a lane to see what the model had in mind."));
        m_tokens->hide();
        clearLook({});
        return;
    }
    const streams::Cell &cell = lanes.cell(*ref);
    const QString place = tr("%1, step %2, %3").arg(lanes.nameOf(ref->stream)).arg(ref->row + 1).arg(stepClockText(lanes.timeOf(ref->row)));
    const QString facts = cell.isSilent() && cell.source == streams::CellSource::Sampled ? tr("silent; %1").arg(sourceText(cell)) : sourceText(cell);
    setHeading(why, cell.isSilent() ? QStringLiteral("\u00b7") : cellText(cell), tr("%1\n%2").arg(place, facts));
    text::Word word;
    if (cell.source == streams::CellSource::Sampled) {
        text::Token token{cell.token, m_controller.tokenName(cell.token).toStdString(), static_cast<float>(cell.probability), {}};
        if (!cell.isSilent()) {
            token.text = cell.text;
        }
        for (const streams::Rival &rival : cell.rivals) {
            token.rivals.push_back({rival.token, m_controller.tokenName(rival.token).toStdString(), static_cast<float>(rival.probability)});
        }
        word.tokens.push_back(std::move(token));
    }
    m_tokens->show(&word);
    m_tokens->setVisible(!word.tokens.empty());
    if (!is_same) {
        clearLook({});
    }
    showLook();
}

void StreamsInspector::clearLook(const QString &sentence)
{
    m_shares->show({});
    m_cells->setText(sentence);
}

void StreamsInspector::showLook()
{
    const auto &look = m_controller.snapshot().status.look;
    if (!m_ref || !look || !(look->wish == wishFor(*m_ref))) {
        return;
    }
    if (!look->problem.empty()) {
        clearLook(QString::fromStdString(look->problem));
        return;
    }
    const LanesModel &lanes = m_controller.lanes();
    const std::vector<double> shares = sharesOf(*look, lanes.streams());
    std::vector<ShareBar> bars;
    for (int stream = 0; stream < lanes.streams(); ++stream) {
        bars.push_back({lanes.nameOf(stream), laneColour(lanes.colourOf(stream), m_appearance.theme()), shares[static_cast<std::size_t>(stream)]});
    }
    std::stable_sort(bars.begin(), bars.end(), [](const ShareBar &a, const ShareBar &b) { return a.share > b.share; });
    std::erase_if(bars, [](const ShareBar &bar) { return bar.share < 0.005; });
    m_shares->show(std::move(bars));
    std::vector<streams::Attended> cells = look->cells;
    const std::size_t listed = std::min(kCellsListed, cells.size());
    std::partial_sort(cells.begin(), cells.begin() + static_cast<std::ptrdiff_t>(listed), cells.end(),
                      [](const auto &a, const auto &b) { return a.weight > b.weight; });
    QStringList lines;
    for (std::size_t index = 0; index < listed; ++index) {
        const streams::Attended &cell = cells[index];
        const QString place = cell.row < 0 ? tr("before step 1") : tr("step %1").arg(cell.row + 1);
        const QString name = cell.stream >= 0 && cell.stream < lanes.streams() ? lanes.nameOf(cell.stream) : QString();
        lines << tr("%1  %2, %3, %4").arg(static_cast<double>(cell.weight), 0, 'f', 2).arg(tokenText(cell.text), name, place);
    }
    m_cells->setText(lines.join(QLatin1Char('\n')));
}

streams::Look StreamsInspector::wishFor(CellRef ref) const
{
    streams::Look wish;
    wish.row = ref.row;
    wish.stream = ref.stream;
    wish.options.layer = m_layer->value() > 0 ? std::optional(m_layer->value() - 1) : std::nullopt;
    wish.options.head = m_head->value() > 0 ? std::optional(m_head->value() - 1) : std::nullopt;
    wish.options.summary = static_cast<streams::LookSummary>(m_summary->currentData().toInt());
    return wish;
}

QString StreamsInspector::lookText() const
{
    return m_cells->text();
}

}  // namespace braid::ui
