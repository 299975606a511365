#include "ui/streams/lane_preferences.h"

#include <algorithm>

#include <QActionGroup>
#include <QMenu>
#include <QPainter>

#include "ui/streams/answer_panel.h"
#include "ui/streams/lanes_painter.h"
#include "ui/streams/lanes_view.h"
#include "ui/streams/streams_run.h"
#include "ui/streams/typing_line.h"

namespace braid::ui {
namespace {

constexpr int kSwatchPx = 16;

QIcon swatch(const QColor &colour)
{
    QPixmap pixmap(kSwatchPx, kSwatchPx);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawRoundedRect(QRectF(2, 2, kSwatchPx - 4, kSwatchPx - 4), 3, 3);
    return pixmap;
}

}  // namespace

void LanePreferences::showMenu(int stream, const QPoint &global_position)
{
    auto *menu = new QMenu(&m_lanes);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const LaneArrangement arrangement = m_lanes.arrangement();
    const auto rearrange = [this](const std::function<void(LaneArrangement &)> &change) {
        LaneArrangement changed = m_lanes.arrangement();
        change(changed);
        m_lanes.setArrangement(changed);
        keepArrangement();
    };
    menu->addAction(arrangement.isOpen(stream) ? tr("Fold\tF") : tr("Open\tF"), this, [rearrange, stream] {
        rearrange([stream](LaneArrangement &a) { a.setFold(stream, a.isOpen(stream) ? LaneFold::Folded : LaneFold::Open); });
    });
    menu->addAction(tr("Move up\tCtrl+Up"), this,
                    [rearrange, stream] { rearrange([stream](LaneArrangement &a) { a.move(stream, std::max(0, a.placeOf(stream) - 1)); }); });
    menu->addAction(tr("Move down\tCtrl+Down"), this,
                    [rearrange, stream] { rearrange([stream](LaneArrangement &a) { a.move(stream, a.placeOf(stream) + 1); }); });
    menu->addSeparator();
    menu->addAction(tr("Rename\u2026\tF2"), this, [this, stream] { m_lanes.editName(stream); });
    QMenu *colours = menu->addMenu(tr("Colour"));
    auto *one_of_them = new QActionGroup(colours);
    for (const auto &[word, colour] : streams::kLaneColours) {
        QAction *choice = colours->addAction(swatch(laneColour(colour, m_appearance.theme())), colourTitle(colour), this,
                                             [this, stream, colour = colour] { changeLook(stream, [&](LaneLook &look) { look.colour = colour; }); });
        choice->setCheckable(true);
        choice->setChecked(colour == m_run.conversation().lanes().colourOf(stream));
        one_of_them->addAction(choice);
    }
    QAction *as_in_layout = menu->addAction(tr("As in the layout"), this, [this, stream] { changeLook(stream, [](LaneLook &look) { look = {}; }); });
    as_in_layout->setEnabled(!m_run.conversation().lanes().looks()[static_cast<std::size_t>(stream)].isAsInLayout());
    menu->addSeparator();
    menu->addAction(tr("Show in large type"), this, [this, stream] {
        m_answer.setStream(stream);
        Q_EMIT figuresChanged();
    });
    if (!m_run.conversation().lanes().isFed(stream)) {
        QAction *off = menu->addAction(tr("Switched off: it says nothing"), this, [this, stream](bool checked) {
            m_run.conversation().setVoice(stream, checked ? streams::Voice::SwitchedOff : streams::Voice::Heard);
            Q_EMIT voiceChanged();
        });
        off->setCheckable(true);
        off->setChecked(m_run.conversation().isSwitchedOff(stream));
        off->setEnabled(m_run.conversation().isGoing());
    } else {
        menu->addAction(tr("Type into it"), this, [this, stream] {
            m_typing.setStream(stream);
            Q_EMIT m_typing.streamChanged();
            m_typing.field().setFocus();
        });
    }
    menu->popup(global_position);
}

void LanePreferences::keepArrangement()
{
    const streams::Layout &layout = m_run.conversation().lanes().layout();
    const QStringList names = m_lanes.arrangement().names(layout);
    m_baseline_lanes.setArrangement(m_lanes.arrangement());
    m_settings.update([&](Settings &s) { s.streams.lanes[QString::fromStdString(layout.name)] = names; });
}

// What is typed into must be seen.
void LanePreferences::open(int stream)
{
    LaneArrangement arrangement = m_lanes.arrangement();
    if (stream >= 0 && stream < m_run.conversation().lanes().streams() && !arrangement.isOpen(stream)) {
        arrangement.setFold(stream, LaneFold::Open);
        m_lanes.setArrangement(arrangement);
        keepArrangement();
    }
}

// What is as in the layout anyway is not kept: it goes on with the layout.
void LanePreferences::changeLook(int stream, const std::function<void(LaneLook &)> &change)
{
    const LanesModel &lanes = m_run.conversation().lanes();
    if (stream < 0 || stream >= lanes.streams()) {
        return;
    }
    const streams::Stream &named = lanes.layout().streams[static_cast<std::size_t>(stream)];
    LaneLooks looks = lanes.looks();
    LaneLook &look = looks[static_cast<std::size_t>(stream)];
    change(look);
    look.name = look.name == layoutNameOf(named) ? QString() : look.name;
    look.colour = look.colour == named.colour ? std::nullopt : look.colour;
    const QString layout = QString::fromStdString(lanes.layout().name);
    const QStringList kept = looksText(lanes.layout(), looks);
    m_settings.update([&](Settings &s) {
        s.streams.looks.remove(layout);
        if (!kept.isEmpty()) {
            s.streams.looks[layout] = kept;
        }
    });
    announceText(&m_lanes, tr("%1, %2").arg(lanes.nameOf(stream), colourTitle(lanes.colourOf(stream))));
}

void LanePreferences::apply()
{
    const StreamsMemory &memory = m_settings.values().streams;
    const LaneArrangement arrangement =
        LaneArrangement::of(m_run.conversation().lanes().layout(), memory.lanes.value(QString::fromStdString(m_run.conversation().lanes().layout().name)));
    for (StreamsController *controller : {&m_run.conversation(), &m_run.baseline()}) {
        const streams::Layout &layout = controller->lanes().layout();
        controller->lanes().setLooks(laneLooks(layout, memory.looks.value(QString::fromStdString(layout.name))));
    }
    for (LanesView *view : {&m_lanes, &m_baseline_lanes}) {
        view->setTokenPx(memory.token_px);
        view->setArrangement(arrangement);
    }
    if (m_typing.mode() != memory.typing) {
        m_typing.setMode(memory.typing);
    }
    Q_EMIT applied();
}

}  // namespace braid::ui
