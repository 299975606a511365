#include "ui/state/caption_queue.h"

#include <algorithm>
#include <utility>

namespace braid::ui {
namespace {

constexpr double kLeastShareToJudge = 0.01;  // of a recording: before it, a guess of the time left would dance
constexpr qint64 kLeastMsToJudge = 1000;

}  // namespace

CaptionQueue::CaptionQueue(CaptionController &controller, Choose choose, QObject *parent)
    : QObject(parent)
    , m_controller(controller)
    , m_choose(std::move(choose))
{
    connect(&controller, &CaptionController::runFinished, this, &CaptionQueue::onFinished);
    connect(&controller, &CaptionController::snapshotChanged, this, &CaptionQueue::onProgress);
    connect(&controller, &CaptionController::failed, this, [this](const QString &sentence) { m_problem = sentence; });
}

QueueEntry *CaptionQueue::find(int id)
{
    const auto found = std::find_if(m_entries.begin(), m_entries.end(), [id](const QueueEntry &entry) { return entry.id == id; });
    return found == m_entries.end() ? nullptr : &*found;
}

QueueEntry *CaptionQueue::runningEntry()
{
    const auto found = std::find_if(m_entries.begin(), m_entries.end(), [](const QueueEntry &entry) { return entry.isRunning(); });
    return found == m_entries.end() ? nullptr : &*found;
}

const QueueEntry *CaptionQueue::running() const
{
    return const_cast<CaptionQueue *>(this)->runningEntry();
}

std::size_t CaptionQueue::waiting() const
{
    return static_cast<std::size_t>(std::count_if(m_entries.begin(), m_entries.end(), [](const QueueEntry &entry) { return entry.isWaiting(); }));
}

const text::Transcript *CaptionQueue::transcript(int id) const
{
    const QueueEntry *entry = find(id);
    return entry == nullptr ? nullptr : id == m_shown ? &m_controller.transcript().items() : entry->sheet ? &entry->sheet->words.items : nullptr;
}

const text::TranscriptOrigin *CaptionQueue::origin(int id) const
{
    const QueueEntry *entry = find(id);
    return entry == nullptr ? nullptr : id == m_shown ? &m_controller.origin() : entry->sheet ? &entry->sheet->origin : nullptr;
}

void CaptionQueue::add(const std::vector<std::filesystem::path> &files)
{
    for (const std::filesystem::path &file : files) {
        QueueEntry entry;
        entry.id = m_next_id++;
        entry.title = QString::fromStdString(file.filename().string());
        entry.file = file;
        m_entries.push_back(std::move(entry));
    }
    m_paused = false;
    Q_EMIT changed();
    beginNext();
}

void CaptionQueue::move(int id, int places)
{
    const int direction = places < 0 ? -1 : 1;
    for (int step = 0; step < std::abs(places); ++step) {
        const auto at = std::find_if(m_entries.begin(), m_entries.end(), [id](const QueueEntry &entry) { return entry.id == id; });
        const auto index = at - m_entries.begin() + direction;
        if (at == m_entries.end() || !at->isWaiting() || index < 0 || index >= std::ssize(m_entries) ||
            !m_entries[static_cast<std::size_t>(index)].isWaiting()) {
            break;
        }
        std::swap(*at, m_entries[static_cast<std::size_t>(index)]);
    }
    Q_EMIT changed();
}

void CaptionQueue::cancel(int id)
{
    if (const QueueEntry *entry = find(id); entry != nullptr && entry->isRunning()) {
        m_stopped = true;
        m_controller.stop();
        return;
    }
    const auto left = std::remove_if(m_entries.begin(), m_entries.end(), [id](const QueueEntry &entry) { return entry.id == id && entry.isWaiting(); });
    if (left != m_entries.end()) {
        m_entries.erase(left, m_entries.end());
        Q_EMIT changed();
    }
}

void CaptionQueue::pause()
{
    m_paused = waiting() > 0;
    m_stopped = true;
    m_controller.stop();
    Q_EMIT changed();
}

void CaptionQueue::goOn()
{
    m_paused = false;
    Q_EMIT changed();
    beginNext();
}

void CaptionQueue::beginAgain()
{
    QueueEntry *entry = runningEntry();
    QString problem;
    const auto choices = entry == nullptr ? std::nullopt : m_choose(entry->file, problem);
    if (choices) {
        m_controller.clearPage();
        beginEntry(*entry, *choices);
    }
}

void CaptionQueue::show(int id)
{
    QueueEntry *entry = find(id);
    if (entry == nullptr || !entry->sheet || m_controller.activity() != RunActivity::Idle) {
        return;
    }
    CaptionSheet sheet = std::move(*entry->sheet);
    entry->sheet.reset();
    leavePage();
    m_shown = id;  // leavePage() may have made an entry: the one found before is no longer where it was
    m_controller.putPage(std::move(sheet));
    Q_EMIT changed();
}

void CaptionQueue::leavePage()
{
    if (m_controller.activity() != RunActivity::Idle) {
        // A recording that is left while it runs has no page any more.
        std::erase_if(m_entries, [](const QueueEntry &entry) { return entry.isRunning(); });
        m_shown = 0;
        m_paused = waiting() > 0;
        m_controller.clearPage();
    } else if (QueueEntry *shown = find(m_shown)) {
        shown->words = m_controller.transcript().wordCount();
        shown->sheet = m_controller.takePage();
    } else if (m_controller.transcript().wordCount() > 0) {
        QueueEntry made;
        made.id = m_next_id++;
        made.title = QString::fromStdString(m_controller.origin().source);
        made.state = QueueState::Done;
        made.words = m_controller.transcript().wordCount();
        made.sheet = m_controller.takePage();
        const auto first_waiting = std::find_if(m_entries.begin(), m_entries.end(), [](const QueueEntry &entry) { return entry.isWaiting(); });
        m_entries.insert(first_waiting, std::move(made));
    } else {
        m_controller.clearPage();
    }
    m_shown = 0;
    Q_EMIT changed();
}

void CaptionQueue::tidy()
{
    m_tidied.clear();
    std::vector<QueueEntry> kept;
    for (QueueEntry &entry : m_entries) {
        (entry.isOver() ? m_tidied : kept).push_back(std::move(entry));
    }
    m_entries = std::move(kept);
    Q_EMIT changed();
}

void CaptionQueue::undoTidy()
{
    std::move(m_entries.begin(), m_entries.end(), std::back_inserter(m_tidied));
    m_entries = std::exchange(m_tidied, {});
    Q_EMIT changed();
}

void CaptionQueue::beginNext()
{
    while (m_controller.activity() == RunActivity::Idle && !m_paused) {
        const auto next = std::find_if(m_entries.begin(), m_entries.end(), [](const QueueEntry &entry) { return entry.isWaiting(); });
        if (next == m_entries.end()) {
            return;
        }
        const int id = next->id;
        QString problem;
        const auto choices = m_choose(next->file, problem);
        if (!choices) {
            next->state = QueueState::Failed;
            next->problem = problem;
            Q_EMIT changed();
            continue;
        }
        leavePage();
        beginEntry(*find(id), *choices);
    }
}

void CaptionQueue::beginEntry(QueueEntry &entry, const CaptionChoices &choices)
{
    entry.state = QueueState::Running;
    entry.done.reset();
    entry.seconds_to.reset();
    m_shown = entry.id;
    m_problem.clear();
    m_stopped = false;
    m_running_for.invalidate();
    m_controller.start(choices);
    if (m_controller.activity() == RunActivity::Idle) {
        onFinished();  // it could not even begin
    }
    Q_EMIT changed();
}

void CaptionQueue::onFinished()
{
    if (QueueEntry *entry = runningEntry()) {
        entry->state = !m_problem.isEmpty() ? QueueState::Failed : m_stopped ? QueueState::Stopped : QueueState::Done;
        entry->problem = m_problem;
        entry->words = m_controller.transcript().wordCount();
        entry->seconds_to.reset();
        Q_EMIT changed();
    }
    // Behind what else hears of the end: a capture that begins anew does so at once.
    QMetaObject::invokeMethod(this, &CaptionQueue::beginNext, Qt::QueuedConnection);
}

void CaptionQueue::onProgress()
{
    QueueEntry *entry = runningEntry();
    const Sample length = m_controller.sourceLength();
    if (entry == nullptr || m_controller.activity() == RunActivity::Idle || length <= 0) {
        return;
    }
    if (!m_running_for.isValid()) {
        m_running_for.start();
    }
    const double share = std::clamp(static_cast<double>(m_controller.decoded()) / static_cast<double>(length), 0.0, 1.0);
    entry->done = share;
    entry->words = m_controller.transcript().wordCount();
    if (share > kLeastShareToJudge && m_running_for.elapsed() > kLeastMsToJudge) {
        entry->seconds_to = static_cast<int>(static_cast<double>(m_running_for.elapsed()) / 1000 * (1 - share) / share + 0.5);
    }
    Q_EMIT progressed();
}

}  // namespace braid::ui
