#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

#include "core/base/error.h"
#include "core/train/trainer.h"
#include "core/train/training.h"

namespace braid::train {

namespace fs = std::filesystem;

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t kReportSteps = 25;
constexpr double kReportSeconds = 30;

double minutesSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count() / 60; }

// The loop around one Trainer.
class Run {
  public:
    Run(const Recipe &recipe, const TrainingOptions &options, TrainingWatch &watch)
        : m_recipe(recipe)
        , m_options(options)
        , m_watch(watch)
        , m_trainer(recipe, watch)
    {
    }

    TrainingResult operator()()
    {
        begin();
        const Clock::time_point start = Clock::now();
        m_clock = m_saved = m_reported = start;
        const Progress at_start = m_trainer.progress();
        m_validated_minutes = at_start.minutes;
        for (;;) {
            if (m_trainer.schedule().done(m_trainer.progress()) >= 1) {
                finish();
                return {TrainingEnd::Complete, m_trainer.progress()};
            }
            const bool is_over = (m_options.minutes > 0 && m_trainer.progress().minutes - at_start.minutes >= m_options.minutes)
                                 || (m_options.steps > 0 && m_trainer.progress().steps - at_start.steps >= m_options.steps);
            if (is_over || m_watch.stopAsked()) {
                report();
                save();
                return {TrainingEnd::Stopped, m_trainer.progress()};
            }
            const Trainer::Step step = m_trainer.step();
            count(step);
            const auto now = Clock::now();
            m_trainer.progress().minutes += std::chrono::duration<double>(now - m_clock).count() / 60;
            m_clock = now;
            if (m_sums.steps >= kReportSteps || std::chrono::duration<double>(now - m_reported).count() > kReportSeconds) {
                report();
            }
            if (validationIsDue(step)) {
                validate();
            }
            if (minutesSince(m_saved) >= m_recipe.checkpoint_minutes) {
                save();
            }
        }
    }

  private:
    void begin()
    {
        const auto found = readCheckpoint(m_options.out);
        if (m_options.start == TrainingStart::Fresh) {
            if (found) {
                throw Error(ErrorKind::Usage, "this folder already holds a run", m_options.out.string(), "Go on with --resume, or choose another folder with --out");
            }
            return;
        }
        if (!found) {
            throw Error(ErrorKind::Usage, "there is no checkpoint to resume from", m_options.out.string(), "Begin the run without --resume");
        }
        if (found->recipe_key != m_trainer.recipeKey()) {
            m_watch.notice("The recipe has changed since the checkpoint was written; the run goes on with the changed one.");
        }
        m_trainer.restore(*found);
    }

    void count(const Trainer::Step &step)
    {
        ++m_sums.steps;
        m_sums.text += step.losses.text;
        m_sums.frames += step.losses.frames;
        m_sums.attention += step.losses.attention;
        m_sums.features += step.losses.features;
        m_tokens += step.losses.tokens;
        m_correct += step.losses.correct_tokens;
        m_sums.gradient_norm += step.norm;
        m_sums.learning_rate = step.rate;
        m_seconds += step.seconds;
    }

    void report()
    {
        if (m_sums.steps == 0) {
            return;
        }
        const auto steps = static_cast<double>(m_sums.steps);
        StepReport out = m_sums;
        out.text /= steps;
        out.frames /= steps;
        out.attention /= steps;
        out.features /= steps;
        out.gradient_norm /= steps;
        out.token_accuracy = m_tokens > 0 ? m_correct / m_tokens : 0;
        out.sound_per_second = m_seconds / std::max(1e-9, minutesSince(m_reported) * 60);
        out.progress = m_trainer.progress();
        out.done = m_trainer.schedule().done(out.progress);
        if (out.done > 0) {
            out.minutes_left = out.progress.minutes / out.done * (1 - out.done);
        }
        m_watch.progress(out);
        m_sums = {};
        m_tokens = m_correct = m_seconds = 0;
        m_reported = Clock::now();
    }

    bool validationIsDue(const Trainer::Step &step) const
    {
        if (!m_trainer.hasValidation()) {
            return false;
        }
        if (m_recipe.schedule.kind == ScheduleKind::Plateau) {
            return step.ends_epoch;
        }
        if (m_recipe.validation.every_steps > 0) {
            return m_trainer.progress().steps % m_recipe.validation.every_steps == 0;
        }
        return m_trainer.progress().minutes - m_validated_minutes >= m_recipe.validation.every_minutes;
    }

    void validate()
    {
        m_validated_minutes = m_trainer.progress().minutes;
        const ValidationReport report = m_trainer.validate();
        if (report.is_best) {
            m_trainer.writeModel(m_options.out / "model");
        }
        m_watch.validated(report);
        m_clock = Clock::now();
    }

    void save()
    {
        writeCheckpoint(m_options.out, m_trainer.checkpoint());
        m_trainer.writeModel(m_options.out / "last");
        m_saved = m_clock = Clock::now();
    }

    void finish()
    {
        report();
        if (m_trainer.hasValidation()) {
            validate();
        }
        save();
        if (!m_trainer.hasValidation()) {
            m_trainer.writeModel(m_options.out / "model");
        }
    }

    const Recipe &m_recipe;
    const TrainingOptions &m_options;
    TrainingWatch &m_watch;
    Trainer m_trainer;
    Clock::time_point m_clock;
    Clock::time_point m_saved;
    Clock::time_point m_reported;
    double m_validated_minutes = 0;
    StepReport m_sums;
    double m_tokens = 0;
    double m_correct = 0;
    double m_seconds = 0;
};

}  // namespace

TrainingResult runTraining(const Recipe &recipe, const TrainingOptions &options, TrainingWatch &watch)
{
    std::error_code problem;
    fs::create_directories(options.out, problem);
    if (problem) {
        throw Error(ErrorKind::Storage, "the folder cannot be made (" + problem.message() + ")", options.out.string());
    }
    return Run(recipe, options, watch)();
}

}  // namespace braid::train
