#include "core/fetch/fetch_job.h"

#include <cmath>
#include <exception>

namespace braid::fetch {
namespace {

constexpr std::chrono::seconds kWindow{5};
constexpr std::chrono::milliseconds kBetweenMarks{250};

std::string durationText(double seconds)
{
    const auto whole = static_cast<long>(std::ceil(seconds));
    if (whole < 60) {
        return std::to_string(whole) + " s";
    }
    return whole < 3600 ? std::to_string((whole + 59) / 60) + " min" : std::to_string(whole / 3600) + " h " + std::to_string(whole % 3600 / 60) + " min";
}

}  // namespace

double RateMeter::add(std::uint64_t done_bytes, Clock::time_point now)
{
    if (!m_marks.empty() && done_bytes < m_marks.back().bytes) {
        m_marks.clear();  // it began anew
    }
    if (m_marks.empty() || now - m_marks.back().at >= kBetweenMarks) {
        m_marks.push_back({now, done_bytes});
    }
    while (m_marks.size() > 2 && now - m_marks[1].at > kWindow) {
        m_marks.erase(m_marks.begin());
    }
    const double seconds = std::chrono::duration<double>(now - m_marks.front().at).count();
    return seconds > 0.2 ? static_cast<double>(done_bytes - m_marks.front().bytes) / seconds : 0;
}

FetchJob::FetchJob(CatalogueEntry entry, FetchOptions options)
    : m_entry(std::move(entry))
    , m_options(std::move(options))
    , m_thread([this](const std::stop_token &stop) { run(stop); })
{
}

FetchJob::~FetchJob() = default;

JobLook FetchJob::look() const
{
    const std::lock_guard lock(m_mutex);
    return m_look;
}

void FetchJob::take(const FetchProgress &progress)
{
    const std::lock_guard lock(m_mutex);
    m_look.progress = progress;
    if (progress.stage != FetchStage::Fetching) {
        m_look.bytes_per_s = 0;
        m_look.seconds_left = -1;
        return;
    }
    m_look.bytes_per_s = m_rate.add(progress.done_bytes, RateMeter::Clock::now());
    m_look.seconds_left = m_look.bytes_per_s > 0 && progress.total_bytes >= progress.done_bytes
                              ? static_cast<double>(progress.total_bytes - progress.done_bytes) / m_look.bytes_per_s
                              : -1;
}

void FetchJob::run(const std::stop_token &stop)
{
    JobState state = JobState::Failed;
    std::filesystem::path path;
    std::string problem;
    ErrorKind kind = ErrorKind::Internal;
    try {
        path = fetchModel(
            m_entry, m_options, [this](const FetchProgress &progress) { take(progress); }, stop);
        state = JobState::Done;
    } catch (const Error &error) {
        kind = error.kind();
        state = kind == ErrorKind::Cancelled ? JobState::Cancelled : JobState::Failed;
        problem = error.sentence();
    } catch (const std::exception &error) {
        problem = std::string("this should not have happened: ") + error.what();
    }
    const std::lock_guard lock(m_mutex);
    m_look.state = state;
    m_look.path = std::move(path);
    m_look.problem = std::move(problem);
    m_look.kind = kind;
}

std::string progressText(const JobLook &look)
{
    const FetchProgress &progress = look.progress;
    if (progress.stage == FetchStage::Asking) {
        return "asking what there is";
    }
    if (progress.stage == FetchStage::Waiting) {
        return "trying again soon: " + progress.trouble;
    }
    std::string text = progress.stage == FetchStage::Checking ? "checking " : "";
    text += bytesText(progress.done_bytes) + (progress.total_bytes > 0 ? " of " + bytesText(progress.total_bytes) : "");
    if (look.bytes_per_s > 0) {
        text += ", " + bytesText(static_cast<std::uint64_t>(look.bytes_per_s)) + "/s";
    }
    return look.seconds_left >= 0 ? text + ", " + durationText(look.seconds_left) + " left" : text;
}

}  // namespace braid::fetch
