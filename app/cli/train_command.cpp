// `braid-cli train`: a recipe in, a model folder out. In a build without libtorch it says that it cannot.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "app/cli/choices.h"
#include "app/cli/sub_commands.h"
#include "app/cli/terminal.h"
#include "core/base/error.h"
#include "lab/train/language/language_recipe.h"
#include "lab/train/recipe.h"
#include "lab/train/training.h"

namespace braid::cli {
namespace {

struct TrainCommand {
    std::string recipe;
    std::string out;
    double minutes = 0;
    std::int64_t steps = 0;
    CLI::Option *resume = nullptr;
};

// Not negative, and a number at all: CLI11's own check takes "nan".
const CLI::Validator kPlainDuration(
    [](const std::string &text) {
        char *end = nullptr;
        const double value = std::strtod(text.c_str(), &end);
        return end != text.c_str() && *end == '\0' && std::isfinite(value) && value >= 0 ? std::string() : text + " is no number of minutes";
    },
    "MINUTES");

std::string duration(double minutes)
{
    minutes = std::max(0.0, minutes);
    char text[40];
    if (minutes >= 60) {
        std::snprintf(text, sizeof text, "%d h %02d min", static_cast<int>(minutes) / 60, static_cast<int>(minutes) % 60);
    } else {
        std::snprintf(text, sizeof text, "%d:%02d min", static_cast<int>(minutes), static_cast<int>(minutes * 60) % 60);
    }
    return text;
}

// What happens in a run, a line each, on standard output, so that a log file holds it.
class Printer : public train::TrainingWatch {
  public:
    void preparing(const std::string &what, double done) override
    {
        const auto now = std::chrono::steady_clock::now();
        if (what != m_preparing || now - m_said > std::chrono::seconds(5) || done >= 1) {
            say("%s: %.0f %%\n", what.c_str(), 100 * done);
            m_preparing = what;
            m_said = now;
        }
    }
    void notice(const std::string &sentence) override { say("%s\n", sentence.c_str()); }
    void progress(const train::StepReport &report) override
    {
        std::string losses;
        for (const train::NamedLoss &loss : report.losses) {
            char text[80];
            std::snprintf(text, sizeof text, "  %s %.3f", loss.name.c_str(), loss.value);
            losses += text;
        }
        const char *speed = report.unit == train::AmountUnit::Tokens ? "%.0f tokens a second" : "%.1f x real time";
        char learned[60];
        std::snprintf(learned, sizeof learned, speed, report.amount_per_second);
        say("step %lld%s  (%.1f %% right)  gradient %.2f  rate %.2e  %s  %s of training%s%s\n", static_cast<long long>(report.progress.steps), losses.c_str(),
            100 * report.token_accuracy, report.gradient_norm, report.learning_rate, learned, duration(report.progress.minutes).c_str(),
            report.minutes_left ? ", left about " : "", report.minutes_left ? duration(*report.minutes_left).c_str() : "");
    }
    void validated(const train::ValidationReport &report) override
    {
        char words[60] = "";
        if (report.word_error_rate) {
            std::snprintf(words, sizeof words, ", word error rate %.1f %%", 100 * *report.word_error_rate);
        }
        say("validation: text %.4f (%.1f %% right)%s of %lld examples%s\n", report.text_loss, 100 * report.token_accuracy, words,
            static_cast<long long>(report.examples), report.is_best ? "; the best so far, kept" : "");
    }
    bool stopAsked() override { return m_interrupts.count() > 0; }

  private:
    template <typename... Values>
    static void say(const char *format, Values... values)
    {
        std::printf(format, values...);
        std::fflush(stdout);
    }

    Interrupts m_interrupts;
    std::string m_preparing;
    std::chrono::steady_clock::time_point m_said;
};

// For recipes of every kind.
template <typename AnyRecipe>
int trainBy(const AnyRecipe &recipe, const TrainCommand &command)
{
#ifdef BRAID_HAS_MODELS
    train::TrainingOptions options;
    options.out = command.out;
    options.start = command.resume->count() > 0 ? train::TrainingStart::Resume : train::TrainingStart::Fresh;
    options.minutes = command.minutes;
    options.steps = command.steps;
    Printer printer;
    const train::TrainingResult result = train::runTraining(recipe, options, printer);
    if (result.end == train::TrainingEnd::Stopped) {
        std::printf("Stopped and saved after %lld steps; go on with: braid-cli train %s --out %s --resume\n", static_cast<long long>(result.progress.steps),
                    command.recipe.c_str(), command.out.c_str());
    } else {
        std::printf("Done: the model is in %s/model\n", command.out.c_str());
    }
    return 0;
#else
    static_cast<void>(command);
    throw Error(ErrorKind::Usage, "this build of Braid has no libtorch and cannot train (the recipe is fine: \"" + recipe.about + "\")", {},
                "Install libtorch and build again");
#endif
}

int runTrain(const TrainCommand &command)
{
    if (train::isSpeechLmRecipe(command.recipe)) {
        return trainBy(train::readSpeechLmRecipe(command.recipe), command);
    }
    return train::isLanguageRecipe(command.recipe) ? trainBy(train::readLanguageRecipe(command.recipe), command)
                                                   : trainBy(train::readRecipe(command.recipe), command);
}

}  // namespace

void addTrain(CLI::App &app, Run &chosen)
{
    const auto options = std::make_shared<TrainCommand>();
    options->out = "training";
    auto *command = app.add_subcommand("train", "Train a model by a recipe: captions, translation, parallel streams, or a language model that listens");
    command->add_option("RECIPE", options->recipe, "A recipe (JSON; docs/formats.md, resources/recipes)")->required();
    command->add_option("-o,--out", options->out, "Folder for the model and the checkpoint")->capture_default_str();
    options->resume = addFlag(*command, "--resume", "Go on from the folder's checkpoint");
    command->add_option("--minutes", options->minutes, "Stop and save after so many minutes of training")->check(kPlainDuration);
    command->add_option("--steps", options->steps, "Stop and save after so many steps")->check(CLI::NonNegativeNumber);
    command->callback([options, &chosen] { chosen = [options] { return runTrain(*options); }; });
}

}  // namespace braid::cli
