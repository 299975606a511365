#include "core/weights/ggml_whisper.h"

#include <array>
#include <memory>
#include <utility>

#include "core/base/file.h"
#include "core/weights/alignment_heads.h"
#include "core/weights/byte_reader.h"
#include "core/weights/ggml_types.h"
#include "core/weights/tokenizer_location.h"
#include "core/weights/whisper_names.h"

namespace braid::weights {
namespace {

constexpr std::uint32_t kMagic = 0x67676d6c;  // "ggml"
constexpr std::int64_t kFrequencyBins = 201;
constexpr std::size_t kMostTensors = 100'000;
constexpr std::uint32_t kMostNameBytes = 256;
constexpr std::uint32_t kMostPieceBytes = 512;
constexpr std::int32_t kBlockVersion = 2;  // of the blocks' layout; earlier ones had scales in float32

std::int32_t readSizes(ByteReader &reader, WhisperDims &dims)
{
    for (std::int64_t *size : {&dims.n_vocab, &dims.n_audio_ctx, &dims.n_audio_state, &dims.n_audio_head, &dims.n_audio_layer, &dims.n_text_ctx,
                               &dims.n_text_state, &dims.n_text_head, &dims.n_text_layer, &dims.n_mels}) {
        *size = reader.number<std::int32_t>("the model's sizes");
    }
    checkWhisperDims(dims, reader.where());
    return reader.number<std::int32_t>("the model's sizes");
}

std::vector<float> readFilters(ByteReader &reader, const WhisperDims &dims)
{
    const auto bands = reader.number<std::int32_t>("the mel filters");
    const auto bins = reader.number<std::int32_t>("the mel filters");
    if (bands != dims.n_mels || bins != kFrequencyBins) {
        reader.refuse("its mel filters are " + std::to_string(bands) + " x " + std::to_string(bins) + " where the model needs " + std::to_string(dims.n_mels) +
                      " x " + std::to_string(kFrequencyBins));
    }
    const auto bytes = reader.take(static_cast<std::uint64_t>(bands) * static_cast<std::uint64_t>(bins) * sizeof(float), "the mel filters");
    std::vector<float> filters(bytes.size() / sizeof(float));
    std::memcpy(filters.data(), bytes.data(), bytes.size());
    return filters;
}

std::vector<std::string> readPieces(ByteReader &reader, const WhisperDims &dims)
{
    const auto count = reader.number<std::int32_t>("the vocabulary");
    if (count < 0 || count > dims.n_vocab) {
        reader.refuse("its vocabulary has " + std::to_string(count) + " pieces, more than the model has tokens");
    }
    std::vector<std::string> pieces;
    for (std::int32_t i = 0; i < count; ++i) {
        const auto length = reader.number<std::uint32_t>("the vocabulary");
        if (length > kMostPieceBytes) {
            reader.refuse("piece " + std::to_string(i) + " of its vocabulary would be " + std::to_string(length) + " bytes long");
        }
        pieces.emplace_back(reader.text(length, "the vocabulary"));
    }
    return pieces;
}

void readTensor(ByteReader &reader, const std::shared_ptr<const MappedFile> &file, TensorStore &tensors)
{
    const auto dimensions = reader.number<std::int32_t>("a tensor's head");
    const auto name_bytes = reader.number<std::uint32_t>("a tensor's head");
    const auto type = reader.number<std::uint32_t>("a tensor's head");
    if (dimensions < 1 || dimensions > 4 || name_bytes == 0 || name_bytes > kMostNameBytes) {
        reader.refuse("the head of its tensor " + std::to_string(tensors.names().size() + 1) + " makes no sense");
    }
    std::vector<std::int64_t> shape(static_cast<std::size_t>(dimensions));
    for (auto length = shape.rbegin(); length != shape.rend(); ++length) {  // the file says the innermost first
        *length = reader.number<std::int32_t>("a tensor's head");
    }
    const std::string name(reader.text(name_bytes, "a tensor's name"));
    const auto dtype = dtypeOfGgml(type);
    if (!dtype) {
        reader.refuse("the tensor \"" + name + "\" is of ggml's type " + std::to_string(type) + ", which Braid does not read");
    }
    const auto bytes = reader.take(ggmlBytes(*dtype, shape, name, reader), "a tensor");
    if (name.starts_with("encoder.conv") && name.ends_with(".bias") && shape.size() == 2 && shape[1] == 1) {
        shape.pop_back();  // written as a column
    }
    tensors.add(name, {*dtype, std::move(shape), bytes, file, {}});
}

}  // namespace

bool isGgmlWhisper(const std::filesystem::path &path) noexcept
{
    return firstBytes(path, 4) == "lmgg";  // kMagic's bytes
}

WhisperCheckpoint readGgmlWhisper(const std::filesystem::path &path, ReadDepth depth)
{
    const auto file = std::make_shared<const MappedFile>(path);
    ByteReader reader(file->bytes(), path.string());
    if (reader.number<std::uint32_t>("its first number") != kMagic) {
        reader.refuse("this is not a ggml file of whisper.cpp");
    }
    WhisperCheckpoint checkpoint(path.string());
    const std::int32_t type = readSizes(reader, checkpoint.dims);
    constexpr std::int32_t kVersionFactor = 1000;
    const std::int32_t plain_type = type % kVersionFactor;
    if (type < 0 || (plain_type > 1 && type / kVersionFactor != kBlockVersion)) {
        reader.refuse("its quantised weights are laid out in an old way (version " + std::to_string(type / kVersionFactor) + ")");
    }
    checkpoint.tokenizer_path = tokenizerBesideFile(path, checkpoint.dims.n_vocab);
    checkpoint.alignment_heads = publishedAlignmentHeads(checkpoint.dims, path.filename().string());
    if (depth == ReadDepth::Header) {
        return checkpoint;
    }
    checkpoint.mel_filters = readFilters(reader, checkpoint.dims);
    checkpoint.pieces = readPieces(reader, checkpoint.dims);
    for (std::size_t count = 0; reader.left() > 0; ++count) {
        if (count == kMostTensors) {
            reader.refuse("it has more tensors than any Whisper");
        }
        readTensor(reader, file, checkpoint.tensors);
    }
    requireWhisperTensors(checkpoint.tensors, checkpoint.dims);
    return checkpoint;
}

}  // namespace braid::weights
