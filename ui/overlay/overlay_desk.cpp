#include "ui/overlay/overlay_desk.h"

#include "ui/overlay/live_text_file.h"
#include "ui/overlay/overlay_canvas.h"
#include "ui/overlay/overlay_dialog.h"
#include "ui/overlay/overlay_window.h"

namespace braid::ui {
namespace {

constexpr int kPlainWidth = 1280;  // of a picture that OBS takes whole

}  // namespace

OverlayDesk::OverlayDesk(SettingsStore &settings, TranscriptModel &captions, BilingualText &translation, QWidget &window)
    : m_settings(settings)
    , m_window(window)
    , m_captions(captions)
    , m_translation(translation)
    , m_file(std::make_unique<LiveTextFile>(m_captions, m_translation))
{
    connect(m_file.get(), &LiveTextFile::failed, this, &OverlayDesk::failed);
    m_file->setOptions(settings.values().overlay);
    connect(&settings, &SettingsStore::changed, this, [this](const Settings &before) {
        const OverlayOptions &now = m_settings.values().overlay;
        if (before.overlay == now) {
            return;
        }
        m_file->setOptions(now);
        if (m_plain) {
            m_plain->setOptions(now);
        }
    });
}

OverlayDesk::~OverlayDesk() = default;

bool OverlayDesk::isShown() const
{
    return m_overlay && m_overlay->isVisible();
}

OverlayWindow &OverlayDesk::overlay()
{
    if (!m_overlay) {
        m_overlay = std::make_unique<OverlayWindow>(m_settings, m_captions, m_translation);
        connect(m_overlay.get(), &OverlayWindow::shownChanged, this, &OverlayDesk::shownChanged);
        connect(m_overlay.get(), &OverlayWindow::optionsRequested, this, &OverlayDesk::openDialog);
    }
    return *m_overlay;
}

OverlayCanvas &OverlayDesk::plainWindow()
{
    if (!m_plain) {
        m_plain = std::make_unique<OverlayCanvas>(m_captions, m_translation, Backdrop::Plain);
        m_plain->setAttribute(Qt::WA_QuitOnClose, false);
        m_plain->setWindowTitle(tr("Braid captions for streaming"));
        m_plain->setOptions(m_settings.values().overlay);
        m_plain->resize(kPlainWidth, m_plain->neededHeight());
    }
    return *m_plain;
}

OverlayDialog &OverlayDesk::dialog()
{
    if (m_dialog == nullptr) {
        m_dialog = new OverlayDialog(m_settings, &m_window);
        connect(m_dialog, &OverlayDialog::plainWindowRequested, this, &OverlayDesk::togglePlainWindow);
        connect(m_dialog, &OverlayDialog::overlayRequested, this, &OverlayDesk::toggle);
    }
    return *m_dialog;
}

void OverlayDesk::toggle()
{
    if (isShown()) {
        m_overlay->hide();
    } else {
        overlay().showNear(m_window);
    }
}

void OverlayDesk::togglePlainWindow()
{
    OverlayCanvas &window = plainWindow();
    window.setVisible(!window.isVisible());
}

void OverlayDesk::openDialog()
{
    dialog().show();
    dialog().raise();
    dialog().activateWindow();
}

void OverlayDesk::close()
{
    m_overlay.reset();
    m_plain.reset();
}

}  // namespace braid::ui
