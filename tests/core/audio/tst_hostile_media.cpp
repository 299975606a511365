// Files that are no recordings but name other things, and files whose time stamps claim what is not there: refused or bounded, with nothing else opened.
#include <QTemporaryDir>
#include <QtTest>

#include <atomic>
#include <dlfcn.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/audio/file_source.h"
#include "tests/core/audio/signals.h"
#include "tests/support/error_sentence.h"

namespace {

std::atomic<int> g_sockets = 0;

}  // namespace

// Stands before libc's: whatever this process links opens its sockets through it.
extern "C" int socket(int domain, int type, int protocol)
{
    ++g_sockets;
    using Socket = int (*)(int, int, int);
    static const auto real = reinterpret_cast<Socket>(::dlsym(RTLD_NEXT, "socket"));
    return real(domain, type, protocol);
}

using namespace braid;
using braid::test::contains;
using braid::test::sentenceOf;
using namespace braid::audio;
using namespace braid::audio::testing;

namespace {

// Notices when a file is opened.
class Watch {
  public:
    explicit Watch(const std::filesystem::path &file)
        : m_fd(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC))
    {
        ::inotify_add_watch(m_fd, file.c_str(), IN_OPEN | IN_ACCESS);
    }
    ~Watch() { ::close(m_fd); }
    Watch(const Watch &) = delete;
    Watch &operator=(const Watch &) = delete;
    [[nodiscard]] bool sawSomebody() const
    {
        char events[4096];
        return ::read(m_fd, events, sizeof events) > 0;
    }

  private:
    int m_fd;
};

void appendEbml(std::string &out, std::uint32_t id, int id_bytes, const std::string &content)
{
    for (int shift = (id_bytes - 1) * 8; shift >= 0; shift -= 8) {
        out += static_cast<char>(id >> shift);
    }
    out += '\x08';  // a length of five bytes
    for (int shift = 24; shift >= 0; shift -= 8) {
        out += static_cast<char>(content.size() >> shift);
    }
    out += content;
}

std::string ebmlNumber(std::uint64_t value)
{
    std::string bytes;
    for (int shift = 56; shift >= 0; shift -= 8) {
        bytes += static_cast<char>(value >> shift);
    }
    return bytes;
}

// A Matroska file of short pieces of 16 kHz sound, each `step_ms` after the one before.
std::string jumpingFile(int pieces, std::uint64_t step_ms)
{
    std::string head;
    appendEbml(head, 0x4282, 2, "matroska");
    std::string file;
    appendEbml(file, 0x1A45DFA3, 4, head);
    std::string audio;
    appendEbml(audio, 0xB5, 1, std::string("\x46\x7A\0\0", 4));  // 16000 as a float
    appendEbml(audio, 0x9F, 1, ebmlNumber(1));
    appendEbml(audio, 0x6264, 2, ebmlNumber(16));
    std::string entry;
    appendEbml(entry, 0xD7, 1, ebmlNumber(1));
    appendEbml(entry, 0x73C5, 2, ebmlNumber(1));
    appendEbml(entry, 0x83, 1, ebmlNumber(2));
    appendEbml(entry, 0x86, 1, "A_PCM/INT/LIT");
    appendEbml(entry, 0xE1, 1, audio);
    std::string tracks;
    appendEbml(tracks, 0xAE, 1, entry);
    std::string segment;
    appendEbml(segment, 0x1654AE6B, 4, tracks);
    const std::string sound = pcm16(sine(440, 16000, 320));
    for (int piece = 0; piece < pieces; ++piece) {
        std::string cluster;
        appendEbml(cluster, 0xE7, 1, ebmlNumber(static_cast<std::uint64_t>(piece) * step_ms));
        appendEbml(cluster, 0xA3, 1, std::string("\x81\0\0\x80", 4) + sound);
        appendEbml(segment, 0x1F43B675, 4, cluster);
    }
    appendEbml(file, 0x18538067, 4, segment);
    return file;
}

}  // namespace

class HostileMediaTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void descriptionsOfOtherThingsAreRefused_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("text");
        const QByteArray other = m_folder.filePath("other.wav").toUtf8();
        QTest::newRow("a session in the network") << "net.wav"
                                                  << QByteArray("v=0\no=- 0 0 IN IP4 127.0.0.1\ns=talk\nc=IN IP4 127.0.0.1\nt=0 0\n"
                                                                "m=audio 45454 RTP/AVP 0\na=rtpmap:0 PCMU/8000\n");
        QTest::newRow("a script of files") << "g.wav" << QByteArray("ffconcat version 1.0\nfile 'other.wav'\nduration 1\n");
        QTest::newRow("a script of files, by their whole path") << "h.wav" << QByteArray("ffconcat version 1.0\nfile '" + other + "'\n");
        QTest::newRow("a playlist") << "list.wav" << QByteArray("#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nfile://" + other + "\n#EXT-X-ENDLIST\n");
        QTest::newRow("a presentation")
            << "dash.wav"
            << QByteArray("<?xml version=\"1.0\"?>\n<MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\" profiles=\"urn:mpeg:dash:profile:isoff-on-demand:2011\" "
                          "type=\"static\"><Period><AdaptationSet><Representation id=\"1\"><BaseURL>file://" +
                          other + "</BaseURL></Representation></AdaptationSet></Period></MPD>\n");
    }
    void descriptionsOfOtherThingsAreRefused()
    {
        QFETCH(QString, name);
        QFETCH(QByteArray, text);
        const auto other = write("other.wav", wav(pcm16(sine(440, 16000, 16000)), 16000, 1));
        const auto path = write(name, text.toStdString());
        const Watch watch(other);
        g_sockets = 0;
        const std::string sentence = sentenceOf([&] { (void)openFileSource(path); });
        QVERIFY2(contains(sentence, name.toStdString()) && contains(sentence, "this is no"), sentence.c_str());
        QCOMPARE(g_sockets.load(), 0);
        QVERIFY(!watch.sawSomebody());
    }

    // Under a picture's name, too, and with the ending of what it is.
    void imageSequencesAreRefused()
    {
        write("frame1.png", "\x89PNG\r\n\x1a\n");
        for (const char *name : {"frame%d.png", "frame%d.jpg"}) {
            const auto path = write(name, "\x89PNG\r\n\x1a\nxxxxxxxxxxxxxxxx");
            QVERIFY(!sentenceOf([&] { (void)hearAll(*openFileSource(path)); }).empty());
        }
    }

    void timeStampsThatJumpClaimNoWeeks()
    {
        const auto source = openFileSource(write("jumps.mkv", jumpingFile(400, 3'500'000)));  // "388 hours"
        std::vector<float> buffer(16000);
        source->start();
        Sample total = 0;
        std::string told;
        for (ReadResult result; result.state != ReadState::End;) {
            result = source->read(buffer, std::chrono::milliseconds(100));
            total += static_cast<Sample>(result.samples) + result.gap_samples;
            told += result.notice;
        }
        QVERIFY2(total >= Sample(400) * 320 && total < samplesFromSeconds(2 * 3600), qPrintable(QString::number(total)));
        QVERIFY2(contains(told, "time stamps"), told.c_str());
    }

    // It ends at once, and nobody will ever write into it.
    void anEmptyDeviceIsNotWaitedFor()
    {
        const std::string sentence = sentenceOf([] { static_cast<void>(openFileSource("/dev/null")); });
        QVERIFY2(contains(sentence, "/dev/null"), sentence.c_str());
    }

    void aRecordingShorterThanItsHeaderSaysSo()
    {
        const std::string whole = wav(pcm16(sine(440, 16000, 64000)), 16000, 1);
        const Heard heard = hearAll(*openFileSource(write("cut.wav", whole.substr(0, whole.size() / 2))));
        QVERIFY(heard.sound.size() > 30000);
        QCOMPARE(heard.notices.size(), std::size_t(1));
        QVERIFY2(contains(heard.notices.front(), "cut off"), heard.notices.front().c_str());
    }

  private:
    std::filesystem::path write(const QString &name, const std::string &bytes)
    {
        std::filesystem::path path = m_folder.filePath(name).toStdString();
        writeFileAtomically(path, bytes);
        return path;
    }

    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(HostileMediaTest)
#include "tst_hostile_media.moc"
