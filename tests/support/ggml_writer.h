// whisper.cpp's files, written for tests: what its converter and its quantiser make of a checkpoint. The layout's source is named in ggml_whisper.h.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include "core/features/log_mel.h"
#include "core/weights/whisper_checkpoint.h"

namespace braid::test {

template <typename Number>
void append(std::string &out, Number number)
{
    out.append(reinterpret_cast<const char *>(&number), sizeof number);
}

// To the nearest, ties to even; within the range of float16.
inline std::uint16_t halfOf(float value)
{
    const _Float16 half = static_cast<_Float16>(value);
    return std::bit_cast<std::uint16_t>(half);
}

// ggml's quantize_row_q8_0_ref.
inline std::string q8Blocks(std::span<const float> numbers)
{
    std::string out;
    for (std::size_t block = 0; block < numbers.size(); block += 32) {
        float most = 0;
        for (const float number : numbers.subspan(block, 32)) {
            most = std::max(most, std::abs(number));
        }
        const float scale = most / 127;
        append(out, halfOf(scale));
        for (const float number : numbers.subspan(block, 32)) {
            append(out, static_cast<std::int8_t>(std::round(scale > 0 ? number / scale : 0)));
        }
    }
    return out;
}

enum class GgmlType : std::uint32_t { F32 = 0, F16 = 1, Q8_0 = 8 };

inline std::string ggmlBytesOf(std::span<const float> numbers, GgmlType type)
{
    if (type == GgmlType::Q8_0) {
        return q8Blocks(numbers);
    }
    std::string out;
    for (const float number : numbers) {
        if (type == GgmlType::F16) {
            append(out, halfOf(number));
        } else {
            append(out, number);
        }
    }
    return out;
}

// Weights of two dimensions in `type` where their rows are whole blocks, those of convolutions in float16, the rest in float32. The checkpoint's tensors
// are float32. `pieces`: bytes of its first tokens.
inline std::string ggmlWhisper(const weights::WhisperCheckpoint &checkpoint, GgmlType type, const std::vector<std::string> &pieces)
{
    const weights::WhisperDims &dims = checkpoint.dims;
    std::string out;
    append(out, std::uint32_t{0x67676d6c});
    for (const std::int64_t size : {dims.n_vocab, dims.n_audio_ctx, dims.n_audio_state, dims.n_audio_head, dims.n_audio_layer, dims.n_text_ctx,
                                    dims.n_text_state, dims.n_text_head, dims.n_text_layer, dims.n_mels}) {
        append(out, static_cast<std::int32_t>(size));
    }
    append(out, type == GgmlType::Q8_0 ? std::int32_t{2007} : static_cast<std::int32_t>(type));
    append(out, static_cast<std::int32_t>(dims.n_mels));
    append(out, std::int32_t{features::kFrequencyBins});
    for (const float weight : features::melFilterBank(static_cast<int>(dims.n_mels))) {
        append(out, weight);
    }
    append(out, static_cast<std::int32_t>(pieces.size()));
    for (const std::string &piece : pieces) {
        append(out, static_cast<std::uint32_t>(piece.size()));
        out += piece;
    }
    for (const std::string &name : checkpoint.tensors.names()) {
        const weights::StoredTensor &tensor = *checkpoint.tensors.peek(name);
        std::vector<std::int64_t> shape = tensor.shape;
        GgmlType own = GgmlType::F32;
        if (shape.size() >= 2 && !name.ends_with("positional_embedding")) {
            own = type != GgmlType::Q8_0 ? type : shape.size() == 2 && shape.back() % 32 == 0 ? GgmlType::Q8_0 : GgmlType::F16;
        }
        if (name.starts_with("encoder.conv") && name.ends_with(".bias")) {
            shape.push_back(1);
        }
        append(out, static_cast<std::int32_t>(shape.size()));
        append(out, static_cast<std::int32_t>(name.size()));
        append(out, static_cast<std::uint32_t>(own));
        for (auto length = shape.rbegin(); length != shape.rend(); ++length) {
            append(out, static_cast<std::int32_t>(*length));
        }
        out += name;
        out += ggmlBytesOf({reinterpret_cast<const float *>(tensor.bytes.data()), tensor.bytes.size() / sizeof(float)}, own);
    }
    return out;
}

}  // namespace braid::test
