#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/error.h"
#include "lab/train/language/language_trainer.h"
#include "lab/train/speech_lm/speech_lm_trainer.h"
#include "lab/train/trainer.h"
#include "lab/train/training.h"
#include "lab/train/world.h"

namespace braid::train {

namespace fs = std::filesystem;

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t kReportSteps = 25;
constexpr double kReportSeconds = 30;

double minutesSince(Clock::time_point start)
{
    return std::chrono::duration<double>(Clock::now() - start).count() / 60;
}

// Of a process that is not the first: says nothing, may ask to stop.
class SilentWatch final : public TrainingWatch {
  public:
    explicit SilentWatch(TrainingWatch &watch)
        : m_watch(watch)
    {
    }
    void preparing(const std::string &, double) override {}
    void notice(const std::string &) override {}
    void progress(const StepReport &) override {}
    void validated(const ValidationReport &) override {}
    bool stopAsked() override { return m_watch.stopAsked(); }

  private:
    TrainingWatch &m_watch;
};

// The loop around one learner. Where several processes train, all go through it together: the first one's clock counts, and what it validates, writes and
// reports, it does alone.
class Run {
  public:
    Run(const RunRecipe &recipe, AmountUnit unit, Learner &learner, const TrainingOptions &options, TrainingWatch &watch, World &world)
        : m_recipe(recipe)
        , m_unit(unit)
        , m_learner(learner)
        , m_options(options)
        , m_watch(watch)
        , m_world(world)
    {
    }

    TrainingResult operator()()
    {
        begin();
        const Clock::time_point start = Clock::now();
        m_clock = m_saved = m_reported = start;
        const Progress at_start = m_learner.progress();
        m_validated_minutes = at_start.minutes;
        for (;;) {
            if (m_learner.schedule().done(m_learner.progress()) >= 1) {
                if (nextStageBegins()) {
                    continue;
                }
                finish();
                return {TrainingEnd::Complete, m_learner.progress()};
            }
            const bool is_over = (m_options.minutes > 0 && m_learner.progress().minutes - at_start.minutes >= m_options.minutes) ||
                                 (m_options.steps > 0 && m_learner.progress().steps - at_start.steps >= m_options.steps);
            if (is_over || anybodyAsksToStop()) {
                report();
                save();
                return {TrainingEnd::Stopped, m_learner.progress()};
            }
            const Learner::Step step = m_learner.step();
            count(step);
            const auto now = Clock::now();
            m_learner.progress().minutes += std::chrono::duration<double>(now - m_clock).count() / 60;
            takeFirstsProgress();
            m_clock = now;
            if (m_sums.steps >= kReportSteps || std::chrono::duration<double>(now - m_reported).count() > kReportSeconds) {
                report();
            }
            if (validationIsDue(step)) {
                validate();
            }
            if (minutesSince(m_saved) >= m_recipe.checkpoint_minutes) {
                saveWhereThereIsRoom();
            }
        }
    }

  private:
    void begin()
    {
        const auto found = readCheckpoint(m_options.out);
        if (m_options.start == TrainingStart::Fresh) {
            if (found) {
                throw Error(ErrorKind::Usage, "this folder already holds a run", m_options.out.string(),
                            "Go on with --resume, or choose another folder with --out");
            }
            return;
        }
        if (!found) {
            throw Error(ErrorKind::Usage, "there is no checkpoint to resume from", m_options.out.string(), "Begin the run without --resume");
        }
        if (found->recipe_key != m_learner.recipeKey()) {
            m_watch.notice("The recipe has changed since the checkpoint was written; the run goes on with the changed one.");
        }
        m_world.inTurn([&] { m_learner.restore(*found, m_watch); });
        std::vector<double> steps = {static_cast<double>(m_learner.progress().steps)};
        m_world.takeFirsts(steps);
        if (steps[0] != static_cast<double>(m_learner.progress().steps)) {
            throw Error(ErrorKind::Usage, "this process has another checkpoint than the first one", m_options.out.string(),
                        "Give all processes the same folder, or a copy of it");
        }
    }

    bool anybodyAsksToStop()
    {
        std::vector<double> asked = {m_watch.stopAsked() ? 1.0 : 0.0};
        m_world.sumNumbers(asked);
        return asked[0] > 0;
    }

    // Whatever depends on the time, or on what was validated, is as the first process has it.
    void takeFirstsProgress()
    {
        Progress &progress = m_learner.progress();
        std::vector<double> judged = {progress.minutes, progress.factor, static_cast<double>(progress.without_better), progress.best_loss,
                                      progress.has_best ? 1.0 : 0.0};
        m_world.takeFirsts(judged);
        progress.minutes = judged[0];
        progress.factor = judged[1];
        progress.without_better = static_cast<std::int64_t>(judged[2]);
        progress.best_loss = judged[3];
        progress.has_best = judged[4] > 0;
    }

    bool nextStageBegins()
    {
        if (!m_learner.hasNextStage()) {
            return false;
        }
        report();
        if (m_learner.hasValidation()) {
            validate();
        }
        saveWhereThereIsRoom();  // preparing the next stage may take long, and be stopped
        m_world.inTurn([this] { m_learner.beginNextStage(m_watch); });
        m_validated_minutes = m_learner.progress().minutes;
        saveWhereThereIsRoom();
        return true;
    }

    void count(const Learner::Step &step)
    {
        ++m_sums.steps;
        m_sums.losses.resize(step.losses.size());
        for (std::size_t i = 0; i < step.losses.size(); ++i) {
            m_sums.losses[i].name = step.losses[i].name;
            m_sums.losses[i].value += step.losses[i].value;
        }
        m_tokens += step.tokens;
        m_correct += step.correct_tokens;
        m_sums.gradient_norm += step.norm;
        m_sums.learning_rate = step.rate;
        m_amount += step.amount;
    }

    void report()
    {
        if (m_sums.steps == 0) {
            return;
        }
        const auto steps = static_cast<double>(m_sums.steps);
        StepReport out = m_sums;
        for (NamedLoss &loss : out.losses) {
            loss.value /= steps;
        }
        out.gradient_norm /= steps;
        out.token_accuracy = m_tokens > 0 ? m_correct / m_tokens : 0;
        out.unit = m_unit;
        out.amount_per_second = m_amount / std::max(1e-9, minutesSince(m_reported) * 60);
        out.progress = m_learner.progress();
        out.done = m_learner.schedule().done(out.progress);
        if (out.done > 0) {
            out.minutes_left = (out.progress.minutes - out.progress.stage_minutes) / out.done * (1 - out.done);
        }
        m_watch.progress(out);
        m_sums = {};
        m_tokens = m_correct = m_amount = 0;
        m_reported = Clock::now();
    }

    bool validationIsDue(const Learner::Step &step) const
    {
        if (!m_learner.hasValidation()) {
            return false;
        }
        if (m_learner.schedule().kind() == ScheduleKind::Plateau) {
            return step.ends_epoch;
        }
        if (m_recipe.validate_every_steps > 0) {
            return m_learner.progress().steps % m_recipe.validate_every_steps == 0;
        }
        return m_learner.progress().minutes - m_validated_minutes >= m_recipe.validate_every_minutes;
    }

    void validate()
    {
        m_validated_minutes = m_learner.progress().minutes;
        if (m_world.isFirst()) {
            const ValidationReport report = m_learner.validate();
            if (report.is_best) {
                m_learner.writeModel(m_options.out / "model");
            }
            m_watch.validated(report);
        }
        takeFirstsProgress();
        m_clock = Clock::now();
    }

    // In the middle of a run a full disk ends nothing: what was learnt since the last checkpoint is in memory, and is written when there is room.
    void saveWhereThereIsRoom()
    {
        try {
            save();
        } catch (const Error &error) {
            if (error.kind() != ErrorKind::Storage) {
                throw;
            }
            m_watch.notice(std::string("The checkpoint was not written; training goes on, and the next one is tried as usual. ") + error.what());
            m_saved = m_clock = Clock::now();
        }
    }

    void save()
    {
        if (!m_world.isFirst()) {
            return;
        }
        writeCheckpoint(m_options.out, m_learner.checkpoint());
        m_learner.writeModel(m_options.out / "last");
        m_saved = m_clock = Clock::now();
    }

    void finish()
    {
        report();
        if (m_learner.hasValidation()) {
            validate();
        }
        save();
        if (!m_learner.hasValidation() && m_world.isFirst()) {
            m_learner.writeModel(m_options.out / "model");
        }
    }

    const RunRecipe &m_recipe;
    AmountUnit m_unit;
    Learner &m_learner;
    const TrainingOptions &m_options;
    TrainingWatch &m_watch;
    World &m_world;
    Clock::time_point m_clock;
    Clock::time_point m_saved;
    Clock::time_point m_reported;
    double m_validated_minutes = 0;
    StepReport m_sums;
    double m_tokens = 0;
    double m_correct = 0;
    double m_amount = 0;
};

void makeFolder(const fs::path &folder)
{
    std::error_code problem;
    fs::create_directories(folder, problem);
    if (problem) {
        throw Error(ErrorKind::Storage, "the folder cannot be made (" + problem.message() + ")", folder.string());
    }
}

// `make`: the learner, given a watch and the world.
template <typename Make>
TrainingResult runIn(const RunRecipe &recipe, AmountUnit unit, const TrainingOptions &options, TrainingWatch &watch, const Make &make)
{
    const std::shared_ptr<World> world = worldOfEnvironment();
    SilentWatch silent(watch);
    TrainingWatch &own_watch = world->isFirst() ? watch : silent;
    makeFolder(options.out);
    std::unique_ptr<Learner> learner;
    world->inTurn([&] { learner = make(own_watch, world); });
    return Run(recipe, unit, *learner, options, own_watch, *world)();
}

}  // namespace

TrainingResult runTraining(const Recipe &recipe, const TrainingOptions &options, TrainingWatch &watch)
{
    return runIn(recipe, AmountUnit::SecondsOfSound, options, watch,
                 [&](TrainingWatch &own_watch, const std::shared_ptr<World> &world) { return std::make_unique<Trainer>(recipe, own_watch, world); });
}

TrainingResult runTraining(const LanguageRecipe &recipe, const TrainingOptions &options, TrainingWatch &watch)
{
    return runIn(recipe, AmountUnit::Tokens, options, watch, [&](TrainingWatch &own_watch, const std::shared_ptr<World> &world) {
        return std::make_unique<LanguageTrainer>(recipe, options.out, own_watch, world);
    });
}

TrainingResult runTraining(const SpeechLmRecipe &recipe, const TrainingOptions &options, TrainingWatch &watch)
{
    return runIn(recipe, AmountUnit::Tokens, options, watch, [&](TrainingWatch &own_watch, const std::shared_ptr<World> &world) {
        return std::make_unique<SpeechLmTrainer>(recipe, options.out, own_watch, world);
    });
}

}  // namespace braid::train
