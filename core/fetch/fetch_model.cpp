#include "core/fetch/fetch_model.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <system_error>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/file_lock.h"
#include "core/fetch/safe_names.h"
#include "core/fetch/transfer.h"

namespace braid::fetch {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kRoomLeftBytes = 32u << 20;    // what is left free on the disk
constexpr std::uint64_t kAskForRoomBytes = 16u << 20;  // how often it is asked again
constexpr std::chrono::milliseconds kFirstWait{1000};
constexpr std::chrono::milliseconds kLongestWait{30000};
constexpr int kMostTries = 10000;  // whatever progress they make

// Two Braids never write one model.
void requireAlone(const FileLock &lock, const fs::path &folder, const std::string &name)
{
    if (!lock.isOpen()) {
        throw Error(ErrorKind::Storage, "nothing can be written there", folder.string(), "Is the folder writable, and the disk not full?");
    }
    if (!lock.take()) {
        throw Error(ErrorKind::Usage, "another Braid is fetching it", name, "Wait until it is done");
    }
}

std::uint64_t sizeOf(const fs::path &path)
{
    std::error_code none;
    const auto size = fs::file_size(path, none);
    return none ? 0 : size;
}

class ModelFetch {
  public:
    ModelFetch(FetchPlan plan, const FetchOptions &options, const std::function<void(const FetchProgress &)> &progress, std::stop_token stop)
        : m_plan(std::move(plan))
        , m_options(options)
        , m_tell(progress)
        , m_stop(std::move(stop))
        , m_staging(options.store.stagingOf(m_plan.name))
    {
    }

    fs::path run()
    {
        takeUpEarlierParts();
        m_progress.total_bytes = m_plan.bytes();
        m_progress.done_bytes = m_options.store.bytesOfParts(m_plan.name);
        askForRoom(m_progress.total_bytes > m_progress.done_bytes ? m_progress.total_bytes - m_progress.done_bytes : 0);
        std::uint64_t before = 0;
        for (WantedFile &file : m_plan.files) {
            fetchFile(file, before);
            before += file.bytes;
        }
        m_options.store.install(m_plan);
        return m_options.store.pathOf(m_plan);
    }

  private:
    [[nodiscard]] fs::path whole(const WantedFile &file) const { return m_staging / "files" / file.path; }
    [[nodiscard]] fs::path part(const WantedFile &file) const { return whole(file).string() + ".part"; }

    // Parts of the same plan are gone on with; of another they are of no use.
    void takeUpEarlierParts()
    {
        const fs::path note = m_staging / "plan.json";
        const std::string wanted = planAsJson(m_plan);
        std::error_code failure;
        if (fs::exists(note, failure) && readTextFile(note, 4u << 20) == wanted) {
            return;
        }
        fs::remove_all(m_staging / "files", failure);
        fs::create_directories(m_staging / "files", failure);
        writeFileAtomically(note, wanted);
    }

    void tell(FetchStage stage)
    {
        m_progress.stage = stage;
        if (m_tell) {
            m_tell(m_progress);
        }
    }

    void askForRoom(std::uint64_t needed_bytes) const
    {
        const std::uint64_t free = m_options.free_bytes(m_staging);
        if (free < kRoomLeftBytes || free - kRoomLeftBytes < needed_bytes) {  // a sum could overflow: a server says how much comes
            throw Error(ErrorKind::Storage,
                        "the disk has no room for it: " + bytesText(needed_bytes) + " are still to come, and of the " + bytesText(free) + " that are free " +
                            bytesText(kRoomLeftBytes) + " stay free",
                        m_plan.name, "Free some space and fetch again; what came so far is kept");
        }
    }

    void fetchFile(WantedFile &file, std::uint64_t before)
    {
        if (fs::exists(whole(file))) {
            file.bytes = sizeOf(whole(file));
            return;  // it got its name only after it was checked
        }
        std::error_code ignored;
        fs::create_directories(whole(file).parent_path(), ignored);
        if (file.bytes != 0 && sizeOf(part(file)) > file.bytes) {
            fs::remove(part(file), ignored);
        }
        if (file.bytes == 0 || sizeOf(part(file)) < file.bytes) {
            transferFile(file, before);
        }
        checkFile(file, before);
    }

    void transferFile(WantedFile &file, std::uint64_t before)
    {
        int without_progress = 0;
        for (int tries = 0; tries < kMostTries; ++tries) {
            const std::uint64_t had = sizeOf(part(file));
            const TransferEnd end = transferOnce(file, before);
            const std::uint64_t has = sizeOf(part(file));
            if (end.isWhole()) {
                if (file.bytes != 0 && has != file.bytes) {
                    refuseLength(file, has);
                }
                file.bytes = has;
                return;
            }
            if (end.status == 416) {  // it wants nothing of that range: the part is no part of this file
                std::error_code ignored;
                fs::remove(part(file), ignored);
            } else if (!end.mayBeRetried()) {
                refuseStatus(end.status, m_plan.name + ", " + file.path, m_plan.page, m_options.hub);
            }
            without_progress = has > had ? 0 : without_progress + 1;
            if (without_progress >= m_options.most_tries_without_progress) {
                giveUp(file, end);
            }
            waitForNextTry(end, without_progress);
        }
        giveUp(file, {0, "the connection broke off too often"});
    }

    [[noreturn]] void giveUp(const WantedFile &file, const TransferEnd &end) const
    {
        const std::string what = m_plan.name + ", " + file.path;
        if (end.trouble.empty()) {
            refuseStatus(end.status, what, m_plan.page, m_options.hub);
        }
        throw Error(ErrorKind::Input, end.trouble, what, "Fetch it again later; what came so far is kept");
    }

    void waitForNextTry(const TransferEnd &end, int without_progress)
    {
        m_progress.trouble = end.trouble.empty() ? "the server is busy (" + std::to_string(end.status) + ")" : end.trouble;
        tell(FetchStage::Waiting);
        m_options.wait(std::min(kLongestWait, kFirstWait * (1 << std::min(without_progress, 5))), m_stop);
        m_progress.trouble.clear();
        if (m_stop.stop_requested()) {
            throw Error(ErrorKind::Cancelled, "fetching was stopped", m_plan.name);
        }
    }

    TransferEnd transferOnce(const WantedFile &file, std::uint64_t before)
    {
        TransferRequest request;
        request.address = file.address;
        request.begin_at = sizeOf(part(file));
        request.token = m_options.hub.token;
        request.token_host = parseAddress(m_options.hub.endpoint, "HF_ENDPOINT").host;
        std::optional<AppendFile> out;
        std::uint64_t asked_at = 0;
        TransferHandlers handlers;
        handlers.begin = [&](std::uint64_t begin_at, std::uint64_t total) {
            if (file.bytes != 0 && total != 0 && total != file.bytes) {
                refuseLength(file, total);
            }
            askForRoom(total > begin_at ? total - begin_at : 0);
            out.emplace(part(file), static_cast<std::int64_t>(begin_at));
            asked_at = begin_at;
        };
        handlers.bytes = [&](std::span<const std::byte> bytes) {
            const std::uint64_t size = static_cast<std::uint64_t>(out->size()) + bytes.size();
            if (file.bytes != 0 && size > file.bytes) {
                out.reset();
                refuseLength(file, size);
            }
            if (size - asked_at >= kAskForRoomBytes) {
                asked_at = size;
                askForRoom(file.bytes > size ? file.bytes - size : 0);
            }
            out->append(bytes);
            m_progress.done_bytes = before + size;
            tell(FetchStage::Fetching);
        };
        const TransferEnd end = transfer(request, handlers, m_stop);
        if (out) {
            out->sync();
        }
        return end;
    }

    [[noreturn]] void refuseLength(const WantedFile &file, std::uint64_t bytes) const
    {
        std::error_code ignored;
        fs::remove(part(file), ignored);
        throw Error(ErrorKind::Input,
                    "the server's file has " + std::to_string(bytes) + " bytes or more where " + std::to_string(file.bytes) +
                        " were announced; it was not kept",
                    m_plan.name + ", " + file.path, "It may have been replaced; look at " + m_plan.page);
    }

    void checkFile(const WantedFile &file, std::uint64_t before)
    {
        const bool is_right = hasRightChecksum(
            part(file), file,
            [this, before](std::uint64_t done) {
                m_progress.done_bytes = before + done;
                tell(FetchStage::Checking);
            },
            m_stop);
        std::error_code failure;
        if (!is_right) {
            fs::remove(part(file), failure);
            throw Error(ErrorKind::Input, "what came is not the file that was announced: its checksum is another; it was not kept",
                        m_plan.name + ", " + file.path, "Fetch it again; if that ends in the same way, the file was replaced or the network changes it");
        }
        fs::rename(part(file), whole(file), failure);
        if (failure) {
            throw Error(ErrorKind::Storage, "it cannot be put into its place: " + failure.message(), whole(file).string());
        }
    }

    FetchPlan m_plan;
    const FetchOptions &m_options;
    const std::function<void(const FetchProgress &)> &m_tell;
    std::stop_token m_stop;
    fs::path m_staging;
    FetchProgress m_progress;
};

void waitInterruptibly(std::chrono::milliseconds length, const std::stop_token &stop)
{
    std::mutex mutex;
    std::condition_variable_any changed;
    std::unique_lock lock(mutex);
    changed.wait_for(lock, stop, length, [] { return false; });
}

}  // namespace

FetchOptions fetchOptions()
{
    FetchOptions options;
    options.hub = hubAccessOfEnvironment();
    options.free_bytes = [](const fs::path &folder) {
        std::error_code failure;
        const fs::space_info space = fs::space(folder, failure);
        return failure ? std::uint64_t{0} : static_cast<std::uint64_t>(space.available);
    };
    options.wait = waitInterruptibly;
    return options;
}

fs::path fetchModel(const CatalogueEntry &entry, const FetchOptions &options, const std::function<void(const FetchProgress &)> &progress, std::stop_token stop)
{
    if (const auto there = options.store.find(entry.name)) {
        return options.store.pathOf(*there);
    }
    if (!networkIsBuiltIn()) {
        static_cast<void>(transfer({}, {}, stop));  // says so
    }
    const fs::path staging = options.store.stagingOf(entry.name);
    std::error_code failure;
    fs::create_directories(staging, failure);
    const FileLock lock(staging / "lock", LockedFile::MadeIfMissing);
    requireAlone(lock, staging, entry.name);
    if (progress) {
        progress({});
    }
    FetchPlan plan = makePlan(entry, options.hub, stop);
    return ModelFetch(std::move(plan), options, progress, stop).run();
}

}  // namespace braid::fetch
