// `braid-cli translate`: text files, standard input, or the captions of a recording, through the translation engine.
#include "app/cli/translate_command.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "app/cli/failed_run.h"
#include "app/cli/harmless.h"
#include "app/cli/output.h"
#include "app/cli/translation_output.h"
#include "core/base/error.h"
#include "core/captions/caption_engine.h"
#include "core/translation/translation_engine.h"

namespace braid::cli {
namespace {

namespace fs = std::filesystem;
constexpr int kLookEvery_ms = 50;
constexpr std::size_t kMostAhead = 1 << 16;  // bytes of text that lie in memory before they are translated
// A speaker who says nothing for so long has ended a sentence.
constexpr int kPauseEndsSentence_ms = 2000;

// Where the text comes from: gives the engine what there is now.
class TextSource {
  public:
    virtual ~TextSource() = default;
    // Waits at most kLookEvery_ms for more. False: there is no more, and the engine was told.
    [[nodiscard]] virtual bool give(translation::TranslationEngine &engine) = 0;
    // Bytes of text until now; of a source that is never ahead of the engine by much: 0.
    [[nodiscard]] virtual std::size_t given() const { return 0; }
    // Nothing more is wanted.
    virtual void stop() {}
    // Why the source ended early, if it did.
    [[nodiscard]] virtual std::optional<Error> failure() const { return {}; }
};

// A file, a pipe or standard input: whatever is there now. Waiting never takes longer than kLookEvery_ms.
class DescriptorSource final : public TextSource {
  public:
    explicit DescriptorSource(const fs::path &path)
        : m_name(path.string())
        , m_fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK))
    {
        std::error_code problem;
        if (m_fd < 0 || fs::is_directory(path, problem)) {
            closeOwn();
            throw Error(ErrorKind::Input, fs::exists(path, problem) ? "this file cannot be read" : "there is no such file", m_name, "Name a text file");
        }
    }
    // Standard input.
    DescriptorSource()
        : m_name("standard input")
        , m_fd(STDIN_FILENO)
    {
    }
    ~DescriptorSource() override { closeOwn(); }
    DescriptorSource(const DescriptorSource &) = delete;
    DescriptorSource &operator=(const DescriptorSource &) = delete;

    bool give(translation::TranslationEngine &engine) override
    {
        pollfd input{m_fd, POLLIN, 0};
        const int ready = poll(&input, 1, kLookEvery_ms);
        if (ready == 0 || (ready < 0 && errno == EINTR)) {
            return true;
        }
        std::array<char, 1 << 14> piece{};
        const ssize_t count = ready > 0 ? ::read(m_fd, piece.data(), piece.size()) : -1;
        if (count > 0) {
            engine.addText({piece.data(), static_cast<std::size_t>(count)});
            m_given += static_cast<std::size_t>(count);
            return true;
        }
        if (count < 0 && (errno == EINTR || errno == EAGAIN)) {
            return true;
        }
        if (count < 0) {
            m_failure = Error(ErrorKind::Input, std::string("could not be read to its end: ") + std::strerror(errno), m_name);
        }
        return false;
    }
    [[nodiscard]] std::size_t given() const override { return m_given; }
    std::optional<Error> failure() const override { return m_failure; }

  private:
    void closeOwn() const
    {
        if (m_fd > STDIN_FILENO) {
            ::close(m_fd);
        }
    }

    std::string m_name;
    int m_fd;
    std::size_t m_given = 0;
    std::optional<Error> m_failure;
};

// A recording is captioned; every word that is committed is a word of the source.
class CaptionSource final : public TextSource {
  public:
    CaptionSource(const TranslateOptions &options, const models::ModelAccess &access)
    {
        models::ModelChoice model{models::findModel(options.caption_model, access.folders), options.translator.device};
        model.device.number_type = models::NumberType::Float32;
        models::CaptionOptions captions;
        captions.capture_attention = false;  // nobody looks at it here
        captions::CaptionRun run;
        run.open_source = [path = options.captions_of] {
            audio::SourceSpec spec;
            spec.kind = audio::SourceKind::File;
            spec.path = path;
            return audio::openSource(spec);
        };
        run.make_policy = models::policyFactory(access, access.captionCache(), model, captions);
        run.model_name = models::modelName(model.path);
        m_engine.start(std::move(run));
    }
    bool give(translation::TranslationEngine &engine) override
    {
        const bool over = m_engine.waitUntilFinished(kLookEvery_ms / 1000.0);
        for (const auto &event : m_engine.takeEvents()) {
            if (const auto *committed = std::get_if<captions::Committed>(&event.body)) {
                engine.addCaptions(committed->items);
            } else if (const auto *failed = std::get_if<runtime::Failed>(&event.body)) {
                m_failure = errorOf(*failed);
            } else if (const auto *notice = std::get_if<runtime::Notice>(&event.body)) {
                std::fprintf(stderr, "braid: %s\n", harmless(notice->sentence).c_str());
            }
        }
        return !over;
    }
    void stop() override { m_engine.stop(); }
    std::optional<Error> failure() const override { return m_failure; }

  private:
    captions::CaptionEngine m_engine;
    std::optional<Error> m_failure;
};

// What the words looked at, sentence by sentence.
class AttentionRecord {
  public:
    void take(const translation::TranslationEventBody &event)
    {
        const auto *session = std::get_if<translation::TranslationSessionEvent>(&event);
        if (session == nullptr) {
            return;
        }
        if (const auto *arrived = std::get_if<translation::UnitsArrived>(session)) {
            for (const auto &unit : arrived->units) {
                of(arrived->sentence).source.push_back(unit.text);
            }
        } else if (const auto *written = std::get_if<translation::WordWritten>(session)) {
            of(written->sentence).target.push_back(written->word);
        }
    }
    // The numbers of the next run's sentences begin anew.
    void endRun() { m_first = m_sentences.size(); }
    void write(const fs::path &path, const translation::AttentionView &view) const
    {
        Sink sink(path);
        sink.write(translation::attentionJson(m_sentences, view) + "\n");
        sink.flush();
    }

  private:
    translation::SentenceAttention &of(std::int64_t sentence)
    {
        const std::size_t index = m_first + static_cast<std::size_t>(sentence);
        if (m_sentences.size() <= index) {
            m_sentences.resize(index + 1);
        }
        return m_sentences[index];
    }
    std::vector<translation::SentenceAttention> m_sentences;
    std::size_t m_first = 0;
};

class TranslateCommand {
  public:
    TranslateCommand(const TranslateOptions &options, const models::ModelAccess &access, Interrupts &interrupts)
        : m_options(options)
        , m_access(access)
        , m_interrupts(interrupts)
        , m_model(options.translator.found(access))
        , m_cache(access.languageCache())
        , m_output(makeTranslationOutput(options.format, options.out))
    {
        say(models::modelName(m_model.path) + " on " + access.loader->describe(m_model.device));
    }

    [[nodiscard]] int runAll()
    {
        int exit_code = 0;
        if (!m_options.captions_of.empty()) {
            exit_code = runOne(m_options.captions_of.filename().string(), [this] { return std::make_unique<CaptionSource>(m_options, m_access); });
        } else if (m_options.standard_input) {
            exit_code = runOne("standard input", [] { return std::make_unique<DescriptorSource>(); });
        }
        for (const fs::path &file : m_options.files) {
            const int code = m_interrupts.count() > 0 ? 0 : runOne(file.filename().string(), [&file] { return std::make_unique<DescriptorSource>(file); });
            exit_code = code != 0 ? code : exit_code;
        }
        if (!m_options.attention.empty()) {
            m_record.write(m_options.attention, m_options.view);
        }
        return exit_code;
    }

  private:
    void say(const std::string &line) const
    {
        if (m_options.loudness == Loudness::Normal) {
            std::fprintf(stderr, "braid: %s\n", harmless(line).c_str());
        }
    }

    template <typename Open>
    int runOne(const std::string &name, const Open &open)
    {
        try {
            const std::unique_ptr<TextSource> source = open();
            const std::optional<Error> failure = translate(name, *source);
            m_record.endRun();
            if (!failure) {
                return 0;
            }
            std::fprintf(stderr, "braid-cli: %s\n", harmless(failure->what()).c_str());
            return exitCodeFor(failure->kind());
        } catch (const Error &error) {
            // The others still have their turn.
            std::fprintf(stderr, "braid-cli: %s\n", harmless(error.what()).c_str());
            return exitCodeFor(error.kind());
        }
    }

    [[nodiscard]] std::optional<Error> translate(const std::string &name, TextSource &source)
    {
        translation::TranslationRunConfig config;
        config.translator.make = models::translatorFactory(m_cache, m_model, m_options.translator.options);
        config.translator.name = models::modelName(m_model.path) + ", " + m_options.translator.options.paradigm;
        config.settings = m_options.settings;
        config.source_name = name;
        config.journal_folder = m_options.journal;
        if (!m_options.captions_of.empty()) {
            config.settings.sentences = translation::kSpeechLimits;
            config.idle_ends_sentence_ms = kPauseEndsSentence_ms;
        }
        translation::TranslationEngine engine;
        engine.start(std::move(config));

        std::optional<Error> failure;
        bool has_more = true;
        bool over = false;
        int obeyed = 0;
        std::size_t taken = 0;  // of the bytes given: by the engine, when it last had nothing to do
        while (!over) {
            const bool waits = engine.snapshot()->activity == translation::kWaitingForSource;
            taken = waits ? source.given() : taken;
            const bool has_room = source.given() - taken <= kMostAhead;
            if (has_more && has_room && !source.give(engine)) {
                has_more = false;
                engine.endSource();
            }
            over = engine.waitUntilFinished(has_more && has_room ? 0 : kLookEvery_ms / 1000.0);
            for (const auto &event : engine.takeEvents()) {
                take(event.body, failure);
            }
            const int asked = m_interrupts.count();
            if (asked > 0 && obeyed == 0) {
                say("translating what was read; once more ends at once");
                source.stop();
                has_more = false;
                engine.endSource();
            }
            if (asked > 1 && obeyed <= 1) {
                engine.cancel();
            }
            obeyed = asked;
        }
        return failure ? failure : source.failure();
    }

    void take(const translation::TranslationEventBody &event, std::optional<Error> &failure)
    {
        m_output->event(event);
        if (!m_options.attention.empty()) {
            m_record.take(event);
        }
        if (const auto *failed = std::get_if<runtime::Failed>(&event)) {
            failure = errorOf(*failed);
        } else if (const auto *notice = std::get_if<runtime::Notice>(&event)) {
            std::fprintf(stderr, "braid: %s\n", harmless(notice->sentence).c_str());
        } else if (const auto *session = std::get_if<translation::TranslationSessionEvent>(&event)) {
            if (const auto *limit = std::get_if<translation::SessionNotice>(session)) {
                std::fprintf(stderr, "braid: %s\n", harmless(limit->sentence).c_str());
            }
        } else if (const auto *finished = std::get_if<translation::TranslationFinished>(&event)) {
            const auto &numbers = finished->statistics;
            char line[240];
            std::snprintf(line, sizeof line, "%lld sentences, %lld words read, %lld written, %.1f words behind, %.1f tokens a second, %lld tokens fed",
                          static_cast<long long>(numbers.sentences), static_cast<long long>(numbers.source_units), static_cast<long long>(numbers.target_words),
                          numbers.lag_units_mean, numbers.tokens_per_second, static_cast<long long>(numbers.cost.tokens_fed));
            say(line);
        }
    }

    const TranslateOptions &m_options;
    const models::ModelAccess &m_access;
    Interrupts &m_interrupts;
    models::ModelChoice m_model;
    std::shared_ptr<models::LanguageModelCache> m_cache;
    std::unique_ptr<TranslationOutput> m_output;
    AttentionRecord m_record;
};

}  // namespace

int runTranslate(const TranslateOptions &options, const models::ModelAccess &access, Interrupts &interrupts)
{
    OutputFiles outputs(options.existing);
    outputs.reads(options.captions_of);
    for (const fs::path &file : options.files) {
        outputs.reads(file);
    }
    outputs.writes(options.out);
    outputs.writes(options.attention);
    return TranslateCommand(options, access, interrupts).runAll();
}

}  // namespace braid::cli
