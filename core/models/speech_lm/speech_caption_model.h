// A language model that listens as a model for captions: the speech-llm policy runs on it and no other does. Thread: as CaptionModel says.
#pragma once

#include <filesystem>
#include <memory>
#include <stop_token>

#include "core/model_access/caption_model.h"
#include "core/model_access/device_choice.h"

namespace braid::models::speech {

// Strict; throws Error(Model), Error(Device), or Error(Cancelled) on `stop`.
[[nodiscard]] std::shared_ptr<CaptionModel> loadSpeechCaptionModel(const std::filesystem::path &folder, const DeviceChoice &device,
                                                                   const Progress &progress = {}, std::stop_token stop = {});

}  // namespace braid::models::speech
