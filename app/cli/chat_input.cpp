#include "app/cli/chat_input.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <optional>
#include <thread>
#include <utility>

#include <poll.h>
#include <unistd.h>

#include "app/cli/failed_run.h"
#include "app/cli/keyboard.h"
#include "core/base/error.h"
#include "core/captions/caption_engine.h"

namespace braid::cli {
namespace {

constexpr std::int64_t kRowsOfUp = 10;
constexpr std::size_t kPiece = 4096;          // bytes handed over at once
constexpr std::size_t kEnoughWaiting = 1000;  // tokens; the rest is held back

int userOf(const streams::Layout &layout)
{
    for (std::size_t i = 0; i < layout.size(); ++i) {
        if (layout.streams[i].role == streams::StreamRole::User) {
            return static_cast<int>(i);
        }
    }
    throw Error(ErrorKind::Usage, "this layout has no stream for a user's words", layout.name, "Give words with --script, or choose another layout");
}

// Words as they are typed: one enters with the space or Enter behind it.
class TypedWords final : public ChatInput {
  public:
    explicit TypedWords(int user)
        : m_user(user)
    {
    }
    [[nodiscard]] bool isInteractive() const override { return true; }
    [[nodiscard]] std::string typing() const override { return m_word; }

    [[nodiscard]] Wish lead(streams::StreamsEngine &engine, const streams::StreamsSnapshot &now, std::chrono::milliseconds patience) override
    {
        for (const Key &key : m_keyboard.read(patience)) {
            if (!obey(key, engine, now.status)) {
                return Wish::Stop;
            }
        }
        return Wish::GoOn;
    }

  private:
    bool obey(const Key &key, streams::StreamsEngine &engine, const streams::StreamsStatus &status)
    {
        switch (key.kind) {
        case KeyKind::Text:
            if (key.text == " ") {
                engine.post(streams::Say{m_user, std::exchange(m_word, {})});
            } else {
                m_word += key.text;
            }
            break;
        case KeyKind::Enter:
            engine.post(streams::Say{m_user, std::exchange(m_word, {})});
            engine.post(streams::EndTurn{m_user});
            break;
        case KeyKind::Backspace:
            while (!m_word.empty() && (static_cast<unsigned char>(m_word.back()) & 0xC0U) == 0x80U) {
                m_word.pop_back();
            }
            if (!m_word.empty()) {
                m_word.pop_back();
            }
            break;
        case KeyKind::Escape:
            engine.post(status.state == streams::StreamsState::Paused ? streams::StreamsCommand(streams::Resume{}) : streams::StreamsCommand(streams::Pause{}));
            break;
        case KeyKind::Tab:
            engine.post(streams::SingleStep{});
            break;
        case KeyKind::Left:
            engine.post(streams::Rewind{std::max<std::int64_t>(status.rows - 2, -1)});
            break;
        case KeyKind::Up:
            engine.post(streams::Rewind{std::max<std::int64_t>(status.rows - 1 - kRowsOfUp, -1)});
            break;
        case KeyKind::DropLine:
            m_word.clear();
            engine.post(streams::Interrupt{m_user, {}});
            break;
        case KeyKind::EndOfInput:
            return false;
        }
        return true;
    }

    int m_user;
    std::string m_word;
    Keyboard m_keyboard;
};

// Standard input as it comes, handed over as there is room.
class ReadWords final : public ChatInput {
  public:
    explicit ReadWords(int user)
        : m_user(user)
    {
    }
    [[nodiscard]] bool hasBegun() const override { return m_has_given || m_has_ended; }

    [[nodiscard]] Wish lead(streams::StreamsEngine &engine, const streams::StreamsSnapshot &now, std::chrono::milliseconds patience) override
    {
        if (!m_is_over && m_text.size() < kPiece) {
            read(patience / 5);
        } else {
            std::this_thread::sleep_for(patience / 5);
        }
        const bool counts_all = now.commands_obeyed == engine.posted();  // else what was handed over last is not among what waits
        const bool has_room = counts_all && now.status.waiting[static_cast<std::size_t>(m_user)] < kEnoughWaiting;
        if (!has_room || m_has_ended) {
            return m_has_ended ? Wish::Nothing : Wish::GoOn;
        }
        if (!m_text.empty()) {
            engine.post(streams::Say{m_user, m_text.substr(0, kPiece), streams::TextEnd::Open});
            m_text.erase(0, kPiece);
            m_has_given = true;
        }
        if (m_is_over && m_text.empty()) {  // with the last words: rows go on meanwhile, and a layout allows only so many
            engine.post(streams::Say{m_user, {}});
            engine.post(streams::EndTurn{m_user});
            m_has_ended = true;
        }
        return Wish::GoOn;
    }

  private:
    // What there is by now, up to a piece, and the end where it has come: a text that lies ready is handed over whole before the first row is made.
    void read(std::chrono::milliseconds patience)
    {
        pollfd input{STDIN_FILENO, POLLIN, 0};
        while (!m_is_over && m_text.size() < kPiece && ::poll(&input, 1, static_cast<int>(patience.count())) > 0) {
            char buffer[kPiece];
            const ssize_t count = ::read(STDIN_FILENO, buffer, sizeof buffer);
            if (count > 0) {
                m_text.append(buffer, static_cast<std::size_t>(count));
            }
            m_is_over = count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN);
            patience = std::chrono::milliseconds(0);
        }
    }

    int m_user;
    std::string m_text;  // read and not yet given
    bool m_is_over = false;
    bool m_has_given = false;
    bool m_has_ended = false;
};

// What is said in a recording or into a microphone, as its captions settle.
class SpokenWords final : public ChatInput {
  public:
    SpokenWords(int user, const ChatOptions &options, const models::ModelAccess &access)
        : m_user(user)
    {
        const models::ModelChoice model{models::findModel(options.captions_model, access.folders), {}};
        models::CaptionOptions captions;
        captions.capture_attention = false;  // nobody looks at it here
        captions::CaptionRun run;
        audio::SourceSpec source;
        source.kind = options.microphone_given ? audio::SourceKind::Microphone : audio::SourceKind::File;
        source.pace = options.microphone_given ? audio::Pace::Live : audio::Pace::Realtime;
        source.device = options.microphone;
        source.path = options.captions;
        run.open_source = [source] { return audio::openSource(source); };
        run.make_policy = models::policyFactory(access, access.captionCache(), model, captions);
        run.model_name = models::modelName(model.path);
        m_captions.start(std::move(run));
    }
    [[nodiscard]] Wish lead(streams::StreamsEngine &engine, const streams::StreamsSnapshot &, std::chrono::milliseconds patience) override
    {
        const bool over = m_captions.waitUntilFinished(std::chrono::duration<double>(patience).count());
        for (const captions::CaptionEvent &event : m_captions.takeEvents()) {
            if (const auto *committed = std::get_if<captions::Committed>(&event.body)) {
                for (const text::TranscriptItem &item : committed->items) {
                    if (const auto *word = std::get_if<text::Word>(&item)) {
                        engine.post(streams::Say{m_user, (word->starts_without_space ? "" : " ") + word->text, streams::TextEnd::Open});
                        m_turn_is_open = true;
                    } else if (std::holds_alternative<text::LineBreak>(item)) {
                        endTurn(engine);  // a pause, as on the Streams page
                    }
                }
            } else if (const auto *failed = std::get_if<runtime::Failed>(&event.body)) {
                throw errorOf(*failed);
            }
        }
        if (over && !m_has_ended) {
            endTurn(engine);
            m_has_ended = true;
            return Wish::GoOn;
        }
        return m_has_ended ? Wish::Nothing : Wish::GoOn;
    }

  private:
    void endTurn(streams::StreamsEngine &engine)
    {
        if (std::exchange(m_turn_is_open, false)) {
            engine.post(streams::Say{m_user, {}});  // the word that waited for what might join it
            engine.post(streams::EndTurn{m_user});
        }
    }

    int m_user;
    bool m_turn_is_open = true;
    captions::CaptionEngine m_captions;
    bool m_has_ended = false;
};

}  // namespace

std::unique_ptr<ChatInput> makeChatInput(const ChatOptions &options, const models::ModelAccess &access, const streams::Layout &layout)
{
    const bool only_plays = !options.open.empty() && (!options.model_given || ::isatty(STDIN_FILENO) != 1);
    if (!options.script.empty() || only_plays) {
        return nullptr;
    }
    const int user = userOf(layout);
    if (!options.captions.empty() || options.microphone_given) {
        return std::make_unique<SpokenWords>(user, options, access);
    }
    if (::isatty(STDIN_FILENO) == 1) {
        return std::make_unique<TypedWords>(user);
    }
    return std::make_unique<ReadWords>(user);
}

}  // namespace braid::cli
