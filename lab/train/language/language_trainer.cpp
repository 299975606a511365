#include "lab/train/language/language_trainer.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/models/decoder_lm/translation_layout.h"
#include "core/streams/collapse.h"
#include "core/text/chat_template.h"
#include "core/text/tokenizer_learner.h"
#include "core/weights/huggingface_lm.h"
#include "lab/train/language/language_batch.h"
#include "lab/train/language/streams_source.h"
#include "lab/train/language/translation_source.h"

namespace braid::train {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kBatchStream = 107;
constexpr std::uint64_t kDrawStream = 109;
constexpr std::uint64_t kDropStream = 131;

// A model that goes on learning the same languages keeps the offsets that it knew.
weights::LmTranslation joined(const std::optional<weights::LmTranslation> &before, weights::LmTranslation now)
{
    if (before && before->source == now.source && before->target == now.target) {
        for (const double phi : before->phi) {
            if (std::find(now.phi.begin(), now.phi.end(), phi) == now.phi.end()) {
                now.phi.push_back(phi);
            }
        }
        std::sort(now.phi.begin(), now.phi.end());
    }
    return now;
}

// As a run of the model spells translations, whatever its folder has: marks of ours, a chat template, or neither.
TranslationSpelling spellingFor(const LanguageRecipe &recipe, std::shared_ptr<const text::LanguageTokenizer> tokenizer)
{
    using models::lm::TranslationLayout;
    const TranslationRecipe &translation = recipe.translation;
    const bool has_languages = !translation.source_language.empty();
    const auto layout = std::make_shared<const TranslationLayout>(
        TranslationLayout::of(recipe.start.model, std::move(tokenizer), has_languages ? translation.source_language : "en",
                              has_languages ? translation.target_language : "fr", models::lm::Unmarked::Spelled));
    if (layout->frame()) {
        return spellingOf(*layout->frame());
    }
    if (!has_languages) {
        throw Error(ErrorKind::Input, "\"translation\" names no languages, which a model without the marks of ours has to be told", recipe.path.string(),
                    "Add \"source\" and \"target\", such as \"en\" and \"fr\"");
    }
    if (translation.context > 0) {
        throw Error(ErrorKind::Input, "\"translation.context\" is for models with the marks <|source|>, <|target|> and <|end|>", recipe.path.string(),
                    "Leave it out");
    }
    if (recipe.start.lora_rank > 0 && !text::hasChatTemplate(recipe.start.model)) {
        throw Error(ErrorKind::Input, "the model has no chat template, so that a run of it with adapters would not know how it was trained",
                    recipe.start.model.string(), "Train all of it (without \"lora_rank\")");
    }
    const TranslationLayout::Beginning beginning = layout->beginning({});
    return {beginning.source,      beginning.target,      {},
            layout->endOfSource(), layout->endOfTarget(), [layout](std::string_view text) { return layout->unitTokens(text); }};
}

}  // namespace

LanguageTrainer::LanguageTrainer(const LanguageRecipe &recipe, const fs::path &out, TrainingWatch &watch, std::shared_ptr<World> world)
    : LanguageLearner(recipe, recipe.token_heads, std::move(world))
    , m_recipe(recipe)
{
    if (m_recipe.task == LanguageTask::Translation) {
        readTranslation(out, watch);
    } else {
        readStreams(out, watch);
    }
    begin(m_network->parameters());
}

// The model's tokenizer, the recipe's, or one that `learn` makes, kept in `out`.
void LanguageTrainer::chooseTokenizer(const fs::path &out, TrainingWatch &watch, const std::function<std::string()> &learn)
{
    m_files.tokenizer = m_recipe.start.model.empty() ? m_recipe.start.tokenizer : m_recipe.start.model / "tokenizer.json";
    if (m_files.tokenizer.empty()) {
        m_files.tokenizer = out / "tokenizer.json";
        if (!fs::exists(m_files.tokenizer)) {
            watch.preparing("Learning a vocabulary", 0);
            writeFileAtomically(m_files.tokenizer, learn());
        }
    }
    m_tokenizer = text::LanguageTokenizer::load(m_files.tokenizer);
}

void LanguageTrainer::readTranslation(const fs::path &out, TrainingWatch &watch)
{
    std::vector<PairText> pairs;
    for (const PairsRecipe &file : m_recipe.translation.pairs) {
        watch.preparing("Reading " + file.file.filename().string(), 0);
        std::vector<PairText> read = readPairs(file.file);
        pairs.insert(pairs.end(), std::make_move_iterator(read.begin()), std::make_move_iterator(read.end()));
    }
    chooseTokenizer(out, watch, [&] {
        text::TokenizerLearner learner;
        for (const PairText &pair : pairs) {
            if (!isHeldOut(pair.source, m_recipe.validation.held_out)) {
                // With a space before, as TranslationFrame has it.
                learner.add(" " + pair.source);
                learner.add(" " + pair.target);
            }
        }
        using text::TranslationFrame;
        return learner.json(m_recipe.start.vocabulary,
                            {std::string(TranslationFrame::kSource), std::string(TranslationFrame::kTarget), std::string(TranslationFrame::kEnd)});
    });
    watch.preparing("Cutting sentences into tokens", 0);
    auto source = m_recipe.start.model.empty() ? std::make_unique<TranslationSource>(m_recipe, pairs, m_tokenizer)
                                               : std::make_unique<TranslationSource>(m_recipe, pairs, *m_tokenizer, spellingFor(m_recipe, m_tokenizer));
    watch.notice(std::to_string(source->trained()) + " pairs to learn from, " + std::to_string(source->leftOut()) + " longer ones are left out");
    m_source = std::move(source);
    LanguageUse use;
    if (m_recipe.start.model.empty()) {
        use.end = text::TranslationFrame::of(m_tokenizer)->end();
    }
    const TranslationRecipe &translation = m_recipe.translation;
    if (!translation.source_language.empty()) {
        use.translation = weights::LmTranslation{translation.source_language, translation.target_language, {translation.phi}};
    }
    makeNetwork(std::move(use), watch);
}

void LanguageTrainer::readStreams(const fs::path &out, TrainingWatch &watch)
{
    streams::Layout layout = streams::readLayout(m_recipe.streams.layout);
    std::vector<streams::TextTable> tables = readTables(m_recipe.streams, layout);
    chooseTokenizer(out, watch, [&] { return streamsTokenizerJson(layout, tables, m_recipe.seed, m_recipe.start.vocabulary); });
    const auto end = m_tokenizer->idOf(streams::kEndMark);
    if (!end && m_recipe.start.model.empty()) {
        throw Error(ErrorKind::Input, "the tokenizer has not the mark " + std::string(streams::kEndMark), m_files.tokenizer.string(),
                    "Let the recipe learn a vocabulary");
    }
    LanguageUse use;
    use.end = end.value_or(0);
    use.streams = m_recipe.streams.is_single ? std::int64_t{0} : static_cast<std::int64_t>(layout.size());
    m_source = std::make_unique<StreamsSource>(m_recipe, std::move(layout), std::move(tables), m_tokenizer);
    makeNetwork(std::move(use), watch);
}

void LanguageTrainer::makeNetwork(LanguageUse use, TrainingWatch &watch)
{
    const NetworkTypes types = typesOf(m_recipe);
    const LanguageStartRecipe &start = m_recipe.start;
    if (start.model.empty()) {
        use.vocabulary = m_tokenizer->size();
        m_files.config = configJson(start.sizes, use);
        m_network = std::make_unique<LanguageNetwork>(weights::parseLmConfig(m_files.config, {}, "the recipe's sizes"), m_recipe.seed, types);
    } else {
        m_files.config = readTextFile(start.model / "config.json");
        const fs::path generation = start.model / "generation_config.json";
        m_files.generation = fs::exists(generation) ? readTextFile(generation) : std::string();
        for (const char *other : {"chat_template.jinja", "tokenizer_config.json"}) {
            if (fs::exists(start.model / other)) {
                m_files.others.push_back(start.model / other);
            }
        }
        weights::LmCheckpoint checkpoint = weights::readLanguageModel(start.model);
        if (checkpoint.config.streams == 0 && use.streams > 0) {
            checkpoint.config.streams = use.streams;
            m_files.config = withStreams(m_files.config, use.streams);
        }
        if (checkpoint.config.streams < use.streams) {
            throw Error(ErrorKind::Input, "the model has fewer streams than the layout", start.model.string(),
                        "Start from scratch or from a model without streams, or choose a layout of as many");
        }
        if (use.translation) {
            m_files.config = withTranslation(m_files.config, joined(checkpoint.config.translation, *use.translation));
        }
        m_network = std::make_unique<LanguageNetwork>(checkpoint, m_recipe.seed, types);
        if (start.lora_rank > 0) {
            m_network->addAdapters(start.lora_rank, start.lora_alpha > 0 ? start.lora_alpha : 2.0 * static_cast<double>(start.lora_rank), m_recipe.seed);
        }
    }
    if (heads().heads.count > 1) {
        m_network->addTokenHeads(heads().heads);
        m_files.config = withTokenHeads(m_files.config, heads().heads);
    } else if (m_network->config().token_heads.count > 1) {
        watch.notice("The model's further heads stay as they are: the recipe has no \"token_heads\"");
    }
    std::int64_t trained = 0;
    for (const auto &[name, value] : m_network->parameters()) {
        trained += value.requires_grad() ? value.numel() : 0;
    }
    watch.notice(std::to_string(trained) + " numbers to train, " + std::to_string(m_tokenizer->size()) + " tokens");
}

LanguageTrainer::Plan LanguageTrainer::plan(std::uint64_t epoch) const
{
    return planBatches(m_source->epoch(epoch), m_recipe.batch.tokens, Random({m_recipe.seed, kBatchStream, epoch}));
}

LanguageTrainer::Plan LanguageTrainer::validationPlan() const
{
    return planBatches(m_source->validation(), m_recipe.batch.tokens, Random({m_recipe.seed}));
}

LanguageTrainer::BatchLoss LanguageTrainer::lossOf(const PlannedRows &rows, Learning learning, Purpose purpose) const
{
    std::vector<Sequence> sequences;
    for (std::size_t row = rows.first; row < rows.items.size(); row += rows.every) {
        for (Sequence &sequence : m_source->make(rows.items[row], Random({m_recipe.seed, kDrawStream, rows.epoch, rows.number, row}))) {
            sequences.push_back(std::move(sequence));
        }
    }
    const LanguageBatch batch = makeBatch(sequences, m_network->types().device);
    const bool is_training = purpose == Purpose::Training;
    // The same numbers are dropped where a resumed run takes this step.
    Random random({m_recipe.seed, kDropStream, rows.epoch, rows.number, rows.first});
    const double dropout = is_training ? m_recipe.start.lora_dropout : 0;
    const models::lm::DecoderLm model = dropout > 0 ? m_network->droppingModel(dropout, random) : m_network->model(learning);
    return {computeLoss(model, batch, is_training ? m_recipe.label_smoothing : 0, heads().shares), batch.token_count};
}

void LanguageTrainer::writeModel(const fs::path &folder) const
{
    const at::ScalarType type = m_recipe.export_type == "float16" ? at::kHalf : at::kFloat;
    // Adapters fit the model they are for, which has no stream embedding: with a new one, the folder is a whole model.
    if (m_network->adapterRank() > 0 && !m_network->hasNewStreams()) {
        writeAdapterFolder(folder, m_recipe.start.model.string(), m_network->adapterRank(), m_network->adapterScale(), m_recipe.start.lora_dropout,
                           weights().best(), type);
    } else {
        writeLanguageFolder(folder, m_files, m_network->merged(weights().best()), type);
    }
}

}  // namespace braid::train
