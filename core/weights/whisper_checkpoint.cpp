#include "core/weights/whisper_checkpoint.h"

#include "core/base/error.h"
#include "core/weights/ct2_whisper.h"
#include "core/weights/ggml_whisper.h"
#include "core/weights/huggingface_whisper.h"
#include "core/weights/torch_whisper.h"

namespace braid::weights {
namespace fs = std::filesystem;
namespace {

WhisperCheckpoint read(const fs::path &path, ReadDepth depth)
{
    std::error_code ignored;
    const auto folder = [&](const fs::path &where) {
        if (isCt2Whisper(where) && !fs::exists(where / "model.safetensors")) {
            return readCt2Whisper(where);
        }
        return depth == ReadDepth::Header ? readHuggingFaceHeader(where) : readHuggingFaceWhisper(where);
    };
    if (fs::is_directory(path, ignored)) {
        return folder(path);
    }
    if (!fs::exists(path, ignored)) {
        throw Error(ErrorKind::Model, "there is no such model", path.string());
    }
    if (path.extension() == ".safetensors") {
        const auto parent = path.parent_path();
        return folder(parent.empty() ? fs::path(".") : parent);
    }
    if (path.extension() == ".pt" || path.extension() == ".ckpt" || path.extension() == ".pth") {
        return readTorchWhisper(path, depth);
    }
    if (isGgmlWhisper(path)) {
        return readGgmlWhisper(path, depth);
    }
    throw Error(ErrorKind::Model, "this is not a model file that Braid reads", path.string(),
                "Choose a Hugging Face folder with config.json and model.safetensors, a .pt or .ckpt file, or a ggml-*.bin of whisper.cpp");
}

// A file that cannot be opened is trouble with the model too.
WhisperCheckpoint readAsModel(const fs::path &path, ReadDepth depth)
{
    try {
        return read(path, depth);
    } catch (const Error &error) {
        if (error.kind() == ErrorKind::Input) {
            throw Error(ErrorKind::Model, error.happened(), error.where(), error.remedy());
        }
        throw;
    }
}

}  // namespace

WhisperCheckpoint readWhisperHeader(const fs::path &path)
{
    return readAsModel(path, ReadDepth::Header);
}

WhisperCheckpoint readWhisperCheckpoint(const fs::path &path)
{
    return readAsModel(path, ReadDepth::Everything);
}

}  // namespace braid::weights
