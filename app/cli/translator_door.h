// The language model behind a translation: found, loaded once, made into translation models. In a build without libtorch every function
// here throws Error(Usage) and says so. Thread: make() from any, one at a time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/cli/options.h"
#include "core/decoding/translation_model.h"
#include "core/streams/sampling.h"

namespace braid::cli {

enum class AttentionPooling : std::uint8_t { Mean = 1, Max };

struct TranslatorOptions {
    std::string model;                  // a path or a name; empty: the model in the box
    std::vector<std::string> adapters;  // PEFT folders
    std::string paradigm = "group";
    double phi = 0;
    streams::Sampling sampling;
    std::uint64_t seed = 0;
    int rivals = 3;
    std::optional<std::int64_t> layer;  // of the attention
    std::optional<std::int64_t> head;
    AttentionPooling pooling = AttentionPooling::Mean;
    std::string source_language;
    std::string target_language;
    std::string device = "auto";
    NumberType number_type = NumberType::Float32;
    int threads = 0;
};

class TranslatorDoor {
  public:
    using Progress = std::function<void(double, std::string)>;

    // Finds the model and takes the device; cheap. Throws Error(Model) or Error(Device).
    explicit TranslatorDoor(const TranslatorOptions &options);
    ~TranslatorDoor();
    TranslatorDoor(const TranslatorDoor &) = delete;
    TranslatorDoor &operator=(const TranslatorDoor &) = delete;

    [[nodiscard]] const std::string &name() const noexcept { return m_name; }
    // "cpu, 2 threads, float32"
    [[nodiscard]] const std::string &device() const noexcept { return m_device; }
    [[nodiscard]] std::unique_ptr<decoding::TranslationModel> make(const Progress &progress, std::stop_token stop);
    // The same model with another paradigm.
    [[nodiscard]] std::unique_ptr<decoding::TranslationModel> makeWith(const std::string &paradigm, double phi);

  private:
    struct Loaded;
    TranslatorOptions m_options;
    std::string m_name;
    std::string m_device;
    std::unique_ptr<Loaded> m_loaded;
};

}  // namespace braid::cli
