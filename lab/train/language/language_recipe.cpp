#include "lab/train/language/language_recipe.h"

#include <algorithm>
#include <optional>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/strict_json.h"
#include "core/paradigms/paradigm.h"
#include "lab/train/recipe_table.h"

namespace braid::train {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr const char *kTranslation = "translation";
constexpr const char *kStreams = "streams";

void readTranslation(RecipeTable &table, TranslationRecipe &translation)
{
    table.text("source", translation.source_language);
    table.text("target", translation.target_language);
    if (translation.source_language.empty() != translation.target_language.empty()) {
        table.fail("translation", "names one language of two: \"source\" and \"target\" need each other");
    }
    table.text("paradigm", translation.paradigm);
    const auto known = paradigms::allParadigms();
    if (std::none_of(known.begin(), known.end(), [&](const paradigms::ParadigmEntry &entry) { return entry.name == translation.paradigm; })) {
        table.fail("translation.paradigm", "is none of " + paradigms::paradigmNames());
    }
    table.number("phi", translation.phi, 0, 1e6);
    if (table.has("wait_k")) {
        translation.wait_k.clear();
    }
    table.each("wait_k", [&](const json &value, const std::string &name) { translation.wait_k.push_back(table.wholeOf(value, name, 1, 1000)); });
    table.number("context", translation.context, 0, 1);
    if (translation.wait_k.empty()) {
        table.fail("translation.wait_k", "names no k");
    }
}

void readStreams(RecipeTable &table, StreamsRecipe &streams)
{
    table.file("layout", streams.layout);
    table.files("tables", streams.tables);
    table.whole("held_out_tables", streams.held_out_tables, 2, 1'000'000);
    table.whole("conversations", streams.conversations, 1, 1'000'000'000);
    table.whole("distinct", streams.distinct, 1, 1'000'000'000);
    table.whole("turns", streams.most_turns, 1, 100);
    table.each("tasks", [&](const json &value, const std::string &name) {
        if (!value.is_string()) {
            table.fail(name, "is not the name of a task");
        }
        streams.tasks.push_back(value.get<std::string>());
    });
    table.flag("single", streams.is_single);
    table.number("silence_weight", streams.silence_weight, 0, 1000);
    table.number("silence_kept", streams.silence_kept, 0.01, 1);
    table.text("loss_share", streams.loss_share);
    if (streams.loss_share != "token" && streams.loss_share != "stream") {
        table.fail("streams.loss_share", "is neither \"token\" nor \"stream\"");
    }
    if (streams.layout.empty()) {
        table.fail("streams.layout", "is missing");
    }
}

}  // namespace

void readLanguageStart(RecipeTable &table, LanguageStartRecipe &start)
{
    table.file("model", start.model);
    table.file("tokenizer", start.tokenizer);
    table.whole("vocabulary", start.vocabulary, 260, 1 << 20);
    table.whole("lora_rank", start.lora_rank, 0, 1024);
    table.number("lora_alpha", start.lora_alpha, 0, 65536);
    table.number("lora_dropout", start.lora_dropout, 0, 0.9);
    if (start.lora_dropout > 0 && start.lora_rank == 0) {
        table.fail("start.lora_dropout", "is of adapters: it needs a \"lora_rank\"");
    }
    const bool has_sizes = table.has("sizes");
    table.table("sizes", [&](RecipeTable &sizes) {
        sizes.whole("width", start.sizes.width, 2, 65536);
        sizes.whole("inner_width", start.sizes.inner_width, 1, 1000000);
        sizes.whole("layers", start.sizes.layers, 1, 1024);
        sizes.whole("heads", start.sizes.heads, 1, 1024);
        start.sizes.key_value_heads = start.sizes.heads;
        sizes.whole("key_value_heads", start.sizes.key_value_heads, 1, 1024);
        sizes.whole("context", start.sizes.context, 16, 1 << 20);
        sizes.number("rope_theta", start.sizes.rope_theta, 1, 1e9);
        if (start.sizes.width % (2 * start.sizes.heads) != 0 || start.sizes.heads % start.sizes.key_value_heads != 0) {
            sizes.fail("start.sizes", "do not fit: \"width\" must be an even multiple of \"heads\", and \"heads\" a multiple of \"key_value_heads\"");
        }
    });
    if (start.model.empty() == !has_sizes) {
        table.fail("start", "needs either \"model\" (to go on from) or \"sizes\" (from scratch)");
    }
    if (has_sizes && (start.tokenizer.empty() == (start.vocabulary == 0) || start.lora_rank > 0)) {
        table.fail("start", "from scratch needs either a \"tokenizer\" or the size of a \"vocabulary\" to learn, and can have no \"lora_rank\"");
    }
    if (!has_sizes && (!start.tokenizer.empty() || start.vocabulary > 0)) {
        table.fail("start", "from a model keeps that model's tokenizer: \"tokenizer\" and \"vocabulary\" are for models from scratch");
    }
}

void readTokenHeads(RecipeTable &table, TokenHeadsRecipe &recipe)
{
    recipe.heads.count = 2;
    table.whole("count", recipe.heads.count, 2, weights::kMostTokenHeads);
    std::string kind(weights::headKindName(recipe.heads.kind));
    table.text("kind", kind);
    const std::optional<weights::LmHeadKind> named = weights::headKindNamed(kind);
    if (!named) {
        table.fail("token_heads.kind", "is neither \"latent\" nor \"independent\"");
    }
    recipe.heads.kind = *named;
    table.each("shares", [&](const json &value, const std::string &name) { recipe.shares.push_back(table.numberOf(value, name, 0, 1000)); });
    if (recipe.shares.empty()) {
        recipe.shares.assign(static_cast<std::size_t>(recipe.heads.count), kLaterHeadShare);
        recipe.shares.front() = 1;
    }
    if (recipe.shares.size() != static_cast<std::size_t>(recipe.heads.count)) {
        table.fail("token_heads.shares", "has not one number for each of the " + std::to_string(recipe.heads.count) + " heads, the model's own first");
    }
    table.whole("alone_steps", recipe.alone_steps, 0, 1'000'000'000);
}

LanguageRecipe parseLanguageRecipe(std::string_view text, const fs::path &folder, const std::string &where)
{
    const json values = parseStrictJson(text, where, ErrorKind::Input);
    LanguageRecipe recipe;
    RecipeTable top(values, "", where, folder);
    std::string kind;
    top.text("kind", kind);
    if (kind != kTranslation && kind != kStreams) {
        top.fail("kind", "is neither \"translation\" nor \"streams\"");
    }
    recipe.task = kind == kStreams ? LanguageTask::Streams : LanguageTask::Translation;
    readRun(top, recipe);
    top.table("start", [&](RecipeTable &table) { readLanguageStart(table, recipe.start); });
    top.table("batch", [&](RecipeTable &table) {
        table.whole("tokens", recipe.batch.tokens, 1, 1 << 24);
        table.whole("longest", recipe.batch.longest, 4, 1 << 20);
    });
    top.table("losses", [&](RecipeTable &table) { table.number("label_smoothing", recipe.label_smoothing, 0, 0.9); });
    if (recipe.task == LanguageTask::Translation) {
        top.each("pairs", [&](const json &value, const std::string &name) {
            RecipeTable table = top.inner(value, name);
            PairsRecipe pairs;
            table.file("file", pairs.file);
            table.done();
            recipe.translation.pairs.push_back(std::move(pairs));
        });
        top.table("translation", [&](RecipeTable &table) { readTranslation(table, recipe.translation); });
        top.table("token_heads", [&](RecipeTable &table) { readTokenHeads(table, recipe.token_heads); });
        if (recipe.token_heads.heads.count > 1 && recipe.start.lora_rank > 0) {
            top.fail("token_heads", "cannot be trained with adapters (\"start.lora_rank\"): train them alone first, with \"alone_steps\"");
        }
    } else {
        top.table("streams", [&](RecipeTable &table) { readStreams(table, recipe.streams); });
    }
    top.table("validation", [&](RecipeTable &table) {
        readValidationTimes(table, recipe);
        table.number("held_out", recipe.validation.held_out, 0, 0.5);
        table.whole("examples", recipe.validation.examples, 1, 1'000'000);
    });
    top.table("export", [&](RecipeTable &table) { readExportType(table, recipe); });
    top.done();
    for (const char *needed : {"start", recipe.task == LanguageTask::Streams ? kStreams : "pairs"}) {
        if (!top.has(needed)) {
            top.fail(needed, "is missing");
        }
    }
    for (const PairsRecipe &pairs : recipe.translation.pairs) {
        if (pairs.file.empty()) {
            top.fail("pairs", "has an entry without \"file\"");
        }
    }
    if (recipe.task == LanguageTask::Translation && recipe.translation.pairs.empty()) {
        top.fail("pairs", "names nothing to learn from");
    }
    if (recipe.task == LanguageTask::Translation && recipe.validation.held_out == 0) {
        refusePlateauWithoutValidation(top, recipe, "validation.held_out");
    }
    // Conversations that are made have others to validate with; tables of one's own only those held out.
    if (!recipe.streams.tables.empty() && recipe.streams.held_out_tables == 0) {
        refusePlateauWithoutValidation(top, recipe, "streams.held_out_tables");
    }
    return recipe;
}

LanguageRecipe readLanguageRecipe(const fs::path &path)
{
    LanguageRecipe recipe = parseLanguageRecipe(readTextFile(path, kMostRecipeBytes), fs::absolute(path).parent_path(), path.string());
    recipe.path = path;
    return recipe;
}

bool isLanguageRecipe(const fs::path &path)
{
    const json values = parseStrictJson(readTextFile(path, kMostRecipeBytes), path.string(), ErrorKind::Input);
    if (!values.is_object() || !values.contains("kind")) {
        return false;
    }
    const json &kind = values["kind"];
    if (kind != kTranslation && kind != kStreams) {
        throw Error(ErrorKind::Input, "\"kind\" is neither \"translation\" nor \"streams\" nor \"speech-lm\"", path.string(),
                    "Leave it out in a recipe for captions");
    }
    return true;
}

}  // namespace braid::train
