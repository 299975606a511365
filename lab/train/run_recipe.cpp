#include "lab/train/run_recipe.h"

#include "lab/train/recipe_table.h"

namespace braid::train {

namespace {

constexpr double kLongestMemory = 0.999999;  // of a moving average: the share kept each step

void readOptimizer(RecipeTable &table, OptimizerRecipe &optimizer)
{
    std::string kind = "adamw";
    table.text("kind", kind);
    if (kind != "adamw" && kind != "muon") {
        table.fail("optimizer.kind", "is neither \"adamw\" nor \"muon\"");
    }
    optimizer.kind = kind == "muon" ? OptimizerRecipe::Kind::Muon : OptimizerRecipe::Kind::AdamW;
    table.number("learning_rate", optimizer.learning_rate, 1e-9, 10);
    table.number("weight_decay", optimizer.weight_decay, 0, 1);
    table.number("beta1", optimizer.beta1, 0, kLongestMemory);
    table.number("beta2", optimizer.beta2, 0, kLongestMemory);
    table.number("epsilon", optimizer.epsilon, 1e-16, 1);
    table.number("clip", optimizer.clip, 0, 1e6);
    table.whole("muon_every", optimizer.muon_every, 1, 100);
    table.number("average", optimizer.average, 0, kLongestMemory);
}

void readSchedule(RecipeTable &table, ScheduleRecipe &schedule)
{
    std::string kind;
    table.text("kind", kind);
    table.whole("steps", schedule.steps, 1, 1'000'000'000);
    table.number("minutes", schedule.minutes, 0.01, 1e6);
    table.whole("warmup_steps", schedule.warmup_steps, 0, 1'000'000'000);
    table.number("hold", schedule.hold, 0, 0.99);
    table.number("factor", schedule.factor, 0.01, 0.99);
    table.whole("patience", schedule.patience, 0, 1000);
    table.whole("epochs", schedule.epochs, 1, 1'000'000);
    if (kind == "steps" && schedule.steps > 0) {
        schedule.kind = ScheduleKind::Steps;
    } else if (kind == "minutes" && schedule.minutes > 0) {
        schedule.kind = ScheduleKind::Minutes;
    } else if (kind == "plateau") {
        schedule.kind = ScheduleKind::Plateau;
    } else {
        table.fail("schedule.kind", "is none of \"steps\" (with \"steps\"), \"minutes\" (with \"minutes\") and \"plateau\"");
    }
}

}  // namespace

void readRun(RecipeTable &top, RunRecipe &run)
{
    top.text("about", run.about);
    top.whole("seed", run.seed, 0, INT64_MAX);
    top.text("device", run.device);
    top.whole("threads", run.threads, 1, 1024);
    top.text("products", run.products);
    if (!run.products.empty() && run.products != "float32" && run.products != "bfloat16") {
        top.fail("products", "is neither \"float32\" nor \"bfloat16\"");
    }
    top.number("checkpoint_minutes", run.checkpoint_minutes, 0.01, 10000);
    top.table("optimizer", [&](RecipeTable &table) { readOptimizer(table, run.optimizer); });
    top.table("schedule", [&](RecipeTable &table) { readSchedule(table, run.schedule); });
    if (!top.has("schedule")) {
        top.fail("schedule", "is missing");
    }
}

void readValidationTimes(RecipeTable &table, RunRecipe &run)
{
    table.number("every_minutes", run.validate_every_minutes, 0.01, 1e6);
    table.whole("every_steps", run.validate_every_steps, 1, 1'000'000'000);
}

void readExportType(RecipeTable &table, RunRecipe &run)
{
    table.text("number_type", run.export_type);
    if (run.export_type != "float16" && run.export_type != "float32") {
        table.fail("export.number_type", "is neither \"float16\" nor \"float32\"");
    }
}

void refusePlateauWithoutValidation(const RecipeTable &top, const RunRecipe &run, const std::string &key)
{
    if (run.schedule.kind == ScheduleKind::Plateau) {
        top.fail("schedule.kind", "is \"plateau\", whose rate falls where validation gets no better, but there is nothing to validate with: set \"" + key +
                                      "\", or choose \"steps\" or \"minutes\"");
    }
}

}  // namespace braid::train
