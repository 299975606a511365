// `braid-cli chat`: a conversation in parallel streams in the terminal, from a script, from standard input or from the captions of a recording; saved,
// opened and replayed.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "app/cli/chat_input.h"
#include "app/cli/chat_options.h"
#include "app/cli/failed_run.h"
#include "app/cli/harmless.h"
#include "app/cli/lane_screen.h"
#include "app/cli/output_files.h"
#include "app/cli/sub_commands.h"
#include "app/cli/terminal.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/streams/conversation.h"
#include "core/streams/user_script.h"

#include <nlohmann/json.hpp>

namespace braid::cli {
namespace {

using streams::StreamsEvent;

constexpr std::chrono::milliseconds kLookEvery{50};

class ChatCommand {
  public:
    ChatCommand(const ChatOptions &options, const models::ModelAccess &access, Interrupts &interrupts)
        : m_options(options)
        , m_access(access)
        , m_interrupts(interrupts)
    {
    }

    int run()
    {
        OutputFiles outputs(existingFiles(*m_options.overwrite));
        for (const std::string &file : {m_options.open, m_options.script, m_options.captions}) {
            outputs.reads(file);
        }
        outputs.writes(m_options.save);
        streams::StreamsRunConfig config = configured();
        m_input = makeChatInput(m_options, m_access, config.settings.layout);
        const bool somebody_is_there = m_input && m_input->isInteractive();
        config.when_ended = somebody_is_there ? streams::WhenEnded::Stays : streams::WhenEnded::Finishes;
        config.settings.at_silence = m_input ? streams::AtSilence::Waits : streams::AtSilence::Ends;
        m_waits_for_words = m_input && !somebody_is_there;
        if (m_waits_for_words) {
            config.settings.begins = streams::Pace::Paused;  // the first words stand in the first rows, however fast the rows are
        }
        if (!m_options.rows_per_second_given && somebody_is_there) {
            config.settings.rows_per_second = kRowsForPeople;
        }
        config.journal_folder = journalFor(m_options.journal, somebody_is_there || m_options.microphone_given ? Repeatable::No : Repeatable::Yes);
        const bool live = m_options.format == ChatFormat::Live;
        const bool is_terminal = isTerminal(Stream::Output);
        if (live) {
            m_screen.emplace(
                config.settings.recording ? config.settings.recording->layout : config.settings.layout,
                [](std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout), std::fflush(stdout); }, is_terminal ? Ink::Coloured : Ink::Plain);
        }
        std::vector<streams::SetVoice> voices;
        for (const std::string &name : m_options.switched_off) {
            const int stream = config.settings.layout.indexOf(name);
            if (stream < 0) {
                throw Error(ErrorKind::Usage, "there is no stream \"" + name + "\" in this layout", config.settings.layout.name);
            }
            voices.push_back({stream, streams::Voice::SwitchedOff});
        }
        const bool waits_for_voices = !voices.empty() && config.settings.begins == streams::Pace::Running;
        if (waits_for_voices) {
            config.settings.begins = streams::Pace::Paused;  // a stream that is switched off says nothing from the first row on
        }
        streams::StreamsEngine engine;
        engine.start(std::move(config));
        std::for_each(voices.begin(), voices.end(), [&](const streams::SetVoice &voice) { engine.post(voice); });
        if (waits_for_voices) {
            engine.post(streams::Resume{});
        }
        for (bool over = false; !over;) {
            over = engine.waitUntilFinished(0);
            for (const streams::StreamsEngineEvent &event : engine.takeEvents()) {
                take(event.body);
            }
            if (over) {
                break;
            }
            const auto snapshot = engine.snapshot();
            if (m_screen) {
                m_screen->below(statusOf(*snapshot), m_input ? m_input->typing() : std::string(), terminalColumns(Stream::Output));
            }
            lead(engine, *snapshot);
        }
        if (m_screen) {
            m_screen->below({}, {}, 80);
        }
        return finish();
    }

  private:
    static constexpr double kRowsForPeople = 4;

    streams::StreamsRunConfig configured()
    {
        streams::StreamsRunConfig config;
        streams::StreamsSettings &settings = config.settings;
        settings.layout = findLayout(m_options.model.layout);
        if (!m_options.open.empty()) {
            settings.recording = streams::openConversation(m_options.open);
            settings.layout = settings.recording->layout;
            settings.playback = m_options.playback;
        }
        adjustStreams(m_options, settings.layout);
        settings.form = m_options.form;
        settings.system = m_options.system;
        settings.seed = m_options.seed;
        settings.rows_per_second = m_options.rows_per_second;
        if (!m_options.script.empty()) {
            settings.script = streams::parseUserScript(readTextFile(m_options.script, streams::kMostScriptBytes), settings.layout, m_options.script);
        }
        const bool only_plays = settings.recording && !m_options.model_given;
        if (!only_plays) {
            config.model_name = m_options.model.model;
            config.load_model = [&access = m_access, model = m_options.model, layout = settings.layout](const auto &progress, std::stop_token stop) {
                return loadStreamsModel(access, model, layout, progress, stop);
            };
        } else {
            config.model_name = settings.recording->model;
        }
        return config;
    }

    // Words in, keys obeyed, ends seen.
    void lead(streams::StreamsEngine &engine, const streams::StreamsSnapshot &snapshot)
    {
        if (m_interrupts.count() > 0 || std::ferror(stdout) != 0) {  // what nobody can read any more is not gone on with; it is saved all the same
            engine.stop();
        }
        if (!m_input) {
            const bool has_played = !m_options.open.empty() && snapshot.status.state == streams::StreamsState::Paused;
            if (has_played) {
                engine.stop();
            }
            static_cast<void>(engine.waitUntilFinished(std::chrono::duration<double>(kLookEvery).count()));
            return;
        }
        if (snapshot.state != streams::StreamsRunState::Going) {
            std::this_thread::sleep_for(kLookEvery);
            return;
        }
        const ChatInput::Wish wish = m_input->lead(engine, snapshot, kLookEvery);
        if (m_waits_for_words && m_input->hasBegun()) {
            m_waits_for_words = false;
            engine.post(streams::Resume{});
        }
        // Where nobody is left to speak, the conversation is over when all have been silent since the last words.
        const bool is_current = snapshot.commands_obeyed == engine.posted();
        const bool all_said =
            wish == ChatInput::Wish::Nothing && is_current && snapshot.status.state == streams::StreamsState::Waiting && !m_input->isInteractive();
        if (wish == ChatInput::Wish::Stop || (all_said && m_waited_rows == snapshot.status.rows)) {
            engine.stop();
        }
        m_waited_rows = all_said ? snapshot.status.rows : -1;
    }

    void take(const streams::StreamsEngineEventBody &body)
    {
        const std::size_t columns = terminalColumns(Stream::Output);
        if (const auto *started = std::get_if<streams::StreamsStarted>(&body)) {
            m_conversation = started->beginning;
            if (m_screen) {
                m_screen->heading(columns);
            }
            if (m_options.format == ChatFormat::Json) {
                nlohmann::ordered_json line;
                line["event"] = "started";
                line["model"] = started->beginning.model;
                line["layout"] = started->beginning.layout.name;
                line["streams"] = started->beginning.table().streams;
                line["device"] = started->device;
                std::puts(line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace).c_str());
            }
        } else if (const auto *event = std::get_if<StreamsEvent>(&body)) {
            m_conversation.events.push_back(*event);
            if (m_screen) {
                m_screen->event(*event, columns);
            } else if (m_options.format == ChatFormat::Json) {
                std::puts(streams::eventLine(*event).c_str());
                std::fflush(stdout);
            } else if (event->type == streams::StreamsEventType::Notice) {
                std::fprintf(stderr, "braid: %s\n", harmless(event->text).c_str());
            }
        } else if (const auto *notice = std::get_if<runtime::Notice>(&body)) {
            std::fprintf(stderr, "braid: %s\n", harmless(notice->sentence).c_str());
        } else if (const auto *failed = std::get_if<runtime::Failed>(&body)) {
            m_failure = errorOf(*failed);
        } else if (const auto *finished = std::get_if<streams::StreamsFinished>(&body)) {
            m_last = finished->status;
        }
    }

    [[nodiscard]] static std::string statusOf(const streams::StreamsSnapshot &snapshot)
    {
        if (snapshot.state != streams::StreamsRunState::Going) {
            return snapshot.activity;
        }
        const auto &status = snapshot.status;
        std::size_t waiting = 0;
        for (const std::size_t count : status.waiting) {
            waiting += count;
        }
        char text[200];
        std::snprintf(text, sizeof text, "row %lld  %s  %.1f ms a row  %.0f tokens/s  %lld in memory  %zu waiting", static_cast<long long>(status.rows),
                      snapshot.activity.c_str(), status.step_ms.median_ms, status.tokens_per_second, static_cast<long long>(status.cache_entries), waiting);
        return text;
    }

    int finish()
    {
        if (m_options.format == ChatFormat::Table) {
            std::fputs(streams::markdownTable(m_conversation.table()).c_str(), stdout);
        } else if (m_options.format == ChatFormat::Json && !m_failure) {
            nlohmann::ordered_json line;
            line["event"] = "finished";
            line["rows"] = m_last.rows;
            line["tokens"] = m_last.tokens;
            line["steps"] = m_last.steps;
            line["step_ms_median"] = m_last.step_ms.median_ms;
            line["step_ms_p95"] = m_last.step_ms.p95_ms;
            line["tokens_per_second"] = m_last.tokens_per_second;
            line["cache_entries"] = m_last.cache_entries;
            std::puts(line.dump().c_str());
        }
        if (!m_options.save.empty() && !m_conversation.layout.streams.empty()) {
            streams::saveConversation(m_options.save, m_conversation);
        }
        if (m_failure) {
            throw *m_failure;
        }
        return 0;
    }

    const ChatOptions &m_options;
    const models::ModelAccess &m_access;
    Interrupts &m_interrupts;
    std::unique_ptr<ChatInput> m_input;
    std::optional<LaneScreen> m_screen;
    streams::Conversation m_conversation;
    streams::StreamsStatus m_last;
    std::optional<Error> m_failure;
    std::int64_t m_waited_rows = -1;
    bool m_waits_for_words = false;
};

}  // namespace

void addChat(CLI::App &app, Run &chosen, const models::ModelAccess &access)
{
    const auto options = std::make_shared<ChatOptions>();
    declareChat(app, *options, [options, &chosen, &access] {
        chosen = [options, &access] {
            Interrupts interrupts;
            return ChatCommand(*options, access, interrupts).run();
        };
    });
}

}  // namespace braid::cli
