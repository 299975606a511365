#include "ui/main_window.h"

#include <QApplication>
#include <QButtonGroup>
#include <QDialog>
#include <QDragEnterEvent>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QMimeData>
#include <QScreen>
#include <QShortcut>
#include <QStackedWidget>
#include <QStyleFactory>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/async.h"
#include "ui/inspector/inspector_panel.h"
#include "ui/pages/choices_row.h"
#include "ui/pages/history_page.h"
#include "ui/pages/models_page.h"
#include "ui/pages/settings_page.h"
#include "ui/transcript/transcript_accessible.h"
#include "ui/transcript/transcript_view.h"
#include "ui/widgets/icons.h"

namespace braid::ui {
namespace {

constexpr int kRailWidth = 76;

std::vector<std::filesystem::path> localFiles(const QMimeData &data)
{
    std::vector<std::filesystem::path> files;
    for (const QUrl &url : data.urls()) {
        if (url.isLocalFile()) {
            files.emplace_back(url.toLocalFile().toStdString());
        }
    }
    return files;
}

}  // namespace

MainWindow::MainWindow(Services services, QWidget *parent)
    : QWidget(parent), m_services(std::move(services)), m_settings(std::make_unique<SettingsStore>(m_services.settings_file)), m_appearance(std::make_unique<Appearance>()),
      m_controller(std::make_unique<CaptionController>(m_services)), m_system_palette(QApplication::palette()), m_rail(new QWidget(this)), m_pages(new QStackedWidget(this)),
      m_captions(nullptr), m_models(nullptr), m_history(nullptr), m_settings_page(nullptr), m_rail_buttons(new QButtonGroup(this))
{
    installTranscriptAccessibility();
    setWindowTitle(tr("Braid"));
    setWindowIcon(programIcon());
    setAcceptDrops(true);
    setMinimumSize(640, 400);
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    applySettings();

    m_captions = new CaptionsPage(m_services, *m_settings, *m_appearance, *m_controller, this);
    m_models = new ModelsPage(m_services, *m_settings, this);
    m_history = new HistoryPage(m_services.journal_folder, this);
    m_settings_page = new SettingsPage(*m_settings, this);
    for (QWidget *page : std::initializer_list<QWidget *>{m_captions, m_models, m_history, m_settings_page}) {
        m_pages->addWidget(page);
    }
    buildRail();
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_rail);
    layout->addWidget(m_pages, 1);

    const auto shortcut = [this](const QKeySequence &keys, auto action) { connect(new QShortcut(keys, this), &QShortcut::activated, this, action); };
    shortcut(QKeySequence(Qt::CTRL | Qt::Key_1), [this] { showPage(PageName::Captions); });
    shortcut(QKeySequence(Qt::CTRL | Qt::Key_2), [this] { showPage(PageName::Models); });
    shortcut(QKeySequence(Qt::CTRL | Qt::Key_3), [this] { showPage(PageName::History); });
    shortcut(QKeySequence(Qt::CTRL | Qt::Key_4), [this] { showPage(PageName::Settings); });
    shortcut(QKeySequence(Qt::CTRL | Qt::Key_E), [this] { m_captions->saveTranscript(); });
    shortcut(QKeySequence(Qt::CTRL | Qt::Key_S), [this] { m_captions->saveTranscript(); });
    shortcut(QKeySequence::Open, [this] { m_captions->openFileDialog(); });
    shortcut(QKeySequence::New, [this] { m_captions->newPage(); });
    shortcut(QKeySequence::Find, [this] { m_captions->find(); });
    shortcut(QKeySequence(Qt::Key_F11), [this] { present(m_presenting ? Presentation::Window : Presentation::Presenting); });
    shortcut(QKeySequence(Qt::Key_F1), [this] { showKeys(); });

    connect(m_captions, &CaptionsPage::captionSizeRequested, this, &MainWindow::changeCaptionSize);
    connect(&m_captions->choicesRow(), &ChoicesRow::listsChanged, this, [this] {
        m_models->show(m_captions->choicesRow().models());
        runWhenReady();
    });
    connect(m_models, &ModelsPage::refreshRequested, &m_captions->choicesRow(), &ChoicesRow::refreshModels);
    connect(m_models, &ModelsPage::modelChosen, this, [this](const QString &name) { m_settings->update([&name](Settings &s) { s.model_name = name; }); });
    connect(m_history, &HistoryPage::openRequested, this, [this](const engine::RecoveredJournal &journal) {
        m_captions->openJournal(journal);
        showPage(PageName::Captions);
    });
    connect(m_controller.get(), &CaptionController::runStarted, this, [this](const QString &source) { setWindowTitle(tr("%1 \u2013 Braid").arg(source)); });
    connect(m_settings.get(), &SettingsStore::changed, this, &MainWindow::applySettings);

    const QSize room = screen() != nullptr ? screen()->availableSize() : QSize(1280, 800);
    resize(std::min(1280, room.width()), std::min(800, room.height()));
    if (!m_settings->values().window_geometry.isEmpty()) {
        restoreGeometry(m_settings->values().window_geometry);
    }
    m_captions->transcriptView().setFocus();
}

MainWindow::~MainWindow()
{
    // Pages look at the controller while they go; they must go first.
    delete m_pages;
}

void MainWindow::buildRail()
{
    m_rail->setObjectName(QStringLiteral("rail"));
    m_rail->setAttribute(Qt::WA_StyledBackground);
    m_rail->setAccessibleName(tr("Pages"));
    m_rail->setFixedWidth(kRailWidth);
    auto *column = new QVBoxLayout(m_rail);
    column->setContentsMargins(6, 10, 6, 10);
    column->setSpacing(4);
    m_rail_buttons->setExclusive(true);
    column->addWidget(addRailButton(QStringLiteral("captions"), tr("Captions"), PageName::Captions));
    column->addStretch(1);
    column->addWidget(addRailButton(QStringLiteral("models"), tr("Models"), PageName::Models));
    column->addWidget(addRailButton(QStringLiteral("history"), tr("History"), PageName::History));
    column->addWidget(addRailButton(QStringLiteral("settings"), tr("Settings"), PageName::Settings));
    buildMenu();
    m_rail_buttons->button(static_cast<int>(PageName::Captions))->setChecked(true);
    connect(m_rail_buttons, &QButtonGroup::idClicked, this, [this](int id) { showPage(static_cast<PageName>(id)); });
}

QToolButton *MainWindow::addRailButton(const QString &icon, const QString &title, PageName page)
{
    auto *button = new QToolButton(m_rail);
    button->setProperty("rail", true);
    button->setText(title);
    button->setAccessibleName(title);
    button->setToolTip(tr("%1 (Ctrl+%2)").arg(title).arg(static_cast<int>(page)));
    button->setCheckable(true);
    button->setIcon(themedIcon(icon, m_appearance->theme()));
    button->setIconSize(QSize(24, 24));
    button->setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
    button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_rail_buttons->addButton(button, static_cast<int>(page));
    m_icon_buttons.emplace_back(button, icon);
    return button;
}

void MainWindow::buildMenu()
{
    auto *button = new QToolButton(m_rail);
    button->setProperty("rail", true);
    button->setText(tr("More"));
    button->setAccessibleName(tr("More actions"));
    button->setToolTip(tr("Open, save, find, present, keys"));
    button->setIcon(themedIcon(QStringLiteral("more"), m_appearance->theme()));
    button->setIconSize(QSize(24, 24));
    button->setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
    button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    button->setPopupMode(QToolButton::InstantPopup);
    m_icon_buttons.emplace_back(button, QStringLiteral("more"));
    auto *menu = new QMenu(button);
    const auto add = [this, menu](const QString &title, const QString &keys, auto action) {
        QAction *entry = menu->addAction(title + QLatin1Char('\t') + keys);
        connect(entry, &QAction::triggered, this, [this, action] {
            showPage(PageName::Captions);
            action();
        });
    };
    add(tr("Open recordings\u2026"), tr("Ctrl+O"), [this] { m_captions->openFileDialog(); });
    add(tr("Save captions\u2026"), tr("Ctrl+E"), [this] { m_captions->saveTranscript(); });
    add(tr("New page"), tr("Ctrl+N"), [this] { m_captions->newPage(); });
    menu->addSeparator();
    add(tr("Find in captions"), QStringLiteral("/"), [this] { m_captions->find(); });
    add(tr("Go to live"), QStringLiteral("L"), [this] { m_captions->goLive(); });
    add(tr("Inspector"), QStringLiteral("I"), [this] { toggleInspector(); });
    add(tr("Larger captions"), QStringLiteral("+"), [this] { changeCaptionSize(1); });
    add(tr("Smaller captions"), QStringLiteral("-"), [this] { changeCaptionSize(-1); });
    add(tr("Present"), QStringLiteral("F11"), [this] { present(Presentation::Presenting); });
    menu->addSeparator();
    if (!m_services.sample_file.empty()) {
        add(tr("Caption the sample"), {}, [this] {
            m_captions->newPage();
            m_captions->showSample();
        });
    }
    add(tr("Keyboard and mouse"), QStringLiteral("F1"), [this] { showKeys(); });
    button->setMenu(menu);
    static_cast<QVBoxLayout *>(m_rail->layout())->addWidget(button);
}

PageName MainWindow::page() const
{
    return static_cast<PageName>(m_pages->currentIndex() + 1);
}

void MainWindow::showPage(PageName page)
{
    if (m_presenting && page != PageName::Captions) {
        present(Presentation::Window);
    }
    m_pages->setCurrentIndex(static_cast<int>(page) - 1);
    m_rail_buttons->button(static_cast<int>(page))->setChecked(true);
    if (page == PageName::Captions) {
        m_captions->transcriptView().setFocus();
    } else if (page == PageName::History) {
        m_history->refresh();
    }
}

void MainWindow::applySettings()
{
    const Settings &s = m_settings->values();
    m_appearance->setMotion(s.motion == MotionChoice::Reduced ? Motion::Reduced : Motion::Full);
    m_appearance->setShowsLowProbability(s.shows_low_probability);
    if (!m_presenting) {
        m_appearance->setCaptionPx(s.caption_px);
    }
    if (m_captions != nullptr && !m_presenting) {
        m_captions->setInspectorOpen(s.inspector_open);
    }
    applyTheme();
}

void MainWindow::applyTheme()
{
    ThemeKind kind = ThemeKind::Light;
    switch (m_settings->values().theme) {
    case ThemeChoice::System: kind = systemPrefersDark(m_system_palette) ? ThemeKind::Dark : ThemeKind::Light; break;
    case ThemeChoice::Light: kind = ThemeKind::Light; break;
    case ThemeChoice::Dark: kind = ThemeKind::Dark; break;
    case ThemeChoice::HighContrastLight: kind = ThemeKind::HighContrastLight; break;
    case ThemeChoice::HighContrastDark: kind = ThemeKind::HighContrastDark; break;
    }
    if (m_applying_theme || (kind == m_appearance->theme().kind() && !styleSheet().isEmpty())) {
        return;
    }
    m_applying_theme = true;
    const Theme &theme = themeFor(kind);
    QApplication::setPalette(paletteFor(theme));
    QApplication::setFont(Appearance::interfaceFont(13));
    setStyleSheet(styleSheetFor(theme));
    m_appearance->setTheme(kind);
    for (const auto &[button, icon] : m_icon_buttons) {
        button->setIcon(themedIcon(icon, theme));
    }
    m_applying_theme = false;
}

void MainWindow::changeCaptionSize(int steps)
{
    const int now = m_appearance->captionPx();
    const int step = std::max(1, now / 12);
    const int wanted = std::clamp(now + steps * step, kSmallestCaptionPx, kLargestCaptionPx);
    if (m_presenting) {
        m_appearance->setCaptionPx(wanted);  // the room's size is not the desk's
    } else {
        m_settings->update([wanted](Settings &s) { s.caption_px = wanted; });
    }
}

void MainWindow::toggleInspector()
{
    m_settings->update([](Settings &s) { s.inspector_open = !s.inspector_open; });
}

void MainWindow::present(Presentation presentation)
{
    const bool presenting = presentation == Presentation::Presenting;
    if (presenting == m_presenting) {
        return;
    }
    m_presenting = presenting;
    showPage(PageName::Captions);
    m_rail->setVisible(!presenting);
    if (presenting) {
        m_state_before = windowState();
        const QSize room = screen() != nullptr ? screen()->size() : size();
        m_appearance->setCaptionPx(std::clamp(room.height() / 11, 40, kLargestCaptionPx));
        m_captions->setPresentation(presentation);
        setWindowState(windowState() | Qt::WindowFullScreen);
    } else {
        m_captions->setPresentation(presentation);
        setWindowState(m_state_before);
        applySettings();
    }
}

void MainWindow::begin(FirstRun first_run)
{
    runInBackground(this, [folder = m_services.journal_folder] { return folder.empty() ? std::vector<engine::RecoveredJournal>() : engine::findInterruptedJournals(folder); },
                    [this](const std::vector<engine::RecoveredJournal> &journals) { m_captions->offerRecovery(journals); },
                    [](const QString &) {
                        // No folder yet, or an unreadable one: nothing to recover. A run will say so if it cannot keep its journal.
                    });
    if (first_run == FirstRun::ShowSample && !m_settings->values().met_before && !m_services.sample_file.empty()) {
        m_when_ready.push_back([this] {
            if (m_controller->activity() == RunActivity::Idle && m_controller->transcript().isEmpty()) {
                m_captions->showSample();
            }
        });
        runWhenReady();
    }
}

void MainWindow::captionWhenReady(const std::vector<std::filesystem::path> &files)
{
    m_when_ready.push_back([this, files] { m_captions->openFiles(files); });
    runWhenReady();
}

void MainWindow::runWhenReady()
{
    if (!m_captions->choicesRow().listsArrived()) {
        return;
    }
    const auto waiting = std::move(m_when_ready);
    m_when_ready.clear();
    for (const auto &action : waiting) {
        action();
    }
}

void MainWindow::keyPressEvent(QKeyEvent *event)
{
    // Only what the focused control did not want for itself comes here: Space on a button presses the button.
    const bool plain = !(event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier));
    const bool on_captions = page() == PageName::Captions;
    if (event->key() == Qt::Key_Escape) {
        if (m_presenting) {
            present(Presentation::Window);
        } else {
            m_services.player->stop();
        }
    } else if ((event->key() == Qt::Key_Plus || event->key() == Qt::Key_Equal) && on_captions) {
        changeCaptionSize(1);
    } else if (event->key() == Qt::Key_Minus && on_captions) {
        changeCaptionSize(-1);
    } else if (!plain || !on_captions) {
        QWidget::keyPressEvent(event);
    } else if (event->key() == Qt::Key_Space) {
        if (!event->isAutoRepeat()) {
            m_captions->startOrStop();
        }
    } else if (event->key() == Qt::Key_L) {
        m_captions->goLive();
    } else if (event->key() == Qt::Key_I) {
        toggleInspector();
    } else if (event->key() == Qt::Key_Slash) {
        m_captions->find();
    } else {
        QWidget::keyPressEvent(event);
    }
}

void MainWindow::showKeys()
{
    auto *dialog = new QDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Keyboard and mouse"));
    auto *form = new QFormLayout(dialog);
    form->setContentsMargins(24, 20, 24, 20);
    form->setHorizontalSpacing(32);
    const std::pair<QString, QString> keys[] = {
        {tr("Space"), tr("start, stop")},
        {QStringLiteral("L"), tr("to the newest words")},
        {QStringLiteral("I"), tr("Inspector")},
        {tr("/ or Ctrl+F"), tr("find")},
        {tr("Ctrl+O, Ctrl+E, Ctrl+N"), tr("open recordings, save captions, new page")},
        {tr("Ctrl+1 to Ctrl+4"), tr("Captions, Models, History, Settings")},
        {QStringLiteral("F11"), tr("present; Esc ends it")},
        {tr("+ and -, Ctrl and wheel"), tr("size of captions")},
        {tr("Left, Right, Enter"), tr("from word to word, hear it")},
        {tr("Shift+Enter, double click"), tr("hear on from this word; Esc stops")},
        {tr("Click a word"), tr("hear it, keep it in the Inspector")},
        {tr("Wheel over the waveform"), tr("zoom at the pointer; drag to move")},
    };
    for (const auto &[key, what] : keys) {
        form->addRow(QStringLiteral("<b>%1</b>").arg(key.toHtmlEscaped()), new QLabel(what, dialog));
    }
    dialog->open();
}

void MainWindow::dragEnterEvent(QDragEnterEvent *event)
{
    if (!localFiles(*event->mimeData()).empty()) {
        event->acceptProposedAction();
    }
}

void MainWindow::dropEvent(QDropEvent *event)
{
    const auto files = localFiles(*event->mimeData());
    if (files.empty()) {
        return;
    }
    event->acceptProposedAction();
    showPage(PageName::Captions);
    m_captions->openFiles(files);
}

void MainWindow::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    // The desktop went dark or light while we follow it; our own palette change is not that.
    if (event->type() == QEvent::ThemeChange && m_settings && !m_applying_theme) {
        applyTheme();
    }
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    if (!m_presenting) {
        m_settings->update([this](Settings &s) { s.window_geometry = saveGeometry(); });
    }
    QWidget::closeEvent(event);
}

}  // namespace braid::ui
