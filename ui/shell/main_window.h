// The window: rail, pages, keyboard, dropped files, presenting, light and dark. GUI thread; owns everything it shows.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <vector>

#include <QWidget>

#include "ui/captions/captions_page.h"
#include "ui/shared/appearance.h"
#include "ui/state/caption_controller.h"
#include "ui/state/services.h"
#include "ui/state/settings.h"

class QStackedWidget;

namespace braid::ui {

class CaptionsTranslation;
class ComparePage;
class HistoryPage;
class ModelsPage;
class OverlayDesk;
class Rail;
class SettingsPage;
class StreamsPage;
class TranslationPage;
class Tray;

// In the order of the rail; Compare has no entry of its own.
enum class PageName : std::uint8_t { Captions = 1, Translation, Streams, Models, History, Settings, Compare };

enum class FirstRun : std::uint8_t { ShowSample = 1, Plain };

class MainWindow : public QWidget {
    Q_OBJECT
  public:
    explicit MainWindow(Services services, QWidget *parent = nullptr);
    ~MainWindow() override;

    [[nodiscard]] CaptionsPage &captions() noexcept { return *m_captions; }
    [[nodiscard]] TranslationPage &translation() noexcept { return *m_translation; }
    [[nodiscard]] StreamsPage &streams() noexcept { return *m_streams; }
    [[nodiscard]] ModelsPage &modelsPage() noexcept { return *m_models; }
    [[nodiscard]] HistoryPage &historyPage() noexcept { return *m_history; }
    [[nodiscard]] SettingsPage &settingsPage() noexcept { return *m_settings_page; }
    [[nodiscard]] ComparePage &comparePage() noexcept { return *m_compare; }
    [[nodiscard]] SettingsStore &settings() noexcept { return *m_settings; }
    [[nodiscard]] CaptionController &controller() noexcept { return *m_controller; }
    [[nodiscard]] Appearance &appearance() noexcept { return *m_appearance; }
    [[nodiscard]] Tray &tray() noexcept { return *m_tray; }
    // What stands under the captions; null in a build without models.
    [[nodiscard]] CaptionsTranslation *captionsTranslation() noexcept { return m_captions_translation.get(); }
    [[nodiscard]] OverlayDesk &overlayDesk() noexcept { return *m_overlay_desk; }
    [[nodiscard]] PageName page() const;
    // The room that shows; null on the other pages.
    [[nodiscard]] RoomPage *room() const;
    [[nodiscard]] bool isPresenting() const noexcept { return m_presenting; }

    void showPage(PageName page);
    void showAbout();
    void present(Presentation presentation);
    // Looks for interrupted sessions, in the background; the first time of all, shows the sample being captioned.
    void begin(FirstRun first_run);
    // When the lists of models and devices have arrived: captions these.
    void captionWhenReady(const std::vector<std::filesystem::path> &files);

  protected:
    void keyPressEvent(QKeyEvent *event) override;
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;
    void changeEvent(QEvent *event) override;
    void closeEvent(QCloseEvent *event) override;

  private:
    void addPage(PageName name, QWidget *page);
    void openJournal(runtime::RunKind kind, const std::filesystem::path &folder, const QString &words);
    void buildRail();
    void buildMenu();
    void connectOutside();
    void connectTranslationOfCaptions();
    void addShortcuts();
    [[nodiscard]] RoomPage &roomForMenu();
    [[nodiscard]] KeyUse takeRoomKey(int key);
    void applySettings();
    void applyTheme();
    void changeCaptionSize(int steps);
    void toggleInspector();
    void save();
    void runWhenReady();

    Services m_services;
    std::unique_ptr<SettingsStore> m_settings;
    std::unique_ptr<Appearance> m_appearance;
    std::unique_ptr<CaptionController> m_controller;
    QPalette m_system_palette;
    Rail *m_rail;
    QStackedWidget *m_pages;
    std::map<PageName, QWidget *> m_page_of;
    std::vector<RoomPage *> m_rooms;
    CaptionsPage *m_captions;
    TranslationPage *m_translation;
    StreamsPage *m_streams;
    ModelsPage *m_models;
    HistoryPage *m_history;
    SettingsPage *m_settings_page;
    ComparePage *m_compare;
    std::unique_ptr<CaptionsTranslation> m_captions_translation;  // null in a build without models
    std::unique_ptr<OverlayDesk> m_overlay_desk;
    std::unique_ptr<Tray> m_tray;
    std::vector<std::function<void()>> m_when_ready;
    bool m_presenting = false;
    bool m_applying_theme = false;
    Qt::WindowStates m_state_before;
};

}  // namespace braid::ui
