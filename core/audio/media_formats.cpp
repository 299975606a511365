#include "core/audio/media_formats.h"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavutil/avstring.h>
}

namespace braid::audio {

const char *containerNames()
{
    return "wav,w64,aiff,au,caf,voc,avr,ircam,nistsphere,iff,pvf,paf,sox,wve,xwma,"                    // plain sound
           "flac,ape,wv,tta,tak,shn,mpc,mpc8,oma,dsf,mp3,aac,loas,latm,ac3,eac3,"                      // compressed sound
           "dts,dtshd,truehd,mlp,amr,amrnb,amrwb,gsm,g722,qcp,mmf,ast,rso,ogg,spdif,"                  // more of it
           "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,asf,mpegts,mpeg,flv,rm,mxf,gxf,nut,dv,wtv,swf";  // with pictures
}

bool isContainer(std::string_view demuxer)
{
    return av_match_list(std::string(demuxer).c_str(), containerNames(), ',') > 0;
}

std::string soundDecoderNames()
{
    std::string names;
    void *position = nullptr;
    while (const AVCodec *codec = av_codec_iterate(&position)) {
        if (av_codec_is_decoder(codec) != 0 && codec->type == AVMEDIA_TYPE_AUDIO) {
            names += (names.empty() ? "" : ",") + std::string(codec->name);
        }
    }
    return names;
}

}  // namespace braid::audio
