#include "lab/train/trainer.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <ATen/Parallel.h>
#include <c10/core/GradMode.h>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/metrics/word_error_rate.h"
#include "core/models/device_choice.h"
#include "core/text/words.h"
#include "lab/train/batch_parts.h"
#include "lab/train/careless_file.h"
#include "lab/train/greedy.h"
#include "lab/train/teacher.h"
#include "lab/train/tensor_files.h"
#include "lab/train/whisper_parts.h"

namespace braid::train {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kValidationBatch = 8;

void copyWhereItFits(const std::map<std::string, at::Tensor> &from, const Network &into)
{
    const c10::NoGradGuard no_gradients;
    for (const auto &[name, value] : into.parameters()) {
        const auto found = from.find(name);
        if (found != from.end() && found->second.sizes() == value.sizes()) {
            at::Tensor target = value.detach();
            target.copy_(found->second);
        }
    }
}

}  // namespace

Trainer::Trainer(const Recipe &recipe, TrainingWatch &watch, std::shared_ptr<World> world)
    : m_recipe(recipe)
    , m_world(std::move(world))
    , m_schedule(recipe.schedule, recipe.optimizer.learning_rate)
{
    if (!m_recipe.path.empty()) {
        m_recipe_key = keyOf(readTextFile(m_recipe.path));
    }
    readStart(watch);
    prepareStage(watch);
    startLoader({});
}

void Trainer::readStart(TrainingWatch &watch)
{
    const StartRecipe &start = m_recipe.start;
    NetworkTypes types;
    models::DeviceChoice choice;
    choice.device = m_recipe.device;
    choice.threads = static_cast<int>(m_recipe.threads);
    types.device = models::placementOf(choice).device;
    at::set_num_threads(models::resolveThreads(choice.threads));
    const bool in_bfloat16 = m_recipe.products.empty() ? types.device.is_cuda() : m_recipe.products == "bfloat16";
    types.products = in_bfloat16 ? at::kBFloat16 : at::kFloat;
    ModelDescription &description = m_description;
    if (start.model.empty() && start.encoder.empty()) {
        description.dims = start.dims;
        description.tokenizer = start.tokenizer;
        m_network = std::make_unique<Network>(start.dims, m_recipe.seed, types);
    } else if (start.model.empty()) {
        description.tokenizer = start.tokenizer;
        const weights::WhisperCheckpoint checkpoint = readParts(start, text::WhisperTokenizer::load(start.tokenizer, 0)->size(), m_recipe.seed);
        description.dims = checkpoint.dims;
        description.alignment_heads = start.alignment_heads;
        m_network = std::make_unique<Network>(checkpoint, types);
    } else {
        const weights::WhisperCheckpoint checkpoint = weights::readWhisperCheckpoint(start.model);
        description.dims = checkpoint.dims;
        description.padding = checkpoint.padding;
        description.languages = checkpoint.languages;
        description.alignment_heads = checkpoint.alignment_heads;
        description.tokenizer = checkpoint.tokenizer_path;
        description.source_folder = fs::is_directory(start.model) ? start.model : fs::path();
        if (description.tokenizer.empty()) {
            throw Error(ErrorKind::Model, "there is no tokenizer beside the model", start.model.string(),
                        "Put its tokenizer.json or *.tiktoken file into the same folder");
        }
        m_network = std::make_unique<Network>(checkpoint, types);
    }
    for (const Recipe &stage : allStages()) {
        if (!stage.losses.attention_heads.empty()) {
            description.alignment_heads = stage.losses.attention_heads;
        }
        for (const auto &[layer, head] : description.alignment_heads) {
            if (layer >= description.dims.n_text_layer || head >= description.dims.n_text_head) {
                throw Error(ErrorKind::Input, "\"attention_heads\" or \"alignment_heads\" names a head that the model does not have", m_recipe.path.string());
            }
        }
    }
    const ChunkRecipe &chunks = allStages().back().chunks;  // what the finished model is made for
    description.first_chunk_ms = chunks.first_ms;
    description.default_chunk_ms = m_recipe.exported.default_chunk_ms;
    description.chunk_ms_min = std::min(*std::min_element(chunks.chunk_ms.begin(), chunks.chunk_ms.end()), description.default_chunk_ms);
    description.chunk_ms_max = std::max(*std::max_element(chunks.chunk_ms.begin(), chunks.chunk_ms.end()), description.default_chunk_ms);
    m_tokenizer = text::WhisperTokenizer::load(description.tokenizer, description.dims.n_vocab);
    m_text.prompt =
        m_tokenizer->prompt(m_tokenizer->isMultilingual() ? "en" : "", text::WhisperTokenizer::Task::Transcribe, text::WhisperTokenizer::Timestamps::Without);
    m_text.end = m_tokenizer->endOfText();

    if (start.lora_rank > 0) {
        m_network->addAdapters(start.lora_rank, m_recipe.seed);
    }
    const std::int64_t width = description.dims.n_audio_state;
    if (std::any_of(allStages().begin(), allStages().end(), [](const Recipe &stage) { return stage.losses.frames > 0; })) {
        m_network->addHead("frames", width, description.dims.n_vocab, m_recipe.seed);
    }
    if (!m_recipe.teacher.empty() && m_recipe.teacher_head == TeacherHead::Own && teacherWidth(m_recipe.teacher) != width) {
        throw Error(ErrorKind::Input,
                    "\"teacher_head\" is \"own\", but the teacher's output has the width " + std::to_string(teacherWidth(m_recipe.teacher)) +
                        " and the model's " + std::to_string(width),
                    m_recipe.path.string(), "Take the encoder that the model begins with as its teacher, or a \"linear\" head");
    }
    if (!m_recipe.teacher.empty()) {
        m_network->addHead("features", width, teacherWidth(m_recipe.teacher), m_recipe.seed);
    }
    if (!start.heads.empty()) {
        const c10::NoGradGuard no_gradients;
        for (const auto &[name, value] : readTensors(start.heads)) {
            const auto found = m_network->parameters().find(name);
            if (found == m_network->parameters().end() || found->second.sizes() != value.sizes()) {
                watch.notice("\"" + name + "\" of " + start.heads.string() + " does not fit this recipe and is left out.");
                continue;
            }
            at::Tensor into = found->second.detach();
            into.copy_(value);
        }
    }
}

void Trainer::prepareStage(TrainingWatch &watch)
{
    m_loader.reset();
    m_replicas.reset();
    m_weights.reset();
    m_maker.reset();
    m_schedule = Schedule(now().schedule, now().optimizer.learning_rate);
    if (now().parts || !m_recipe.stages.empty()) {
        m_network->trainParts(now().parts.value_or(PartsRecipe()), m_recipe.seed + static_cast<std::uint64_t>(m_progress.stage));
    }
    prepareSpeech(watch);
    m_weights = std::make_unique<TrainedWeights>(m_network->parameters(), now().optimizer, rates());
    m_replicas = std::make_unique<Replicas>(*m_network, m_recipe.replicas, at::get_num_threads(), m_world);
}

std::map<std::string, double> Trainer::rates() const
{
    std::map<std::string, double> out;
    if (const auto &parts = now().parts) {
        for (const auto &[name, value] : m_network->parameters()) {
            const double rate = name.starts_with("heads.") ? 0 : partOf(*parts, name).rate;
            if (rate > 0) {
                out[name] = rate / now().optimizer.learning_rate;
            }
        }
    }
    return out;
}

void Trainer::prepareSpeech(TrainingWatch &watch)
{
    const auto say = [&watch](const std::string &what, double done) {
        watch.preparing(what, done);
        if (watch.stopAsked()) {
            throw Error(ErrorKind::Cancelled, "the training was stopped while its speech was prepared", {}, "What was prepared is kept");
        }
    };
    m_library = std::make_unique<SpeechLibrary>(now(), *m_tokenizer, say);
    for (const std::string &notice : m_library->notices()) {
        watch.notice(notice);
    }
    m_features.reset();
    const weights::ConvStrides strides = m_description.dims.strides();
    if (!m_recipe.teacher.empty() && (m_recipe.stages.empty() || now().losses.features_first > 0 || now().losses.features_last > 0)) {
        makeFeatures(now(), *m_library, strides, say);
        m_features = std::make_unique<FeatureLibrary>(featurePath(m_recipe, strides), teacherWidth(m_recipe.teacher));
        if (m_recipe.teacher_head == TeacherHead::Own) {
            m_network->addFixedHead("features", m_features->means(), m_features->deviations());
        }
    }
    m_encoded.reset();
    const auto makeMaker = [this] {
        const auto longest_text = m_description.dims.n_text_ctx - static_cast<std::int64_t>(m_text.prompt.size());
        m_maker = std::make_unique<WindowMaker>(*m_library, m_features.get(), now(), m_description.dims, m_text.end, longest_text, m_encoded.get());
    };
    makeMaker();
    if (now().encoder_output == EncoderOutput::Cached) {
        prepareEncoded(watch);
        makeMaker();
    }
}

void Trainer::prepareEncoded(TrainingWatch &watch)
{
    const c10::NoGradGuard no_gradients;
    // Under a name that follows from the encoder's weights: another encoder's output is another file.
    std::uint64_t key = 0;
    for (const auto &[name, value] : m_network->parameters()) {
        if (name.starts_with("encoder.")) {
            const at::Tensor plain = value.detach().to(at::kCPU, at::kFloat).contiguous();
            const std::string_view bytes(static_cast<const char *>(plain.data_ptr()), static_cast<std::size_t>(plain.numel()) * sizeof(float));
            key = keyOf(std::to_string(key) + name + std::to_string(keyOf(bytes)));
        }
    }
    const fs::path path = m_recipe.cache / ("encoded-" + std::to_string(key) + (m_description.dims.conv2_stride == 4 ? "-every-second" : ""));
    KeyedStore store(path);
    std::vector<const Speech *> missing;
    for (const SpeechCorpus &corpus : m_library->corpora()) {
        for (const Speech &speech : corpus.speech) {
            if (!store.contains(speech.key)) {
                missing.push_back(&speech);
            }
        }
    }
    const NetworkTypes &types = m_network->types();
    const auto longest = static_cast<std::size_t>(m_description.dims.n_audio_ctx * m_maker->frameSamples());
    std::size_t done = 0;
    for (const Speech *speech : missing) {
        if (!store.contains(speech->key)) {  // two lines of a manifest may name the same sound
            std::vector<at::Tensor> pieces = {at::zeros({0, m_description.dims.n_audio_state}, at::kFloat)};
            for (std::size_t from = 0; from < speech->sound.size(); from += longest) {
                Speech piece = *speech;
                piece.sound = speech->sound.subspan(from, std::min(longest, speech->sound.size() - from));
                const Batch batch = m_maker->makePlain({&piece}, std::nullopt, 0);
                if (batch.windows > 0) {
                    const at::Tensor mel = at::from_blob(const_cast<float *>(batch.mel.data()), {1, batch.mel_frames, batch.bands}, at::kFloat);
                    const at::Tensor encoded = m_network->encode(mel.to(types.device, types.parameters), batch.window_frames, std::nullopt);
                    pieces.push_back(encoded.squeeze(0).to(at::kCPU, at::kFloat));
                }
            }
            const at::Tensor rows = at::cat(pieces).to(at::kHalf).contiguous();
            store.add(speech->key, {static_cast<const std::byte *>(rows.data_ptr()), static_cast<std::size_t>(rows.numel()) * 2});
        }
        watch.preparing("the encoder listens", static_cast<double>(++done) / static_cast<double>(missing.size()));
        if (watch.stopAsked()) {
            throw Error(ErrorKind::Cancelled, "the training was stopped while its encoder listened", {}, "What it heard is kept");
        }
    }
    m_encoded = std::make_unique<FeatureLibrary>(path, m_description.dims.n_audio_state, FeatureUnit::Plain);
}

void Trainer::startLoader(LoaderPlace from)
{
    m_loader.reset();
    m_next = from;
    m_loader = std::make_unique<Loader>(*m_library, *m_maker, now(), from);
}

LossSettings Trainer::lossSettings() const
{
    const LossRecipe &recipe = now().losses;
    const double done = std::clamp(m_schedule.done(m_progress), 0.0, 1.0);
    LossSettings settings;
    settings.text = recipe.text;
    settings.frames = recipe.frames;
    settings.attention = recipe.attention;
    settings.attention_heads = recipe.attention_heads;
    settings.features = m_features != nullptr ? std::lerp(recipe.features_first, recipe.features_last, done) : 0;
    settings.label_smoothing = recipe.label_smoothing;
    settings.token_replacement = recipe.token_replacement;
    settings.dropout.encoder = recipe.encoder_dropout;
    settings.dropout.decoder = recipe.decoder_dropout;
    return settings;
}

Trainer::Step Trainer::step()
{
    Loader::Item item = m_loader->next();
    std::vector<Batch> batches;
    if (now().points.steps == PointSteps::Each) {
        batches = splitByPoint(item.batch, m_description.dims.strides());
    } else {
        batches.push_back(std::move(item.batch));
    }
    Step step;
    LossParts sums;
    for (const Batch &batch : batches) {
        step.rate = m_schedule.rate(m_progress);
        const LossParts losses = m_replicas->learn(batch, m_text, lossSettings(), {m_recipe.seed, static_cast<std::uint64_t>(m_progress.steps)});
        sums.text += losses.text;
        sums.frames += losses.frames;
        sums.attention += losses.attention;
        sums.features += losses.features;
        step.tokens += losses.tokens;
        step.correct_tokens += losses.correct_tokens;
        step.norm = m_weights->step(step.rate, m_progress.steps);
        step.amount += batch.seconds;
        ++m_progress.steps;
    }
    const auto count = static_cast<double>(batches.size());
    step.losses = {{"text", sums.text / count}, {"frames", sums.frames / count}, {"attention", sums.attention / count}, {"features", sums.features / count}};
    step.ends_epoch = item.ends_epoch;
    m_progress.epochs += item.ends_epoch ? 1 : 0;
    m_next = item.ends_epoch ? LoaderPlace{item.place.epoch + 1, 0} : LoaderPlace{item.place.epoch, item.place.number + 1};
    return step;
}

ValidationReport Trainer::validate()
{
    ValidationReport report;
    LossSettings settings;
    double tokens = 0;
    double correct = 0;
    double loss = 0;
    metrics::WordErrors errors;
    std::vector<const Speech *> order;
    for (const Speech &speech : m_library->validation()) {
        order.push_back(&speech);
    }
    std::sort(order.begin(), order.end(), [](const Speech *a, const Speech *b) { return a->sound.size() < b->sound.size(); });
    // A stage that never hears in chunks is not judged by them.
    const auto chunking = now().chunks.full_attention < 1 ? std::optional(m_maker->chunking(m_recipe.exported.default_chunk_ms)) : std::nullopt;
    m_weights->withAverage([&] {
        const c10::NoGradGuard no_gradients;
        for (std::size_t at = 0; at < order.size(); at += kValidationBatch) {
            const auto begin = order.begin() + static_cast<std::ptrdiff_t>(at);
            const std::vector<const Speech *> some(begin, begin + static_cast<std::ptrdiff_t>(std::min(order.size() - at, kValidationBatch)));
            const Batch batch = m_maker->makePlain(some, chunking, at);
            if (batch.windows == 0) {
                continue;
            }
            Random unused({1});
            const LossParts parts = computeLosses(*m_network, batch, m_text, settings, unused);
            loss += parts.text * parts.tokens;
            tokens += parts.tokens;
            correct += parts.correct_tokens;
            report.examples += batch.windows;
            const auto texts = greedyTexts(*m_network, batch, m_text, m_description.dims.n_text_ctx);
            std::size_t row = 0;
            for (const Speech *speech : some) {
                if (m_maker->fits(*speech)) {
                    errors += metrics::countWordErrors(text::wordsOf(speech->text), text::wordsOf(m_tokenizer->decode(texts[row++])));
                }
            }
        }
    });
    report.text_loss = tokens > 0 ? loss / tokens : 0;
    report.token_accuracy = tokens > 0 ? correct / tokens : 0;
    report.word_error_rate = errors.rate();
    report.is_best = m_schedule.judge(m_progress, report.text_loss);
    return report;
}

Checkpoint Trainer::checkpoint() const
{
    Checkpoint checkpoint;
    checkpoint.progress = m_progress;
    checkpoint.next = m_next;
    checkpoint.recipe_key = m_recipe_key;
    m_weights->save(checkpoint);
    return checkpoint;
}

void Trainer::beginNextStage(TrainingWatch &watch)
{
    m_weights->keepBest();
    m_progress.beginNextStage();
    watch.notice("Stage " + std::to_string(m_progress.stage + 1) + " of " + std::to_string(m_recipe.stages.size()) + " begins after " +
                 std::to_string(m_progress.steps) + " steps" + (now().about.empty() ? "." : ": " + now().about));
    prepareStage(watch);
    startLoader({m_next.number > 0 ? m_next.epoch + 1 : m_next.epoch, 0});
}

void Trainer::restore(const Checkpoint &checkpoint, TrainingWatch &watch)
{
    if (checkpoint.progress.stage != m_progress.stage) {
        if (checkpoint.progress.stage < 0 || checkpoint.progress.stage >= static_cast<std::int64_t>(allStages().size())) {
            throw Error(ErrorKind::Input, "the checkpoint is of stage " + std::to_string(checkpoint.progress.stage + 1) + ", which the recipe does not have",
                        m_recipe.path.string(), "Give the recipe the stage again, or begin a new run");
        }
        m_progress = checkpoint.progress;
        copyWhereItFits(checkpoint.weights, *m_network);  // what a stage prepares may follow from its weights
        prepareStage(watch);
    }
    m_weights->restore(checkpoint);
    m_progress = checkpoint.progress;
    startLoader(checkpoint.next);
}

void Trainer::writeModel(const fs::path &folder) const
{
    const at::ScalarType type = m_recipe.export_type == "float16" ? at::kHalf : at::kFloat;
    const auto &parameters = m_weights->best();
    if (m_network->adapterRank() == 0) {
        writeModelFolder(folder, m_description, parameters, type);
    } else if (carelessLayoutFits(m_description.dims) && !now().parts) {
        fs::create_directories(folder);
        writeCarelessFile(folder / "model.pt", m_description, m_network->adapterRank(), parameters, type);
        fs::copy_file(m_description.tokenizer, folder / m_description.tokenizer.filename(), fs::copy_options::overwrite_existing);
    } else {  // no published layout keeps these adapters apart
        writeModelFolder(folder, m_description, mergedAdapters(parameters), type);
    }
}

}  // namespace braid::train
