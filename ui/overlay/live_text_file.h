// The newest lines as a text file that other programs (OBS: "Text, read from file") show live. Written off the GUI thread, one write at a time, the
// newest text last; a reader sees the old file or the new one, never half of it. GUI thread.
#pragma once

#include <array>
#include <filesystem>
#include <optional>

#include <QObject>
#include <QString>

#include "ui/overlay/overlay_text.h"
#include "ui/state/overlay_options.h"

namespace braid::ui {

class OverlaySource;

class LiveTextFile : public QObject {
    Q_OBJECT
  public:
    LiveTextFile(OverlaySource &captions, OverlaySource &translation, QObject *parent = nullptr);
    // Another file: that one is written from now on; an empty name: none is.
    void setOptions(const OverlayOptions &options);

  Q_SIGNALS:
    void failed(const QString &sentence);  // once for a file; it is tried again with the next line

  private:
    void take();
    void write(const QString &content);

    std::array<OverlayText *, 2> m_texts;  // captions, translation
    OverlayOptions m_options;
    std::filesystem::path m_file;
    QString m_written;               // or on its way
    std::optional<QString> m_waits;  // for the write that is going on
    bool m_is_writing = false;
    bool m_told = false;
};

}  // namespace braid::ui
