#include "ui/main_window.h"

#include <QApplication>
#include <QDragEnterEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMimeData>
#include <QScreen>
#include <QShortcut>
#include <QStackedWidget>
#include <QStyleFactory>
#include <QVBoxLayout>

#include "ui/async.h"
#include "ui/compare/compare_page.h"
#include "ui/inspector/inspector_panel.h"
#include "ui/pages/choices_row.h"
#include "ui/pages/history_page.h"
#include "ui/pages/models_page.h"
#include "ui/pages/settings_page.h"
#include "ui/transcript/transcript_accessible.h"
#include "ui/transcript/transcript_view.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/keys_dialog.h"
#include "ui/widgets/rail.h"

namespace braid::ui {
namespace {

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
      m_controller(std::make_unique<CaptionController>(m_services.captions, *m_services.player)), m_system_palette(QApplication::palette()), m_rail(new Rail(this)), m_pages(new QStackedWidget(this)),
      m_captions(nullptr), m_models(nullptr), m_history(nullptr), m_settings_page(nullptr), m_compare(nullptr)
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
    m_compare = new ComparePage(m_services, *m_settings, *m_appearance, m_captions->choicesRow(), *m_controller, this);
    for (QWidget *page : std::initializer_list<QWidget *>{m_captions, m_models, m_history, m_settings_page, m_compare}) {
        m_pages->addWidget(page);
    }
    buildRail();
    m_rail->setTheme(m_appearance->theme());
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
    shortcut(QKeySequence(Qt::CTRL | Qt::Key_E), [this] { save(); });
    shortcut(QKeySequence(Qt::CTRL | Qt::Key_S), [this] { save(); });
    for (int tab = 1; tab <= kInspectorTabs; ++tab) {
        shortcut(QKeySequence(Qt::ALT | static_cast<Qt::Key>(Qt::Key_0 + tab)), [this, tab] {
            showPage(PageName::Captions);
            m_captions->openInspectorTab(tab);
        });
    }
    shortcut(QKeySequence::Open, [this] { m_captions->openFileDialog(); });
    shortcut(QKeySequence::New, [this] { m_captions->newPage(); });
    shortcut(QKeySequence::Find, [this] { m_captions->find(); });
    shortcut(QKeySequence(Qt::Key_F11), [this] { present(m_presenting ? Presentation::Window : Presentation::Presenting); });
    shortcut(QKeySequence(Qt::Key_F1), [this] { showKeysDialog(this); });

    connect(m_captions, &CaptionsPage::compareRequested, this, [this] { showPage(PageName::Compare); });
    connect(m_compare, &ComparePage::leaveRequested, this, [this] { showPage(PageName::Captions); });
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
    const auto page = [this](PageName name, const char *icon, const QString &title) { m_rail->addPage(static_cast<int>(name), QLatin1String(icon), title, tr("Ctrl+%1").arg(static_cast<int>(name))); };
    page(PageName::Captions, "captions", tr("Captions"));
    m_rail->addStretch();
    page(PageName::Models, "models", tr("Models"));
    page(PageName::History, "history", tr("History"));
    page(PageName::Settings, "settings", tr("Settings"));
    // What the menu does, it does on the Captions page.
    const auto add = [this](const QString &title, const QString &keys, auto action) {
        m_rail->addAction(title, keys, [this, action] {
            showPage(PageName::Captions);
            action();
        });
    };
    add(tr("Open recordings\u2026"), tr("Ctrl+O"), [this] { m_captions->openFileDialog(); });
    add(tr("Save captions\u2026"), tr("Ctrl+E"), [this] { m_captions->saveTranscript(); });
    add(tr("New page"), tr("Ctrl+N"), [this] { m_captions->newPage(); });
    m_rail->addSeparator();
    add(tr("Find in captions"), QStringLiteral("/"), [this] { m_captions->find(); });
    add(tr("Go to live"), QStringLiteral("L"), [this] { m_captions->goLive(); });
    add(tr("Inspector"), QStringLiteral("I"), [this] { toggleInspector(); });
    add(tr("How it decodes"), QStringLiteral("D"), [this] { m_captions->openTuning(); });
    add(tr("Compare two policies"), QStringLiteral("C"), [this] { showPage(PageName::Compare); });
    add(tr("Larger captions"), QStringLiteral("+"), [this] { changeCaptionSize(1); });
    add(tr("Smaller captions"), QStringLiteral("-"), [this] { changeCaptionSize(-1); });
    add(tr("Present"), QStringLiteral("F11"), [this] { present(Presentation::Presenting); });
    m_rail->addSeparator();
    if (!m_services.sample_file.empty()) {
        add(tr("Caption the sample"), {}, [this] {
            m_captions->newPage();
            m_captions->showSample();
        });
    }
    m_rail->addAction(tr("Keyboard and mouse"), QStringLiteral("F1"), [this] { showKeysDialog(this); });
    m_rail->setPage(static_cast<int>(PageName::Captions));
    connect(m_rail, &Rail::pageRequested, this, [this](int id) { showPage(static_cast<PageName>(id)); });
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
    if (this->page() == PageName::Compare && page != PageName::Compare) {
        m_compare->leave();
    }
    m_pages->setCurrentIndex(static_cast<int>(page) - 1);
    m_rail->setPage(static_cast<int>(page == PageName::Compare ? PageName::Captions : page));
    if (page == PageName::Compare) {
        m_compare->refreshChoices();
        m_compare->setFocus();
    } else if (page == PageName::Captions) {
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
    m_rail->setTheme(theme);
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

void MainWindow::save()
{
    if (page() == PageName::Compare) {
        m_compare->save();
    } else {
        m_captions->saveTranscript();
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
        } else if (page() == PageName::Compare) {
            showPage(PageName::Captions);
        } else {
            m_services.player->stop();
        }
    } else if ((event->key() == Qt::Key_Plus || event->key() == Qt::Key_Equal) && on_captions) {
        changeCaptionSize(1);
    } else if (event->key() == Qt::Key_Minus && on_captions) {
        changeCaptionSize(-1);
    } else if (plain && page() == PageName::Compare && event->key() == Qt::Key_Space) {
        if (!event->isAutoRepeat()) {
            m_compare->startOrStop();
        }
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
    } else if (event->key() == Qt::Key_C) {
        showPage(PageName::Compare);
    } else if (event->key() == Qt::Key_D) {
        m_captions->openTuning();
    } else if (event->key() == Qt::Key_BracketLeft || event->key() == Qt::Key_BracketRight) {
        m_captions->stepChunk(event->key() == Qt::Key_BracketLeft ? -1 : 1);
    } else if (event->key() == Qt::Key_Slash) {
        m_captions->find();
    } else {
        QWidget::keyPressEvent(event);
    }
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
