// All that shows captions outside the window: the strip over other windows, the plain window for streaming, the live text file, and the dialog that
// sets them up. GUI thread; what it is given outlives it.
#pragma once

#include <memory>

#include <QObject>

#include "ui/overlay/overlay_source.h"
#include "ui/state/settings.h"

namespace braid::ui {

class LiveTextFile;
class OverlayCanvas;
class OverlayDialog;
class OverlayWindow;

class OverlayDesk : public QObject {
    Q_OBJECT
  public:
    // `window`: whose screen the strip first appears on, and above which the dialog stands.
    OverlayDesk(SettingsStore &settings, TranscriptModel &captions, BilingualText &translation, QWidget &window);
    ~OverlayDesk() override;

    [[nodiscard]] bool isShown() const;
    [[nodiscard]] OverlayWindow &overlay();
    [[nodiscard]] OverlayCanvas &plainWindow();
    [[nodiscard]] OverlayDialog &dialog();
    // Whose translation shows from now on.
    void followTranslation(BilingualText &translation) { m_translation.follow(translation); }
    void toggle();
    void togglePlainWindow();
    void openDialog();
    void close();

  Q_SIGNALS:
    void shownChanged();
    void failed(const QString &sentence);

  private:
    SettingsStore &m_settings;
    QWidget &m_window;
    CaptionWords m_captions;
    TranslatedWords m_translation;
    std::unique_ptr<LiveTextFile> m_file;
    std::unique_ptr<OverlayWindow> m_overlay;  // made when first wanted
    std::unique_ptr<OverlayCanvas> m_plain;    // likewise
    OverlayDialog *m_dialog = nullptr;         // likewise; the window's
};

}  // namespace braid::ui
