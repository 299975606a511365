// The model behind the captions: found, loaded once for all files of a call, made into policies. In a build without libtorch every
// function here throws Error(Usage) and says so.
// Thread: makePolicy() and transcribe() one at a time, from any thread.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>

#include "app/cli/options.h"
#include "core/decoding/caption_policy.h"
#include "core/text/transcript.h"

namespace braid::cli {

class ModelDoor {
  public:
    using Progress = std::function<void(double, std::string)>;

    // Finds the model and takes the device; cheap. Throws Error(Model) or Error(Device).
    explicit ModelDoor(const CaptionOptions &options);
    ~ModelDoor();
    ModelDoor(const ModelDoor &) = delete;
    ModelDoor &operator=(const ModelDoor &) = delete;

    [[nodiscard]] const std::string &name() const noexcept { return m_name; }
    // "cpu, 2 threads, float32"
    [[nodiscard]] const std::string &device() const noexcept { return m_device; }
    [[nodiscard]] std::unique_ptr<decoding::CaptionPolicy> makePolicy(const Progress &progress, std::stop_token stop);
    [[nodiscard]] text::Transcript transcribe(std::span<const float> sound, const Progress &progress, std::stop_token stop);

    // The same with other policies than the door was made for; model, device and numbers stay.
    void prepare() { load({}, {}); }
    // The streaming policy's, where none is asked for.
    [[nodiscard]] int ownChunkMs();
    [[nodiscard]] std::unique_ptr<decoding::CaptionPolicy> makePolicy(const CaptionOptions &options);
    [[nodiscard]] text::Transcript transcribe(const CaptionOptions &options, std::span<const float> sound, const Progress &progress, std::stop_token stop);

  private:
    struct Loaded;
    void load(const Progress &progress, std::stop_token stop);

    CaptionOptions m_options;
    std::string m_name;
    std::string m_device;
    std::unique_ptr<Loaded> m_loaded;
};

}  // namespace braid::cli
