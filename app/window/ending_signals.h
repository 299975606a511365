// The polite kill, Ctrl+C and a session that goes away close the windows as a person would: what goes on ends in order and journals are finished.
// Make it before any thread is started, so that threads inherit the blocked signals, and after QApplication. Thread: GUI.
#pragma once

#include <QObject>

namespace braid::app {

class EndingSignals : public QObject {
  public:
    explicit EndingSignals(QObject *parent = nullptr);
    ~EndingSignals() override;
    EndingSignals(const EndingSignals &) = delete;
    EndingSignals &operator=(const EndingSignals &) = delete;

  private:
    int m_fd = -1;
};

}  // namespace braid::app
