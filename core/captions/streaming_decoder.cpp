#include "core/captions/streaming_decoder.h"

#include "core/captions/streaming_beam.h"
#include "core/captions/streaming_greedy.h"

namespace braid::captions {

std::unique_ptr<StreamingDecoder> makeStreamingDecoder(const StreamingDecoderOptions &options)
{
    if (options.beam_size > 1) {
        return std::make_unique<StreamingBeam>(options);
    }
    return std::make_unique<StreamingGreedy>(options);
}

}  // namespace braid::captions
