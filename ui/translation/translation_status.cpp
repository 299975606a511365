#include "ui/translation/translation_status.h"

#include <QHBoxLayout>
#include <QLabel>

#include "ui/translation/translation_side.h"
#include "ui/widgets/label_text.h"
#include "ui/widgets/run_dot.h"

namespace braid::ui {

TranslationStatusText statusText(const engine::TranslationSnapshot &snapshot)
{
    TranslationStatusText text;
    const sessions::TranslationStatistics &s = snapshot.statistics;
    switch (snapshot.state) {
    case engine::RunState::Idle: text.state = QObject::tr("ready"); break;
    case engine::RunState::Loading:
        text.state = snapshot.activity.empty() ? QObject::tr("loading, %1 %").arg(snapshot.loading_fraction * 100, 0, 'f', 0) : QString::fromStdString(snapshot.activity);
        break;
    case engine::RunState::Listening: text.state = snapshot.activity.empty() ? QObject::tr("translating") : QString::fromStdString(snapshot.activity); break;
    case engine::RunState::Draining: text.state = QObject::tr("finishing"); break;
    case engine::RunState::Finished: text.state = QObject::tr("finished"); break;
    case engine::RunState::Failed: text.state = QObject::tr("stopped by an error"); break;
    }
    text.amount = QObject::tr("read %1, written %2 words").arg(s.source_units).arg(s.target_words);
    text.lag = s.target_words == 0 ? QObject::tr("lag \u2013") : QObject::tr("lag %1 s, mean %2 units").arg(s.lag_ms_newest / 1000, 0, 'f', 2).arg(s.lag_units_mean, 0, 'f', 1);
    text.speed = QObject::tr("%1 tokens/s").arg(rateText(s.tokens_per_second));
    return text;
}

TranslationStatus::TranslationStatus(Appearance &appearance, QWidget *parent)
    : QWidget(parent), m_appearance(appearance), m_dot(new QLabel(this)), m_state(new QLabel(this)), m_amount(new QLabel(this)), m_lag(new QLabel(this)), m_speed(new QLabel(this)),
      m_compute(new QLabel(this))
{
    setObjectName(QStringLiteral("status"));
    setAttribute(Qt::WA_StyledBackground);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(16, 6, 16, 6);
    layout->setSpacing(20);
    auto *state_row = new QHBoxLayout;
    state_row->setSpacing(8);
    m_dot->setAccessibleName(tr("Whether it translates"));
    state_row->addWidget(m_dot);
    state_row->addWidget(m_state);
    layout->addLayout(state_row);
    for (QLabel *label : {m_amount, m_lag, m_speed}) {
        layout->addWidget(label);
    }
    layout->addStretch(1);
    layout->addWidget(m_compute);
    const QFontMetrics metrics(Appearance::interfaceFont(13));
    m_state->setMinimumWidth(metrics.horizontalAdvance(tr("waiting for more source")) + 4);
    m_amount->setMinimumWidth(metrics.horizontalAdvance(tr("read %1, written %2 words").arg(QStringLiteral("00000"), QStringLiteral("00000"))));
    m_lag->setMinimumWidth(metrics.horizontalAdvance(tr("lag %1 s, mean %2 units").arg(QStringLiteral("00.00"), QStringLiteral("00.0"))));
    m_speed->setMinimumWidth(metrics.horizontalAdvance(tr("%1 tokens/s").arg(QStringLiteral("0000.0"))));
    m_state->setObjectName(QStringLiteral("stateWord"));
    m_state->setAccessibleName(tr("State"));
    m_amount->setAccessibleName(tr("Words read and written"));
    m_lag->setAccessibleName(tr("Lag"));
    m_lag->setToolTip(tr("How far the newest word was behind the source unit of the same number, and how many units ahead had been read on average."));
    m_speed->setAccessibleName(tr("Speed"));
    m_speed->setToolTip(tr("Tokens written for a second inside the model"));
    m_compute->setAccessibleName(tr("Where it runs"));
    m_compute->setProperty("soft", true);
    show({});
}

void TranslationStatus::show(const engine::TranslationSnapshot &snapshot)
{
    const TranslationStatusText text = statusText(snapshot);
    showRunDot(*m_dot, snapshot.state, m_appearance);
    setTextIfNew(m_state, text.state);
    setTextIfNew(m_amount, text.amount);
    setTextIfNew(m_lag, text.lag);
    setTextIfNew(m_speed, text.speed);
    reviseRoom();
}

void TranslationStatus::setCompute(const QString &where, const QString &warning)
{
    m_compute->setText(warning.isEmpty() ? where : QStringLiteral("\u26a0 ") + where);
    m_compute->setToolTip(warning.isEmpty() ? where : warning);
    reviseRoom();
}

QString TranslationStatus::stateText() const
{
    return m_state->text();
}

QString TranslationStatus::lagText() const
{
    return m_lag->text();
}

void TranslationStatus::resizeEvent(QResizeEvent *)
{
    reviseRoom();
}

// Gives way from the right: where it runs, the speed, the amount; state and lag always stay.
void TranslationStatus::reviseRoom()
{
    constexpr int kSpacing = 20;
    int room = width() - 32 - std::max(m_state->sizeHint().width(), m_state->minimumWidth()) - 24 - m_lag->minimumWidth() - kSpacing;
    for (QLabel *label : {m_amount, m_speed}) {
        room -= label->minimumWidth() + kSpacing;
        label->setVisible(room >= 0);
    }
    m_compute->setVisible(room >= m_compute->sizeHint().width() + kSpacing);
}

}  // namespace braid::ui
