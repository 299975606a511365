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

struct Monitor {
    std::string source;       // the server's name for it: "alsa_output.pci-0000.monitor"
    std::string description;  // what people read: "Monitor of Built-in Audio"
    std::string sink;         // the output it listens to
    double rate_hz = 0;
    int channels = 0;
};

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

    [[nodiscard]] static std::vector<Monitor> listFrom(PulseConnection &connection)
    {
        std::vector<Monitor> monitors;
        const bool answered = connection.ask([&] {
            return pa_context_get_source_info_list(
                connection.context(),
                [](pa_context *, const pa_source_info *info, int end, void *into) {
                    if (end == 0 && info != nullptr && info->monitor_of_sink != PA_INVALID_INDEX) {
                        static_cast<std::vector<Monitor> *>(into)->push_back({info->name, info->description != nullptr ? info->description : info->name,
                                                                              info->monitor_of_sink_name != nullptr ? info->monitor_of_sink_name : "",
                                                                              static_cast<double>(info->sample_spec.rate), info->sample_spec.channels});
                    }
                },
                &monitors);
        });
        if (!answered) {
            failNoServer();
        }
        return monitors;
    }

    struct Server {
        std::string name;
        std::string default_sink;
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
                                                        info->default_sink_name != nullptr ? info->default_sink_name : ""};
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
    explicit PulseCapture(std::string device)
        : m_wanted(std::move(device))
    {
    }
    ~PulseCapture() override { PulseCapture::close(); }

    CaptureFormat open() override
    {
        close();
        try {
            m_connection = std::make_unique<PulseConnection>();
            m_monitor = choose();
        } catch (...) {
            m_connection.reset();
            throw;
        }
        return {m_monitor.description, m_monitor.rate_hz, m_monitor.channels};
    }

    void start(CaptureSink &sink) override
    {
        m_sink = &sink;
        const pa_sample_spec spec{PA_SAMPLE_FLOAT32LE, static_cast<std::uint32_t>(m_monitor.rate_hz), static_cast<std::uint8_t>(m_monitor.channels)};
        const auto fragment = static_cast<std::uint32_t>(pa_usec_to_bytes(kFragmentMs * PA_USEC_PER_MSEC, &spec));
        const pa_buffer_attr buffer{UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, fragment};
        bool asked = false;
        {
            const std::lock_guard guard(*m_connection);
            m_stream = pa_stream_new(m_connection->context(), "captions", &spec, nullptr);
            if (m_stream != nullptr) {
                pa_stream_set_read_callback(m_stream, onSound, this);
                const auto flags = static_cast<pa_stream_flags_t>(PA_STREAM_ADJUST_LATENCY | PA_STREAM_DONT_MOVE);
                asked = pa_stream_connect_record(m_stream, m_monitor.source.c_str(), &buffer, flags) == 0;
            }
        }
        const bool over = asked && m_connection->wait([this] { return pa_stream_get_state(m_stream) != PA_STREAM_CREATING; });
        if (!over || streamState() != PA_STREAM_READY) {
            const std::string name = m_monitor.description;
            close();
            throw Error(ErrorKind::Device, "the sound server does not let Braid listen to it", name, "Choose another output, or restart the sound server");
        }
        if (m_wanted.empty()) {
            followDefaultSink();
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
    SilencePolicy silencePolicy() const override { return SilencePolicy::MeansNothingPlays; }
    std::string noun() const override { return "The system's sound"; }

  private:
    [[nodiscard]] Monitor choose()
    {
        const std::vector<Monitor> monitors = PulseConnection::listFrom(*m_connection);
        const std::string default_sink = m_connection->server().default_sink;
        const auto found = std::find_if(monitors.begin(), monitors.end(), [&](const Monitor &monitor) {
            return m_wanted.empty() ? monitor.sink == default_sink : monitor.description == m_wanted || monitor.source == m_wanted;
        });
        if (found != monitors.end()) {
            return *found;
        }
        if (!m_wanted.empty()) {
            throw Error(ErrorKind::Device, "there is no such output to listen to", m_wanted, "See the list of devices for those present");
        }
        if (!monitors.empty()) {
            return monitors.front();
        }
        throw Error(ErrorKind::Device, "the sound server has no output that can be listened to", {},
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
            const std::size_t frames = bytes / sizeof(float) / static_cast<std::size_t>(capture.m_monitor.channels);
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
        const std::size_t most = kZeros.size() / static_cast<std::size_t>(m_monitor.channels);
        while (frames > 0) {
            const std::size_t piece = std::min(frames, most);
            m_sink->deliver(kZeros.data(), piece);
            frames -= piece;
        }
    }

    // When the person switches from loudspeakers to headphones, "what the machine plays" moves there: the supervisor opens anew.
    void followDefaultSink()
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
                if (info != nullptr && info->default_sink_name != nullptr && capture.m_monitor.sink != info->default_sink_name) {
                    capture.m_default_changed = true;
                }
            },
            self);
        if (operation != nullptr) {
            pa_operation_unref(operation);
        }
    }

    std::string m_wanted;
    std::unique_ptr<PulseConnection> m_connection;
    Monitor m_monitor;
    pa_stream *m_stream = nullptr;
    CaptureSink *m_sink = nullptr;
    std::atomic<bool> m_default_changed{false};
};

}  // namespace

std::unique_ptr<CaptureBackend> makePulseCapture(std::string device)
{
    return std::make_unique<PulseCapture>(std::move(device));
}

std::vector<DeviceInfo> listPulseMonitors()
{
    std::vector<DeviceInfo> infos;
    try {
        PulseConnection connection;
        const PulseConnection::Server server = connection.server();
        for (const Monitor &monitor : PulseConnection::listFrom(connection)) {
            infos.push_back(
                {SourceKind::SystemSound, monitor.description, hostApiOf(server.name), monitor.channels, monitor.rate_hz, monitor.sink == server.default_sink});
        }
    } catch (const Error &error) {
        spdlog::debug("{}", error.what());  // no sound server is a normal state
    }
    return infos;
}

}  // namespace braid::audio
