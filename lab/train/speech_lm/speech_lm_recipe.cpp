#include "lab/train/speech_lm/speech_lm_recipe.h"

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/strict_json.h"
#include "lab/train/recipe_table.h"

namespace braid::train {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr const char *kSpeechLm = "speech-lm";

void readAdapter(RecipeTable &table, SpeechLmRecipe &recipe)
{
    table.whole("stack", recipe.stack, 1, 64);
    table.each("hidden", [&](const json &value, const std::string &name) { recipe.hidden.push_back(table.wholeOf(value, name, 1, 65536)); });
    if (recipe.hidden.size() > 3) {
        table.fail("adapter.hidden", "names more than three widths");
    }
}

void readSpeech(RecipeTable &table, SpeechLmRecipe &recipe)
{
    table.whole("segment_ms", recipe.segment_ms, 20, 10000);
    if (table.has("wait_k")) {
        recipe.wait_k.clear();
    }
    table.each("wait_k", [&](const json &value, const std::string &name) { recipe.wait_k.push_back(table.wholeOf(value, name, 1, 1000)); });
    if (recipe.wait_k.empty()) {
        table.fail("speech.wait_k", "names no k");
    }
    table.number("phi", recipe.phi, 0, 1e6);
    table.each("languages", [&](const json &value, const std::string &name) {
        if (!value.is_string() || value.get<std::string>().empty() || value.get<std::string>().size() > 8) {
            table.fail(name, "is no language code");
        }
        recipe.languages.push_back(value.get<std::string>());
    });
}

}  // namespace

SpeechLmRecipe parseSpeechLmRecipe(std::string_view text, const fs::path &folder, const std::string &where)
{
    const json values = parseStrictJson(text, where, ErrorKind::Input);
    SpeechLmRecipe recipe;
    RecipeTable top(values, "", where, folder);
    std::string kind;
    top.text("kind", kind);
    if (kind != kSpeechLm) {
        top.fail("kind", "is not \"speech-lm\"");
    }
    readRun(top, recipe);
    top.file("encoder", recipe.encoder);
    top.table("adapter", [&](RecipeTable &table) { readAdapter(table, recipe); });
    top.table("start", [&](RecipeTable &table) { readLanguageStart(table, recipe.start); });
    top.table("token_heads", [&](RecipeTable &table) { readTokenHeads(table, recipe.token_heads); });
    top.table("speech", [&](RecipeTable &table) { readSpeech(table, recipe); });
    top.each("corpora", [&](const json &value, const std::string &name) {
        RecipeTable table = top.inner(value, name);
        table.file("manifest", recipe.corpora.emplace_back());
        table.done();
        if (recipe.corpora.back().empty()) {
            top.fail(name, "names no \"manifest\"");
        }
    });
    top.table("batch", [&](RecipeTable &table) {
        table.whole("tokens", recipe.batch_tokens, 1, 1 << 24);
        table.number("longest_s", recipe.longest_s, 0.1, 600);
    });
    top.table("losses", [&](RecipeTable &table) { table.number("label_smoothing", recipe.label_smoothing, 0, 0.9); });
    top.table("validation", [&](RecipeTable &table) {
        readValidationTimes(table, recipe);
        table.files("manifests", recipe.validation);
        table.whole("utterances", recipe.validation_utterances, 1, 1'000'000);
    });
    top.table("export", [&](RecipeTable &table) { readExportType(table, recipe); });
    top.done();
    for (const char *needed : {"encoder", "start", "corpora"}) {
        if (!top.has(needed)) {
            top.fail(needed, "is missing");
        }
    }
    if (recipe.corpora.empty()) {
        top.fail("corpora", "names nothing to learn from");
    }
    if (!recipe.start.model.empty()) {
        top.fail("start.model", "cannot be had here: the language model is trained from scratch, by \"sizes\"");
    }
    if (recipe.validation.empty()) {
        refusePlateauWithoutValidation(top, recipe, "validation.manifests");
    }
    return recipe;
}

SpeechLmRecipe readSpeechLmRecipe(const fs::path &path)
{
    SpeechLmRecipe recipe = parseSpeechLmRecipe(readTextFile(path, kMostRecipeBytes), fs::absolute(path).parent_path(), path.string());
    recipe.path = path;
    return recipe;
}

bool isSpeechLmRecipe(const fs::path &path)
{
    const json values = parseStrictJson(readTextFile(path, kMostRecipeBytes), path.string(), ErrorKind::Input);
    return values.is_object() && values.contains("kind") && values["kind"] == kSpeechLm;
}

}  // namespace braid::train
