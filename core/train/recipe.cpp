#include "core/train/recipe.h"

#include <cmath>
#include <functional>
#include <set>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/strict_json.h"

namespace braid::train {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr std::size_t kMostRecipeBytes = 1u << 20;
constexpr double kShare = 1.0;

// One table of the recipe. Every key that is asked for is remembered; done() refuses the others.
class Table {
  public:
    Table(const json &values, std::string name, const std::string &where, const fs::path &folder)
        : m_values(values)
        , m_name(std::move(name))
        , m_where(where)
        , m_folder(folder)
    {
        if (!values.is_object()) {
            fail(m_name, "is not a table");
        }
    }

    [[noreturn]] void fail(const std::string &key, const std::string &what) const
    {
        throw Error(ErrorKind::Input, "\"" + key + "\" " + what, m_where, "docs/formats.md describes recipes");
    }
    [[nodiscard]] bool has(const char *key) const { return m_values.contains(key); }
    [[nodiscard]] const json *find(const char *key)
    {
        m_known.insert(key);
        const auto position = m_values.find(key);
        return position == m_values.end() ? nullptr : &*position;
    }
    void number(const char *key, double &value, double least, double most)
    {
        if (const json *found = find(key)) {
            value = numberOf(*found, path(key), least, most);
        }
    }
    template <typename Whole>
    void whole(const char *key, Whole &value, std::int64_t least, std::int64_t most)
    {
        if (const json *found = find(key)) {
            value = static_cast<Whole>(wholeOf(*found, path(key), least, most));
        }
    }
    void text(const char *key, std::string &value)
    {
        if (const json *found = find(key)) {
            if (!found->is_string()) {
                fail(path(key), "is not a text");
            }
            value = found->get<std::string>();
        }
    }
    void flag(const char *key, bool &value)
    {
        if (const json *found = find(key)) {
            if (!found->is_boolean()) {
                fail(path(key), "is neither true nor false");
            }
            value = found->get<bool>();
        }
    }
    void file(const char *key, fs::path &value)
    {
        if (const json *found = find(key)) {
            value = fileOf(*found, path(key));
        }
    }
    void files(const char *key, std::vector<fs::path> &values)
    {
        each(key, [&](const json &item, const std::string &name) { values.push_back(fileOf(item, name)); });
    }
    void each(const char *key, const std::function<void(const json &, const std::string &)> &act)
    {
        const json *found = find(key);
        if (found == nullptr) {
            return;
        }
        if (!found->is_array()) {
            fail(path(key), "is not a list");
        }
        for (std::size_t i = 0; i < found->size(); ++i) {
            act((*found)[i], path(key) + "[" + std::to_string(i) + "]");
        }
    }
    void table(const char *key, const std::function<void(Table &)> &act)
    {
        if (const json *found = find(key)) {
            Table inner(*found, path(key), m_where, m_folder);
            act(inner);
            inner.done();
        }
    }
    [[nodiscard]] Table inner(const json &value, const std::string &name) const { return {value, name, m_where, m_folder}; }
    void done() const
    {
        for (const auto &[key, value] : m_values.items()) {
            if (!m_known.contains(key)) {
                fail(path(key.substr(0, 80)), "is not something a recipe has");
            }
        }
    }
    [[nodiscard]] double numberOf(const json &value, const std::string &name, double least, double most) const
    {
        if (!value.is_number()) {
            fail(name, "is not a number");
        }
        const auto found = value.get<double>();
        if (!(found >= least && found <= most)) {
            fail(name, "is not between " + shown(least) + " and " + shown(most));
        }
        return found;
    }
    [[nodiscard]] std::int64_t wholeOf(const json &value, const std::string &name, std::int64_t least, std::int64_t most) const
    {
        if (!value.is_number_integer() || (value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(most))) {
            fail(name, "is not a whole number from " + std::to_string(least) + " to " + std::to_string(most));
        }
        const auto found = value.get<std::int64_t>();
        if (found < least || found > most) {
            fail(name, "is not a whole number from " + std::to_string(least) + " to " + std::to_string(most));
        }
        return found;
    }
    [[nodiscard]] fs::path fileOf(const json &value, const std::string &name) const
    {
        if (!value.is_string() || value.get<std::string>().empty()) {
            fail(name, "is not a path");
        }
        const fs::path given = value.get<std::string>();
        return given.is_absolute() ? given : (m_folder / given).lexically_normal();
    }

  private:
    [[nodiscard]] std::string path(const std::string &key) const { return m_name.empty() ? key : m_name + "." + key; }
    static std::string shown(double value)
    {
        std::string text = std::to_string(value);
        text.erase(text.find_last_not_of('0') + 1);
        return text.ends_with('.') ? text.substr(0, text.size() - 1) : text;
    }

    const json &m_values;
    std::string m_name;
    const std::string &m_where;
    const fs::path &m_folder;
    std::set<std::string, std::less<>> m_known;
};

void readStart(Table &table, StartRecipe &start)
{
    table.file("model", start.model);
    table.file("heads", start.heads);
    table.file("tokenizer", start.tokenizer);
    table.whole("lora_rank", start.lora_rank, 0, 1024);
    const bool has_sizes = table.has("sizes");
    table.table("sizes", [&](Table &sizes) {
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

void readChunks(Table &table, ChunkRecipe &chunks)
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

void readWindows(Table &table, WindowRecipe &windows)
{
    table.number("longest_s", windows.longest_s, 0.5, 30);
    table.number("batch_s", windows.batch_s, 1, 100000);
    table.number("join", windows.join, 0, kShare);
    table.number("cut", windows.cut, 0, kShare);
    table.number("silence", windows.silence, 0, kShare);
    table.number("lead", windows.lead, 0, kShare);
}

void readDisturbance(Table &table, DisturbanceRecipe &disturbance)
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

void readLosses(Table &table, LossRecipe &losses)
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

void readOptimizer(Table &table, OptimizerRecipe &optimizer)
{
    std::string kind = "adamw";
    table.text("kind", kind);
    if (kind != "adamw" && kind != "muon") {
        table.fail("optimizer.kind", "is neither \"adamw\" nor \"muon\"");
    }
    optimizer.kind = kind == "muon" ? OptimizerRecipe::Kind::Muon : OptimizerRecipe::Kind::AdamW;
    table.number("learning_rate", optimizer.learning_rate, 1e-9, 10);
    table.number("weight_decay", optimizer.weight_decay, 0, 1);
    table.number("clip", optimizer.clip, 0, 1e6);
    table.whole("muon_every", optimizer.muon_every, 1, 100);
    table.number("average", optimizer.average, 0, 0.999999);
}

void readSchedule(Table &table, ScheduleRecipe &schedule)
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

Recipe parseRecipe(std::string_view text, const fs::path &folder, const std::string &where)
{
    const json values = parseStrictJson(text, where, ErrorKind::Input);
    Recipe recipe;
    Table top(values, "", where, folder);
    top.text("about", recipe.about);
    top.whole("seed", recipe.seed, 0, INT64_MAX);
    top.text("device", recipe.device);
    top.text("products", recipe.products);
    if (!recipe.products.empty() && recipe.products != "float32" && recipe.products != "bfloat16") {
        top.fail("products", "is neither \"float32\" nor \"bfloat16\"");
    }
    top.whole("threads", recipe.threads, 1, 1024);
    top.whole("loader_threads", recipe.loader_threads, 1, 256);
    top.file("cache", recipe.cache);
    top.file("teacher", recipe.teacher);
    top.number("checkpoint_minutes", recipe.checkpoint_minutes, 0.01, 10000);
    top.table("start", [&](Table &table) { readStart(table, recipe.start); });
    top.table("chunks", [&](Table &table) { readChunks(table, recipe.chunks); });
    top.table("points", [&](Table &table) {
        table.number("fraction", recipe.points.fraction, 0, kShare);
        table.whole("least", recipe.points.least, 0, 1000);
        table.whole("most", recipe.points.most, recipe.points.least, 1000);
    });
    top.each("corpora", [&](const json &value, const std::string &name) {
        Table table = top.inner(value, name);
        CorpusRecipe corpus;
        table.file("manifest", corpus.manifest);
        table.number("weight", corpus.weight, 0, 1000);
        table.flag("features", corpus.wants_features);
        table.done();
        recipe.corpora.push_back(std::move(corpus));
    });
    top.files("noise", recipe.noise);
    top.files("rooms", recipe.rooms);
    top.table("windows", [&](Table &table) { readWindows(table, recipe.windows); });
    top.table("disturbance", [&](Table &table) { readDisturbance(table, recipe.disturbance); });
    top.table("losses", [&](Table &table) { readLosses(table, recipe.losses); });
    top.table("optimizer", [&](Table &table) { readOptimizer(table, recipe.optimizer); });
    top.table("schedule", [&](Table &table) { readSchedule(table, recipe.schedule); });
    top.table("validation", [&](Table &table) {
        table.files("manifests", recipe.validation.manifests);
        table.whole("utterances", recipe.validation.utterances, 1, 1'000'000);
        table.number("every_minutes", recipe.validation.every_minutes, 0.01, 1e6);
        table.whole("every_steps", recipe.validation.every_steps, 1, 1'000'000'000);
    });
    top.table("export", [&](Table &table) {
        table.text("number_type", recipe.exported.number_type);
        table.whole("default_chunk_ms", recipe.exported.default_chunk_ms, 40, 30000);
        if (recipe.exported.number_type != "float16" && recipe.exported.number_type != "float32") {
            table.fail("export.number_type", "is neither \"float16\" nor \"float32\"");
        }
    });
    top.done();
    for (const char *needed : {"start", "corpora", "schedule", "cache"}) {
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
    return recipe;
}

Recipe readRecipe(const fs::path &path)
{
    Recipe recipe = parseRecipe(readTextFile(path, kMostRecipeBytes), fs::absolute(path).parent_path(), path.string());
    recipe.path = path;
    return recipe;
}

}  // namespace braid::train
