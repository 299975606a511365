#include "core/train/recipe.h"

#include <cmath>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/strict_json.h"
#include "core/train/recipe_table.h"

namespace braid::train {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr double kShare = 1.0;

void readStart(RecipeTable &table, StartRecipe &start)
{
    table.file("model", start.model);
    table.file("heads", start.heads);
    table.file("tokenizer", start.tokenizer);
    table.whole("lora_rank", start.lora_rank, 0, 1024);
    const bool has_sizes = table.has("sizes");
    table.table("sizes", [&](RecipeTable &sizes) {
        weights::WhisperDims &dims = start.dims;
        sizes.whole("mel_bands", dims.n_mels, 1, 1024);
        sizes.whole("encoder_frames", dims.n_audio_ctx, 1, 100000);
        sizes.whole("width", dims.n_audio_state, 1, 65536);
        sizes.whole("heads", dims.n_audio_head, 1, 1024);
        sizes.whole("encoder_layers", dims.n_audio_layer, 1, 1024);
        sizes.whole("decoder_layers", dims.n_text_layer, 1, 1024);
        sizes.whole("inner_width", dims.n_audio_mlp, 1, 1000000);
        sizes.whole("tokens", dims.n_text_ctx, 4, 100000);
        sizes.whole("vocabulary", dims.n_vocab, 2, 10000000);
        sizes.whole("conv1_stride", dims.conv1_stride, 1, 2);
        sizes.whole("conv2_stride", dims.conv2_stride, 2, 4);
        dims.n_text_state = dims.n_audio_state;
        dims.n_text_head = dims.n_audio_head;
        dims.n_text_mlp = dims.n_audio_mlp;
    });
    if (start.model.empty() == !has_sizes) {
        table.fail("start", "needs either \"model\" (to go on from) or \"sizes\" and \"tokenizer\" (from scratch)");
    }
    if (has_sizes && (start.tokenizer.empty() || start.lora_rank > 0)) {
        table.fail("start", "from scratch needs a \"tokenizer\" and can have no \"lora_rank\"");
    }
}

void readChunks(RecipeTable &table, ChunkRecipe &chunks)
{
    table.whole("first_ms", chunks.first_ms, 40, 30000);
    if (table.has("chunk_ms")) {
        chunks.chunk_ms.clear();
    }
    table.each("chunk_ms", [&](const json &value, const std::string &name) { chunks.chunk_ms.push_back(table.wholeOf(value, name, 40, 30000)); });
    table.each("weights", [&](const json &value, const std::string &name) { chunks.weights.push_back(table.numberOf(value, name, 0, 1e6)); });
    table.number("full_attention", chunks.full_attention, 0, kShare);
    double sum = chunks.weights.empty() ? 1 : 0;
    for (const double weight : chunks.weights) {
        sum += weight;
    }
    if (chunks.chunk_ms.empty() || (!chunks.weights.empty() && chunks.weights.size() != chunks.chunk_ms.size()) || sum <= 0) {
        table.fail("chunks", "needs at least one size in \"chunk_ms\", and as many \"weights\", not all zero, or none");
    }
}

void readWindows(RecipeTable &table, WindowRecipe &windows)
{
    table.number("longest_s", windows.longest_s, 0.5, 30);
    table.number("batch_s", windows.batch_s, 1, 100000);
    table.number("join", windows.join, 0, kShare);
    table.number("cut", windows.cut, 0, kShare);
    table.number("silence", windows.silence, 0, kShare);
    table.number("single_noises", windows.single_noises, 0, kShare);
    table.number("lead", windows.lead, 0, kShare);
}

void readDisturbance(RecipeTable &table, DisturbanceRecipe &disturbance)
{
    table.number("noise", disturbance.noise, 0, kShare);
    table.number("least_snr_db", disturbance.least_snr_db, -20, 100);
    table.number("most_snr_db", disturbance.most_snr_db, disturbance.least_snr_db, 100);
    table.number("room", disturbance.room, 0, kShare);
    table.number("speed", disturbance.speed, 0, kShare);
    table.number("least_speed", disturbance.least_speed, 0.5, 2);
    table.number("most_speed", disturbance.most_speed, disturbance.least_speed, 2);
    table.number("tempo", disturbance.tempo, 0, kShare);
    table.number("most_tempo", disturbance.most_tempo, 0, 0.5);
    table.number("gain_db", disturbance.gain_db, 0, 40);
    table.number("band_warp", disturbance.band_warp, 0, 0.2);
    table.number("colour", disturbance.colour, 0, 3);
    table.number("telephone", disturbance.telephone, 0, kShare);
    table.number("masks", disturbance.masks, 0, kShare);
}

void readLosses(RecipeTable &table, LossRecipe &losses)
{
    table.number("text", losses.text, 0, 1000);
    table.number("frames", losses.frames, 0, 1000);
    table.number("frame_delay_ms", losses.frame_delay_ms, 0, 2000);
    table.number("attention", losses.attention, 0, 1000);
    table.each("attention_heads", [&](const json &value, const std::string &name) {
        if (!value.is_array() || value.size() != 2) {
            table.fail(name, "is not a pair of layer and head");
        }
        losses.attention_heads.emplace_back(static_cast<int>(table.wholeOf(value[0], name, 0, 1023)), static_cast<int>(table.wholeOf(value[1], name, 0, 1023)));
    });
    table.number("features_first", losses.features_first, 0, 1000);
    table.number("features_last", losses.features_last, 0, 1000);
    table.number("label_smoothing", losses.label_smoothing, 0, 0.9);
    table.number("token_replacement", losses.token_replacement, 0, 0.9);
    table.number("encoder_dropout", losses.encoder_dropout, 0, 0.9);
    table.number("decoder_dropout", losses.decoder_dropout, 0, 0.9);
    if ((losses.attention > 0) == losses.attention_heads.empty()) {
        table.fail("losses.attention", "and \"losses.attention_heads\" need each other");
    }
}

}  // namespace

Recipe parseRecipe(std::string_view text, const fs::path &folder, const std::string &where)
{
    const json values = parseStrictJson(text, where, ErrorKind::Input);
    Recipe recipe;
    RecipeTable top(values, "", where, folder);
    readRun(top, recipe);
    top.whole("loader_threads", recipe.loader_threads, 1, 256);
    top.whole("replicas", recipe.replicas, 1, 256);
    if (recipe.replicas > 1 && recipe.device != "cpu") {
        top.fail("replicas", "is for a processor: a GPU learns from a batch at once");
    }
    top.file("cache", recipe.cache);
    top.file("teacher", recipe.teacher);
    top.table("start", [&](RecipeTable &table) { readStart(table, recipe.start); });
    top.table("chunks", [&](RecipeTable &table) { readChunks(table, recipe.chunks); });
    top.table("points", [&](RecipeTable &table) {
        table.number("fraction", recipe.points.fraction, 0, kShare);
        table.whole("least", recipe.points.least, 0, 1000);
        table.whole("most", recipe.points.most, recipe.points.least, 1000);
    });
    top.each("corpora", [&](const json &value, const std::string &name) {
        RecipeTable table = top.inner(value, name);
        CorpusRecipe corpus;
        table.file("manifest", corpus.manifest);
        table.number("weight", corpus.weight, 0, 1000);
        table.flag("features", corpus.wants_features);
        table.done();
        recipe.corpora.push_back(std::move(corpus));
    });
    top.files("noise", recipe.noise);
    top.files("rooms", recipe.rooms);
    top.table("windows", [&](RecipeTable &table) { readWindows(table, recipe.windows); });
    top.table("disturbance", [&](RecipeTable &table) { readDisturbance(table, recipe.disturbance); });
    top.table("losses", [&](RecipeTable &table) { readLosses(table, recipe.losses); });
    top.table("validation", [&](RecipeTable &table) {
        table.files("manifests", recipe.validation.manifests);
        table.whole("utterances", recipe.validation.utterances, 1, 1'000'000);
        readValidationTimes(table, recipe);
    });
    top.table("export", [&](RecipeTable &table) {
        readExportType(table, recipe);
        table.whole("default_chunk_ms", recipe.exported.default_chunk_ms, 40, 30000);
    });
    top.done();
    for (const char *needed : {"start", "corpora", "cache"}) {
        if (!top.has(needed)) {
            top.fail(needed, "is missing");
        }
    }
    if (recipe.corpora.empty()) {
        top.fail("corpora", "names no corpus to learn from");
    }
    for (const CorpusRecipe &corpus : recipe.corpora) {
        if (corpus.manifest.empty()) {
            top.fail("corpora", "has an entry without \"manifest\"");
        }
        if (corpus.wants_features && recipe.teacher.empty()) {
            top.fail("teacher", "is missing, though a corpus wants its features");
        }
    }
    if (recipe.disturbance.noise > 0 && recipe.noise.empty()) {
        top.fail("disturbance.noise", "wants noise, but \"noise\" names none");
    }
    if (recipe.disturbance.room > 0 && recipe.rooms.empty()) {
        top.fail("disturbance.room", "wants rooms, but \"rooms\" names none");
    }
    if (recipe.validation.manifests.empty()) {
        refusePlateauWithoutValidation(top, recipe, "validation.manifests");
    }
    return recipe;
}

Recipe readRecipe(const fs::path &path)
{
    Recipe recipe = parseRecipe(readTextFile(path, kMostRecipeBytes), fs::absolute(path).parent_path(), path.string());
    recipe.path = path;
    return recipe;
}

}  // namespace braid::train
