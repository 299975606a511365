// Sources that end: files of many kinds, raw PCM through a pipe, real-time pace, scripts; and what is said about bad ones.
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest>

#include <bit>
#include <thread>
#include <unistd.h>

#include "core/audio/file_source.h"
#include "core/audio/paced_source.h"
#include "core/audio/pcm_source.h"
#include "core/audio/scripted_source.h"
#include "core/audio/sound_decoder.h"
#include "core/audio/source_spec.h"
#include "core/base/error.h"
#include "tests/core/audio/signals.h"
#include "tests/support/error_sentence.h"
#include "tests/support/sanitized.h"

using namespace braid;
using braid::test::sentenceOf;
using namespace braid::audio;
using namespace braid::audio::testing;
using std::chrono::milliseconds;

namespace {

constexpr const char *kNoEncoder = "ffmpeg is not installed (it makes this test's files), or this build decodes no media";

// A pipe whose write end is fed by a thread.
struct Feeder {
    Feeder(std::string bytes, unsigned seed)
    {
        int ends[2];
        if (::pipe(ends) != 0) {
            qFatal("no pipe");
        }
        read_end = ends[0];
        thread = std::thread([bytes = std::move(bytes), seed, end = ends[1]] {
            std::mt19937 random(seed);
            for (std::size_t at = 0; at < bytes.size();) {
                const std::size_t count = std::min<std::size_t>(1 + random() % 777, bytes.size() - at);
                const ssize_t written = ::write(end, bytes.data() + at, count);
                if (written <= 0) {
                    break;
                }
                at += static_cast<std::size_t>(written);
            }
            ::close(end);
        });
    }
    ~Feeder()
    {
        thread.join();
        ::close(read_end);
    }
    Feeder(const Feeder &) = delete;
    Feeder &operator=(const Feeder &) = delete;
    int read_end = -1;
    std::thread thread;
};

}  // namespace

class SourcesTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void wavOfEveryEncoding_data()
    {
        QTest::addColumn<int>("bits");
        QTest::addColumn<int>("tag");
        QTest::addColumn<int>("channels");
        for (const int channels : {1, 2, 6}) {
            QTest::addRow("8 bit, %d", channels) << 8 << 1 << channels;
            QTest::addRow("16 bit, %d", channels) << 16 << 1 << channels;
            QTest::addRow("24 bit, %d", channels) << 24 << 1 << channels;
            QTest::addRow("32 bit, %d", channels) << 32 << 1 << channels;
            QTest::addRow("float, %d", channels) << 32 << 3 << channels;
            QTest::addRow("double, %d", channels) << 64 << 3 << channels;
        }
    }
    void wavOfEveryEncoding()
    {
        QFETCH(int, bits);
        QFETCH(int, tag);
        QFETCH(int, channels);
        const auto sound = sine(440, kSampleRateHz, 20000, 0.7);
        std::string data;
        for (const float value : sound) {
            for (int channel = 0; channel < channels; ++channel) {
                if (bits == 64) {
                    const auto pattern = std::bit_cast<std::uint64_t>(static_cast<double>(value));
                    append(data, static_cast<std::uint32_t>(pattern), 4);
                    append(data, static_cast<std::uint32_t>(pattern >> 32), 4);
                } else if (tag == 3) {
                    append(data, std::bit_cast<std::uint32_t>(value), 4);
                } else {
                    const double scale = std::ldexp(1.0, bits - 1) - 1;
                    append(data, static_cast<std::uint32_t>(std::llround(value * scale) + (bits == 8 ? 128 : 0)), bits / 8);
                }
            }
        }
        const std::string file = wav(data, kSampleRateHz, channels, bits, tag);
        const auto *begin = reinterpret_cast<const std::byte *>(file.data());
        const auto bytes = memoryBytes({begin, begin + file.size()}, "test.wav");
        const auto decoder = makeWavDecoder(*bytes);
        QCOMPARE(decoder->info().channels, channels);
        QVERIFY(std::fabs(decoder->info().length_seconds - 1.25) < 1e-9);
        std::vector<float> heard;
        SoundBlock block;
        while (decoder->decode(block)) {
            heard.insert(heard.end(), block.mono.begin(), block.mono.end());
        }
        QCOMPARE(heard.size(), sound.size());
        const double tolerance = bits == 8 ? 0.02 : 1e-4;
        for (std::size_t index = 0; index < heard.size(); ++index) {
            QVERIFY(std::fabs(heard[index] - sound[index]) < tolerance);
        }
    }

    // The factory's file source: libav's where it is built in, else the WAV reader.
    void aWavFileIsHeardExactly()
    {
        const auto path = write("tone.wav", wav(pcm16(sine(440, kSampleRateHz, 40000)), kSampleRateHz, 1));
        SourceSpec spec;
        spec.kind = SourceKind::File;
        spec.path = path;
        const auto source = openSource(spec);
        QCOMPARE(source->description().name, std::string("tone.wav"));
        QCOMPARE(source->description().length_samples, Sample(40000));
        QVERIFY(source->description().pace == Pace::Fast);
        const Heard heard = hearAll(*source, 777);
        QCOMPARE(heard.sound.size(), std::size_t(40000));
        QVERIFY(heard.notices.empty());
        QVERIFY(std::fabs(amplitudeOf(heard.sound, 440) - 0.5) < 1e-3);
    }

    // A 440 Hz tone of 2 s, encoded by ffmpeg in the kinds people have.
    void filesOfAllKinds_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QStringList>("options");
        QTest::newRow("mp3") << "a.mp3" << QStringList{"-c:a", "libmp3lame"};
        QTest::newRow("flac 96 kHz stereo") << "a.flac" << QStringList{"-ar", "96000", "-ac", "2"};
        QTest::newRow("vorbis") << "a.ogg" << QStringList{"-c:a", "libvorbis"};
        QTest::newRow("opus") << "a.opus" << QStringList{"-c:a", "libopus"};
        QTest::newRow("m4a") << "a.m4a" << QStringList{"-c:a", "aac"};
        QTest::newRow("aac 5.1") << "a.aac" << QStringList{"-c:a", "aac", "-ac", "6"};
        QTest::newRow("aiff 8 kHz") << "a.aiff" << QStringList{"-ar", "8000"};
        QTest::newRow("wma") << "a.wma" << QStringList{"-c:a", "wmav2"};
        QTest::newRow("mp4 video") << "a.mp4" << QStringList{"VIDEO", "-c:a", "aac"};
        QTest::newRow("mkv video") << "a.mkv" << QStringList{"VIDEO", "-c:a", "ac3"};
        QTest::newRow("webm video") << "a.webm" << QStringList{"VIDEO", "-c:v", "libvpx", "-c:a", "libopus"};
        QTest::newRow("wrong ending") << "a.txt" << QStringList{"-f", "mp3"};
    }
    void filesOfAllKinds()
    {
        QFETCH(QString, name);
        QFETCH(QStringList, options);
        const auto path = encode(name, "sine=frequency=440:sample_rate=44100:duration=2", options);
        if (path.empty()) {
            QSKIP(kNoEncoder);
        }
        const auto source = openFileSource(path);
        QVERIFY(std::llabs(source->description().length_samples - 32000) < 3200);
        const Heard heard = hearAll(*source);
        QVERIFY2(std::llabs(static_cast<long long>(heard.sound.size()) - 32000) < 2400, qPrintable(QString::number(heard.sound.size())));
        const std::vector<float> steady(heard.sound.begin() + 8000, heard.sound.begin() + 24000);
        const double tone = amplitudeOf(steady, 440);
        // ffmpeg's tone has an amplitude of 1/8; a downmix to one channel may change it, but nothing else may be in there.
        QVERIFY2(tone > 0.02 && tone / std::sqrt(2.0) > 0.99 * rmsOf(steady), qPrintable(QString("%1 %2").arg(tone).arg(rmsOf(steady))));
        QVERIFY(heard.notices.empty());
    }

    void soundThatStartsLateKeepsTheTimeOfThePicture()
    {
        const auto path = encode("late.mkv", "sine=frequency=440:duration=1", {"VIDEO", "-af", "asetpts=PTS+1.5/TB", "-c:a", "pcm_s16le"});
        if (path.empty()) {
            QSKIP(kNoEncoder);
        }
        const Heard heard = hearAll(*openFileSource(path));
        QVERIFY2(std::llabs(heard.gap_samples - 24000) < 100, qPrintable(QString::number(heard.gap_samples)));
        QCOMPARE(heard.sound[23000], 0.0f);
        QVERIFY(std::fabs(amplitudeOf({heard.sound.begin() + 26000, heard.sound.begin() + 38000}, 440) - 0.125) < 0.01);
    }

    void damagedPartsAreLeftOutAndTold()
    {
        const auto path = encode("whole.flac", "sine=frequency=440:duration=4", {});
        if (path.empty()) {
            QSKIP(kNoEncoder);
        }
        std::string bytes = readTextFile(path);
        std::mt19937 random(1);
        for (std::size_t at = bytes.size() / 2; at < bytes.size() / 2 + 20000 && at < bytes.size(); ++at) {
            bytes[at] = static_cast<char>(random());
        }
        const Heard heard = hearAll(*openFileSource(write("damaged.flac", bytes)));
        QVERIFY(!heard.notices.empty());
        QVERIFY2(heard.notices.front().find("damaged") != std::string::npos, heard.notices.front().c_str());
        QVERIFY(heard.sound.size() > 30000);
    }

    void aTruncatedFileGivesWhatIsThere()
    {
        const auto path = encode("full.mp3", "sine=frequency=440:duration=4", {});
        if (path.empty()) {
            QSKIP(kNoEncoder);
        }
        const std::string bytes = readTextFile(path);
        const Heard heard = hearAll(*openFileSource(write("half.mp3", bytes.substr(0, bytes.size() / 2))));
        QVERIFY(heard.sound.size() > 25000 && heard.sound.size() < 40000);
    }

    void badFilesAreToldInASentence_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("expected");
        QTest::newRow("empty") << QByteArray() << "empty";
        QTest::newRow("text") << QByteArray("This is not a recording, it is a letter to my aunt.\n").repeated(20) << "not a";
        QTest::newRow("zeros") << QByteArray(100000, '\0') << "not a";
        QTest::newRow("riff only") << QByteArray("RIFF") << "not a";
        const std::string whole = wav(pcm16(sine(440, kSampleRateHz, 100)), kSampleRateHz, 1);
        QTest::newRow("header only") << QByteArray(whole.data(), 30) << "";
        QTest::newRow("no sound in it") << QByteArray(whole.data(), 44) << "no sound";
    }
    void badFilesAreToldInASentence()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, expected);
        const auto path = write("bad.wav", bytes.toStdString());
        const std::string sentence = sentenceOf([&] { (void)hearAll(*openFileSource(path)); });
        QVERIFY2(sentence.find("bad.wav") != std::string::npos, sentence.c_str());
        QVERIFY2(QString::fromStdString(sentence).contains(expected), sentence.c_str());
    }

    void missingFilesAndFoldersAreToldInASentence()
    {
        QVERIFY(sentenceOf([&] { (void)openFileSource("/no/such/file.wav"); }).find("there is no such file") != std::string::npos);
        QVERIFY(sentenceOf([&] { (void)openFileSource("/tmp"); }).find("folder") != std::string::npos);
    }

    void aVideoWithoutSoundIsToldInASentence()
    {
        const auto path = encode("silent.mp4", "", {"-f", "lavfi", "-i", "testsrc=size=64x48:rate=5:duration=1"});
        if (path.empty()) {
            QSKIP(kNoEncoder);
        }
        QVERIFY(sentenceOf([&] { (void)openFileSource(path); }).find("there is no sound in this file") != std::string::npos);
    }

    // A playlist names other files and addresses; opening it must not read them.
    void playlistsOpenNothingElse()
    {
        const auto target = write("secret.wav", wav(pcm16(sine(440, kSampleRateHz, 4000)), kSampleRateHz, 1));
        for (const std::string &list :
             std::vector<std::string>{"#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nfile://" + target.string() + "\n#EXT-X-ENDLIST\n",
                                      "ffconcat version 1.0\nfile '" + target.string() + "'\n"}) {
            const std::string sentence = sentenceOf([&] { (void)hearAll(*openFileSource(write("list.m3u8", list))); });
            QVERIFY2(!sentence.empty(), list.c_str());
        }
    }

    void aLongFileIsNotLoadedWhole()
    {
        if (BRAID_SANITIZED) {
            QSKIP("memory is not measured under a sanitizer");
        }
        // Three hours of 16 kHz in a sparse file: 345 MB that would show in the memory of this process.
        const auto path = std::filesystem::path(m_folder.filePath("long.wav").toStdString());
        std::string head = wav("", kSampleRateHz, 1);
        const std::uint32_t bytes = 3u * 3600 * 16000 * 2;
        std::memcpy(head.data() + 40, &bytes, 4);
        writeFileAtomically(path, head);
        std::filesystem::resize_file(path, 44 + bytes);
        const auto source = openFileSource(path);
        QCOMPARE(source->description().length_samples, Sample(3) * 3600 * 16000);
        std::vector<float> buffer(16000);
        source->start();
        std::size_t total = 0;
        const long before_kb = peakMemoryKb();
        while (true) {
            const ReadResult result = source->read(buffer, milliseconds(100));
            total += result.samples;
            if (result.state == ReadState::End) {
                break;
            }
        }
        QCOMPARE(total, std::size_t(3) * 3600 * 16000);
        QVERIFY2(peakMemoryKb() - before_kb < 20000, qPrintable(QString::number(peakMemoryKb() - before_kb)));
    }

    void stopEndsAFile()
    {
        const auto source = openFileSource(write("long_enough.wav", wav(pcm16(sine(440, kSampleRateHz, 160000)), kSampleRateHz, 1)));
        std::vector<float> buffer(1000);
        source->start();
        QVERIFY(source->read(buffer, milliseconds(10)).state == ReadState::Sound);
        source->stop();
        QVERIFY(source->read(buffer, milliseconds(10)).state == ReadState::End);
    }

    void aPipeGivesTheSameAsTheFile_data()
    {
        QTest::addColumn<int>("rate_hz");
        QTest::addColumn<int>("channels");
        QTest::newRow("16 kHz mono") << 16000 << 1;
        QTest::newRow("44.1 kHz stereo") << 44100 << 2;
    }
    void aPipeGivesTheSameAsTheFile()
    {
        QFETCH(int, rate_hz);
        QFETCH(int, channels);
#ifndef BRAID_HAS_MEDIA
        if (rate_hz != kSampleRateHz) {
            QSKIP("this build has no resampling library");
        }
#endif
        const std::string data = pcm16(noise(60000, 0.1, 5));
        const Heard file = hearAll(*openFileSource(write("same.wav", wav(data, rate_hz, channels))), 1600);
        const Feeder feeder(data, 9);
        const auto source = openPcmSource(feeder.read_end, {rate_hz, channels}, "standard input");
        const Heard piped = hearAll(*source, 333);
        QCOMPARE(piped.sound.size(), file.sound.size());
        double worst = 0;
        for (std::size_t index = 0; index < piped.sound.size(); ++index) {
            worst = std::max(worst, static_cast<double>(std::fabs(piped.sound[index] - file.sound[index])));
        }
        QVERIFY2(worst < 1e-5, qPrintable(QString::number(worst)));
        QVERIFY(piped.notices.empty());
    }

    void aPipeMayEndInHalfASample()
    {
        const Feeder feeder(pcm16(sine(440, kSampleRateHz, 1000)) + "x", 2);
        const Heard heard = hearAll(*openPcmSource(feeder.read_end, {}, "standard input"));
        QCOMPARE(heard.sound.size(), std::size_t(1000));
        QCOMPARE(heard.notices.size(), std::size_t(1));
        QVERIFY(heard.notices.front().find("middle of a sample") != std::string::npos);
    }

    void aWavHeaderOnAPipeIsNoticed()
    {
        const Feeder feeder(wav(pcm16(sine(440, kSampleRateHz, 1000)), kSampleRateHz, 1), 2);
        const Heard heard = hearAll(*openPcmSource(feeder.read_end, {}, "standard input"));
        QCOMPARE(heard.notices.size(), std::size_t(1));
        QVERIFY(heard.notices.front().find("WAV") != std::string::npos);
    }

    void aSilentPipeNeitherBlocksNorOutlivesStop()
    {
        int ends[2];
        QCOMPARE(::pipe(ends), 0);
        const auto source = openPcmSource(ends[0], {}, "standard input");
        source->start();
        std::vector<float> buffer(100);
        QElapsedTimer timer;
        timer.start();
        QVERIFY(source->read(buffer, milliseconds(30)).state == ReadState::Nothing);
        QVERIFY(timer.elapsed() < 2000);
        std::thread stopper([&] {
            std::this_thread::sleep_for(milliseconds(50));
            source->stop();
        });
        QVERIFY(source->read(buffer, std::chrono::seconds(60)).state == ReadState::End);
        QVERIFY(timer.elapsed() < 10000);
        stopper.join();
        ::close(ends[0]);
        ::close(ends[1]);
    }

    void absurdPcmFormatsAreRefused()
    {
        QVERIFY_EXCEPTION_THROWN((void)openPcmSource(0, {0, 1}, "standard input"), Error);
        QVERIFY_EXCEPTION_THROWN((void)openPcmSource(0, {16000, 0}, "standard input"), Error);
    }

    // With a clock of its own: ten seconds pass in no time, and every answer is exact.
    void realTimePaceFollowsTheClock()
    {
        struct StepClock final : Clock {
            TimePoint at{};
            TimePoint now() const noexcept override { return at; }
            void sleepFor(std::chrono::nanoseconds duration) override { at += duration; }
        } clock;
        auto script = std::make_unique<ScriptedSource>(
            std::vector<ScriptStep>{script::Sound{sine(440, kSampleRateHz, 80000)}, script::Gap{32000, "lost"}, script::Silence{48000}}, SourceDescription{},
            100000);
        PacedSource source(std::move(script), &clock);
        QVERIFY(source.description().pace == Pace::Realtime);
        std::vector<float> buffer(16000);
        source.start();
        const TimePoint began = clock.at;
        Sample total = 0;
        QStringList notices;
        while (true) {
            const ReadResult result = source.read(buffer, milliseconds(50));
            total += static_cast<Sample>(result.samples) + result.gap_samples;
            const double seconds = std::chrono::duration<double>(clock.at - began).count();
            QVERIFY(secondsFromSamples(total) <= seconds + 1e-6);
            QVERIFY(result.samples <= 1600 && result.gap_samples <= 1600);
            if (!result.notice.empty()) {
                notices << QString::fromStdString(result.notice);
            }
            if (result.state == ReadState::End) {
                QVERIFY(std::fabs(seconds - 10) < 0.05);
                break;
            }
            QVERIFY(seconds - secondsFromSamples(total) < 0.05);
        }
        QCOMPARE(total, Sample(160000));
        QCOMPARE(notices, QStringList{"lost"});
        // A reader that was away catches up without waiting.
        PacedSource late(std::make_unique<ScriptedSource>(std::vector<ScriptStep>{script::Silence{160000}}, SourceDescription{}, 100000), &clock);
        late.start();
        clock.at += std::chrono::seconds(1);
        const TimePoint back = clock.at;
        for (int piece = 0; piece < 10; ++piece) {
            QCOMPARE(late.read(buffer, milliseconds(50)).samples, std::size_t(1600));
        }
        QVERIFY(clock.at == back);
    }

    void aScriptIsPlayedStepByStep()
    {
        ScriptedSource source({script::Sound{{1, 2, 3}}, script::Nothing{2}, script::Gap{500, "lost"}, script::Notice{"hello"}, script::Hold{},
                               script::Silence{5}, script::Fail{ErrorKind::Device, "unplugged"}},
                              {.name = "script", .detail = {}, .pace = Pace::Live, .length_samples = 0}, 2);
        std::vector<float> buffer(10);
        const auto read = [&] { return source.read(buffer, milliseconds(1)); };
        QCOMPARE(read().samples, std::size_t(2));
        QCOMPARE(read().samples, std::size_t(1));
        QCOMPARE(buffer[0], 3.0f);
        QVERIFY(read().state == ReadState::Nothing);
        QVERIFY(read().state == ReadState::Nothing);
        QCOMPARE(read().gap_samples, Sample(500));
        QCOMPARE(read().notice, std::string("hello"));
        QVERIFY(!source.holding());
        QVERIFY(read().state == ReadState::Nothing);
        QVERIFY(source.holding());
        source.release();
        QCOMPARE(read().samples, std::size_t(2));
        QVERIFY(!source.holding());
        QCOMPARE(read().samples + read().samples, std::size_t(3));
        QVERIFY_EXCEPTION_THROWN((void)read(), Error);
        source.stop();
        QVERIFY(read().state == ReadState::End);
    }

  private:
    std::filesystem::path write(const QString &name, const std::string &bytes)
    {
        const std::filesystem::path path = m_folder.filePath(name).toStdString();
        writeFileAtomically(path, bytes);
        return path;
    }

    // Runs ffmpeg on a generated tone; "VIDEO" among the options adds a small moving picture. Empty where it cannot.
    std::filesystem::path encode(const QString &name, const QString &tone, QStringList options)
    {
#ifndef BRAID_HAS_MEDIA
        return {};
#endif
        const QString program = QStandardPaths::findExecutable("ffmpeg");
        if (program.isEmpty()) {
            return {};
        }
        QStringList arguments{"-v", "error", "-y"};
        if (!tone.isEmpty()) {
            arguments << "-f"
                      << "lavfi"
                      << "-i" << tone;
        }
        if (options.removeOne("VIDEO")) {
            arguments << "-f"
                      << "lavfi"
                      << "-i"
                      << "testsrc=size=64x48:rate=5:duration=2";
        }
        const QString path = m_folder.filePath(name);
        arguments << options << path;
        QProcess process;
        process.start(program, arguments);
        if (!process.waitForFinished(30000) || process.exitCode() != 0) {
            qWarning("%s", process.readAllStandardError().constData());
        }
        return path.toStdString();
    }

    static long peakMemoryKb()
    {
        QFile status("/proc/self/status");
        if (!status.open(QIODevice::ReadOnly)) {
            return 0;
        }
        for (const QByteArray &line : status.readAll().split('\n')) {
            if (line.startsWith("VmHWM:")) {
                return line.mid(6).replace("kB", "").trimmed().toLong();
            }
        }
        return 0;
    }

    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(SourcesTest)
#include "tst_sources.moc"
