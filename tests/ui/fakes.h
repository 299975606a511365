// Stand-ins for what the window gets from outside: an engine that is told what to say, a player that only remembers, and a policy
// that speaks a script through the real engine.
#pragma once

#include <cmath>
#include <deque>

#include <QApplication>
#include <QTest>

#include "core/audio/scripted_source.h"
#include "core/base/error.h"
#include "ui/shared/icons.h"
#include "ui/shared/window_language.h"
#include "ui/state/engine_backend.h"
#include "ui/state/services.h"

namespace braid::ui::test {

// English, with its plurals, whatever language the desktop speaks.
inline void speakEnglish()
{
    speak(QStringLiteral("en"));
}
Q_COREAPP_STARTUP_FUNCTION(speakEnglish)

inline text::Word word(const std::string &text, double start_s, double end_s, float probability = 0.93F)
{
    text::Word w;
    w.text = text;
    w.start_sample = samplesFromSeconds(start_s);
    w.end_sample = samplesFromSeconds(end_s);
    w.probability = probability;
    w.first_seen_sample = w.end_sample + samplesFromSeconds(0.4);
    w.time_method = text::WordTimeMethod::CrossAttention;
    w.tokens.push_back(
        {static_cast<std::int32_t>(text.size()), " " + text, probability, {{900, " the", (1 - probability) * 0.6F}, {901, " a", (1 - probability) * 0.25F}}});
    return w;
}

inline text::Word settled(text::Word w, double after_s = 1.1)
{
    w.committed_sample = w.end_sample + samplesFromSeconds(after_s);
    return w;
}

// Words of `sentence`, one after the other from `start_s`, 0.32 s each with a little silence between.
inline std::vector<text::Word> words(const QString &sentence, double start_s)
{
    std::vector<text::Word> result;
    for (const QString &part : sentence.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        const double length = 0.16 + 0.04 * static_cast<double>(part.size());
        const auto certainty = static_cast<float>(0.55 + 0.44 * std::fmod(static_cast<double>(part.size()) * 0.37 + start_s * 0.61, 1.0));
        result.push_back(word(part.toStdString(), start_s, start_s + length, certainty));
        start_s += length + 0.08;
    }
    return result;
}

inline text::Transcript transcriptOf(const std::vector<text::Word> &said)
{
    text::Transcript items;
    for (const text::Word &w : said) {
        items.emplace_back(settled(w));
    }
    return items;
}

inline std::shared_ptr<const captions::AttentionMap> attentionOver(const std::vector<text::Word> &said)
{
    auto map = std::make_shared<captions::AttentionMap>();
    map->column_samples = 320;
    map->first_column_sample = std::max<Sample>(0, said.front().start_sample - samplesFromSeconds(0.5));
    map->rows = static_cast<int>(said.size());
    map->columns = static_cast<int>((said.back().end_sample + samplesFromSeconds(0.5) - map->first_column_sample) / map->column_samples);
    for (const text::Word &w : said) {
        map->row_labels.push_back(w.tokens.front().text);
        map->row_starts.push_back(w.start_sample);
        double sum = 0;
        std::vector<float> row;
        for (int column = 0; column < map->columns; ++column) {
            const double at = static_cast<double>(map->first_column_sample + column * map->column_samples);
            const double away = (at - static_cast<double>(w.start_sample + w.end_sample) / 2) / static_cast<double>(w.end_sample - w.start_sample);
            row.push_back(static_cast<float>(std::exp(-away * away * 5) + 0.002));
            sum += static_cast<double>(row.back());
        }
        for (const float value : row) {
            map->weights.push_back(static_cast<float>(static_cast<double>(value) / sum));
        }
    }
    return map;
}

// Speech-like noise where words are, silence elsewhere; deterministic.
inline std::vector<float> soundOf(const std::vector<text::Word> &said, Sample length)
{
    std::vector<float> sound(static_cast<std::size_t>(length), 0.0F);
    std::uint32_t seed = 12345;
    for (const text::Word &w : said) {
        for (Sample at = w.start_sample; at < std::min(w.end_sample, length); ++at) {
            seed = seed * 1664525U + 1013904223U;
            const double noise = static_cast<double>(seed >> 8) / (1 << 24) - 0.5;
            const double phase = static_cast<double>(at - w.start_sample) / static_cast<double>(w.end_sample - w.start_sample);
            const double envelope = std::sin(3.14159 * phase) * (0.35 + 0.4 * std::abs(std::sin(static_cast<double>(w.text.size()) * 1.7)));
            const double syllables = 0.6 + 0.4 * std::sin(static_cast<double>(at) / 400);
            sound[static_cast<std::size_t>(at)] = static_cast<float>(envelope * syllables * (noise + 0.6 * std::sin(static_cast<double>(at) * 0.08)));
        }
    }
    return sound;
}

class ScriptedBackend : public CaptionBackend {
  public:
    std::uint64_t start(captions::CaptionRun) override
    {
        ++starts;
        ++generation;
        auto fresh = std::make_shared<captions::CaptionSnapshot>();
        fresh->generation = generation;
        fresh->state = runtime::RunState::Loading;
        current = fresh;
        return generation;
    }
    void stop() override { ++stops; }
    void cancel() override { ++cancels; }
    void adjust(const captions::PolicySettings &settings) override { adjusted.push_back(settings); }
    void changePolicy(captions::PolicyFactory) override { ++policy_changes; }
    [[nodiscard]] bool keepCorrections(const std::vector<text::WordCorrection> &made) override
    {
        corrections.insert(corrections.end(), made.begin(), made.end());
        return true;
    }
    [[nodiscard]] std::vector<captions::CaptionEvent> takeEvents() override
    {
        std::vector<captions::CaptionEvent> taken;
        taken.swap(events);
        return taken;
    }
    [[nodiscard]] std::shared_ptr<const captions::CaptionSnapshot> snapshot() const override { return current; }
    [[nodiscard]] std::vector<float> sound(Sample start, Sample length) const override
    {
        const auto first = static_cast<std::size_t>(std::clamp<Sample>(start, 0, static_cast<Sample>(recording.size())));
        const auto last = std::min(recording.size(), first + static_cast<std::size_t>(std::max<Sample>(length, 0)));
        return {recording.begin() + static_cast<std::ptrdiff_t>(first), recording.begin() + static_cast<std::ptrdiff_t>(last)};
    }
    [[nodiscard]] std::filesystem::path journalFolder() const override { return {}; }

    void say(captions::CaptionEventBody body) { events.push_back({generation, std::move(body)}); }
    template <typename Change>
    void show(Change change)
    {
        auto next = std::make_shared<captions::CaptionSnapshot>(*current);
        next->generation = generation;
        change(*next);
        current = next;
    }
    void listen(double heard_s)
    {
        show([&](captions::CaptionSnapshot &s) {
            s.state = runtime::RunState::Listening;
            s.activity = "listening";
            s.voice = captions::VoiceState::Speech;
            s.level_rms = 0.12F;
            s.level_peak = 0.4F;
            s.statistics.heard_samples = samplesFromSeconds(heard_s);
            s.statistics.decoded_samples = samplesFromSeconds(heard_s - 0.2);
            s.statistics.compute_lag_ms = 52;
            s.statistics.policy_lag_ms = 261;
            s.statistics.real_time_factor = 0.14;
        });
    }
    void finish()
    {
        show([](captions::CaptionSnapshot &s) {
            s.state = runtime::RunState::Finished;
            s.tail.clear();
        });
        say(captions::Finished{current->statistics});
    }

    int starts = 0;
    int stops = 0;
    int cancels = 0;
    int policy_changes = 0;
    std::vector<text::WordCorrection> corrections;
    std::vector<captions::PolicySettings> adjusted;
    std::uint64_t generation = 0;
    std::vector<captions::CaptionEvent> events;
    std::shared_ptr<const captions::CaptionSnapshot> current = std::make_shared<captions::CaptionSnapshot>();
    std::vector<float> recording;
};

class RememberingPlayer : public audio::SoundPlayer {
  public:
    void play(std::vector<float> sound, Sample start) override
    {
        if (broken) {
            trouble = "There is no loudspeaker. Plug one in.";
            return;
        }
        played = std::move(sound);
        at = start;
    }
    void stop() override { at.reset(); }
    [[nodiscard]] std::optional<Sample> position() const override { return at; }

    [[nodiscard]] std::string takeTrouble() override { return std::exchange(trouble, {}); }

    std::vector<float> played;
    std::optional<Sample> at;
    std::string trouble;
    bool broken = false;
};

inline std::vector<audio::DeviceInfo> twoDevices()
{
    return {{audio::SourceKind::Microphone, "Desk Microphone", "ALSA", 1, 48000, true},
            {audio::SourceKind::SystemSound, "Built-in Audio", "PulseAudio", 2, 44100, false}};
}

inline std::vector<ModelEntry> twoModels()
{
    return {{QStringLiteral("captions-en"),
             "/models/captions-en",
             QStringLiteral("Whisper, 8.1 M parameters"),
             16'400'000,
             {QStringLiteral("en")},
             {},
             true,
             100,
             1000,
             300},
            {QStringLiteral("half-a-model"),
             "/models/half-a-model",
             QStringLiteral("Whisper"),
             1'200'000,
             {},
             QStringLiteral("/models/half-a-model: the weights are missing. Fetch the folder again."),
             false,
             100,
             1000,
             0}};
}

inline Services fakeServices(ScriptedBackend *&backend, RememberingPlayer *&player, const std::filesystem::path &folder)
{
    loadIconResources();
    Services services;
    auto made = std::make_unique<ScriptedBackend>();
    backend = made.get();
    services.captions.backend = std::move(made);
    auto made_player = std::make_unique<RememberingPlayer>();
    player = made_player.get();
    services.player = std::move(made_player);
    services.list_devices = twoDevices;
    services.list_models = twoModels;
    services.captions.make_run = [](const CaptionChoices &choices) {
        captions::CaptionRun run;
        run.model_name = choices.model_name.toStdString();
        return run;
    };
    services.captions.make_policy = [](const CaptionChoices &) { return captions::PolicyFactory(); };
    services.make_engine = [make_run = services.captions.make_run, make_policy = services.captions.make_policy](CompareSide) {
        return EngineKit{std::make_unique<ScriptedBackend>(), make_run, make_policy, {}};
    };
    services.describe_compute = [](const models::DeviceChoice &compute) -> QString {
        if (compute.device == "cuda") {
            throw Error(ErrorKind::Device, "there is no GPU here", {}, "Choose the processor");
        }
        return QStringLiteral("CPU, 2 threads, float32, OpenBLAS 0.3.21");
    };
    services.policies = {{QStringLiteral("local-agreement"), QStringLiteral("Two agree"), QStringLiteral("two looks agree")},
                         {QStringLiteral("align-att"), QStringLiteral("Attention"), QStringLiteral("attention")},
                         {QStringLiteral("streaming"), QStringLiteral("Streaming"), QStringLiteral("encoded once"), true, false},
                         {QStringLiteral("models-choice"), QStringLiteral("Model's choice"), QStringLiteral("as the model likes"), false, true}};
    services.model_folders = {"/models"};
    services.settings_file = folder / "braid.ini";
    services.journal_folder = folder / "sessions";
    return services;
}

// Speaks a script: a word is in the tail once it has been heard, and settled 0.6 s later; while fresh, a word may be misheard.
class SpeakingPolicy : public captions::CaptionPolicy {
  public:
    explicit SpeakingPolicy(std::vector<text::Word> script)
        : m_script(std::move(script))
    {
    }
    [[nodiscard]] std::string name() const override { return "speaking"; }
    [[nodiscard]] Sample stepSamples() const override { return samplesFromMs(200); }
    void beginUtterance(Sample start) override { m_heard = start; }
    void addSound(std::span<const float> sound) override { m_heard += static_cast<Sample>(sound.size()); }
    [[nodiscard]] captions::PolicyUpdate step() override { return look(m_heard - samplesFromMs(600)); }
    [[nodiscard]] captions::PolicyUpdate endUtterance() override { return look(m_heard); }

  private:
    captions::PolicyUpdate look(Sample settle_before)
    {
        captions::PolicyUpdate update;
        while (m_next < m_script.size() && m_script[m_next].end_sample <= settle_before) {
            update.committed.push_back(m_script[m_next]);
            update.committed.back().committed_sample = m_heard;
            ++m_next;
        }
        for (std::size_t index = m_next; index < m_script.size() && m_script[index].end_sample <= m_heard && settle_before < m_heard; ++index) {
            update.tail.push_back(m_script[index]);
            if (m_heard - m_script[index].end_sample < samplesFromMs(200)) {
                update.tail.back().text += "...";
            }
        }
        update.decoded_until_sample = m_heard;
        return update;
    }
    std::vector<text::Word> m_script;
    std::size_t m_next = 0;
    Sample m_heard = 0;
};

class LoudIsSpeech : public audio::VoiceDetector {
  public:
    [[nodiscard]] audio::FrameKind judge(std::span<const float> frame) override
    {
        double power = 0;
        for (const float value : frame) {
            power += static_cast<double>(value) * static_cast<double>(value);
        }
        return power / static_cast<double>(frame.size()) > 1e-5 ? audio::FrameKind::Voice : audio::FrameKind::NoSpeech;
    }
    void reset() override {}
};

// The real engine, fed with `said` spoken at the pace of `pace`.
inline Services speakingServices(const std::vector<text::Word> &said, const std::filesystem::path &folder)
{
    ScriptedBackend *unused = nullptr;
    RememberingPlayer *player = nullptr;
    Services services = fakeServices(unused, player, folder);
    services.captions.backend = std::make_unique<EngineBackend>();
    services.captions.make_run = [said](const CaptionChoices &choices) {
        captions::CaptionRun run;
        run.open_source = [said, name = choices.source_title.toStdString()]() -> std::unique_ptr<audio::Source> {
            if (name == "missing.wav") {
                throw Error(ErrorKind::Input, "the file does not exist", "missing.wav", "Check its name");
            }
            const Sample length = said.back().end_sample + samplesFromSeconds(1.5);
            std::vector<audio::ScriptStep> steps;
            steps.emplace_back(audio::script::Sound{soundOf(said, length)});
            return std::make_unique<audio::ScriptedSource>(std::move(steps), audio::SourceDescription{name, "16000 Hz", audio::Pace::Fast, length});
        };
        run.make_policy = [said](const std::function<void(double, std::string)> &, std::stop_token) { return std::make_unique<SpeakingPolicy>(said); };
        run.make_detector = [] { return std::make_unique<LoudIsSpeech>(); };
        run.model_name = choices.model_name.toStdString();
        run.journal_folder = choices.journal_folder;
        return run;
    };
    services.captions.make_policy = [said](const CaptionChoices &) {
        return [said](const std::function<void(double, std::string)> &, std::stop_token) { return std::make_unique<SpeakingPolicy>(said); };
    };
    services.make_engine = [make_run = services.captions.make_run, make_policy = services.captions.make_policy](CompareSide) {
        return EngineKit{std::make_unique<EngineBackend>(), make_run, make_policy, {}};
    };
    return services;
}

}  // namespace braid::ui::test
