// A zip archive whose files stand in it as they are (PKWARE's APPNOTE, method 0), which is all that a small document needs. Thread: one.
#pragma once

#include <QByteArray>

namespace braid::ui {

class StoredZip {
  public:
    void add(const QByteArray &name, const QByteArray &content);
    // The whole archive; call once, last.
    [[nodiscard]] QByteArray finish();

  private:
    QByteArray m_bytes;
    QByteArray m_directory;
    quint16 m_files = 0;
};

}  // namespace braid::ui
