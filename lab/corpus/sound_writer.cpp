#include "lab/corpus/sound_writer.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#ifdef BRAID_HAS_MEDIA
extern "C" {
#include <libavcodec/avcodec.h>
#include <libavutil/channel_layout.h>
}
#endif

#include "core/audio/pcm16.h"
#include "core/audio/wav_header.h"
#include "core/base/error.h"
#include "core/base/replaced_file.h"
#include "core/base/sample_clock.h"

namespace braid::corpus {
namespace {

std::string wavBytes(const std::vector<std::int16_t> &samples)
{
    const auto header = audio::wavHeader(samples.size() * 2);
    std::string bytes(header.begin(), header.end());
    for (const std::int16_t sample : samples) {
        bytes += static_cast<char>(sample & 0xFF);
        bytes += static_cast<char>(sample >> 8 & 0xFF);
    }
    return bytes;
}

// The old file or the new one, but not forced to the disk: that takes longer than speaking, and a corpus can be made again.
void replaceFile(const std::filesystem::path &path, const std::string &bytes)
{
    ReplacedFile file(path);
    file.write(bytes);
    file.finish(Durability::WhenConvenient);
}

#ifdef BRAID_HAS_MEDIA

struct ContextDeleter {
    void operator()(AVCodecContext *context) const { avcodec_free_context(&context); }
};
struct FrameDeleter {
    void operator()(AVFrame *frame) const { av_frame_free(&frame); }
};
struct PacketDeleter {
    void operator()(AVPacket *packet) const { av_packet_free(&packet); }
};

[[noreturn]] void failEncoding()
{
    throw Error(ErrorKind::Internal, "libav did not encode FLAC");
}

// "fLaC", the STREAMINFO block as the encoder leaves it at the end, and the frames: a whole FLAC file needs no more (RFC 9639, section 8).
std::string flacBytes(const std::vector<std::int16_t> &samples)
{
    const AVCodec *codec = avcodec_find_encoder(AV_CODEC_ID_FLAC);
    const std::unique_ptr<AVCodecContext, ContextDeleter> context(codec != nullptr ? avcodec_alloc_context3(codec) : nullptr);
    const std::unique_ptr<AVFrame, FrameDeleter> frame(av_frame_alloc());
    const std::unique_ptr<AVPacket, PacketDeleter> packet(av_packet_alloc());
    if (!context || !frame || !packet) {
        failEncoding();
    }
    context->sample_fmt = AV_SAMPLE_FMT_S16;
    context->sample_rate = kSampleRateHz;
    context->time_base = {1, kSampleRateHz};
    const AVChannelLayout mono = AV_CHANNEL_LAYOUT_MONO;
    if (av_channel_layout_copy(&context->ch_layout, &mono) < 0 || avcodec_open2(context.get(), codec, nullptr) < 0) {
        failEncoding();
    }
    std::string frames;
    const auto receive = [&] {
        int result = 0;
        while ((result = avcodec_receive_packet(context.get(), packet.get())) >= 0) {
            frames.append(reinterpret_cast<const char *>(packet->data), static_cast<std::size_t>(packet->size));
            av_packet_unref(packet.get());
        }
        if (result != AVERROR(EAGAIN) && result != AVERROR_EOF) {
            failEncoding();
        }
    };
    const auto block = static_cast<std::size_t>(context->frame_size > 0 ? context->frame_size : 4096);
    for (std::size_t at = 0; at < samples.size(); at += block) {
        const std::size_t count = std::min(block, samples.size() - at);
        frame->nb_samples = static_cast<int>(count);
        frame->format = AV_SAMPLE_FMT_S16;
        frame->sample_rate = kSampleRateHz;
        frame->pts = static_cast<std::int64_t>(at);
        if (av_channel_layout_copy(&frame->ch_layout, &mono) < 0 || av_frame_get_buffer(frame.get(), 0) < 0) {
            failEncoding();
        }
        std::copy_n(samples.begin() + static_cast<std::ptrdiff_t>(at), count, reinterpret_cast<std::int16_t *>(frame->data[0]));
        if (avcodec_send_frame(context.get(), frame.get()) < 0) {
            failEncoding();
        }
        av_frame_unref(frame.get());
        receive();
    }
    avcodec_send_frame(context.get(), nullptr);
    receive();
    constexpr int stream_info = 34;
    if (context->extradata == nullptr || context->extradata_size < stream_info) {
        failEncoding();
    }
    std::string bytes = "fLaC";
    bytes += static_cast<char>(0x80);  // the last (and only) block of this kind: STREAMINFO
    bytes += std::string_view("\0\0\x22", 3);
    bytes.append(reinterpret_cast<const char *>(context->extradata), stream_info);
    return bytes + frames;
}

#endif

}  // namespace

std::string soundExtension()
{
#ifdef BRAID_HAS_MEDIA
    return ".flac";
#else
    return ".wav";
#endif
}

void writeSound(const std::filesystem::path &path, std::span<const float> sound)
{
    const auto samples = audio::pcm16Of(sound);
    const auto extension = path.extension();
    if (extension == ".wav" && samples.size() < (1U << 30U)) {
        replaceFile(path, wavBytes(samples));
        return;
    }
#ifdef BRAID_HAS_MEDIA
    if (extension == ".flac") {
        replaceFile(path, flacBytes(samples));
        return;
    }
#endif
    throw Error(ErrorKind::Usage, "sound cannot be written in this format", path.string(), "Use " + soundExtension());
}

}  // namespace braid::corpus
