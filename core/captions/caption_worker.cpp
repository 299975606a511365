// The worker thread of captions: loads the model, leads the session through the sound, and publishes what it brings.
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/log.h"
#include "core/captions/caption_json.h"
#include "core/captions/caption_session.h"
#include "core/captions/caption_work.h"

namespace braid::captions {
namespace {

constexpr std::chrono::milliseconds kWait{100};
constexpr Sample kPieceSamples = samplesFromSeconds(1);
// A file at its own speed is captioned step by step, so that the result can be repeated, unless the machine is really too slow.
constexpr Sample kRealtimeBacklogSamples = samplesFromSeconds(5);

bool sameTail(const std::vector<text::Word> &a, const std::vector<text::Word> &b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const text::Word &x, const text::Word &y) {
        return x.text == y.text && x.start_sample == y.start_sample && x.end_sample == y.end_sample;
    });
}

class Worker {
  public:
    explicit Worker(CaptionWork &run)
        : m_run(run)
    {
    }

    // Returns without a session when the run was cancelled or its source could not be opened.
    void load()
    {
        const std::string what = "loading " + m_run.config.model_name;
        m_run.show(runtime::RunState::Loading, what);
        auto policy = m_run.config.make_policy([&](double fraction, const std::string &detail) { m_run.showLoading(what, fraction, detail); },
                                               m_run.stop_loading.get_token());
        m_run.show(runtime::RunState::Loading, "opening the source", 1);
        const auto description = waitForSource();
        if (!description || m_run.cancelled()) {
            return;
        }
        m_pace = description->pace;
        describePolicy(policy->name());
        m_run.publishStarted(Started{description->name, m_run.config.model_name, policy->name(), description->length_samples});
        SessionOptions options;
        options.voice = m_run.config.voice;
        options.lines = m_run.config.lines;
        m_session.emplace(std::move(policy), std::move(options), [this](SessionUpdate update) { publish(std::move(update)); });
        m_run.show(runtime::RunState::Listening, "listening");
    }

    void caption()
    {
        while (m_session && !m_run.cancelled()) {
            if (m_run.stop_requested && !std::exchange(m_draining, true)) {
                m_run.show(runtime::RunState::Draining, "captioning what was heard");
            }
            obeyWishes();
            keepCorrections(InletState::Open);
            FeedStretch stretch;
            const Sample at_most = !m_session->inUtterance() ? kSoundKeptSamples
                                   : m_behind                ? kPieceSamples
                                                             : std::clamp<Sample>(m_session->stepSamples(), 1, kPieceSamples);
            const auto state = m_run.feed.next(m_session->position(), at_most, kWait, stretch);
            const bool stuck = state == FeedState::Waiting && m_run.sourceIsStuck();
            if (stuck) {
                m_run.notice("The source of sound does not answer; it was left behind.");
            }
            if (state == FeedState::Over || stuck) {
                m_session->finish();
                break;
            }
            if (state == FeedState::Stretch) {
                walk(stretch);
            }
            m_run.board.session(m_session->statistics(), m_session->stepSamples());
        }
    }

    [[nodiscard]] Statistics statistics()
    {
        if (m_session) {
            m_run.board.session(m_session->statistics(), m_session->stepSamples());
        }
        return m_run.board.look()->statistics;
    }

    // Lines of their own, behind the words they are of: those were told before a person could correct them.
    void keepCorrections(InletState afterwards)
    {
        for (const text::WordCorrection &correction : m_run.corrections.take(afterwards)) {
            m_run.journal.append(correctionToJsonLine(correction));
        }
    }

  private:
    // Between two steps: what the owner wants of the policy.
    void obeyWishes()
    {
        PolicyWishes wishes = m_run.policy_changes.take();
        if (wishes.make_policy && !m_run.cancelled()) {
            changePolicy(wishes.make_policy);
        }
        if (wishes.settings) {
            m_session->adjust(*wishes.settings);
        }
    }

    void changePolicy(const PolicyFactory &make_policy)
    {
        const std::string before = m_run.board.look()->activity;
        const std::string what = "changing the method of " + m_run.config.model_name;
        showActivity(what);
        std::unique_ptr<CaptionPolicy> policy;
        try {
            policy =
                make_policy([&](double fraction, const std::string &detail) { m_run.showLoading(what, fraction, detail); }, m_run.stop_loading.get_token());
        } catch (...) {
            const auto failure = runtime::describeException("The policy");
            if (failure.kind != ErrorKind::Cancelled) {
                m_run.notice("The method stays as it is: " + failure.sentence);
            }
        }
        if (policy && !m_run.cancelled()) {
            const std::string name = policy->name();
            m_session->changePolicy(std::move(policy));
            describePolicy(name);
        }
        showActivity(before);
    }

    // The journal names every policy that had its part, in order.
    void describePolicy(const std::string &name)
    {
        m_run.board.policy(name);
        if (name == m_newest_policy) {
            return;
        }
        m_newest_policy = name;
        if (m_run.journal.keeps()) {
            m_run.journal.append(policyToJsonLine(name));
        }
    }

    void showActivity(const std::string &activity)
    {
        m_run.board.change([&](CaptionSnapshot &now) {
            now.activity = activity;
            now.loading_fraction = 0;
        });
    }

    std::optional<audio::SourceDescription> waitForSource()
    {
        while (!m_run.cancelled() && !m_run.sourceIsStuck()) {
            if (auto description = m_run.feed.waitOpened(kWait); description || m_run.feed.ended()) {
                return description;
            }
        }
        return {};
    }

    void walk(const FeedStretch &stretch)
    {
        if (m_session->inUtterance()) {
            hear(stretch);
        } else {
            m_session->skip(stretch.until - m_session->position());
        }
        if (stretch.mark && !m_run.cancelled()) {
            obey(*stretch.mark);
        }
        m_run.feed.processed(m_session->position());
    }

    void hear(const FeedStretch &stretch)
    {
        const Sample from = m_session->position();
        const auto sound = m_run.sound(from, stretch.until - from);
        const auto pace = pacing(stretch.settled - from);
        m_behind = pace == StepPacing::CatchUp;
        m_session->hear(sound, pace, m_run.cancel.get_token());
        const Sample missing = stretch.until - m_session->position();
        if (missing > 0 && !m_run.cancelled()) {
            // Further behind than the memory reaches, and no journal to read it from: said, not hidden.
            m_session->gap(missing, "the computer could not keep up");
            m_session->beginUtterance();
        }
    }

    [[nodiscard]] StepPacing pacing(Sample backlog) const
    {
        const Sample bearable = m_pace == audio::Pace::Live ? 2 * m_session->stepSamples() : kRealtimeBacklogSamples;
        return m_pace != audio::Pace::Fast && backlog > bearable ? StepPacing::CatchUp : StepPacing::EveryStep;
    }

    void obey(const FeedMark &mark)
    {
        if (const auto *lost = std::get_if<text::Gap>(&mark)) {
            m_session->gap(lost->start_sample + lost->length_samples - m_session->position(), lost->reason);
        } else if (std::get<audio::VoiceEvent>(mark).kind == audio::VoiceEventKind::UtteranceBegins) {
            m_session->beginUtterance();
        } else {
            m_session->endUtterance();
        }
    }

    void publish(SessionUpdate update)
    {
        // The tail leaves the snapshot before its words appear as committed: never both at once, at worst neither for a moment.
        m_run.board.update(update);
        if (!update.committed.empty()) {
            CaptionEventBody committed = Committed{std::move(update.committed)};
            // First the journal, then the outside: what was told can always be recovered.
            if (m_run.journal.keeps()) {
                m_run.journal.append(eventToJsonLine(committed));
            }
            m_run.publish(std::move(committed));
        }
        if (m_run.config.tail_reporting == TailReporting::EveryChange && !sameTail(update.tail, m_reported_tail)) {
            m_reported_tail = update.tail;
            m_run.publish(Tail{std::move(update.tail), m_session->position()});
        }
        m_run.board.session(m_session->statistics(), m_session->stepSamples());
    }

    CaptionWork &m_run;
    audio::Pace m_pace = audio::Pace::Live;
    bool m_draining = false;
    bool m_behind = false;  // larger pieces, so that several chunks go into one step
    std::string m_newest_policy;
    std::optional<CaptionSession> m_session;
    std::vector<text::Word> m_reported_tail;
};

}  // namespace

void runCaptions(CaptionWork &run)
{
    Worker worker(run);
    auto failure = runtime::failureOf("The model", [&worker] {
        worker.load();
        worker.caption();
    });
    // A source that could not be opened stops the loading: its own sentence is the one to tell.
    if (auto source_failure = run.feed.failure(); source_failure && (!failure || failure->kind == ErrorKind::Cancelled)) {
        failure = std::move(source_failure);
    }
    // Nobody listens any more, whatever ended the run.
    run.requestStop();
    run.feed.release();
    worker.keepCorrections(InletState::Closed);
    const Statistics statistics = worker.statistics();
    run.board.clearTail();
    run.end(std::move(failure), Finished{statistics});
    run.over.set();
    // A source that hangs in the system cannot be ended from outside. Its thread owns all it touches, so it may be left behind.
    if (run.pump_done.waitFor(run.config.source_patience)) {
        run.pump.join();
    } else {
        spdlog::warn("a source of sound did not answer and was left behind");
        run.pump.detach();
    }
}

}  // namespace braid::captions
