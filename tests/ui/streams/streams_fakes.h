// Stand-ins for the Streams page: the real session over a scripted model, moved on by the test row by row; no thread, no clock but the test's.
#pragma once

#include <cmath>
#include <map>
#include <memory>
#include <utility>

#include "core/streams/streams_session.h"
#include "tests/core/streams/hashed_streams_model.h"
#include "tests/core/streams/small_texts.h"
#include "tests/ui/fakes.h"
#include "ui/state/streams_services.h"

namespace braid::ui::test {

// Says what its script says, with probabilities from 0.4 to 0.99, as the place decides.
class SpeakingStreamsModel : public HashedStreamsModel {
  public:
    using HashedStreamsModel::HashedStreamsModel;
    std::vector<streams::Prediction> feed(std::span<const streams::StreamInput> inputs, const streams::PredictionRequest &request) override
    {
        auto predictions = HashedStreamsModel::feed(inputs, request);
        for (streams::Prediction &prediction : predictions) {
            streams::Candidate &said = prediction.candidates.front();
            const double place = std::fmod(static_cast<double>(said.token) * 0.37 + static_cast<double>(calls.size()) * 0.61, 1.0);
            const double probability = 0.4 + 0.59 * std::sqrt(place);
            double rest = 0;
            for (std::size_t index = 1; index < prediction.candidates.size(); ++index) {
                rest += std::exp(static_cast<double>(prediction.candidates[index].logit));
            }
            said.logit = static_cast<float>(std::log(rest * probability / (1 - probability)));
            std::stable_sort(prediction.candidates.begin(), prediction.candidates.end(), [](const auto &a, const auto &b) { return a.logit > b.logit; });
            prediction.log_sum = std::log(rest / (1 - probability));
        }
        return predictions;
    }
    // More to what stands near, and to the user.
    std::vector<streams::AttendedEntry> look(const streams::StreamInput &query, const streams::LookOptions &options) override
    {
        auto attended = HashedStreamsModel::look(query, options);
        float sum = 0;
        for (streams::AttendedEntry &entry : attended) {
            const double away = static_cast<double>(query.entry.step - entry.entry.step);
            entry.weight = static_cast<float>((entry.entry.stream == 1 ? 3.0 : 1.0) * std::exp(-away / 4) +
                                              0.02 * std::fmod(static_cast<double>(entry.token) * 0.37, 1.0));
            sum += entry.weight;
        }
        for (streams::AttendedEntry &entry : attended) {
            entry.weight /= sum;
        }
        return attended;
    }
};

// The box layout's streams by number.
enum BoxStream { kSystem = 0, kUser, kDocument, kAnswer, kWorking, kCheck, kAudit };

inline streams::Layout boxLayout()
{
    return streams::readLayout(BRAID_SOURCE_DIR "/resources/layouts/box.json");
}

inline std::shared_ptr<const SmallTexts> boxTexts()
{
    return std::make_shared<SmallTexts>(std::vector<std::string>{
        " what",    " is", " seven", " plus",  " five",  " ?",  " 7",     " +",    " 5",    " =",   " 8",       " 12", " 15",   " It", " twelve",
        " fifteen", " .",  " right", " quiet", " carry", " no", " eight", " wait", " book", " the", " <|end|>", " a",  " ting", "ting"});
}

// What is said in a stream from a row on: a word a row.
using Script = std::map<std::pair<int, std::int64_t>, std::string>;
inline void says(Script &script, int stream, std::int64_t row, const std::vector<std::string> &words)
{
    for (const std::string &word : words) {
        script[{stream, row++}] = word;
    }
}

// "what is seven plus five ?" from row 0 on: worked out while it is asked, answered at once.
inline Script sumScript()
{
    Script script;
    says(script, kWorking, 3, {" 7", " +", " 5", " =", " 12"});
    says(script, kAnswer, 6, {" It", " is", " twelve", " ."});
    says(script, kCheck, 8, {" 7", " +", " 5", " =", " 12", " right"});
    says(script, kAudit, 11, {" quiet", " ."});
    return script;
}

class SteppedStreams : public StreamsBackend {
  public:
    std::uint64_t start(streams::StreamsRunConfig run) override
    {
        ++m_generation;
        started.push_back(run.settings);
        journal_folders.push_back(run.journal_folder);
        m_clock_ms = std::make_shared<std::int64_t>(0);
        run.settings.clock_ms = [clock = m_clock_ms] { return *clock; };
        model = run.load_model ? std::make_shared<SpeakingStreamsModel>(texts->size()) : nullptr;
        if (model) {
            model->script = [this](int stream, std::int64_t row) {
                const auto word = script.find({stream, row});
                return word == script.end() ? 0 : texts->id(word->second);
            };
        }
        m_events.clear();
        session = std::make_unique<streams::StreamsSession>(run.settings, model, model ? texts : nullptr);
        m_events.push_back(
            {m_generation, streams::StreamsStarted{session->beginning(run.model_name), texts, session->silenceToken(), "CPU, 2 threads, float32"}});
        if (run.settings.recording) {
            advance(1);
        }
        drain();
        return m_generation;
    }
    void stop() override
    {
        if (session) {
            drain();
            m_events.push_back({m_generation, streams::StreamsFinished{session->status()}});
            session.reset();
        }
        ++stops;
    }
    void post(streams::StreamsCommand command) override
    {
        posted.push_back(command);
        if (session) {
            session->obey(command);
            session->answerLook();
            if (std::holds_alternative<streams::SingleStep>(command)) {
                advance(1);
            }
            drain();
        }
    }
    [[nodiscard]] std::vector<streams::StreamsEngineEvent> takeEvents() override { return std::exchange(m_events, {}); }
    [[nodiscard]] std::shared_ptr<const streams::StreamsSnapshot> snapshot() const override { return m_snapshot; }

    // So many rows, a quarter of a second apart; where no row is due, only time passes.
    void advance(int rows)
    {
        for (int row = 0; row < rows && session; ++row) {
            *m_clock_ms += 250;
            static_cast<void>(session->step());
            session->answerLook();
        }
        drain();
    }
    // How many commands of this kind came.
    template <typename Command>
    [[nodiscard]] int posts() const
    {
        return static_cast<int>(std::count_if(posted.begin(), posted.end(), [](const auto &command) { return std::holds_alternative<Command>(command); }));
    }
    // All words that were handed over for `stream`.
    [[nodiscard]] QString said(int stream) const
    {
        std::string words;
        for (const auto &command : posted) {
            if (const auto *say = std::get_if<streams::Say>(&command); say != nullptr && say->stream == stream) {
                words += say->text + " ";
            }
        }
        return QString::fromStdString(words).simplified();
    }
    // An event of another, older run.
    void sayLate(std::uint64_t generation)
    {
        streams::StreamsEvent event;
        event.cells.resize(7);
        m_events.push_back({generation, event});
    }
    void fail(const std::string &sentence)
    {
        m_events.push_back({m_generation, runtime::Failed{ErrorKind::Model, sentence}});
        m_events.push_back({m_generation, streams::StreamsFinished{}});
        session.reset();
    }

    std::shared_ptr<const SmallTexts> texts = boxTexts();
    Script script = sumScript();
    std::shared_ptr<SpeakingStreamsModel> model;
    std::unique_ptr<streams::StreamsSession> session;
    std::vector<streams::StreamsSettings> started;
    std::vector<std::filesystem::path> journal_folders;  // of the runs that were started
    std::vector<streams::StreamsCommand> posted;
    int stops = 0;

  private:
    void drain()
    {
        if (!session) {
            return;
        }
        for (streams::StreamsEvent &event : session->takeEvents()) {
            m_events.push_back({m_generation, std::move(event)});
        }
        auto snapshot = std::make_shared<streams::StreamsSnapshot>();
        snapshot->generation = m_generation;
        snapshot->state = streams::StreamsRunState::Going;
        snapshot->status = session->status();
        m_snapshot = snapshot;
    }
    std::uint64_t m_generation = 0;
    std::shared_ptr<std::int64_t> m_clock_ms = std::make_shared<std::int64_t>(0);
    std::vector<streams::StreamsEngineEvent> m_events;
    std::shared_ptr<const streams::StreamsSnapshot> m_snapshot = std::make_shared<const streams::StreamsSnapshot>();
};

inline StreamsServices steppedStreams(SteppedStreams *&parallel, SteppedStreams *&baseline)
{
    const auto kit = [](SteppedStreams *&made) {
        auto backend = std::make_unique<SteppedStreams>();
        made = backend.get();
        StreamsKit result;
        result.backend = std::move(backend);
        result.make_run = [](const StreamsChoices &choices) {
            streams::StreamsRunConfig run;
            run.settings = settingsOf(choices);
            run.model_name = choices.model_name.toStdString();
            if (!choices.model.empty()) {
                run.load_model = [](const auto &, std::stop_token) { return streams::StreamsModelDoor(); };
            }
            return run;
        };
        return result;
    };
    StreamsServices services;
    services.parallel = kit(parallel);
    services.baseline = kit(baseline);
    services.list_layouts = []() -> std::vector<LayoutEntry> {
        return {{QStringLiteral("Answer, working, check, audit"), "box.json", boxLayout(), {}},
                {QStringLiteral("Ten streams"), "ten.json", streams::readLayout(BRAID_SOURCE_DIR "/resources/layouts/ten_streams.json"), {}},
                {QStringLiteral("broken"), "broken.json", {}, QStringLiteral("broken.json: \"streams\" is missing. docs/formats.md has every field.")}};
    };
    services.list_models = []() -> std::vector<StreamsModelEntry> {
        return {{QStringLiteral("streams-en"), "/models/streams-en", QStringLiteral("7 streams, 3.1 M parameters"), 7, {}},
                {QStringLiteral("streams-en-single"), "/models/streams-en-single", QStringLiteral("one queue"), 0, {}}};
    };
    services.problem_of = [](const streams::Layout &layout, const StreamsModelEntry &model) {
        return static_cast<int>(layout.size()) == model.streams
                   ? QString()
                   : QStringLiteral("%1 was made for %2 streams, this layout has %3.").arg(model.name).arg(model.streams).arg(layout.size());
    };
    return services;
}

}  // namespace braid::ui::test
