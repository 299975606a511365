// A source that plays a script: sound, waiting, gaps, notices, trouble, the end. For tests of the engine and the window.
#pragma once

#include <atomic>
#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/audio/source.h"
#include "core/base/error.h"

namespace braid::audio {

namespace script {
struct Sound {
    std::vector<float> sound;
};  // delivered in as many reads as it takes
struct Silence {
    Sample samples = 0;
};  // sound of zeros
struct Nothing {
    int reads = 1;
};  // so many reads find nothing, and return at once
struct Gap {
    Sample samples = 0;
    std::string notice;
};
struct Notice {
    std::string notice;
};               // comes with a read that finds no sound
struct Hold {};  // nothing comes until release() is called
struct Fail {
    ErrorKind kind = ErrorKind::Device;
    std::string happened;
};              // read() throws
struct End {};  // also after the last step
}  // namespace script

using ScriptStep = std::variant<script::Sound, script::Silence, script::Nothing, script::Gap, script::Notice, script::Hold, script::Fail, script::End>;

// Thread: read() on one thread; stop() and release() from any.
class ScriptedSource final : public Source {
  public:
    // `most_per_read`: the largest piece one read gives, as a device would.
    ScriptedSource(std::vector<ScriptStep> steps, SourceDescription description, std::size_t most_per_read = samplesFromMs(100));

    void start() override { m_started = true; }
    [[nodiscard]] ReadResult read(std::span<float> sound, std::chrono::milliseconds timeout) override;
    void stop() override { m_stopped = true; }
    [[nodiscard]] SourceDescription description() const override { return m_description; }

    // Lets the script pass one Hold; may be called before it is reached.
    void release() { ++m_released; }
    [[nodiscard]] bool started() const { return m_started; }
    [[nodiscard]] bool stopped() const { return m_stopped; }
    // Waiting at a Hold: everything before it has been read.
    [[nodiscard]] bool holding() const { return m_holding; }

  private:
    // The answer of the present step, or nothing where the step is over.
    [[nodiscard]] std::optional<ReadResult> play(const ScriptStep &step, std::span<float> sound, std::chrono::milliseconds timeout);
    [[nodiscard]] std::optional<ReadResult> deliver(const float *from, std::size_t total, std::span<float> sound);

    std::vector<ScriptStep> m_steps;
    SourceDescription m_description;
    std::size_t m_most_per_read;
    std::size_t m_step = 0;
    std::size_t m_position = 0;  // within the present step
    int m_holds_passed = 0;
    std::atomic<int> m_released{0};
    std::atomic<bool> m_started{false};
    std::atomic<bool> m_stopped{false};
    std::atomic<bool> m_holding{false};
};

}  // namespace braid::audio
