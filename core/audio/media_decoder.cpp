// Sound out of what libavformat and libavcodec read (media_formats.h). Files come from strangers: nothing but the given bytes is ever opened
// (no playlists, no network), stream counts and time without sound are limited, damaged packets are left out.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/channel_layout.h>
#include <libavutil/opt.h>
#include <libswresample/swresample.h>
}

#include "core/audio/media_formats.h"
#include "core/audio/resampler.h"
#include "core/audio/sound_decoder.h"
#include "core/base/error.h"
#include "core/base/log.h"
#include "core/base/sample_clock.h"

namespace braid::audio {
namespace {

constexpr int kIoBufferBytes = 64 * 1024;
constexpr int kMostStreams = 200;
constexpr double kSmallestHoleSeconds = 0.1;  // shorter jumps of the time stamps are rounding and codec delay
constexpr double kLargestHoleSeconds = 3600;  // longer ones are damaged time stamps
constexpr double kMostHolesSeconds = 3600;    // of all together, beyond as much as there is sound: a small file must not claim weeks
constexpr double kLatestSoundSeconds = 120;   // after the picture; later ones are cuts out of something longer
constexpr double kLongestSeconds = 1000.0 * 3600;
constexpr int kMostErrorsInARow = 200;
constexpr std::size_t kMostSamplesPerFrame = 8u << 20;
constexpr int kMostMixedChannels = 64;  // libswresample's own limit, which its swr_set_matrix() does not check

struct FormatDeleter {
    void operator()(AVFormatContext *context) const { avformat_close_input(&context); }
};
struct CodecDeleter {
    void operator()(AVCodecContext *context) const { avcodec_free_context(&context); }
};
struct PacketDeleter {
    void operator()(AVPacket *packet) const { av_packet_free(&packet); }
};
struct FrameDeleter {
    void operator()(AVFrame *frame) const { av_frame_free(&frame); }
};
struct SwrDeleter {
    void operator()(SwrContext *context) const { swr_free(&context); }
};
struct IoDeleter {
    void operator()(AVIOContext *context) const
    {
        if (context != nullptr) {
            av_freep(&context->buffer);
            avio_context_free(&context);
        }
    }
};

std::string libavReason(int error)
{
    char text[AV_ERROR_MAX_STRING_SIZE] = {};
    av_strerror(error, text, sizeof(text));
    return text;
}

// libav prints on stderr by itself; its messages are of use only to those who look for them.
void logToDebug(void *context, int level, const char *format, va_list arguments)
{
    if (level > AV_LOG_WARNING || !spdlog::should_log(spdlog::level::debug)) {
        return;
    }
    char line[512];
    int print_prefix = 1;
    av_log_format_line2(context, level, format, arguments, line, sizeof(line), &print_prefix);
    std::string text(line);
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) {
        text.pop_back();
    }
    if (!text.empty()) {
        spdlog::debug("libav: {}", text);
    }
}

int readBytes(void *opaque, std::uint8_t *buffer, int size)
{
    // No exception may cross libav's C frames.
    try {
        auto *bytes = static_cast<ByteInput *>(opaque);
        const std::size_t count = bytes->read({reinterpret_cast<std::byte *>(buffer), static_cast<std::size_t>(size)});
        return count == 0 ? AVERROR_EOF : static_cast<int>(count);
    } catch (const std::exception &) {
        return AVERROR(EIO);
    }
}

std::int64_t seekBytes(void *opaque, std::int64_t offset, int whence)
{
    auto *bytes = static_cast<ByteInput *>(opaque);
    if (whence == AVSEEK_SIZE) {
        return bytes->size() >= 0 ? bytes->size() : AVERROR(ENOSYS);
    }
    switch (whence & ~AVSEEK_FORCE) {
    case SEEK_CUR:
        offset += bytes->position();
        break;
    case SEEK_END:
        offset += bytes->size();
        break;
    default:
        break;
    }
    return bytes->seek(offset) ? offset : AVERROR(EINVAL);
}

// Formats that name other files (playlists, image sequences) would open them through this.
int refuseToOpen(AVFormatContext *, AVIOContext **, const char *, int, AVDictionary **)
{
    return AVERROR(EACCES);
}

class MediaDecoder final : public SoundDecoder {
  public:
    explicit MediaDecoder(ByteInput &bytes)
        : m_bytes(bytes)
    {
        static std::once_flag quiet;  // libav's log is one per process
        std::call_once(quiet, [] { av_log_set_callback(logToDebug); });
        m_wav_seconds = wavSeconds();
        openContainer();
        openCodec();
        m_packet.reset(av_packet_alloc());
        m_frame.reset(av_frame_alloc());
        if (!m_packet || !m_frame) {
            throw std::bad_alloc();
        }
    }

    ~MediaDecoder() override { av_channel_layout_uninit(&m_swr_layout); }
    MediaDecoder(const MediaDecoder &) = delete;
    MediaDecoder &operator=(const MediaDecoder &) = delete;

    SoundInfo info() const override
    {
        double seconds = 0;
        if (m_stream->duration != AV_NOPTS_VALUE && m_stream->duration > 0) {
            seconds = static_cast<double>(m_stream->duration) * av_q2d(m_stream->time_base);
        } else if (m_format->duration != AV_NOPTS_VALUE && m_format->duration > 0) {
            seconds = static_cast<double>(m_format->duration) / AV_TIME_BASE;
        }
        const AVCodecDescriptor *codec = avcodec_descriptor_get(m_codec->codec_id);
        const int channels = m_codec->ch_layout.nb_channels;
        return {std::string(codec != nullptr ? codec->name : "unknown") + ", " + std::to_string(m_codec->sample_rate) + " Hz, " + std::to_string(channels) +
                    (channels == 1 ? " channel" : " channels"),
                static_cast<double>(m_codec->sample_rate), channels, std::isfinite(seconds) && seconds < kLongestSeconds ? seconds : 0};
    }

    bool decode(SoundBlock &block) override
    {
        block = {};
        block.rate_hz = m_rate_hz;
        while (true) {
            const int received = avcodec_receive_frame(m_codec.get(), m_frame.get());
            if (received == 0) {
                convertFrame(block);
                av_frame_unref(m_frame.get());
                if (!block.mono.empty() || block.missing_seconds > 0) {
                    return true;
                }
                continue;
            }
            if (received == AVERROR_EOF || (received != AVERROR(EAGAIN) && m_draining)) {
                addSummary(block);
                return false;
            }
            if (received != AVERROR(EAGAIN)) {
                noteDamage(block);
            }
            feed(block);
        }
    }

  private:
    [[noreturn]] void fail(const std::string &happened, const std::string &remedy = {}) const
    {
        throw Error(ErrorKind::Input, happened, m_bytes.name(), remedy);
    }

    // As a WAV file's header states it: libav does not give it where the file is shorter. 0 for other files.
    double wavSeconds() const
    {
        if (!m_bytes.seekable()) {
            return 0;
        }
        double seconds = 0;
        try {
            seconds = makeWavDecoder(m_bytes)->info().length_seconds;
        } catch (const Error &) {
            // Of another kind, or libav says what is wrong with it.
        }
        static_cast<void>(m_bytes.seek(0));
        return seconds;
    }

    void openContainer()
    {
        auto *buffer = static_cast<unsigned char *>(av_malloc(kIoBufferBytes));
        m_io.reset(avio_alloc_context(buffer, kIoBufferBytes, 0, &m_bytes, readBytes, nullptr, m_bytes.seekable() ? seekBytes : nullptr));
        AVFormatContext *format = avformat_alloc_context();
        if (buffer == nullptr || !m_io || format == nullptr) {
            avformat_free_context(format);
            throw std::bad_alloc();
        }
        format->pb = m_io.get();
        format->flags |= AVFMT_FLAG_CUSTOM_IO;
        format->io_open = refuseToOpen;
        format->max_streams = kMostStreams;
        format->protocol_whitelist = av_strdup(kNoProtocol);
        format->format_whitelist = av_strdup(containerNames());
        // Only the ending goes to libav, as a hint on the format; the name itself might look like an address to it.
        const std::string hint = "sound" + std::filesystem::path(m_bytes.name()).extension().string();
        const AVInputFormat *kind = nullptr;
        if (av_probe_input_buffer2(m_io.get(), &kind, hint.c_str(), nullptr, 0, 0) >= 0 && !isContainer(kind->name)) {
            avformat_free_context(format);
            fail(std::string("this is no recording that Braid reads, but of the kind \"") + kind->name + "\" (" + kind->long_name + ")",
                 "Open a recording itself; what names other files or addresses is never followed");
        }
        AVDictionary *options = nullptr;
        av_dict_set(&options, "codec_whitelist", soundDecoderNames().c_str(), 0);
        const int opened = avformat_open_input(&format, hint.c_str(), kind, &options);  // frees `format` when it fails
        av_dict_free(&options);
        if (opened < 0) {
            fail("this is not a sound or video file that Braid can read (" + libavReason(opened) + ")", "Check that the file is whole and is a recording");
        }
        m_format.reset(format);
        if (avformat_find_stream_info(format, nullptr) < 0) {
            fail("the file's contents cannot be made out; it seems to be damaged");
        }
        const int best = av_find_best_stream(format, AVMEDIA_TYPE_AUDIO, -1, -1, nullptr, 0);
        if (best < 0) {
            fail("there is no sound in this file");
        }
        m_stream = format->streams[best];
        discardOtherStreams();
    }

    // Packets of pictures, subtitles and other sound tracks are not even handed over.
    void discardOtherStreams()
    {
        for (unsigned index = 0; index < m_format->nb_streams; ++index) {
            AVStream *stream = m_format->streams[index];
            stream->discard = stream == m_stream ? AVDISCARD_DEFAULT : AVDISCARD_ALL;
        }
    }

    void openCodec()
    {
        const AVCodec *codec = avcodec_find_decoder(m_stream->codecpar->codec_id);
        if (codec == nullptr) {
            const AVCodecDescriptor *known = avcodec_descriptor_get(m_stream->codecpar->codec_id);
            fail(std::string("its sound is encoded as ") + (known != nullptr ? known->long_name : "something unknown") +
                     ", which this machine's libav cannot decode",
                 "Convert it to WAV, FLAC or MP3");
        }
        m_codec.reset(avcodec_alloc_context3(codec));
        if (!m_codec || avcodec_parameters_to_context(m_codec.get(), m_stream->codecpar) < 0) {
            fail("the description of its sound is damaged");
        }
        m_codec->pkt_timebase = m_stream->time_base;
        m_codec->thread_count = 1;
        if (avcodec_open2(m_codec.get(), codec, nullptr) < 0) {
            fail("the description of its sound is damaged");
        }
        if (m_codec->sample_rate < kMinRateHz || m_codec->sample_rate > kMaxRateHz || m_codec->ch_layout.nb_channels < 1 ||
            m_codec->ch_layout.nb_channels > kMostMixedChannels) {
            fail("the description of its sound makes no sense");
        }
        m_rate_hz = m_codec->sample_rate;
    }

    // One packet into the codec, or the word that there are no more.
    void feed(SoundBlock &block)
    {
        while (true) {
            const int read = av_read_frame(m_format.get(), m_packet.get());
            if (read == AVERROR_EOF || (read < 0 && ++m_errors_in_a_row > kMostErrorsInARow)) {
                m_unreadable = read != AVERROR_EOF;
                m_draining = true;
                avcodec_send_packet(m_codec.get(), nullptr);
                return;
            }
            if (read < 0) {
                noteDamage(block);
                continue;
            }
            const bool ours = m_packet->stream_index == m_stream->index;
            const int sent = ours ? avcodec_send_packet(m_codec.get(), m_packet.get()) : 0;
            av_packet_unref(m_packet.get());
            if (!ours) {
                continue;
            }
            if (sent < 0) {
                ++m_errors_in_a_row;
                noteDamage(block);
                if (m_errors_in_a_row > kMostErrorsInARow) {
                    m_unreadable = true;
                    m_draining = true;
                    avcodec_send_packet(m_codec.get(), nullptr);
                    return;
                }
                continue;
            }
            m_errors_in_a_row = 0;
            return;
        }
    }

    void noteDamage(SoundBlock &block)
    {
        if (m_damaged_pieces++ == 0) {
            block.notice = "A part of the file at " + formatClock(samplesFromSeconds(m_seconds_given)) + " is damaged and was left out.";
        }
    }

    void addSummary(SoundBlock &block) const
    {
        if (m_unreadable) {
            block.notice = "From " + formatClock(samplesFromSeconds(m_seconds_given)) + " on the file is too damaged to be read.";
        } else if (m_damaged_pieces > 1) {
            block.notice = std::to_string(m_damaged_pieces) + " damaged parts of the file were left out.";
        } else if (const double announced = announcedSeconds(); m_seconds_given < announced - std::max(0.5, 0.02 * announced)) {
            block.notice = "The file ends at " + formatClock(samplesFromSeconds(m_seconds_given)) + ", although its header says that it goes on to " +
                           formatClock(samplesFromSeconds(announced)) + "; it was cut off.";
        }
    }

    // The length that the file itself states; 0 where it is only estimated, or may be that of a picture.
    double announcedSeconds() const
    {
        if (m_wav_seconds > 0) {
            return m_wav_seconds;
        }
        const bool is_stated = m_format->nb_streams == 1 && m_format->duration_estimation_method != AVFMT_DURATION_FROM_BITRATE;
        return is_stated ? info().length_seconds : 0;
    }

    void convertFrame(SoundBlock &block)
    {
        const AVFrame &frame = *m_frame;
        if (frame.nb_samples <= 0 || frame.sample_rate < kMinRateHz || frame.sample_rate > kMaxRateHz || frame.ch_layout.nb_channels < 1 ||
            frame.ch_layout.nb_channels > kMostMixedChannels || static_cast<std::size_t>(frame.nb_samples) > kMostSamplesPerFrame) {
            noteDamage(block);
            return;
        }
        findHole(block);
        prepareDownmix();
        m_rate_hz = frame.sample_rate;
        block.rate_hz = m_rate_hz;
        m_converted.resize(static_cast<std::size_t>(frame.nb_samples));
        auto *out = reinterpret_cast<std::uint8_t *>(m_converted.data());
        const int count = swr_convert(m_swr.get(), &out, frame.nb_samples, const_cast<const std::uint8_t **>(frame.extended_data), frame.nb_samples);
        if (count < 0) {
            noteDamage(block);
            return;
        }
        appendDownmixed(std::span(m_converted).first(static_cast<std::size_t>(count)), 1, block.mono);
        m_seconds_given += static_cast<double>(count) / m_rate_hz;
    }

    // Time stamps tell where sound is missing: before the first frame (the picture begins earlier) and where packets were lost.
    void findHole(SoundBlock &block)
    {
        const AVFrame &frame = *m_frame;
        if (frame.best_effort_timestamp == AV_NOPTS_VALUE) {
            m_expected_seconds = -1;
            return;
        }
        const double at = static_cast<double>(frame.best_effort_timestamp) * av_q2d(m_stream->time_base);
        double expected = m_expected_seconds;
        if (m_first_frame && m_format->nb_streams > 1) {
            expected = pictureBegins(at);
        }
        m_first_frame = false;
        const double hole = at - expected;
        if (expected >= 0 && hole > kSmallestHoleSeconds && hole < kLargestHoleSeconds) {
            const double sound_seconds = m_seconds_given - m_hole_seconds;
            if (m_hole_seconds + hole <= kMostHolesSeconds + sound_seconds) {
                block.missing_seconds = hole;
                m_seconds_given += hole;
                m_hole_seconds += hole;
            } else if (!std::exchange(m_holes_told, true)) {
                block.notice = "From " + formatClock(samplesFromSeconds(m_seconds_given)) +
                               " on the file's time stamps leave more time without sound than with it; such holes are left out.";
            }
        }
        m_expected_seconds = at + static_cast<double>(frame.nb_samples) / frame.sample_rate;
    }

    // Where the picture begins on the time stamps' clock. libav's own start_time is not enough: it needs the pictures decoded. Files begin
    // at zero; transport streams and cuts out of longer recordings anywhere.
    double pictureBegins(double sound_begins) const
    {
        const bool anywhere = (m_format->iformat->flags & AVFMT_TS_DISCONT) != 0 || sound_begins > kLatestSoundSeconds;
        if (!anywhere) {
            return 0;
        }
        return m_format->start_time != AV_NOPTS_VALUE ? static_cast<double>(m_format->start_time) / AV_TIME_BASE : sound_begins;
    }

    // One channel of float, by libav's rules for the layout (the voices of a film are in its centre channel). Rates stay as they are:
    // libsoxr does those.
    void prepareDownmix()
    {
        const AVFrame &frame = *m_frame;
        const bool same = m_swr != nullptr && m_swr_format == frame.format && m_swr_rate == frame.sample_rate &&
                          av_channel_layout_compare(&m_swr_layout, &frame.ch_layout) == 0;
        if (same) {
            return;
        }
        AVChannelLayout from{};
        if (frame.ch_layout.order == AV_CHANNEL_ORDER_UNSPEC) {
            av_channel_layout_default(&from, frame.ch_layout.nb_channels);
        } else {
            av_channel_layout_copy(&from, &frame.ch_layout);
        }
        AVChannelLayout mono = AV_CHANNEL_LAYOUT_MONO;  // not const: libav 5.1 asks for it so
        SwrContext *made = nullptr;
        int result = swr_alloc_set_opts2(&made, &mono, AV_SAMPLE_FMT_FLT, frame.sample_rate, &from, static_cast<AVSampleFormat>(frame.format),
                                         frame.sample_rate, 0, nullptr);
        m_swr.reset(made);
        if (result >= 0) {
            av_opt_set_double(made, "rematrix_maxval", 1.0, 0);  // two channels become their mean, not 3 dB more
        }
        if (result >= 0 && from.order != AV_CHANNEL_ORDER_NATIVE) {
            // No rule for this layout: the mean of all channels.
            const auto count = static_cast<std::size_t>(from.nb_channels);
            const std::vector<double> weights(count, 1.0 / static_cast<double>(count));
            result = swr_set_matrix(made, weights.data(), from.nb_channels);
        }
        av_channel_layout_uninit(&from);
        if (result < 0 || swr_init(made) < 0) {
            m_swr.reset();
            fail("its " + std::to_string(frame.ch_layout.nb_channels) + " channels cannot be mixed to one");
        }
        m_swr_format = frame.format;
        m_swr_rate = frame.sample_rate;
        av_channel_layout_uninit(&m_swr_layout);
        av_channel_layout_copy(&m_swr_layout, &frame.ch_layout);
    }

    ByteInput &m_bytes;
    std::unique_ptr<AVIOContext, IoDeleter> m_io;  // before m_format: closed after it
    std::unique_ptr<AVFormatContext, FormatDeleter> m_format;
    AVStream *m_stream = nullptr;  // of m_format
    std::unique_ptr<AVCodecContext, CodecDeleter> m_codec;
    std::unique_ptr<AVPacket, PacketDeleter> m_packet;
    std::unique_ptr<AVFrame, FrameDeleter> m_frame;
    std::unique_ptr<SwrContext, SwrDeleter> m_swr;
    int m_swr_format = -1;
    int m_swr_rate = 0;
    AVChannelLayout m_swr_layout{};
    std::vector<float> m_converted;
    double m_rate_hz = 0;
    double m_seconds_given = 0;
    double m_wav_seconds = 0;
    double m_hole_seconds = 0;  // of them
    bool m_holes_told = false;
    double m_expected_seconds = -1;  // where the next frame should begin; below 0: unknown
    bool m_first_frame = true;
    bool m_draining = false;
    bool m_unreadable = false;
    int m_errors_in_a_row = 0;
    int m_damaged_pieces = 0;
};

}  // namespace

std::unique_ptr<SoundDecoder> makeSoundDecoder(ByteInput &bytes)
{
    return std::make_unique<MediaDecoder>(bytes);
}

}  // namespace braid::audio
