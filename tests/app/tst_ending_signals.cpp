// A signal that asks the window's program to end closes its windows, as a person would.
#include <QApplication>
#include <QCloseEvent>
#include <QTimer>
#include <QWidget>
#include <QtTest>

#include <csignal>

#include "app/window/ending_signals.h"

namespace {

class Window : public QWidget {
  public:
    bool was_closed = false;

  protected:
    void closeEvent(QCloseEvent *event) override
    {
        was_closed = true;
        QWidget::closeEvent(event);
    }
};

}  // namespace

class EndingSignalsTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void theWindowIsClosedInOrder_data()
    {
        QTest::addColumn<int>("signal");
        QTest::newRow("the polite kill") << SIGTERM;
        QTest::newRow("the session goes away") << SIGHUP;
        QTest::newRow("Ctrl+C") << SIGINT;
    }
    void theWindowIsClosedInOrder()
    {
        QFETCH(int, signal);
        const braid::app::EndingSignals ending;
        Window window;
        window.show();
        QTimer::singleShot(0, &window, [signal] { ::raise(signal); });
        QTimer::singleShot(30000, &window, [] { QCoreApplication::exit(1); });
        QCOMPARE(QApplication::exec(), 0);
        QVERIFY(window.was_closed);
    }
};

int main(int argc, char **argv)
{
    QApplication application(argc, argv);
    EndingSignalsTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_ending_signals.moc"
