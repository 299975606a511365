#include "core/audio/pulse_capture.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <pulse/pulseaudio.h>
#include <thread>

#include "core/audio/resampler.h"
#include "core/base/error.h"
#include "core/base/log.h"

namespace braid::audio {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kPatience{2000};  // for any one answer of the server
constexpr milliseconds kPoll{5};
constexpr std::uint32_t kFragmentMs = 20;

struct PulseSource {
    std::string source;       // the server's name for it: "alsa_output.pci-0000.monitor"
    std::string description;  // what people read: "Monitor of Built-in Audio"
    std::string sink;         // the output it listens to; empty: it is an input
    double rate_hz = 0;
    int channels = 0;
};

// Two loudspeakers of one make read alike: then the server's name stands behind theirs.
void tellApart(std::vector<PulseSource> &all)
{
    const std::vector<PulseSource> before = all;
    for (PulseSource &each : all) {
        const auto same = [&each](const PulseSource &other) { return other.description == each.description; };
        if (std::count_if(before.begin(), before.end(), same) > 1) {
            each.description += " (" + each.source + ")";
        }
    }
}

std::vector<PulseSource> thoseOf(PulseSources kind, std::vector<PulseSource> all)
{
    std::erase_if(all, [kind](const PulseSource &each) { return each.sink.empty() != (kind == PulseSources::Inputs); });
    tellApart(all);
    return all;
}

// A connection to the sound server on libpulse's own thread. Every wait has an end.
class PulseConnection {
  public:
    PulseConnection()
        : m_loop(pa_threaded_mainloop_new())
    {
        if (m_loop == nullptr) {
            throw std::bad_alloc();
        }
        m_context = pa_context_new(pa_threaded_mainloop_get_api(m_loop), "Braid");
        // Without NOAUTOSPAWN, looking for a server would start one.
        if (m_context == nullptr || pa_context_connect(m_context, nullptr, PA_CONTEXT_NOAUTOSPAWN, nullptr) < 0 || pa_threaded_mainloop_start(m_loop) < 0) {
            shutDown();
            failNoServer();
        }
        const bool ready = wait([this] { return pa_context_get_state(m_context) == PA_CONTEXT_READY || !PA_CONTEXT_IS_GOOD(pa_context_get_state(m_context)); });
        if (!ready || state() != PA_CONTEXT_READY) {
            shutDown();
            failNoServer();
        }
    }
    ~PulseConnection() { shutDown(); }
    PulseConnection(const PulseConnection &) = delete;
    PulseConnection &operator=(const PulseConnection &) = delete;

    [[nodiscard]] pa_context *context() { return m_context; }
    void lock() { pa_threaded_mainloop_lock(m_loop); }
    void unlock() { pa_threaded_mainloop_unlock(m_loop); }
    [[nodiscard]] pa_context_state_t state()
    {
        const std::lock_guard guard(*this);
        return pa_context_get_state(m_context);
    }

    // Asks `done` under the lock until it says yes or patience ends.
    [[nodiscard]] bool wait(const std::function<bool()> &done)
    {
        const auto deadline = std::chrono::steady_clock::now() + kPatience;
        while (true) {
            {
                const std::lock_guard guard(*this);
                if (done()) {
                    return true;
                }
            }
            if (std::chrono::steady_clock::now() > deadline) {
                return false;
            }
            std::this_thread::sleep_for(kPoll);
        }
    }

    // Runs one question to the server to its end; false when no answer came.
    [[nodiscard]] bool ask(const std::function<pa_operation *()> &question)
    {
        pa_operation *operation = nullptr;
        {
            const std::lock_guard guard(*this);
            operation = question();
        }
        if (operation == nullptr) {
            return false;
        }
        const bool over = wait([operation] { return pa_operation_get_state(operation) != PA_OPERATION_RUNNING; });
        const std::lock_guard guard(*this);
        const bool answered = over && pa_operation_get_state(operation) == PA_OPERATION_DONE;
        pa_operation_cancel(operation);
        pa_operation_unref(operation);
        return answered;
    }

    [[nodiscard]] std::vector<PulseSource> listAll()
    {
        std::vector<PulseSource> all;
        const bool answered = ask([&] {
            return pa_context_get_source_info_list(
                m_context,
                [](pa_context *, const pa_source_info *info, int end, void *into) {
                    if (end == 0 && info != nullptr) {
                        const bool is_monitor = info->monitor_of_sink != PA_INVALID_INDEX;
                        static_cast<std::vector<PulseSource> *>(into)->push_back({info->name, info->description != nullptr ? info->description : info->name,
                                                                                  !is_monitor                             ? ""
                                                                                  : info->monitor_of_sink_name != nullptr ? info->monitor_of_sink_name
                                                                                                                          : info->name,
                                                                                  static_cast<double>(info->sample_spec.rate), info->sample_spec.channels});
                    }
                },
                &all);
        });
        if (!answered) {
            failNoServer();
        }
        return all;
    }

    struct Server {
        std::string name;
        std::string default_sink;
        std::string default_source;
        [[nodiscard]] bool isDefault(const PulseSource &each) const { return each.sink.empty() ? each.source == default_source : each.sink == default_sink; }
    };
    [[nodiscard]] Server server()
    {
        Server found;
        const bool answered = ask([&] {
            return pa_context_get_server_info(
                m_context,
                [](pa_context *, const pa_server_info *info, void *into) {
                    if (info != nullptr) {
                        *static_cast<Server *>(into) = {info->server_name != nullptr ? info->server_name : "",
                                                        info->default_sink_name != nullptr ? info->default_sink_name : "",
                                                        info->default_source_name != nullptr ? info->default_source_name : ""};
                    }
                },
                &found);
        });
        if (!answered) {
            failNoServer();
        }
        return found;
    }

  private:
    [[noreturn]] static void failNoServer()
    {
        throw Error(ErrorKind::Device, "the system's sound cannot be listened to, since no PulseAudio or PipeWire answers", {},
                    "Start one of them, or open a recording instead");
    }

    void shutDown()
    {
        pa_threaded_mainloop_stop(m_loop);
        if (m_context != nullptr) {
            pa_context_disconnect(m_context);
            pa_context_unref(m_context);
        }
        pa_threaded_mainloop_free(m_loop);
    }

    pa_threaded_mainloop *m_loop;
    pa_context *m_context = nullptr;
};

std::string hostApiOf(const std::string &server_name)
{
    return server_name.find("PipeWire") != std::string::npos ? "PipeWire" : "PulseAudio";
}

class PulseCapture final : public CaptureBackend {
  public:
    PulseCapture(PulseSources kind, std::string device)
        : m_kind(kind)
        , m_wanted(std::move(device))
    {
    }
    ~PulseCapture() override { PulseCapture::close(); }

    CaptureFormat open() override
    {
        close();
        try {
            m_connection = std::make_unique<PulseConnection>();
            m_chosen = choose();
        } catch (...) {
            m_connection.reset();
            throw;
        }
        return {m_chosen.description, m_chosen.rate_hz, m_chosen.channels};
    }

    void start(CaptureSink &sink) override
    {
        m_sink = &sink;
        const pa_sample_spec spec{PA_SAMPLE_FLOAT32LE, static_cast<std::uint32_t>(m_chosen.rate_hz), static_cast<std::uint8_t>(m_chosen.channels)};
        const auto fragment = static_cast<std::uint32_t>(pa_usec_to_bytes(kFragmentMs * PA_USEC_PER_MSEC, &spec));
        const pa_buffer_attr buffer{UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, fragment};
        bool asked = false;
        {
            const std::lock_guard guard(*m_connection);
            m_stream = pa_stream_new(m_connection->context(), "captions", &spec, nullptr);
            if (m_stream != nullptr) {
                pa_stream_set_read_callback(m_stream, onSound, this);
                const auto flags = static_cast<pa_stream_flags_t>(PA_STREAM_ADJUST_LATENCY | PA_STREAM_DONT_MOVE);
                asked = pa_stream_connect_record(m_stream, m_chosen.source.c_str(), &buffer, flags) == 0;
            }
        }
        const bool over = asked && m_connection->wait([this] { return pa_stream_get_state(m_stream) != PA_STREAM_CREATING; });
        if (!over || streamState() != PA_STREAM_READY) {
            const std::string name = m_chosen.description;
            close();
            throw Error(ErrorKind::Device, "the sound server does not let Braid listen to it", name, "Choose another output, or restart the sound server");
        }
        if (m_wanted.empty()) {
            followDefault();
        }
    }

    void close() override
    {
        if (m_stream != nullptr) {
            const std::lock_guard guard(*m_connection);
            pa_stream_set_read_callback(m_stream, nullptr, nullptr);
            pa_stream_disconnect(m_stream);
            pa_stream_unref(m_stream);
            m_stream = nullptr;
        }
        m_connection.reset();
        m_default_changed = false;
        m_sink = nullptr;
    }

    CaptureHealth health() override
    {
        const bool alive = m_stream != nullptr && m_connection->state() == PA_CONTEXT_READY && streamState() == PA_STREAM_READY && !m_default_changed;
        return alive ? CaptureHealth::Alive : CaptureHealth::Lost;
    }
    SilencePolicy silencePolicy() const override { return isInput() ? SilencePolicy::MeansLost : SilencePolicy::MeansNothingPlays; }
    std::string noun() const override { return isInput() ? "The microphone" : "The system's sound"; }

  private:
    [[nodiscard]] bool isInput() const { return m_kind == PulseSources::Inputs; }

    [[nodiscard]] PulseSource choose()
    {
        const std::vector<PulseSource> all = thoseOf(m_kind, m_connection->listAll());
        const PulseConnection::Server server = m_connection->server();
        const auto found = std::find_if(all.begin(), all.end(), [&](const PulseSource &each) {
            return m_wanted.empty() ? server.isDefault(each) : each.description == m_wanted || each.source == m_wanted;
        });
        if (found != all.end()) {
            return *found;
        }
        if (!m_wanted.empty()) {
            throw Error(ErrorKind::Device, isInput() ? "there is no such microphone" : "there is no such output to listen to", m_wanted,
                        "See the list of devices for those present");
        }
        if (!all.empty()) {
            return all.front();
        }
        throw isInput() ? Error(ErrorKind::Device, "the sound server has no microphone", {}, "Plug one in, or open a recording instead")
                        : Error(ErrorKind::Device, "the sound server has no output that can be listened to", {},
                                "Connect a loudspeaker or headphones, or open a recording instead");
    }

    [[nodiscard]] pa_stream_state_t streamState()
    {
        const std::lock_guard guard(*m_connection);
        return pa_stream_get_state(m_stream);
    }

    // libpulse's thread: copies and counts. (It is no real-time thread, but holds libpulse's lock.)
    static void onSound(pa_stream *stream, std::size_t, void *self)
    {
        auto &capture = *static_cast<PulseCapture *>(self);
        const void *data = nullptr;
        std::size_t bytes = 0;
        while (pa_stream_readable_size(stream) > 0 && pa_stream_peek(stream, &data, &bytes) == 0 && bytes > 0) {
            const std::size_t frames = bytes / sizeof(float) / static_cast<std::size_t>(capture.m_chosen.channels);
            if (data != nullptr) {
                capture.m_sink->deliver(static_cast<const float *>(data), frames);
            } else {
                capture.deliverHole(frames);
            }
            pa_stream_drop(stream);
        }
    }

    // The server may leave silence out and only say how long it is.
    void deliverHole(std::size_t frames)
    {
        static constexpr std::array<float, 4096> kZeros{};
        const std::size_t most = kZeros.size() / static_cast<std::size_t>(m_chosen.channels);
        while (frames > 0) {
            const std::size_t piece = std::min(frames, most);
            m_sink->deliver(kZeros.data(), piece);
            frames -= piece;
        }
    }

    // When the person switches from loudspeakers to headphones, "what the machine plays" moves there: the supervisor opens anew.
    void followDefault()
    {
        const std::lock_guard guard(*m_connection);
        pa_context_set_subscribe_callback(m_connection->context(), onServerEvent, this);
        if (pa_operation *operation = pa_context_subscribe(m_connection->context(), PA_SUBSCRIPTION_MASK_SERVER, nullptr, nullptr)) {
            pa_operation_unref(operation);
        }
    }
    static void onServerEvent(pa_context *context, pa_subscription_event_type_t, std::uint32_t, void *self)
    {
        pa_operation *operation = pa_context_get_server_info(
            context,
            [](pa_context *, const pa_server_info *info, void *capture_pointer) {
                auto &capture = *static_cast<PulseCapture *>(capture_pointer);
                const char *now = info == nullptr ? nullptr : capture.isInput() ? info->default_source_name : info->default_sink_name;
                if (now != nullptr && now != (capture.isInput() ? capture.m_chosen.source : capture.m_chosen.sink)) {
                    capture.m_default_changed = true;
                }
            },
            self);
        if (operation != nullptr) {
            pa_operation_unref(operation);
        }
    }

    PulseSources m_kind;
    std::string m_wanted;
    std::unique_ptr<PulseConnection> m_connection;
    PulseSource m_chosen;
    pa_stream *m_stream = nullptr;
    CaptureSink *m_sink = nullptr;
    std::atomic<bool> m_default_changed{false};
};

}  // namespace

std::unique_ptr<CaptureBackend> makePulseCapture(PulseSources sources, std::string device)
{
    return std::make_unique<PulseCapture>(sources, std::move(device));
}

std::vector<DeviceInfo> listPulseSources()
{
    std::vector<DeviceInfo> infos;
    try {
        PulseConnection connection;
        const PulseConnection::Server server = connection.server();
        const std::vector<PulseSource> all = connection.listAll();
        for (const PulseSources sources : {PulseSources::Inputs, PulseSources::Monitors}) {
            const SourceKind kind = sources == PulseSources::Inputs ? SourceKind::Microphone : SourceKind::SystemSound;
            for (const PulseSource &each : thoseOf(sources, all)) {
                infos.push_back({kind, each.description, hostApiOf(server.name), each.channels, each.rate_hz, server.isDefault(each)});
            }
        }
    } catch (const Error &error) {
        spdlog::debug("{}", error.what());  // no sound server is a normal state
    }
    return infos;
}

bool isPulseHost(const std::string &host_api)
{
    return host_api == "PipeWire" || host_api == "PulseAudio";
}

}  // namespace braid::audio
