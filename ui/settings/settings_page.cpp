#include "ui/settings/settings_page.h"

#include <QCheckBox>
#include <QFormLayout>
#include <QFrame>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QVBoxLayout>

#include "ui/settings/word_list_editor.h"
#include "ui/shared/appearance.h"
#include "ui/shared/choice_box.h"
#include "ui/shared/page_heading.h"
#include "ui/shared/window_language.h"

namespace braid::ui {
namespace {

constexpr std::size_t kUndoSteps = 50;
constexpr int kLabelWidth = 200;  // the same in every group, so that controls stand in one column

QLabel *rowLabel(const QString &name)
{
    auto *label = new QLabel(name);
    label->setMinimumWidth(kLabelWidth);
    return label;
}

}  // namespace

SettingsPage::SettingsPage(SettingsStore &settings, QWidget *parent)
    : QWidget(parent)
    , m_settings(settings)
    , m_undo(new QPushButton(tr("Undo last change"), this))
{
    auto *heading = new PageHeading(tr("Settings"), this);
    QVBoxLayout *layout = layOutPage(*this, *heading);
    m_undo->setAccessibleName(tr("Undo last change"));
    heading->add(m_undo);
    QPushButton *defaults = heading->addButton(tr("Reset all"), tr("Set everything on this page back"));
    auto *content = new QWidget(this);
    content->setObjectName(QStringLiteral("paper"));
    content->setMaximumWidth(800);
    auto *column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 8, 0);
    column->setSpacing(12);

    QFormLayout *look = addGroup(*column, tr("Appearance"));
    std::vector<std::pair<QString, QVariant>> languages{{tr("As the desktop"), QString()}};
    for (const WindowLanguage &language : windowLanguages()) {
        languages.emplace_back(QString::fromUtf8(language.own_name), QString::fromLatin1(language.code));
    }
    addChoice(
        *look, tr("Language of the window"), tr("Takes effect when Braid is started the next time"), languages, [](const Settings &s) { return s.language; },
        [](Settings &s, const QVariant &v) { s.language = v.toString(); });
    const auto theme = [](ThemeChoice choice) { return static_cast<int>(choice); };
    addChoice(
        *look, tr("Theme"), tr("Colours of the whole window"),
        {{tr("As the desktop"), theme(ThemeChoice::System)},
         {tr("Light"), theme(ThemeChoice::Light)},
         {tr("Dark"), theme(ThemeChoice::Dark)},
         {tr("High contrast, light"), theme(ThemeChoice::HighContrastLight)},
         {tr("High contrast, dark"), theme(ThemeChoice::HighContrastDark)}},
        [theme](const Settings &s) { return theme(s.theme); }, [](Settings &s, const QVariant &v) { s.theme = static_cast<ThemeChoice>(v.toInt()); });
    addNumber(
        *look, tr("Caption size"), tr("Also Ctrl and the wheel over the captions, or + and -"), tr(" px"), kSmallestCaptionPx, kLargestCaptionPx, 1,
        [](const Settings &s) { return s.caption_px; }, [](Settings &s, int v) { s.caption_px = v; });
    const auto times = [](LineTimes which) { return static_cast<int>(which); };
    addChoice(
        *look, tr("Times beside the lines"), tr("Of what was captured live; recordings show their own time"),
        {{tr("Since the beginning"), times(LineTimes::OfRecording)}, {tr("Time of day"), times(LineTimes::OfDay)}},
        [times](const Settings &s) { return times(s.line_times); }, [](Settings &s, const QVariant &v) { s.line_times = static_cast<LineTimes>(v.toInt()); });
    addSwitch(
        *look, tr("Icon in the tray"), tr("Says whether Braid listens; starts, stops and shows the overlay"), [](const Settings &s) { return s.tray_icon; },
        [](Settings &s, bool v) { s.tray_icon = v; });
    addSwitch(
        *look, tr("Mark unlikely words"), tr("A lighter line under words of which the model was less than half sure"),
        [](const Settings &s) { return s.shows_low_probability; }, [](Settings &s, bool v) { s.shows_low_probability = v; });
    addSwitch(
        *look, tr("Less motion"), tr("The page jumps instead of gliding; nothing fades"), [](const Settings &s) { return s.motion == MotionChoice::Reduced; },
        [](Settings &s, bool v) { s.motion = v ? MotionChoice::Reduced : MotionChoice::Full; });

    QFormLayout *listening = addGroup(*column, tr("Listening"));
    addNumber(
        *listening, tr("Sound before speech"), tr("How much before the first detected speech belongs to it. Raise it when first words are clipped."), tr(" ms"),
        0, 2000, 50, [](const Settings &s) { return s.preroll_ms; }, [](Settings &s, int v) { s.preroll_ms = v; });
    addNumber(
        *listening, tr("Silence that settles the words"), tr("After this much silence everything said before is final"), tr(" ms"), 100, 5000, 50,
        [](const Settings &s) { return s.hangover_ms; }, [](Settings &s, int v) { s.hangover_ms = v; });
    const auto ends = [](text::LineEnds where) { return static_cast<int>(where); };
    addChoice(
        *listening, tr("A new line begins"), tr("Where the captions are cut into lines"),
        {{tr("After sentences and pauses"), ends(text::LineEnds::AtBoth)},
         {tr("After pauses"), ends(text::LineEnds::AtPauses)},
         {tr("After sentences"), ends(text::LineEnds::AtSentences)}},
        [ends](const Settings &s) { return ends(s.line_ends); }, [](Settings &s, const QVariant &v) { s.line_ends = static_cast<text::LineEnds>(v.toInt()); });
    addNumber(
        *listening, tr("Pause that ends a line"), tr("Silence between two words after which the next begins a new line"), tr(" ms"), 100, 5000, 50,
        [](const Settings &s) { return s.line_pause_ms; }, [](Settings &s, int v) { s.line_pause_ms = v; });
    addSwitch(
        *listening, tr("Files at their own pace"), tr("As if played, instead of as fast as this machine can"),
        [](const Settings &s) { return s.files_at_own_pace; }, [](Settings &s, bool v) { s.files_at_own_pace = v; });

    QFormLayout *words = addGroup(*column, tr("Words"));
    addWordList(*words);
    addSwitch(
        *words, tr("Mask profanity"), tr("English swear words, with asterisks; the list above can add and spare words"),
        [](const Settings &s) { return s.masks_profanity; }, [](Settings &s, bool v) { s.masks_profanity = v; });

    QFormLayout *computing = addGroup(*column, tr("Computation"));
    addChoice(
        *computing, tr("Runs on"), tr("Automatic takes a graphics card where there is a suitable one"),
        {{tr("Automatic"), QStringLiteral("auto")}, {tr("Processor"), QStringLiteral("cpu")}, {tr("NVIDIA graphics card"), QStringLiteral("cuda")}},
        [](const Settings &s) { return QString::fromStdString(s.compute.device); },
        [](Settings &s, const QVariant &v) { s.compute.device = v.toString().toStdString(); });
    const auto number = [](models::NumberType type) { return static_cast<int>(type); };
    addChoice(
        *computing, tr("Precision"), tr("Fewer bits need less memory; on a processor they are seldom faster"),
        {{tr("32 bit"), number(models::NumberType::Float32)},
         {tr("16 bit (bfloat16)"), number(models::NumberType::BFloat16)},
         {tr("16 bit (float16)"), number(models::NumberType::Float16)},
         {tr("8 bit (int8 weights)"), number(models::NumberType::Int8)}},
        [number](const Settings &s) { return number(s.compute.number_type); },
        [](Settings &s, const QVariant &v) { s.compute.number_type = static_cast<models::NumberType>(v.toInt()); });
    addNumber(
        *computing, tr("Processor threads"), tr("How many parts of the processor compute at once; Braid chooses where nothing is set"), {}, 0, 256, 1,
        [](const Settings &s) { return s.compute.threads; }, [](Settings &s, int v) { s.compute.threads = v; });

    QFormLayout *keeping = addGroup(*column, tr("Storage"));
    addSwitch(
        *keeping, tr("Keep every session"), tr("Words and sound, conversations and translations, on this machine; recovers after a crash"),
        [](const Settings &s) { return s.keeps_journals; }, [](Settings &s, bool v) { s.keeps_journals = v; });

    column->addStretch(1);
    auto *scroll = new QScrollArea(this);
    scroll->setAccessibleName(tr("Settings"));
    scroll->setWidget(content);
    scroll->setWidgetResizable(true);
    layout->addWidget(scroll, 1);

    connect(m_undo, &QPushButton::clicked, this, &SettingsPage::undo);
    connect(defaults, &QPushButton::clicked, this, [this] {
        change([this](Settings &s) {
            const QString list = s.word_list;
            copyShown({}, s);
            s.word_list = list;  // a person's own work, no setting
        });
    });
    connect(&settings, &SettingsStore::changed, this, &SettingsPage::fill);
    fill();
}

QFormLayout *SettingsPage::addGroup(QVBoxLayout &column, const QString &title)
{
    auto *heading = new QLabel(title, this);
    heading->setObjectName(QStringLiteral("section"));
    column.addWidget(heading);
    auto *card = new QFrame(this);
    card->setObjectName(QStringLiteral("card"));
    auto *form = new QFormLayout(card);
    form->setContentsMargins(16, 12, 16, 12);
    form->setHorizontalSpacing(24);
    form->setVerticalSpacing(10);
    form->setRowWrapPolicy(QFormLayout::WrapLongRows);
    form->setFieldGrowthPolicy(QFormLayout::FieldsStayAtSizeHint);
    column.addWidget(card);
    return form;
}

ChoiceBox *SettingsPage::addChoice(QFormLayout &form, const QString &name, const QString &explanation, const std::vector<std::pair<QString, QVariant>> &entries,
                                   std::function<QVariant(const Settings &)> get, std::function<void(Settings &, const QVariant &)> set)
{
    auto *box = new ChoiceBox(name, explanation, this);
    for (const auto &[title, value] : entries) {
        box->addItem(title, value);
    }
    box->setMinimumWidth(200);
    form.addRow(rowLabel(name), box);
    connect(box, &ChoiceBox::activated, this, [this, box, set] { change([&](Settings &s) { set(s, box->currentData()); }); });
    m_fillers.push_back([box, get](const Settings &s) { box->choose(get(s)); });
    m_copiers.push_back([get, set](const Settings &from, Settings &to) { set(to, get(from)); });
    return box;
}

void SettingsPage::addNumber(QFormLayout &form, const QString &name, const QString &explanation, const QString &unit, int least, int most, int step,
                             std::function<int(const Settings &)> get, std::function<void(Settings &, int)> set)
{
    auto *box = new QSpinBox(this);
    box->setRange(least, most);
    box->setSingleStep(step);
    box->setSuffix(unit);
    box->setMinimumWidth(120);
    box->setAccessibleName(name);
    box->setAccessibleDescription(explanation);
    box->setToolTip(explanation);
    box->setKeyboardTracking(false);
    if (least == 0 && unit.isEmpty()) {
        box->setSpecialValueText(tr("Automatic"));
    }
    form.addRow(rowLabel(name), box);
    connect(box, &QSpinBox::valueChanged, this, [this, set](int value) {
        if (!m_filling) {
            change([&](Settings &s) { set(s, value); });
        }
    });
    m_fillers.push_back([box, get](const Settings &s) { box->setValue(get(s)); });
    m_copiers.push_back([get, set](const Settings &from, Settings &to) { set(to, get(from)); });
}

void SettingsPage::addSwitch(QFormLayout &form, const QString &name, const QString &explanation, std::function<bool(const Settings &)> get,
                             std::function<void(Settings &, bool)> set)
{
    auto *box = new QCheckBox(explanation, this);
    box->setAccessibleName(name);
    box->setAccessibleDescription(explanation);
    form.addRow(rowLabel(name), box);
    connect(box, &QCheckBox::toggled, this, [this, set](bool checked) {
        if (!m_filling) {
            change([&](Settings &s) { set(s, checked); });
        }
    });
    m_fillers.push_back([box, get](const Settings &s) { box->setChecked(get(s)); });
    m_copiers.push_back([get, set](const Settings &from, Settings &to) { set(to, get(from)); });
}

void SettingsPage::addWordList(QFormLayout &form)
{
    auto *editor = new WordListEditor(this);
    form.addRow(editor);
    connect(editor, &WordListEditor::changed, this, [this](const QString &list) { change([&list](Settings &s) { s.word_list = list; }); });
    m_fillers.push_back([editor](const Settings &s) { editor->show(s.word_list); });
    m_copiers.push_back([](const Settings &from, Settings &to) { to.word_list = from.word_list; });
}

void SettingsPage::change(const std::function<void(Settings &)> &what)
{
    const Settings before = m_settings.values();
    m_settings.update(what);
    if (!(before == m_settings.values())) {
        m_before.push_back(before);
        if (m_before.size() > kUndoSteps) {
            m_before.erase(m_before.begin());
        }
        fill();
    }
}

void SettingsPage::undo()
{
    if (m_before.empty()) {
        return;
    }
    const Settings before = m_before.back();
    m_before.pop_back();
    m_settings.update([this, &before](Settings &s) { copyShown(before, s); });
    fill();
}

// What is set on other pages, in rows of choices and over other windows stays as it is.
void SettingsPage::copyShown(const Settings &from, Settings &to) const
{
    for (const auto &copier : m_copiers) {
        copier(from, to);
    }
}

void SettingsPage::fill()
{
    m_filling = true;
    for (const auto &filler : m_fillers) {
        filler(m_settings.values());
    }
    m_filling = false;
    m_undo->setEnabled(!m_before.empty());
}

}  // namespace braid::ui
