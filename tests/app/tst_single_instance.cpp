// A second start hands its recordings to the first; whoever is not the same program, or talks nonsense, is not listened to.
#include <atomic>
#include <cstring>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>

#include <QTemporaryDir>
#include <QtTest>

#include "app/window/single_instance.h"

using braid::app::SingleInstance;
using Files = std::vector<std::filesystem::path>;

class SingleInstanceTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void init() { m_socket = std::filesystem::path(m_folder.path().toStdString()) / QTest::currentTestFunction(); }

    void theSecondHandsOver()
    {
        SingleInstance first(m_socket);
        QVERIFY(!first.handOver({}));  // nobody listens yet
        std::vector<Files> taken;
        first.listen([&taken](const Files &files) { taken.push_back(files); });
        QVERIFY(handOverFromAnotherThread({"/talks/a b.wav", "/talks/\u00e9t\u00e9.mp4", "relative.wav"}));
        QCOMPARE(taken.size(), std::size_t(1));
        QCOMPARE(taken.front(), (Files{"/talks/a b.wav", "/talks/\u00e9t\u00e9.mp4"}));
        QVERIFY(handOverFromAnotherThread({}));
        QCOMPARE(taken.size(), std::size_t(2));
        QVERIFY(taken.back().empty());
        struct stat what {};
        QCOMPARE(::stat(m_socket.c_str(), &what), 0);
        QCOMPARE(what.st_mode & 0077U, 0U);  // nobody else's
    }
    void aSocketLeftBehindIsTakenUp()
    {
        const int fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        std::memcpy(address.sun_path, m_socket.c_str(), m_socket.string().size() + 1);
        QCOMPARE(::bind(fd, reinterpret_cast<const sockaddr *>(&address), sizeof address), 0);
        ::close(fd);  // as after a crash
        SingleInstance first(m_socket);
        QVERIFY(!first.handOver({"/a.wav"}));
        first.listen([](const Files &) {});
        QVERIFY(handOverFromAnotherThread({"/a.wav"}));
    }
    void theNextOneListensWhenTheFirstIsGone()
    {
        {
            SingleInstance first(m_socket);
            first.listen([](const Files &) {});
        }
        QVERIFY(!std::filesystem::exists(m_socket));
        SingleInstance second(m_socket);
        QVERIFY(!second.handOver({}));
        second.listen([](const Files &) {});
        QVERIFY(handOverFromAnotherThread({}));
    }
    void nonsenseIsNotTaken_data()
    {
        QTest::addColumn<QByteArray>("message");
        QTest::newRow("nothing") << QByteArray();
        QTest::newRow("another program") << QByteArray("GET / HTTP/1.1\r\n\r\n");
        QTest::newRow("another version") << QByteArray("braid 2\0/a.wav\0", 15);
        QTest::newRow("far too much") << QByteArray("braid 1\0", 8) + QByteArray(3 << 20, 'x');
    }
    void nonsenseIsNotTaken()
    {
        QFETCH(QByteArray, message);
        SingleInstance first(m_socket);
        int taken = 0;
        first.listen([&taken](const Files &) { ++taken; });
        std::atomic<bool> over{false};
        std::thread stranger([&] {
            const int fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
            sockaddr_un address{};
            address.sun_family = AF_UNIX;
            std::memcpy(address.sun_path, m_socket.c_str(), m_socket.string().size() + 1);
            static_cast<void>(::connect(fd, reinterpret_cast<const sockaddr *>(&address), sizeof address));
            static_cast<void>(::send(fd, message.constData(), static_cast<std::size_t>(message.size()), MSG_NOSIGNAL));
            ::shutdown(fd, SHUT_WR);
            char answer = 0;
            static_cast<void>(::read(fd, &answer, 1));  // until it is closed
            ::close(fd);
            over = true;
        });
        QTRY_VERIFY(over);
        stranger.join();
        QCOMPARE(taken, 0);
        QVERIFY(handOverFromAnotherThread({}));  // and it still listens
        QCOMPARE(taken, 1);
    }
    void withoutAPlaceEveryStartStandsAlone()
    {
        SingleInstance alone({});
        alone.listen([](const Files &) {});
        QVERIFY(!alone.handOver({"/a.wav"}));
        SingleInstance too_long(std::filesystem::path("/tmp") / std::string(200, 'x'));
        too_long.listen([](const Files &) {});
        QVERIFY(!too_long.handOver({}));
    }

  private:
    // As another process does; this thread's events go on.
    bool handOverFromAnotherThread(const Files &files)
    {
        std::atomic<int> result{-1};
        std::thread other([&] { result = SingleInstance(m_socket).handOver(files) ? 1 : 0; });
        const bool over = QTest::qWaitFor([&] { return result != -1; }, 10000);
        other.join();
        QCoreApplication::processEvents();
        return over && result == 1;
    }

    QTemporaryDir m_folder;
    std::filesystem::path m_socket;
};

QTEST_GUILESS_MAIN(SingleInstanceTest)
#include "tst_single_instance.moc"
