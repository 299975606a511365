// The real device libraries without a sound card: nothing there is a normal state, said in a sentence and quiet on stderr; an ALSA
// device out of a file through PortAudio; what a PulseAudio daemon plays, and its loss and return.
#include <QElapsedTimer>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest>

#include <sys/mman.h>
#include <unistd.h>

#include "core/audio/player.h"
#include "core/audio/source_spec.h"
#include "core/base/error.h"
#include "core/base/log.h"
#include "tests/core/audio/signals.h"
#include "tests/support/error_sentence.h"

using namespace braid;
using braid::test::sentenceOf;
using namespace braid::audio;
using namespace braid::audio::testing;
using std::chrono::milliseconds;

namespace {

// What this process writes to stderr while it lives.
class StderrCapture {
  public:
    StderrCapture()
        : m_saved(::dup(2))
        , m_file(::memfd_create("stderr", 0))
    {
        ::dup2(m_file, 2);
    }
    ~StderrCapture()
    {
        (void)text();
        ::close(m_file);
    }
    QByteArray text()
    {
        if (m_saved >= 0) {
            ::dup2(m_saved, 2);
            ::close(m_saved);
            m_saved = -1;
        }
        QByteArray bytes(65536, '\0');
        const ssize_t count = ::pread(m_file, bytes.data(), static_cast<std::size_t>(bytes.size()), 0);
        return bytes.left(std::max<ssize_t>(count, 0));
    }

  private:
    int m_saved;
    int m_file;
};

// A PulseAudio daemon of the test's own, with one output that nobody hears.
class PulseDaemon {
  public:
    explicit PulseDaemon(const QString &folder)
        : m_folder(folder)
    {
        QDir().mkpath(folder);
        QFile::setPermissions(folder, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        qputenv("PULSE_SERVER", ("unix:" + folder + "/native").toLocal8Bit());
        qputenv("PULSE_COOKIE", (folder + "/cookie").toLocal8Bit());
    }
    ~PulseDaemon() { stop(); }
    bool start()
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("HOME", m_folder);
        environment.insert("XDG_RUNTIME_DIR", m_folder);
        environment.insert("PULSE_RUNTIME_PATH", m_folder);
        environment.insert("PULSE_STATE_PATH", m_folder);
        m_process.setProcessEnvironment(environment);
        m_process.start(QStandardPaths::findExecutable("pulseaudio"),
                        {"-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "--disable-shm=yes", "-L",
                         "module-native-protocol-unix auth-anonymous=1 socket=" + m_folder + "/native", "-L",
                         "module-null-sink sink_name=test rate=44100 channels=2 sink_properties=device.description=TestOutput"});
        return m_process.waitForStarted(5000) && QTest::qWaitFor([] { return !listDevices().empty(); }, 10000);
    }
    void stop()
    {
        if (m_process.state() != QProcess::NotRunning) {
            m_process.kill();
            m_process.waitForFinished(5000);
        }
        QFile::remove(m_folder + "/native");
    }

  private:
    QString m_folder;
    QProcess m_process;
};

SourceSpec specOf(SourceKind kind, std::string device = {})
{
    SourceSpec spec;
    spec.kind = kind;
    spec.device = std::move(device);
    return spec;
}

// Listens until `enough` says so, 20 seconds at most: the machine may be busy, and a null output gives its sound in gulps.
Heard listenUntil(Source &source, const std::function<bool(const Heard &)> &enough)
{
    Heard heard;
    std::vector<float> buffer(16000);
    QElapsedTimer timer;
    timer.start();
    while (!enough(heard) && timer.elapsed() < 20000) {
        const ReadResult result = source.read(buffer, milliseconds(50));
        if (!result.notice.empty()) {
            heard.notices.push_back(result.notice);
        }
        heard.gap_samples += result.gap_samples;
        heard.sound.insert(heard.sound.end(), buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(result.samples));
        if (result.state == ReadState::End) {
            break;
        }
    }
    return heard;
}

// How much of `frequency_hz` is in the newest half second.
double newestTone(const Heard &heard, double frequency_hz)
{
    return heard.sound.size() < 8000 ? 0 : amplitudeOf({heard.sound.end() - 8000, heard.sound.end()}, frequency_hz);
}

bool saysThat(const Heard &heard, const std::string &words)
{
    return std::any_of(heard.notices.begin(), heard.notices.end(), [&](const std::string &notice) { return notice.find(words) != std::string::npos; });
}

}  // namespace

class DevicesTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void initTestCase()
    {
        initLogging(LogLevel::Quiet);
        QVERIFY(m_folder.isValid());
        // Neither the machine's devices nor its sound server: what the test sees is the test's own.
        qputenv("PULSE_SERVER", ("unix:" + m_folder.filePath("nobody")).toLocal8Bit());
        qputenv("PIPEWIRE_REMOTE", "braid-test-nobody");
        qputenv("JACK_NO_START_SERVER", "1");
        qputenv("HOME", m_folder.path().toLocal8Bit());
        qputenv("ALSA_CONFIG_PATH", m_folder.filePath("alsa.conf").toLocal8Bit());
    }

    void noDevicesIsANormalQuietState()
    {
        writeAlsa("");
        StderrCapture captured;
        QVERIFY(listDevices().empty());
        const std::string microphone = sentenceOf(ErrorKind::Device, [] { (void)openSource(specOf(SourceKind::Microphone)); });
        const std::string system_sound = sentenceOf(ErrorKind::Device, [] { (void)openSource(specOf(SourceKind::SystemSound)); });
        const std::string named = sentenceOf(ErrorKind::Device, [] { (void)openSource(specOf(SourceKind::Microphone, "Headset")); });
        const QByteArray noise = captured.text();
        QVERIFY2(noise.isEmpty(), noise.constData());
        QVERIFY2(microphone.find("no microphone was found") != std::string::npos, microphone.c_str());
        QVERIFY2(system_sound.find("no PulseAudio or PipeWire answers") != std::string::npos, system_sound.c_str());
        QVERIFY2(named.find("Headset: there is no such microphone") != std::string::npos, named.c_str());
    }

    void aMissingServerIsNotWaitedFor()
    {
        QElapsedTimer timer;
        timer.start();
        (void)sentenceOf(ErrorKind::Device, [] { (void)openSource(specOf(SourceKind::SystemSound)); });
        QVERIFY2(timer.elapsed() < 4000, qPrintable(QString::number(timer.elapsed())));
    }

    void playingWithoutALoudspeakerIsToldInASentence()
    {
        writeAlsa("");
        const auto player = makeSoundPlayer();
        QElapsedTimer timer;
        timer.start();
        player->play(sine(440, kSampleRateHz, 16000), 1000);
        QVERIFY(timer.elapsed() < 500);
        std::string trouble;
        QVERIFY(QTest::qWaitFor([&] { return !(trouble = player->takeTrouble()).empty(); }, 10000));
        QVERIFY2(trouble.find("no loudspeaker") != std::string::npos, trouble.c_str());
        QVERIFY(!player->position().has_value());
        QVERIFY(player->takeTrouble().empty());
    }

    // PortAudio, ALSA and the callbacks for real, both ways: a word is played on the default output, and a microphone that hears what
    // that output plays records it. Then the sound server dies and comes back.
    void aWordIsPlayedAndAMicrophoneHearsIt()
    {
        if (!QFile::exists(alsaPulsePlugin()) || QStandardPaths::findExecutable("pulseaudio").isEmpty()) {
            QSKIP("pulseaudio or ALSA's plug-in for it is not installed");
        }
        writeAlsa("pcm.!default { type pulse hint { show on description \"Test\" } }\nctl.!default { type pulse }\n");
        PulseDaemon daemon(m_folder.filePath("pulse"));
        if (!daemon.start()) {
            QSKIP("a pulseaudio daemon does not start here");
        }
        StderrCapture captured;
        const std::vector<DeviceInfo> devices = listDevices();
        const QByteArray noise = captured.text();
        QVERIFY2(noise.isEmpty(), noise.constData());
        const auto microphone = std::find_if(devices.begin(), devices.end(),
                                             [](const DeviceInfo &device) { return device.kind == SourceKind::Microphone && device.name == "pulse"; });
        QVERIFY(microphone != devices.end());
        QCOMPARE(microphone->host_api, std::string("ALSA"));

        SourceSpec spec = specOf(SourceKind::Microphone, "pulse");
        spec.host_api = "ALSA";
        const auto source = openSource(spec);
        QCOMPARE(source->description().name, std::string("pulse"));
        QVERIFY(source->description().pace == Pace::Live);
        source->start();
        QVERIFY(!listenUntil(*source, [](const Heard &heard) { return heard.sound.size() > 8000; }).sound.empty());

        const auto player = makeSoundPlayer();
        player->play(sine(440, kSampleRateHz, 16000 * 30), 5000);
        Sample furthest = 0;
        const Heard word = listenUntil(*source, [&](const Heard &heard) {
            furthest = std::max(furthest, player->position().value_or(0));
            return furthest >= 5000 + 16000 && newestTone(heard, 440) > 0.45;
        });
        const std::string trouble = player->takeTrouble();
        QVERIFY2(trouble.empty(), trouble.c_str());
        QVERIFY2(furthest >= 5000 + 16000, qPrintable(QString::number(furthest)));
        QVERIFY2(newestTone(word, 440) > 0.45, qPrintable(QString::number(newestTone(word, 440))));
        player->stop();
        QVERIFY(!player->position().has_value());

        daemon.stop();
        const Heard lost = listenUntil(*source, [](const Heard &heard) { return heard.gap_samples > 48000 && saysThat(heard, "was lost"); });
        QVERIFY(saysThat(lost, "was lost"));
        QVERIFY(lost.gap_samples > 48000);
        QVERIFY(daemon.start());
        const Heard back = listenUntil(*source, [](const Heard &heard) { return heard.sound.size() > 8000; });
        QVERIFY(saysThat(back, "is back"));
        QVERIFY(back.sound.size() > 8000);
        endOf(*source);
    }

    void whatTheSystemPlaysIsHeardLostAndFoundAgain()
    {
        if (QStandardPaths::findExecutable("pulseaudio").isEmpty() || QStandardPaths::findExecutable("pacat").isEmpty()) {
            QSKIP("pulseaudio and its utilities are not installed");
        }
        writeAlsa("");
        PulseDaemon daemon(m_folder.filePath("pulse"));
        if (!daemon.start()) {
            QSKIP("a pulseaudio daemon does not start here");
        }
        std::vector<DeviceInfo> devices = listDevices();
        std::erase_if(devices, [](const DeviceInfo &device) { return device.kind != SourceKind::SystemSound; });
        QCOMPARE(devices.size(), std::size_t(1));
        QCOMPARE(devices[0].host_api, std::string("PulseAudio"));
        QCOMPARE(devices[0].name, std::string("Monitor of TestOutput"));
        QCOMPARE(devices[0].channels, 2);
        QVERIFY(devices[0].is_default);

        const auto source = openSource(specOf(SourceKind::SystemSound));
        QCOMPARE(source->description().detail, std::string("44100 Hz, 2 channels"));
        source->start();
        QProcess play;
        writeFileAtomically(m_folder.filePath("play.raw").toStdString(), pcm16(sine(700, kSampleRateHz, 16000 * 30)));
        play.start("pacat", {"--playback", "--format=s16le", "--rate=16000", "--channels=1", "--latency-msec=50", m_folder.filePath("play.raw")});
        QVERIFY(play.waitForStarted(5000));
        const Heard tone = listenUntil(*source, [](const Heard &heard) { return newestTone(heard, 700) > 0.45; });
        QVERIFY2(tone.notices.empty(), tone.notices.empty() ? "" : tone.notices.front().c_str());
        QVERIFY2(newestTone(tone, 700) > 0.45, qPrintable(QString::number(newestTone(tone, 700))));

        daemon.stop();
        play.kill();
        play.waitForFinished(5000);
        const Heard lost = listenUntil(*source, [](const Heard &heard) { return heard.gap_samples > 16000 && saysThat(heard, "was lost"); });
        QVERIFY(saysThat(lost, "was lost"));
        QVERIFY(lost.gap_samples > 16000);
        QVERIFY(daemon.start());
        const Heard back = listenUntil(*source, [](const Heard &heard) { return heard.sound.size() > 8000; });
        QVERIFY(saysThat(back, "is back"));
        QVERIFY(back.sound.size() > 8000);
        endOf(*source);
    }

    // Inputs stand by the names people know them by; ALSA's names for "whatever there is" do not stand beside them.
    void microphonesOfTheSoundServerHaveNames()
    {
        if (QStandardPaths::findExecutable("pulseaudio").isEmpty() || QStandardPaths::findExecutable("pactl").isEmpty()) {
            QSKIP("pulseaudio and its utilities are not installed");
        }
        writeAlsa("pcm.!default { type pulse hint { show on description \"Test\" } }\nctl.!default { type pulse }\n");
        PulseDaemon daemon(m_folder.filePath("pulse"));
        if (!daemon.start()) {
            QSKIP("a pulseaudio daemon does not start here");
        }
        const auto load = [](const QStringList &module) { return QProcess::execute("pactl", QStringList{"load-module"} + module) == 0; };
        // Microphones that hear what the output plays.
        QVERIFY(load({"module-remap-source", "source_name=desk", "master=test.monitor", "source_properties=\"device.description='Desk Microphone'\""}));
        QVERIFY(load({"module-remap-source", "source_name=twin_a", "master=test.monitor", "source_properties=device.description=Webcam"}));
        QVERIFY(load({"module-remap-source", "source_name=twin_b", "master=test.monitor", "source_properties=device.description=Webcam"}));
        QStringList names;
        for (const DeviceInfo &device : listDevices()) {
            if (device.kind == SourceKind::Microphone) {
                names << QString::fromStdString(device.name + " [" + device.host_api + "]");
            }
        }
        QCOMPARE(names, (QStringList{"Desk Microphone [PulseAudio]", "Webcam (twin_a) [PulseAudio]", "Webcam (twin_b) [PulseAudio]"}));
        // Chosen by that name alone it is opened; what it hears comes.
        const auto source = openSource(specOf(SourceKind::Microphone, "Desk Microphone"));
        QCOMPARE(source->description().name, std::string("Desk Microphone"));
        source->start();
        QVERIFY(!listenUntil(*source, [](const Heard &heard) { return heard.sound.size() > 8000; }).sound.empty());
        endOf(*source);
        SourceSpec gone = specOf(SourceKind::Microphone, "Headset");
        gone.host_api = "PulseAudio";
        try {
            static_cast<void>(openSource(gone));
            QFAIL("a microphone that is not there was opened");
        } catch (const Error &error) {
            QVERIFY2(QString::fromUtf8(error.what()).contains("Headset: there is no such microphone"), error.what());
        }
    }

  private:
    static void endOf(Source &source)
    {
        std::vector<float> buffer(16000);
        QElapsedTimer timer;
        timer.start();
        source.stop();
        while (source.read(buffer, milliseconds(50)).state != ReadState::End) {
            QVERIFY(timer.elapsed() < 10000);
        }
    }

    static QString alsaPulsePlugin() { return "/usr/lib/x86_64-linux-gnu/alsa-lib/libasound_module_pcm_pulse.so"; }

    // ALSA's own configuration and what the test adds.
    void writeAlsa(const QString &text)
    {
        writeFileAtomically(m_folder.filePath("alsa.conf").toStdString(), "</usr/share/alsa/alsa.conf>\n" + text.toStdString());
    }

    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(DevicesTest)
#include "tst_devices.moc"
