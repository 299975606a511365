#include "core/audio/scripted_source.h"

#include <algorithm>
#include <thread>

namespace braid::audio {
namespace {

template <class... Functions>
struct Overloaded : Functions... {
    using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

}  // namespace

ScriptedSource::ScriptedSource(std::vector<ScriptStep> steps, SourceDescription description, std::size_t most_per_read)
    : m_steps(std::move(steps))
    , m_description(std::move(description))
    , m_most_per_read(std::max<std::size_t>(most_per_read, 1))
{
}

ReadResult ScriptedSource::read(std::span<float> sound, std::chrono::milliseconds timeout)
{
    while (m_step < m_steps.size() && !m_stopped) {
        if (auto result = play(m_steps[m_step], sound, timeout)) {
            return *result;
        }
        ++m_step;
        m_position = 0;
    }
    return {ReadState::End, 0, 0, {}};
}

std::optional<ReadResult> ScriptedSource::play(const ScriptStep &step, std::span<float> sound, std::chrono::milliseconds timeout)
{
    const auto once = [this](ReadResult result) -> std::optional<ReadResult> { return m_position++ == 0 ? std::optional(std::move(result)) : std::nullopt; };
    return std::visit(Overloaded{
                          [&](const script::Sound &part) { return deliver(part.sound.data(), part.sound.size(), sound); },
                          [&](const script::Silence &part) { return deliver(nullptr, static_cast<std::size_t>(part.samples), sound); },
                          [&](const script::Nothing &part) -> std::optional<ReadResult> {
                              return m_position++ < static_cast<std::size_t>(std::max(part.reads, 0)) ? std::optional(ReadResult{}) : std::nullopt;
                          },
                          [&](const script::Gap &part) {
                              return once({ReadState::Gap, 0, part.samples, part.notice});
                          },
                          [&](const script::Notice &part) {
                              return once({ReadState::Nothing, 0, 0, part.notice});
                          },
                          [&](const script::Hold &) -> std::optional<ReadResult> {
                              if (m_holds_passed < m_released) {
                                  ++m_holds_passed;
                                  m_holding = false;
                                  return std::nullopt;
                              }
                              m_holding = true;
                              std::this_thread::sleep_for(std::min(timeout, std::chrono::milliseconds(1)));
                              return ReadResult{};
                          },
                          [&](const script::Fail &part) -> std::optional<ReadResult> { throw Error(part.kind, part.happened, m_description.name); },
                          [&](const script::End &) -> std::optional<ReadResult> {
                              return ReadResult{ReadState::End, 0, 0, {}};
                          },
                      },
                      step);
}

std::optional<ReadResult> ScriptedSource::deliver(const float *from, std::size_t total, std::span<float> sound)
{
    const std::size_t count = std::min({sound.size(), m_most_per_read, total - m_position});
    if (count == 0) {
        return std::nullopt;
    }
    if (from != nullptr) {
        std::copy_n(from + m_position, count, sound.begin());
    } else {
        std::fill_n(sound.begin(), count, 0.0f);
    }
    m_position += count;
    return ReadResult{ReadState::Sound, count, 0, {}};
}

}  // namespace braid::audio
