// Whisper in a file of torch.save: OpenAI's .pt (dims, model_state_dict), CarelessWhisper's .pt (dims, cfg, state_dict with adapters
// apart) and the .ckpt its training writes (names begin with "model.", the configuration among the hyper-parameters).
// Source: openai/whisper __init__.py load_model; CarelessWhisper's loader (facts in streaming-asr.md 1.1).
#pragma once

#include <filesystem>

#include "core/weights/torch_archive.h"
#include "core/weights/whisper_checkpoint.h"

namespace braid::weights {

enum class ReadDepth { Header = 1, Everything };

[[nodiscard]] WhisperCheckpoint readTorchWhisper(const std::filesystem::path &path, ReadDepth depth);

// The same from an open archive; the tokenizer and the name of the model are the caller's matter.
[[nodiscard]] WhisperCheckpoint readTorchWhisper(TorchArchive &archive, ReadDepth depth);

}  // namespace braid::weights
