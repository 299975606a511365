// worldOfEnvironment() over libtorch's Gloo process group, where it was built with one and Gloo's headers are here.
#include "lab/train/world.h"

#include <charconv>
#include <chrono>
#include <cstdlib>
#include <string_view>

#include "core/base/error.h"

#ifdef BRAID_HAS_GLOO
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>
#endif

namespace braid::train {

namespace {

std::string_view variable(const char *name)
{
    const char *value = std::getenv(name);
    return value != nullptr ? value : std::string_view();
}

// A whole number from `least` to `most`.
int numberOf(const char *name, int least, int most)
{
    const std::string_view text = variable(name);
    int number = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (problem != std::errc() || end != text.data() + text.size() || number < least || number > most) {
        throw Error(
            ErrorKind::Usage,
            "the environment variable " + std::string(name) + (text.empty() ? " is not set" : " is \"" + std::string(text) + "\"") + ", where a number from " +
                std::to_string(least) + " to " + std::to_string(most) + " is needed",
            {}, "Start the processes with torchrun, or set RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT for each; unset WORLD_SIZE to train in one process");
    }
    return number;
}

constexpr int kMostProcesses = 4096;

#ifdef BRAID_HAS_GLOO

// Until all have come; and until all have prepared their speech, one after the other.
constexpr std::chrono::minutes kLongestStart{30};
constexpr std::chrono::hours kLongestWait{24};

class GlooWorld final : public World {
  public:
    GlooWorld(int rank, int size, const std::string &host, std::uint16_t port)
        : m_rank(rank)
        , m_size(size)
    {
        try {
            c10d::TCPStoreOptions store;
            store.port = port;
            // torchrun's agent may keep the store itself.
            store.isServer = rank == 0 && variable("TORCHELASTIC_USE_AGENT_STORE") != "True";
            store.numWorkers = size;
            store.timeout = kLongestStart;
            auto options = c10d::ProcessGroupGloo::Options::create();
            options->devices.push_back(deviceFor(host));
            options->timeout = kLongestWait;
            m_group = c10::make_intrusive<c10d::ProcessGroupGloo>(c10::make_intrusive<c10d::TCPStore>(host, store), rank, size, options);
        } catch (const std::exception &problem) {
            throw Error(ErrorKind::Device, "the other processes of this training cannot be reached (" + firstLine(problem) + ")",
                        host + ":" + std::to_string(port), "Start all of them with the same MASTER_ADDR, MASTER_PORT and WORLD_SIZE");
        }
    }
    [[nodiscard]] int rank() const override { return m_rank; }
    [[nodiscard]] int size() const override { return m_size; }
    void sum(at::Tensor &values) override
    {
        try {
            std::vector<at::Tensor> all = {values};
            m_group->allreduce(all)->wait();
        } catch (const std::exception &problem) {
            throw Error(ErrorKind::Device, "another process of this training has gone (" + firstLine(problem) + ")", {},
                        "Go on from the newest checkpoint with --resume in all processes");
        }
    }

  private:
    // The network that the others are reached by. Processes that meet on the loopback address stay on it.
    static std::shared_ptr<gloo::transport::Device> deviceFor(const std::string &host)
    {
        if (const std::string interface(variable("GLOO_SOCKET_IFNAME")); !interface.empty()) {
            return c10d::ProcessGroupGloo::createDeviceForInterface(interface);
        }
        return host == "localhost" || host.starts_with("127.") ? c10d::ProcessGroupGloo::createDeviceForHostname("127.0.0.1")
                                                               : c10d::ProcessGroupGloo::createDefaultDevice();
    }
    static std::string firstLine(const std::exception &problem)
    {
        const std::string_view what = problem.what();
        return std::string(what.substr(0, what.find('\n')));
    }

    int m_rank;
    int m_size;
    c10::intrusive_ptr<c10d::ProcessGroupGloo> m_group;
};

#endif

}  // namespace

bool hasProcessGroups()
{
#ifdef BRAID_HAS_GLOO
    return true;
#else
    return false;
#endif
}

std::shared_ptr<World> worldOfEnvironment()
{
    if (variable("WORLD_SIZE").empty()) {
        return alone();
    }
    const int size = numberOf("WORLD_SIZE", 1, kMostProcesses);
    if (size == 1) {
        return alone();
    }
    const int rank = numberOf("RANK", 0, size - 1);
    const int port = numberOf("MASTER_PORT", 1, 65535);
    const std::string host(variable("MASTER_ADDR"));
    if (host.empty()) {
        throw Error(ErrorKind::Usage, "the environment variable MASTER_ADDR is not set", {}, "It names the machine of the process with RANK 0");
    }
#ifdef BRAID_HAS_GLOO
    return std::make_shared<GlooWorld>(rank, size, host, static_cast<std::uint16_t>(port));
#else
    throw Error(ErrorKind::Usage,
                "this build of Braid trains in one process only (asked for: process " + std::to_string(rank) + " of " + std::to_string(size) + " at " + host +
                    ":" + std::to_string(port) + ")",
                {}, "Build it with Gloo's headers (libgloo-dev) beside a libtorch that has c10d");
#endif
}

}  // namespace braid::train
