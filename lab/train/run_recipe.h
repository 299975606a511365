// What every recipe has, whatever it trains: the machine, the optimizer, the schedule, when to validate and to save. Plain values; no torch.
// Errors: Error(Input) with the file and the key. Thread: values; any.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace braid::train {

class RecipeTable;

enum class ScheduleKind : std::uint8_t { Steps = 1, Minutes, Plateau };

struct OptimizerRecipe {
    enum class Kind : std::uint8_t { AdamW = 1, Muon } kind = Kind::AdamW;
    double learning_rate = 1e-5;
    double weight_decay = 0.01;
    double beta1 = 0.9;  // of AdamW
    double beta2 = 0.98;
    double epsilon = 1e-8;
    double clip = 0;
    std::int64_t muon_every = 1;
    double average = 0;  // exponential moving average of the weights: the share kept each step; 0: none
};

struct ScheduleRecipe {
    ScheduleKind kind = ScheduleKind::Steps;
    std::int64_t steps = 0;  // Steps: all of them; the rate falls to zero at the last
    double minutes = 0;      // Minutes: of training, pauses not counted
    std::int64_t warmup_steps = 0;
    double hold = 0.15;         // share of the run before the rate begins to fall
    double factor = 0.5;        // Plateau (appendix C): times this ...
    std::int64_t patience = 2;  // ... after so many validations without improvement
    std::int64_t epochs = 10;   // Plateau: all of them
};

struct RunRecipe {
    std::filesystem::path path;
    std::string about;
    std::uint64_t seed = 1;
    std::string device = "cpu";
    std::int64_t threads = 1;
    std::string products;  // number type of matrix products: "float32", "bfloat16"; empty: bfloat16 on a GPU, float32 on a CPU
    double checkpoint_minutes = 5;
    OptimizerRecipe optimizer;
    ScheduleRecipe schedule;
    double validate_every_minutes = 10;     // Minutes; else ...
    std::int64_t validate_every_steps = 0;  // ... so many steps; Plateau: every epoch
    std::string export_type = "float16";    // number type of the model folder: "float16", "float32"
};

inline constexpr std::size_t kMostRecipeBytes = 1u << 20;

// The keys of the outermost table that every recipe may have, "schedule" among them.
void readRun(RecipeTable &top, RunRecipe &run);
// Those of "validation" and "export".
void readValidationTimes(RecipeTable &table, RunRecipe &run);
void readExportType(RecipeTable &table, RunRecipe &run);
// Refuses a plateau in a recipe that validates with nothing: its rate would never fall. `key`: where the recipe would name something.
void refusePlateauWithoutValidation(const RecipeTable &top, const RunRecipe &run, const std::string &key);

}  // namespace braid::train
