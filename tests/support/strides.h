// The strides of an encoder's convolutions by one number, for tests over all of them: 1 and 2 are strides of the first convolution, 4 is one of the second.
#pragma once

#include "core/base/sample_clock.h"
#include "core/weights/whisper_checkpoint.h"

namespace braid::test {

inline weights::ConvStrides stridesOf(int stride)
{
    return stride == 4 ? weights::ConvStrides{1, 4} : weights::ConvStrides{stride, 2};
}

inline Sample frameSamplesOf(int stride)
{
    return 160 * stridesOf(stride).melFrames();
}

inline void setStrides(weights::WhisperDims &dims, int stride)
{
    dims.conv1_stride = stridesOf(stride).first;
    dims.conv2_stride = stridesOf(stride).second;
}

}  // namespace braid::test
