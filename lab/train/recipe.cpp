#include "lab/train/recipe.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/strict_json.h"
#include "lab/train/recipe_table.h"

namespace braid::train {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr double kShare = 1.0;

void readHeads(RecipeTable &table, const char *key, std::vector<std::pair<int, int>> &heads)
{
    table.each(key, [&](const json &value, const std::string &name) {
        if (!value.is_array() || value.size() != 2) {
            table.fail(name, "is not a pair of layer and head");
        }
        heads.emplace_back(static_cast<int>(table.wholeOf(value[0], name, 0, 1023)), static_cast<int>(table.wholeOf(value[1], name, 0, 1023)));
    });
}

void readStart(RecipeTable &table, StartRecipe &start)
{
    table.file("model", start.model);
    table.file("encoder", start.encoder);
    table.file("decoder", start.decoder);
    bool every_second_frame = false;
    table.flag("every_second_frame", every_second_frame);
    start.frames = every_second_frame ? FramesKept::EverySecond : FramesKept::All;
    table.whole("text_positions", start.text_positions, 8, 100000);
    table.number("token_deviation", start.token_deviation, 0, 1);
    readHeads(table, "alignment_heads", start.alignment_heads);
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
    const bool has_parts = !start.encoder.empty() || !start.decoder.empty();
    if ((start.model.empty() ? 0 : 1) + (has_sizes ? 1 : 0) + (has_parts ? 1 : 0) != 1) {
        table.fail("start", "needs either \"model\" (to go on from), or \"encoder\" and \"decoder\" (parts of a Whisper), or \"sizes\" (from scratch)");
    }
    if ((has_sizes || has_parts) && (start.tokenizer.empty() || start.lora_rank > 0)) {
        table.fail("start", "from parts or from scratch needs a \"tokenizer\" and can have no \"lora_rank\"");
    }
    if (has_parts && (start.encoder.empty() || start.decoder.empty())) {
        table.fail("start", "in parts needs both \"encoder\" and \"decoder\"");
    }
    for (const char *key : {"every_second_frame", "text_positions", "token_deviation", "alignment_heads"}) {
        if (!has_parts && table.has(key)) {
            table.fail("start", std::string("has \"") + key + "\", which belongs to \"encoder\" and \"decoder\"");
        }
    }
}

void readPart(RecipeTable &table, const char *name, PartRecipe &part)
{
    table.table(name, [&](RecipeTable &values) {
        std::string way = "whole";
        values.text("train", way);
        part.way = way == "frozen" ? PartRecipe::Way::Frozen : way == "lora" ? PartRecipe::Way::Lora : PartRecipe::Way::Whole;
        if (part.way == PartRecipe::Way::Whole && way != "whole") {
            values.fail(std::string("parts.") + name + ".train", "is none of \"frozen\", \"lora\" and \"whole\"");
        }
        values.whole("rank", part.rank, 1, 1024);
        values.number("rate", part.rate, 1e-9, 10);
        if ((part.way == PartRecipe::Way::Lora) != (part.rank > 0)) {
            values.fail(std::string("parts.") + name + ".rank", "and \"lora\" need each other");
        }
        if (part.way == PartRecipe::Way::Frozen && part.rate > 0) {
            values.fail(std::string("parts.") + name + ".rate", "is of no use where nothing is trained");
        }
    });
}

void readParts(RecipeTable &table, PartsRecipe &parts)
{
    readPart(table, "encoder", parts.encoder);
    readPart(table, "decoder", parts.decoder);
    readPart(table, "tokens", parts.tokens);
    if (parts.tokens.way == PartRecipe::Way::Lora) {
        table.fail("parts.tokens.train", "cannot be \"lora\": adapters are for attention");
    }
    if (parts.encoder.way == PartRecipe::Way::Frozen && parts.decoder.way == PartRecipe::Way::Frozen && parts.tokens.way == PartRecipe::Way::Frozen) {
        table.fail("parts", "freezes everything");
    }
}

// What is computed once must be the same every time.
void checkCachedOutput(const RecipeTable &top, const Recipe &recipe)
{
    const auto refuse = [&](const char *what) { top.fail("encoder_output", std::string("is \"cached\", which needs ") + what); };
    if (!recipe.parts || recipe.parts->encoder.way != PartRecipe::Way::Frozen) {
        refuse("\"parts.encoder.train\" to be \"frozen\"");
    }
    if (recipe.chunks.full_attention < 1) {
        refuse("\"chunks.full_attention\" to be 1");
    }
    const WindowRecipe &windows = recipe.windows;
    if (windows.join > 0 || windows.cut > 0 || windows.silence > 0 || windows.lead > 0) {
        refuse("\"join\", \"cut\", \"silence\" and \"lead\" of \"windows\" to be 0");
    }
    const DisturbanceRecipe &sound = recipe.disturbance;
    if (sound.noise + sound.room + sound.speed + sound.tempo + sound.gain_db + sound.band_warp + sound.colour + sound.telephone + sound.masks > 0) {
        refuse("sound without \"disturbance\"");
    }
    if (recipe.losses.encoder_dropout > 0 || recipe.losses.features_first > 0 || recipe.losses.features_last > 0 || recipe.losses.frames > 0) {
        refuse("losses of the text alone");
    }
}

void readPoints(RecipeTable &table, PointRecipe &points)
{
    table.number("fraction", points.fraction, 0, kShare);
    table.whole("least", points.least, 0, 1000);
    table.whole("most", points.most, points.least, 1000);
    std::string end = "always";
    table.text("end", end);
    if (end != "always" && end != "drawn") {
        table.fail("points.end", "is neither \"always\" nor \"drawn\"");
    }
    points.end = end == "drawn" ? WindowEnd::Drawn : WindowEnd::Always;
    if (points.end == WindowEnd::Drawn && points.most == 0) {
        table.fail("points.most", "is 0, but with \"end\": \"drawn\" a window needs a time point");
    }
    std::string steps = "together";
    table.text("steps", steps);
    if (steps != "together" && steps != "each") {
        table.fail("points.steps", "is neither \"together\" nor \"each\"");
    }
    points.steps = steps == "each" ? PointSteps::Each : PointSteps::Together;
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
    readHeads(table, "attention_heads", losses.attention_heads);
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

Recipe recipeOf(const json &values, const fs::path &folder, const std::string &where)
{
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
    std::string teacher_head = "linear";
    top.text("teacher_head", teacher_head);
    if (teacher_head != "linear" && teacher_head != "own") {
        top.fail("teacher_head", "is neither \"linear\" nor \"own\"");
    }
    recipe.teacher_head = teacher_head == "own" ? TeacherHead::Own : TeacherHead::Linear;
    std::string encoder_output = "computed";
    top.text("encoder_output", encoder_output);
    if (encoder_output != "computed" && encoder_output != "cached") {
        top.fail("encoder_output", "is neither \"computed\" nor \"cached\"");
    }
    recipe.encoder_output = encoder_output == "cached" ? EncoderOutput::Cached : EncoderOutput::Computed;
    top.table("start", [&](RecipeTable &table) { readStart(table, recipe.start); });
    if (top.has("parts")) {
        recipe.parts.emplace();
        top.table("parts", [&](RecipeTable &table) { readParts(table, *recipe.parts); });
        if (recipe.start.lora_rank > 0) {
            top.fail("start.lora_rank", "and \"parts\" say different things: give each part its \"rank\"");
        }
    }
    top.table("chunks", [&](RecipeTable &table) { readChunks(table, recipe.chunks); });
    top.table("points", [&](RecipeTable &table) { readPoints(table, recipe.points); });
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
    if (recipe.encoder_output == EncoderOutput::Cached) {
        checkCachedOutput(top, recipe);
    }
    return recipe;
}

// What a stage may say differently from the recipe it belongs to.
constexpr std::string_view kStageKeys[] = {"about",     "chunks", "corpora", "disturbance", "encoder_output", "losses",     "noise",
                                           "optimizer", "parts",  "points",  "rooms",       "schedule",       "validation", "windows"};
constexpr std::size_t kMostStages = 100;

}  // namespace

Recipe parseRecipe(std::string_view text, const fs::path &folder, const std::string &where)
{
    json values = parseStrictJson(text, where, ErrorKind::Input);
    if (!values.is_object() || !values.contains("stages")) {
        return recipeOf(values, folder, where);
    }
    const json stages = values["stages"];
    values.erase("stages");
    if (!stages.is_array() || stages.empty() || stages.size() > kMostStages) {
        throw Error(ErrorKind::Input, "\"stages\" is not a list of 1 to " + std::to_string(kMostStages) + " stages", where);
    }
    Recipe recipe;
    std::vector<Recipe> parsed;
    for (std::size_t i = 0; i < stages.size(); ++i) {
        const std::string place = where + ", stage " + std::to_string(i + 1) + " of " + std::to_string(stages.size());
        if (!stages[i].is_object()) {
            throw Error(ErrorKind::Input, "a stage is not a table", place);
        }
        for (const auto &[key, value] : stages[i].items()) {
            if (std::find(std::begin(kStageKeys), std::end(kStageKeys), key) == std::end(kStageKeys)) {
                throw Error(ErrorKind::Input, "\"" + key.substr(0, 60) + "\" is nothing that a stage can change", place);
            }
        }
        json merged = values;
        merged.merge_patch(stages[i]);
        parsed.push_back(recipeOf(merged, folder, place));
    }
    recipe = parsed.front();
    recipe.stages = std::move(parsed);
    if (recipe.stages.front().start.lora_rank > 0) {
        throw Error(ErrorKind::Input, "\"start.lora_rank\" is not for a recipe with stages: give each part its \"rank\"", where);
    }
    return recipe;
}

Recipe readRecipe(const fs::path &path)
{
    Recipe recipe = parseRecipe(readTextFile(path, kMostRecipeBytes), fs::absolute(path).parent_path(), path.string());
    recipe.path = path;
    for (Recipe &stage : recipe.stages) {
        stage.path = path;
    }
    return recipe;
}

}  // namespace braid::train
