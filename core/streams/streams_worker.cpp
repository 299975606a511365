// The worker thread of a conversation in parallel streams: loads the model, leads the session from row to row, and publishes what it brings.
#include "core/streams/streams_worker.h"

namespace braid::streams {
namespace {

std::string activityOf(StreamsState state)
{
    switch (state) {
    case StreamsState::Running:
        return "running";
    case StreamsState::Paused:
        return "paused";
    case StreamsState::Waiting:
        return "waiting for words";
    case StreamsState::Playing:
        return "playing";
    case StreamsState::Ended:
        break;
    }
    return "ended";
}

class StreamsWorker {
  public:
    explicit StreamsWorker(StreamsWork &work)
        : m_work(work)
    {
    }

    void load()
    {
        StreamsModelDoor door;
        if (m_work.config.load_model) {
            const std::string what = "loading " + m_work.config.model_name;
            m_work.show(StreamsRunState::Loading, what);
            door = m_work.config.load_model([&](double fraction, const std::string &detail) { m_work.showLoading(what, fraction, detail); },
                                            m_work.cancel.get_token());
        }
        const auto texts = door.texts;
        m_session.emplace(std::move(m_work.config.settings), std::move(door.model), door.texts);
        Conversation beginning = m_session->beginning(m_work.config.model_name);
        m_work.journal.begin({runtime::RunKind::Conversation, {}, beginning.layout.name, beginning.model}, conversationHead(beginning));
        m_work.publishStarted(StreamsStarted{std::move(beginning), texts, m_session->silenceToken(), door.device});
        m_work.show(StreamsRunState::Going, {});
        show();
    }

    void lead()
    {
        while (!m_work.cancel.stop_requested()) {
            for (const StreamsCommand &command : m_work.commands.take()) {
                attempt([&] { m_session->obey(command); });
                ++m_commands_obeyed;
            }
            bool made = false;
            attempt([&] { made = m_session->step(); });
            m_session->answerLook();
            publish();
            show();
            if (m_session->hasEnded() && m_work.config.when_ended == WhenEnded::Finishes) {
                return;
            }
            if (!made) {
                wait();
            }
        }
        m_session->stop();
        publish();
    }

    [[nodiscard]] StreamsStatus status() const { return m_session ? m_session->status() : StreamsStatus(); }

  private:
    // A model that fails pauses the conversation; nothing said is lost, and whoever goes on tries again.
    template <typename Act>
    void attempt(const Act &act)
    {
        try {
            act();
        } catch (...) {
            const runtime::RunFailure failure = runtime::describeException("The model");
            publish();
            if (m_work.config.when_ended == WhenEnded::Finishes) {
                throw;
            }
            m_work.notice(failure.sentence + " The conversation is paused; go on, or go back to an earlier row.");
        }
    }

    void publish()
    {
        for (StreamsEvent &event : m_session->takeEvents()) {
            if (m_work.journal.keeps()) {
                m_work.journal.append(eventLine(event));
            }
            m_work.publish(std::move(event));
        }
    }

    void show()
    {
        StreamsStatus status = m_session->status();
        m_work.board.change([&](StreamsSnapshot &now) {
            now.activity = activityOf(status.state);
            now.status = std::move(status);
            now.commands_obeyed = m_commands_obeyed;
        });
    }

    void wait()
    {
        const auto next = m_session->nextRowAtMs();
        if (!next) {
            m_work.commands.wait(m_work.cancel.get_token(), {});
        } else if (const std::int64_t left = *next - m_session->nowMs(); left > 0) {
            m_work.commands.wait(m_work.cancel.get_token(), std::chrono::milliseconds(left));
        }
    }

    StreamsWork &m_work;
    std::optional<StreamsSession> m_session;
    std::uint64_t m_commands_obeyed = 0;
};

}  // namespace

void runStreams(StreamsWork &work)
{
    StreamsWorker worker(work);
    auto failure = runtime::failureOf("The model", [&worker] {
        worker.load();
        worker.lead();
    });
    work.end(std::move(failure), StreamsFinished{worker.status()});
}

}  // namespace braid::streams
