#include "lab/train/checkpoint.h"

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/strict_json.h"
#include "lab/train/tensor_files.h"

namespace braid::train {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr int kVersion = 1;

template <typename Value>
Value need(const json &state, const char *key, const std::string &where)
{
    const auto found = state.find(key);
    const bool fits = found != state.end() && (std::is_same_v<Value, bool> ? found->is_boolean() : found->is_number());
    if (!fits) {
        throw Error(ErrorKind::Input, std::string("the checkpoint has no usable \"") + key + "\"", where, "Begin a new run");
    }
    return found->get<Value>();
}

bool allFinite(const std::map<std::string, at::Tensor> &tensors)
{
    for (const auto &[name, tensor] : tensors) {
        if (!at::isfinite(tensor).all().item<bool>()) {
            return false;
        }
    }
    return true;
}

}  // namespace

void writeCheckpoint(const fs::path &out, const Checkpoint &checkpoint)
{
    if (!allFinite(checkpoint.weights)) {
        throw Error(ErrorKind::Internal, "the weights are no longer numbers; the last checkpoint is kept", out.string(),
                    "Resume from it with a smaller learning rate");
    }
    const fs::path next = out / "checkpoint.next";
    const fs::path current = out / "checkpoint";
    const fs::path previous = out / "checkpoint.previous";
    // Half a checkpoint is of no use, and takes the room that the next one needs.
    struct Unfinished {
        const fs::path &folder;
        ~Unfinished()
        {
            std::error_code ignored;
            fs::remove_all(folder, ignored);
        }
    };
    const Unfinished unfinished{next};  // renamed at the end: then there is nothing to remove
    std::error_code problem;
    fs::remove_all(next, problem);
    fs::create_directories(next, problem);
    if (problem) {
        throw Error(ErrorKind::Storage, "the folder cannot be made (" + problem.message() + ")", next.string());
    }
    writeTensors(next / "weights.safetensors", checkpoint.weights, at::kFloat);
    writeTensors(next / "optimizer.safetensors", checkpoint.optimizer, at::kFloat);
    if (!checkpoint.average.empty()) {
        writeTensors(next / "average.safetensors", checkpoint.average, at::kFloat);
    }
    const Progress &progress = checkpoint.progress;
    const json state = {{"braid_training", kVersion},
                        {"recipe", checkpoint.recipe_key},
                        {"steps", progress.steps},
                        {"epochs", progress.epochs},
                        {"minutes", progress.minutes},
                        {"factor", progress.factor},
                        {"without_better", progress.without_better},
                        {"best_loss", progress.best_loss},
                        {"has_best", progress.has_best},
                        {"stage", progress.stage},
                        {"stage_steps", progress.stage_steps},
                        {"stage_epochs", progress.stage_epochs},
                        {"stage_minutes", progress.stage_minutes},
                        {"optimizer_steps", checkpoint.optimizer_steps},
                        {"next_epoch", checkpoint.next.epoch},
                        {"next_batch", checkpoint.next.number}};
    writeFileAtomically(next / "state.json", state.dump(2) + "\n");
    fs::remove_all(previous, problem);
    if (fs::exists(current)) {
        fs::rename(current, previous);
    }
    fs::rename(next, current);
    fs::remove_all(previous, problem);
}

std::optional<Checkpoint> readCheckpoint(const fs::path &out)
{
    // A run that was killed between the two renames left its last checkpoint under the other name.
    const fs::path folder = fs::exists(out / "checkpoint") ? out / "checkpoint" : out / "checkpoint.previous";
    if (!fs::exists(folder / "state.json")) {
        return std::nullopt;
    }
    const std::string where = (folder / "state.json").string();
    const json state = parseStrictJson(readTextFile(folder / "state.json", 1u << 20), where, ErrorKind::Input);
    if (!state.is_object() || need<int>(state, "braid_training", where) != kVersion) {
        throw Error(ErrorKind::Input, "this checkpoint was written by another version of Braid", where, "Begin a new run");
    }
    Checkpoint checkpoint;
    checkpoint.recipe_key = need<std::uint64_t>(state, "recipe", where);
    Progress &progress = checkpoint.progress;
    progress.steps = need<std::int64_t>(state, "steps", where);
    progress.epochs = need<std::int64_t>(state, "epochs", where);
    progress.minutes = need<double>(state, "minutes", where);
    progress.factor = need<double>(state, "factor", where);
    progress.without_better = need<std::int64_t>(state, "without_better", where);
    progress.best_loss = need<double>(state, "best_loss", where);
    progress.has_best = need<bool>(state, "has_best", where);
    if (state.contains("stage")) {  // checkpoints of the time before stages have none
        progress.stage = need<std::int64_t>(state, "stage", where);
        progress.stage_steps = need<std::int64_t>(state, "stage_steps", where);
        progress.stage_epochs = need<std::int64_t>(state, "stage_epochs", where);
        progress.stage_minutes = need<double>(state, "stage_minutes", where);
    }
    checkpoint.optimizer_steps = need<std::int64_t>(state, "optimizer_steps", where);
    checkpoint.next = {need<std::uint64_t>(state, "next_epoch", where), need<std::uint64_t>(state, "next_batch", where)};
    checkpoint.weights = readTensors(folder / "weights.safetensors");
    checkpoint.optimizer = readTensors(folder / "optimizer.safetensors");
    if (fs::exists(folder / "average.safetensors")) {
        checkpoint.average = readTensors(folder / "average.safetensors");
    }
    return checkpoint;
}

}  // namespace braid::train
