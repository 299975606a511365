#include "ui/overlay/overlay_dialog.h"

#include <QCheckBox>
#include <QColorDialog>
#include <QFontComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QSpinBox>
#include <QVBoxLayout>

#include "ui/overlay/overlay_window.h"
#include "ui/shared/choice_box.h"
#include "ui/shared/file_dialogs.h"

namespace braid::ui {
namespace {

QLabel *sectionLabel(const QString &title)
{
    auto *label = new QLabel(title);
    label->setObjectName(QStringLiteral("section"));
    return label;
}

QIcon swatch(const QColor &colour)
{
    QPixmap picture(16, 16);
    picture.fill(colour);
    return {picture};
}

}  // namespace

OverlayDialog::OverlayDialog(SettingsStore &settings, QWidget *parent)
    : QDialog(parent)
    , m_settings(settings)
{
    setWindowTitle(tr("Overlay"));
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    auto *content = new QWidget(this);
    auto *form = new QFormLayout(content);
    form->setContentsMargins(20, 16, 20, 16);
    form->setHorizontalSpacing(20);
    addPlace(*form);
    addLetters(*form);
    addStreaming(*form);
    auto *scroll = new QScrollArea(this);
    scroll->setWidget(content);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setAccessibleName(tr("Overlay"));
    column->addWidget(scroll);
    const QSize room = parent->screen() != nullptr ? parent->screen()->availableSize() : QSize(640, 400);
    resize(std::min(content->sizeHint().width() + 24, room.width()), std::min(content->sizeHint().height() + 8, room.height() - 60));
    connect(&settings, &SettingsStore::changed, this, &OverlayDialog::fill);
    fill();
}

QString OverlayDialog::screenName() const
{
    const QString kept = m_settings.values().overlay.screen;
    return !kept.isEmpty() ? kept : parentWidget()->screen() != nullptr ? screenKey(*parentWidget()->screen()) : QString();
}

void OverlayDialog::addPlace(QFormLayout &form)
{
    auto *shown = new QPushButton(tr("Show or hide the overlay (O)"), this);
    connect(shown, &QPushButton::clicked, this, &OverlayDialog::overlayRequested);
    form.addRow(sectionLabel(tr("Over other windows")));
    form.addRow(QString(), shown);
    if (OverlayWindow::canChoosePlace()) {
        addChoice(
            form, tr("Place"),
            {{tr("At the top"), static_cast<int>(OverlayDock::Top)},
             {tr("At the bottom"), static_cast<int>(OverlayDock::Bottom)},
             {tr("Where I put it"), static_cast<int>(OverlayDock::Free)}},
            [this](const Options &options) { return static_cast<int>(options.places.value(screenName()).dock); },
            [this](Options &options, int dock) { options.places[screenName()].dock = static_cast<OverlayDock>(dock); });
    } else {
        auto *honest =
            new QLabel(tr("Under Wayland the desktop decides where a window stands and whether it stays on top: drag the strip where you want it, and ask the "
                          "desktop (Alt+Space) to keep it above."),
                       this);
        honest->setWordWrap(true);
        form.addRow(honest);
    }
    auto *clicks = new QCheckBox(tr("Clicks go to what lies behind it"), this);
    clicks->setAccessibleName(clicks->text());
    clicks->setToolTip(tr("It can then be moved and closed from this dialog and the menu alone"));
    connect(clicks, &QCheckBox::toggled, this,
            [this](bool checked) { change([checked](Options &options) { options.clicks = checked ? OverlayClicks::PassThrough : OverlayClicks::Taken; }); });
    m_fillers.push_back([clicks](const Options &options) { clicks->setChecked(options.clicks == OverlayClicks::PassThrough); });
    form.addRow(QString(), clicks);
    addChoice(
        form, tr("Shows"),
        {{tr("What is said"), static_cast<int>(OverlayShows::Original)},
         {tr("Its translation"), static_cast<int>(OverlayShows::Translation)},
         {tr("Both, the translation below"), static_cast<int>(OverlayShows::Both)}},
        [](const Options &options) { return static_cast<int>(options.shows); },
        [](Options &options, int shows) { options.shows = static_cast<OverlayShows>(shows); });
    addNumber(
        form, tr("Lines of each"), {}, 1, kMostOverlayLines, [](const Options &options) { return options.lines; },
        [](Options &options, int lines) { options.lines = lines; });
}

void OverlayDialog::addLetters(QFormLayout &form)
{
    form.addRow(sectionLabel(tr("Letters")));
    auto *font = new QFontComboBox(this);
    font->setEditable(false);
    font->setAccessibleName(tr("Font"));
    font->setMaximumWidth(240);
    connect(font, &QFontComboBox::currentFontChanged, this, [this](const QFont &chosen) {
        if (!m_filling) {
            change([&chosen](Options &options) { options.family = chosen.family(); });
        }
    });
    m_fillers.push_back([font](const Options &options) {
        if (!options.family.isEmpty()) {
            font->setCurrentFont(QFont(options.family));
        }
    });
    form.addRow(tr("Font"), font);
    addNumber(
        form, tr("Size"), tr(" px"), kSmallestOverlayPx, kLargestOverlayPx, [](const Options &options) { return options.letter_px; },
        [](Options &options, int pixels) { options.letter_px = pixels; });
    addColour(form, tr("Colour"), &Options::ink);
    addNumber(
        form, tr("Outline"), tr(" px"), 0, kMostOutlinePx, [](const Options &options) { return options.outline_px; },
        [](Options &options, int pixels) { options.outline_px = pixels; });
    addColour(form, tr("Colour of the outline"), &Options::outline);
    addColour(form, tr("Behind the letters"), &Options::back);
    addNumber(
        form, tr("How opaque that is"), tr(" %"), 0, 100, [](const Options &options) { return options.back_percent; },
        [](Options &options, int percent) { options.back_percent = percent; });
}

void OverlayDialog::addStreaming(QFormLayout &form)
{
    form.addRow(sectionLabel(tr("For streaming (OBS)")));
    auto *plain = new QPushButton(tr("Show or hide the plain window"), this);
    plain->setToolTip(tr("Captions on one colour, in a window that OBS takes as \"Window capture\" and keys out"));
    connect(plain, &QPushButton::clicked, this, &OverlayDialog::plainWindowRequested);
    form.addRow(QString(), plain);
    addColour(form, tr("Its colour"), &Options::plain_back);
    auto *row = new QHBoxLayout();
    auto *name = new QLineEdit(this);
    name->setReadOnly(true);
    name->setAccessibleName(tr("Live text file"));
    name->setPlaceholderText(tr("none"));
    auto *choose = new QPushButton(tr("Choose\u2026"), this);
    choose->setAccessibleName(tr("Choose the live text file"));
    auto *end = new QPushButton(tr("End"), this);
    end->setAccessibleName(tr("Write no live text file"));
    row->addWidget(name, 1);
    row->addWidget(choose);
    row->addWidget(end);
    form.addRow(tr("Live text file"), row);
    connect(choose, &QPushButton::clicked, this, [this] {
        askWhereToSave(this, {tr("Write the newest lines to"), {tr("Text (*.txt)")}, tr("captions-live.txt")}, [this](const std::filesystem::path &file) {
            change([&file](Options &options) { options.text_file = QString::fromStdString(file.string()); });
        });
    });
    connect(end, &QPushButton::clicked, this, [this] { change([](Options &options) { options.text_file.clear(); }); });
    m_fillers.push_back([name, end](const Options &options) {
        name->setText(options.text_file);
        end->setEnabled(!options.text_file.isEmpty());
    });
}

void OverlayDialog::addChoice(QFormLayout &form, const QString &name, const std::vector<std::pair<QString, int>> &entries,
                              std::function<int(const Options &)> get, std::function<void(Options &, int)> set)
{
    auto *box = new ChoiceBox(name, {}, this);
    for (const auto &[title, value] : entries) {
        box->addItem(title, value);
    }
    box->setMinimumWidth(200);
    connect(box, &ChoiceBox::activated, this, [this, box, set] { change([&](Options &options) { set(options, box->currentData().toInt()); }); });
    m_fillers.push_back([box, get](const Options &options) { box->choose(get(options)); });
    form.addRow(name, box);
}

void OverlayDialog::addNumber(QFormLayout &form, const QString &name, const QString &unit, int least, int most, std::function<int(const Options &)> get,
                              std::function<void(Options &, int)> set)
{
    auto *box = new QSpinBox(this);
    box->setRange(least, most);
    box->setSuffix(unit);
    box->setMinimumWidth(110);
    box->setAccessibleName(name);
    connect(box, &QSpinBox::valueChanged, this, [this, set](int value) { change([&](Options &options) { set(options, value); }); });
    m_fillers.push_back([box, get](const Options &options) { box->setValue(get(options)); });
    form.addRow(name, box);
}

void OverlayDialog::addColour(QFormLayout &form, const QString &name, QColor Options::*member)
{
    auto *button = new QPushButton(this);
    button->setAccessibleName(name);
    connect(button, &QPushButton::clicked, this, [this, name, member] {
        auto *dialog = new QColorDialog(m_settings.values().overlay.*member, this);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->setWindowTitle(name);
        connect(dialog, &QColorDialog::currentColorChanged, this, [this, member](const QColor &colour) {
            if (colour.isValid()) {
                change([&](Options &options) { options.*member = colour; });
            }
        });
        dialog->open();
    });
    m_fillers.push_back([button, member](const Options &options) {
        button->setIcon(swatch(options.*member));
        button->setText((options.*member).name());
    });
    form.addRow(name, button);
}

void OverlayDialog::change(const std::function<void(Options &)> &what)
{
    if (!m_filling) {
        m_settings.update([&what](Settings &s) { what(s.overlay); });
    }
}

void OverlayDialog::fill()
{
    m_filling = true;
    for (const auto &filler : m_fillers) {
        filler(m_settings.values().overlay);
    }
    m_filling = false;
}

}  // namespace braid::ui
