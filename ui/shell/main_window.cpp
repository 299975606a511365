#include "ui/shell/main_window.h"

#include <algorithm>
#include <initializer_list>
#include <iterator>

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

#include "ui/captions/choices_row.h"
#include "ui/captions/transcript_accessible.h"
#include "ui/captions/translate_choice.h"
#include "ui/compare/compare_page.h"
#include "ui/inspector/inspector_panel.h"
#include "ui/library/history_page.h"
#include "ui/models/models_page.h"
#include "ui/overlay/overlay_desk.h"
#include "ui/settings/settings_page.h"
#include "ui/shared/async.h"
#include "ui/shared/core_words.h"
#include "ui/shared/icons.h"
#include "ui/shared/keys_dialog.h"
#include "ui/shared/rail.h"
#include "ui/shell/about_dialog.h"
#include "ui/shell/tray.h"
#include "ui/shell/window_theme.h"
#include "ui/state/playback.h"
#include "ui/state/word_list.h"
#include "ui/streams/streams_choices_row.h"
#include "ui/streams/streams_page.h"
#include "ui/translation/captions_translation.h"
#include "ui/translation/translation_choices.h"
#include "ui/translation/translation_page.h"
#include "ui/translation/translation_side.h"

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
    : QWidget(parent)
    , m_services(std::move(services))
    , m_settings(std::make_unique<SettingsStore>(m_services.settings_file))
    , m_appearance(std::make_unique<Appearance>())
    , m_controller(std::make_unique<CaptionController>(m_services.captions, *m_services.player))
    , m_system_palette(QApplication::palette())
    , m_rail(new Rail(this))
    , m_pages(new QStackedWidget(this))
    , m_captions(nullptr)
    , m_translation(nullptr)
    , m_streams(nullptr)
    , m_models(nullptr)
    , m_history(nullptr)
    , m_settings_page(nullptr)
    , m_compare(nullptr)
{
    installTranscriptAccessibility();
    setWindowTitle(tr("Braid"));
    setWindowIcon(programIcon());
    setAcceptDrops(true);
    setMinimumSize(640, 400);
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    applySettings();

    keepWords(*m_services.words, *m_settings, m_services.profanity);
    m_captions = new CaptionsPage(m_services, *m_settings, *m_appearance, *m_controller, this);
    m_streams = new StreamsPage(m_services.streams, *m_settings, *m_appearance, *m_controller, this);
    m_models = new ModelsPage(m_services, *m_settings, this);
    m_history = new HistoryPage(m_services.journal_folder, this);
    m_settings_page = new SettingsPage(*m_settings, this);
    m_compare = new ComparePage(m_services, *m_settings, *m_appearance, m_captions->choicesRow(), *m_controller, this);
    m_translation = new TranslationPage(m_services, *m_settings, *m_appearance, *m_controller, this);
    addPage(PageName::Captions, m_captions);
    addPage(PageName::Translation, m_translation);
    addPage(PageName::Streams, m_streams);
    addPage(PageName::Models, m_models);
    addPage(PageName::History, m_history);
    addPage(PageName::Settings, m_settings_page);
    addPage(PageName::Compare, m_compare);
    m_overlay_desk = std::make_unique<OverlayDesk>(*m_settings, m_controller->transcript(), m_translation->side().controller().text(), *this);
    buildRail();
    buildMenu();
    addShortcuts();
    m_rail->setTheme(m_appearance->theme());
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_rail);
    layout->addWidget(m_pages, 1);

    connect(m_captions, &CaptionsPage::compareRequested, this, [this] { showPage(PageName::Compare); });
    connect(m_translation, &TranslationPage::captionsRequested, this, [this] { showPage(PageName::Captions); });
    connect(m_compare, &ComparePage::leaveRequested, this, [this] { showPage(PageName::Captions); });
    connect(&m_captions->choicesRow(), &ChoicesRow::listsChanged, this, [this] {
        m_models->show(m_captions->choicesRow().models());
        runWhenReady();
    });
    for (const ChoicesFrame *row :
         std::initializer_list<const ChoicesFrame *>{&m_captions->choicesRow(), &m_translation->choicesRow(), &m_streams->choicesRow()}) {
        connect(row, &ChoicesFrame::betterModelWanted, this, [this] { showPage(PageName::Models); });
    }
    for (const auto signal : {&ModelsPage::modelsChanged, &ModelsPage::refreshRequested}) {
        connect(m_models, signal, this, [this] {
            m_captions->choicesRow().refreshModels();
            m_translation->choicesRow().refreshModels();
            m_streams->choicesRow().refreshModels();
        });
    }
    connect(m_models, &ModelsPage::modelChosen, this, [this](const QString &name) { m_settings->update([&name](Settings &s) { s.model_name = name; }); });
    connectOutside();
    connectTranslationOfCaptions();
    connect(m_history, &HistoryPage::openRequested, this, &MainWindow::openJournal);
    connect(m_controller.get(), &CaptionController::runStarted, this, [this](const QString &source) { setWindowTitle(tr("%1 \u2013 Braid").arg(source)); });
    connect(m_settings.get(), &SettingsStore::changed, this, &MainWindow::applySettings);

    const QSize room = screen() != nullptr ? screen()->availableSize() : QSize(1280, 800);
    resize(std::min(1280, room.width()), std::min(800, room.height()));
    if (!m_settings->values().window_geometry.isEmpty()) {
        restoreGeometry(m_settings->values().window_geometry);
    }
    m_captions->takeFocus();
}

MainWindow::~MainWindow()
{
    m_tray.reset();
    m_overlay_desk.reset();  // it reads what the pages hold
    m_captions->setTranslations(nullptr);
    m_captions_translation.reset();
    // Pages look at the controller while they go; they must go first.
    delete m_pages;
}

// What stands outside the window: the overlay, the icon in the tray.
void MainWindow::connectOutside()
{
    m_tray = std::make_unique<Tray>(*m_settings, *this);
    connect(&m_captions->choicesRow(), &ChoicesRow::overlayRequested, m_overlay_desk.get(), &OverlayDesk::toggle);
    connect(m_overlay_desk.get(), &OverlayDesk::shownChanged, this, [this] {
        m_captions->choicesRow().setOverlayShown(m_overlay_desk->isShown());
        m_tray->setOverlayShown(m_overlay_desk->isShown());
    });
    connect(m_overlay_desk.get(), &OverlayDesk::failed, this, [this](const QString &sentence) { m_captions->notices().raiseProblem(sentence); });
    connect(m_tray.get(), &Tray::startStopRequested, m_captions, &CaptionsPage::startOrStop);
    connect(m_tray.get(), &Tray::overlayRequested, m_overlay_desk.get(), &OverlayDesk::toggle);
    const auto show_state = [this] { m_tray->setState(m_controller->activity(), m_controller->present().source_title); };
    connect(m_controller.get(), &CaptionController::activityChanged, m_tray.get(), show_state);
    connect(m_controller.get(), &CaptionController::runStarted, m_tray.get(), show_state);
}

void MainWindow::connectTranslationOfCaptions()
{
    if (!m_services.make_translation_kit) {
        return;
    }
    m_captions_translation = std::make_unique<CaptionsTranslation>(m_services, *m_settings, *m_controller);
    TranslateChoice &choice = m_captions->choicesRow().translate();
    TranslationController &translation = m_captions_translation->controller();
    const auto revise = [this, &choice, &translation] {
        m_captions_translation->setTranslator(choice.choices());
        const bool on = m_captions_translation->isOn();
        m_captions->setTranslations(on ? m_captions_translation.get() : nullptr);
        m_overlay_desk->followTranslation(on ? translation.text() : m_translation->side().controller().text());
    };
    connect(&choice, &TranslateChoice::changed, this, revise);
    connect(&translation, &TranslationController::snapshotChanged, this, [&choice, &translation] {
        const translation::TranslationSnapshot &now = translation.snapshot();
        choice.showLoading(now.state == runtime::RunState::Loading ? coreWords(now.activity) : QString());
    });
    connect(&translation, &TranslationController::noticeRaised, this, [this](const QString &sentence) { m_captions->notices().inform(sentence, sentence); });
    connect(&translation, &TranslationController::failed, &m_captions->notices(), &NoticeStack::raiseProblem);
    revise();
}

void MainWindow::addPage(PageName name, QWidget *page)
{
    m_pages->addWidget(page);
    m_page_of[name] = page;
    if (auto *room = qobject_cast<RoomPage *>(page)) {
        m_rooms.push_back(room);
        connect(room, &RoomPage::captionSizeRequested, this, &MainWindow::changeCaptionSize);
    }
}

void MainWindow::buildRail()
{
    const auto page = [this](PageName name, const char *icon, const QString &title) {
        if (m_page_of.contains(name)) {
            m_rail->addPage(static_cast<int>(name), QLatin1String(icon), title, tr("Ctrl+%1").arg(static_cast<int>(name)));
        }
    };
    page(PageName::Captions, "captions", tr("Captions"));
    page(PageName::Translation, "translation", tr("Translation"));
    page(PageName::Streams, "streams", tr("Streams"));
    m_rail->addStretch();
    page(PageName::Models, "models", tr("Models"));
    page(PageName::History, "history", tr("History"));
    page(PageName::Settings, "settings", tr("Settings"));
    m_rail->setPage(static_cast<int>(PageName::Captions));
    connect(m_rail, &Rail::pageRequested, this, [this](int id) { showPage(static_cast<PageName>(id)); });
}

// What the menu does, it does in the room that shows; from another page, in Captions.
RoomPage &MainWindow::roomForMenu()
{
    if (room() == nullptr) {
        showPage(PageName::Captions);
    }
    return *room();
}

void MainWindow::buildMenu()
{
    const auto add = [this](const QString &title, const QString &keys, auto action) {
        m_rail->addAction(title, keys, [this, action] { action(roomForMenu()); });
    };
    add(tr("Open\u2026"), tr("Ctrl+O"), [](RoomPage &shown) { shown.openDialog(); });
    add(tr("Save\u2026"), tr("Ctrl+E"), [](RoomPage &shown) { shown.save(); });
    add(tr("New page"), tr("Ctrl+N"), [](RoomPage &shown) { shown.newPage(); });
    m_rail->addSeparator();
    add(tr("Find"), QStringLiteral("/"), [](RoomPage &shown) { shown.find(); });
    add(tr("Go to live"), QStringLiteral("L"), [](RoomPage &shown) { shown.goLive(); });
    add(tr("Inspector"), QStringLiteral("I"), [this](RoomPage &) { toggleInspector(); });
    add(tr("Fine-tuning"), QStringLiteral("D"), [](RoomPage &shown) { shown.openTuning(); });
    m_rail->addAction(tr("Translate the captions"), QStringLiteral("T"), [this] {
        showPage(PageName::Captions);
        m_captions->choicesRow().translate().openMenu();
    });
    add(tr("Compare"), QStringLiteral("C"), [](RoomPage &shown) { shown.compare(); });
    add(tr("Larger text"), QStringLiteral("+"), [this](RoomPage &) { changeCaptionSize(1); });
    add(tr("Smaller text"), QStringLiteral("-"), [this](RoomPage &) { changeCaptionSize(-1); });
    m_rail->addAction(tr("Overlay"), QStringLiteral("O"), [this] { m_overlay_desk->toggle(); });
    m_rail->addAction(tr("Overlay\u2026"), tr("Ctrl+Shift+O"), [this] { m_overlay_desk->openDialog(); });
    add(tr("Present"), QStringLiteral("F11"), [this](RoomPage &) { present(Presentation::Presenting); });
    m_rail->addSeparator();
    if (!m_services.sample_file.empty()) {
        m_rail->addAction(tr("Caption the sample"), {}, [this] {
            showPage(PageName::Captions);
            m_captions->newPage();
            m_captions->showSample();
        });
    }
    m_rail->addAction(tr("Keyboard and mouse"), QStringLiteral("F1"), [this] { showKeysDialog(this); });
    m_rail->addAction(tr("About Braid"), {}, [this] { showAbout(); });
    m_rail->addSeparator();
    m_rail->addAction(tr("Quit"), tr("Ctrl+Q"), [this] { close(); });
}

void MainWindow::showAbout()
{
    (new AboutDialog(m_services.describe_program, m_settings->values(), this))->open();
}

void MainWindow::addShortcuts()
{
    const auto shortcut = [this](const QKeySequence &keys, auto action) { connect(new QShortcut(keys, this), &QShortcut::activated, this, action); };
    for (const auto name : {PageName::Captions, PageName::Translation, PageName::Streams, PageName::Models, PageName::History, PageName::Settings}) {
        shortcut(QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_0 + static_cast<int>(name))), [this, name] { showPage(name); });
    }
    for (int tab = 1; tab <= kInspectorTabs; ++tab) {
        shortcut(QKeySequence(Qt::ALT | static_cast<Qt::Key>(Qt::Key_0 + tab)), [this, tab] { roomForMenu().openInspectorTab(tab); });
    }
    shortcut(QKeySequence(Qt::CTRL | Qt::Key_E), [this] { save(); });
    shortcut(QKeySequence(Qt::CTRL | Qt::Key_S), [this] { save(); });
    shortcut(QKeySequence::Open, [this] { roomForMenu().openDialog(); });
    shortcut(QKeySequence::New, [this] { roomForMenu().newPage(); });
    shortcut(QKeySequence::Find, [this] { roomForMenu().find(); });
    shortcut(QKeySequence(Qt::Key_F11), [this] { present(m_presenting ? Presentation::Window : Presentation::Presenting); });
    shortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O), [this] { m_overlay_desk->openDialog(); });
    shortcut(QKeySequence(Qt::CTRL | Qt::Key_Q), [this] { close(); });
    shortcut(QKeySequence(Qt::Key_F1), [this] { showKeysDialog(this); });
}

PageName MainWindow::page() const
{
    const auto shown = std::find_if(m_page_of.begin(), m_page_of.end(), [this](const auto &entry) { return entry.second == m_pages->currentWidget(); });
    return shown->first;
}

RoomPage *MainWindow::room() const
{
    return qobject_cast<RoomPage *>(m_pages->currentWidget());
}

void MainWindow::showPage(PageName page)
{
    const auto wanted = m_page_of.find(page);
    if (wanted == m_page_of.end()) {
        return;
    }
    if (m_presenting && page != this->page()) {
        present(Presentation::Window);
    }
    if (this->page() == PageName::Compare && page != PageName::Compare) {
        m_compare->leave();
    }
    m_pages->setCurrentWidget(wanted->second);
    m_rail->setPage(static_cast<int>(page == PageName::Compare ? PageName::Captions : page));
    if (page == PageName::Compare) {
        m_compare->refreshChoices();
        m_compare->setFocus();
    } else if (room() != nullptr) {
        room()->takeFocus();
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
    for (RoomPage *each : m_rooms) {
        if (!(m_presenting && each == room())) {
            each->setInspectorOpen(s.inspector_open);
        }
    }
    applyTheme();
}

void MainWindow::applyTheme()
{
    const ThemeKind kind = themeKindFor(m_settings->values().theme, m_system_palette);
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
        roomForMenu().save();
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
    RoomPage &shown = roomForMenu();
    m_presenting = presenting;
    m_rail->setVisible(!presenting);
    if (presenting) {
        m_state_before = windowState();
        const QSize room = screen() != nullptr ? screen()->size() : size();
        m_appearance->setCaptionPx(std::clamp(room.height() / shown.presentedLetters(), 40, kLargestCaptionPx));
        shown.setPresentation(presentation);
        setWindowState(windowState() | Qt::WindowFullScreen);
    } else {
        shown.setPresentation(presentation);
        setWindowState(m_state_before);
        applySettings();
    }
}

void MainWindow::begin(FirstRun first_run)
{
    runInBackground(
        this, [folder = m_services.journal_folder] { return folder.empty() ? std::vector<runtime::InterruptedRun>() : runtime::findInterruptedRuns(folder); },
        [this](const std::vector<runtime::InterruptedRun> &runs) {
            const auto of_kind = [&runs](runtime::RunKind kind) {
                std::vector<runtime::InterruptedRun> found;
                std::copy_if(runs.begin(), runs.end(), std::back_inserter(found), [kind](const runtime::InterruptedRun &run) { return run.info.kind == kind; });
                return found;
            };
            m_captions->offerRecovery(of_kind(runtime::RunKind::Captions));
            m_streams->files().offerRecovery(of_kind(runtime::RunKind::Conversation));
            m_translation->offerRecovery(of_kind(runtime::RunKind::Translation));
        },
        [](const QString &) {
            // No folder yet, or an unreadable one: nothing to recover. A run will say so if it cannot keep its journal.
        });
    if (first_run == FirstRun::ShowSample && !m_settings->values().met_before && !m_services.sample_file.empty()) {
        m_when_ready.push_back([this] {
            if (m_controller->activity() == RunActivity::Idle && m_controller->transcript().isEmpty()) {
                m_captions->showSample(Greeting::FirstTime);
            }
        });
        runWhenReady();
    }
}

void MainWindow::openJournal(runtime::RunKind kind, const std::filesystem::path &folder, const QString &words)
{
    switch (kind) {
    case runtime::RunKind::Captions:
        m_captions->openJournal(folder, words);
        return showPage(PageName::Captions);
    case runtime::RunKind::Conversation:
        m_streams->openJournal(folder, words);
        return showPage(PageName::Streams);
    case runtime::RunKind::Translation:
        break;
    }
    m_translation->openJournal(folder, words);
    showPage(PageName::Translation);
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
    if (event->key() == Qt::Key_Escape) {
        if (m_presenting) {
            present(Presentation::Window);
        } else if (page() == PageName::Compare) {
            showPage(PageName::Captions);
        } else {
            m_captions->playback().pause();
            m_services.player->stop();  // of the page that compares
        }
    } else if ((event->key() == Qt::Key_Plus || event->key() == Qt::Key_Equal) && room() != nullptr) {
        changeCaptionSize(1);
    } else if (event->key() == Qt::Key_Minus && room() != nullptr) {
        changeCaptionSize(-1);
    } else if (plain && page() == PageName::Compare && event->key() == Qt::Key_Space) {
        if (!event->isAutoRepeat()) {
            m_compare->startOrStop();
        }
    } else if (plain && room() != nullptr && event->key() == Qt::Key_Space) {
        if (!event->isAutoRepeat()) {
            room()->startOrStop();
        }
    } else if (!plain || room() == nullptr || takeRoomKey(event->key()) == KeyUse::NotMine) {
        QWidget::keyPressEvent(event);
    }
}

KeyUse MainWindow::takeRoomKey(int key)
{
    RoomPage &shown = *room();
    switch (key) {
    case Qt::Key_L:
        shown.goLive();
        break;
    case Qt::Key_I:
        toggleInspector();
        break;
    case Qt::Key_O:
        m_overlay_desk->toggle();
        break;
    case Qt::Key_C:
        shown.compare();
        break;
    case Qt::Key_D:
        shown.openTuning();
        break;
    case Qt::Key_BracketLeft:
        shown.stepTuning(-1);
        break;
    case Qt::Key_BracketRight:
        shown.stepTuning(1);
        break;
    case Qt::Key_Slash:
        shown.find();
        break;
    default:
        return shown.takeKey(key);
    }
    return KeyUse::Taken;
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
    roomForMenu().openFiles(files);
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
    m_overlay_desk->close();
    QWidget::closeEvent(event);
}

}  // namespace braid::ui
