#include "lab/train/speech_lm/speech_lm_trainer.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <c10/core/GradMode.h>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/strict_json.h"
#include "core/features/log_mel.h"
#include "core/models/speech_encoders/whisper_speech_encoder.h"
#include "core/models/speech_lm/speech_lm.h"
#include "core/text/tokenizer_learner.h"
#include "core/text/words.h"
#include "core/weights/huggingface_lm.h"
#include "lab/corpus/manifest.h"
#include "lab/corpus/utterance_sound.h"
#include "lab/train/keyed_store.h"
#include "lab/train/language/language_folder.h"
#include "lab/train/tensor_files.h"

namespace braid::train {

namespace fs = std::filesystem;
using models::speech::SpeechAdapter;
using nlohmann::json;

namespace {

constexpr std::uint64_t kOrderStream = 137;
constexpr std::uint64_t kBatchStream = 139;
constexpr std::uint64_t kDrawStream = 149;
constexpr std::uint64_t kAdapterStream = 151;
constexpr std::uint64_t kValidationEpoch = ~std::uint64_t{0};
constexpr const char *kLanguagePrefix = "language_model.";

std::vector<std::string> wordTexts(const corpus::Utterance &utterance)
{
    if (utterance.words.empty()) {
        return text::wordsOf(utterance.text);
    }
    std::vector<std::string> words;
    for (const corpus::TimedWord &word : utterance.words) {
        words.push_back(word.text);
    }
    return words;
}

std::vector<corpus::Utterance> readAll(const std::vector<fs::path> &manifests, TrainingWatch &watch)
{
    std::vector<corpus::Utterance> all;
    for (const fs::path &manifest : manifests) {
        watch.preparing("Reading " + manifest.filename().string(), 0);
        std::vector<corpus::Utterance> more = corpus::readManifest(manifest);
        all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    }
    return all;
}

json encoderJson(const weights::WhisperDims &dims)
{
    return {{"kind", "causal-whisper"},         {"mels", dims.n_mels},          {"width", dims.n_audio_state}, {"heads", dims.n_audio_head},
            {"layers", dims.n_audio_layer},     {"mlp_width", dims.audioMlp()}, {"frames", dims.n_audio_ctx},  {"conv1_stride", dims.conv1_stride},
            {"conv2_stride", dims.conv2_stride}};
}

}  // namespace

SpeechLmTrainer::SpeechLmTrainer(const SpeechLmRecipe &recipe, const fs::path &out, TrainingWatch &watch)
    : m_recipe(recipe)
    , m_schedule(recipe.schedule, recipe.optimizer.learning_rate)
{
    if (!m_recipe.path.empty()) {
        m_recipe_key = keyOf(readTextFile(m_recipe.path));
    }
    const std::vector<corpus::Utterance> utterances = readAll(m_recipe.corpora, watch);
    chooseTokenizer(out, utterances, watch);
    makeNetwork(watch);
    m_examples = examplesOf(utterances, watch);
    if (m_examples.empty()) {
        throw Error(ErrorKind::Input, "the recipe's manifests hold nothing that can be learnt from", m_recipe.path.string(),
                    "They need utterances with text, no longer than \"batch.longest_s\" and the encoder's window");
    }
    std::vector<corpus::Utterance> checks = readAll(m_recipe.validation, watch);
    const auto wanted = std::min(checks.size(), static_cast<std::size_t>(m_recipe.validation_utterances));
    std::vector<corpus::Utterance> drawn;
    for (std::size_t i = 0; i < wanted; ++i) {
        drawn.push_back(checks[i * checks.size() / wanted]);
    }
    m_validation = examplesOf(drawn, watch);
    planEpoch();
}

void SpeechLmTrainer::chooseTokenizer(const fs::path &out, const std::vector<corpus::Utterance> &utterances, TrainingWatch &watch)
{
    using text::TranslationFrame;
    m_tokenizer_file = m_recipe.start.tokenizer;
    if (m_tokenizer_file.empty()) {
        m_tokenizer_file = out / "tokenizer.json";
        if (!fs::exists(m_tokenizer_file)) {
            watch.preparing("Learning a vocabulary", 0);
            text::TokenizerLearner learner;
            for (const corpus::Utterance &utterance : utterances) {
                for (const std::string &word : wordTexts(utterance)) {
                    learner.add(" " + word);
                }
            }
            writeFileAtomically(m_tokenizer_file,
                                learner.json(m_recipe.start.vocabulary, {std::string(TranslationFrame::kSource), std::string(TranslationFrame::kTarget),
                                                                         std::string(TranslationFrame::kEnd)}));
        }
    }
    m_tokenizer = text::LanguageTokenizer::load(m_tokenizer_file);
    m_frame = TranslationFrame::of(m_tokenizer);
    if (!m_frame) {
        throw Error(ErrorKind::Input, "the tokenizer has not the marks <|source|>, <|target|> and <|end|>", m_tokenizer_file.string(),
                    "Let the recipe learn one (\"vocabulary\")");
    }
}

void SpeechLmTrainer::makeNetwork(TrainingWatch &watch)
{
    weights::WhisperCheckpoint checkpoint = weights::readWhisperCheckpoint(m_recipe.encoder);
    if (!checkpoint.streaming || !checkpoint.adapters.names().empty()) {
        throw Error(ErrorKind::Input, "the encoder of this Whisper looks at later sound, so it cannot hear speech in segments", m_recipe.encoder.string(),
                    "Use a causal model, for example captions-en");
    }
    LanguageUse use;
    use.vocabulary = m_tokenizer->size();
    use.end = m_frame->end();
    const std::string bare = configJson(m_recipe.start.sizes, use);
    m_language_config = withTokenHeads(bare, m_recipe.token_heads.heads);
    std::vector<std::int64_t> widths = m_recipe.hidden;
    widths.push_back(m_recipe.start.sizes.width);
    const json config = {{"model_type", weights::kSpeechLm},
                         {"encoder", encoderJson(checkpoint.dims)},
                         {"adapter", {{"stack", m_recipe.stack}, {"widths", widths}}},
                         {"segment_ms", m_recipe.segment_ms},
                         {"wait_k", m_recipe.wait_k.front()},
                         {"phi", {m_recipe.phi}},
                         {"languages", m_recipe.languages},
                         {"language_model", json::parse(m_language_config)}};
    m_config = weights::parseSpeechLmConfig(config.dump(), "the recipe's sizes");
    m_config_text = config.dump(1) + "\n";
    const NetworkTypes types = typesOf(m_recipe);
    for (const std::string &name : checkpoint.tensors.names()) {
        if (name.starts_with("encoder.")) {
            m_encoder_tensors[name] = nn::tensorFrom(*checkpoint.tensors.peek(name), {});
        }
    }
    m_encoder = std::make_shared<const models::speech::WhisperSpeechEncoder>(
        std::make_shared<const models::whisper::Encoder>(checkpoint, nn::Placement{types.device, at::kFloat}),
        std::make_shared<const features::LogMel>(static_cast<int>(checkpoint.dims.n_mels)), checkpoint.dims.strides(), models::speech::segmentsOf(m_config));

    m_network = std::make_unique<LanguageNetwork>(weights::parseLmConfig(bare, {}, "the recipe's sizes"), m_recipe.seed, types);
    if (m_recipe.token_heads.heads.count > 1) {
        m_network->addTokenHeads(m_recipe.token_heads.heads);
    }
    std::map<std::string, at::Tensor> parameters;
    for (const auto &[name, value] : m_network->parameters()) {
        parameters.emplace(kLanguagePrefix + name, value);
    }
    std::int64_t in = m_recipe.stack * m_encoder->width();
    for (std::size_t layer = 0; layer < widths.size(); ++layer) {
        const std::string name = "adapter." + std::to_string(layer);
        Random random({m_recipe.seed, kAdapterStream, layer});
        at::Tensor weight = at::empty({widths[layer], in}, at::kFloat);
        const double range = 1 / std::sqrt(static_cast<double>(in));
        std::generate_n(weight.data_ptr<float>(), weight.numel(), [&] { return static_cast<float>(random.uniform(-range, range)); });
        m_adapter[name + ".weight"] = weight.to(types.device).set_requires_grad(true);
        m_adapter[name + ".bias"] = at::zeros({widths[layer]}, at::TensorOptions().device(types.device)).set_requires_grad(true);
        in = widths[layer];
    }
    parameters.insert(m_adapter.begin(), m_adapter.end());
    std::int64_t count = 0;
    for (const auto &[name, value] : parameters) {
        count += value.numel();
    }
    m_weights = std::make_unique<TrainedWeights>(parameters, m_recipe.optimizer);
    watch.notice(std::to_string(count) + " numbers to train, " + std::to_string(m_tokenizer->size()) + " tokens; the encoder stays as it is");
}

std::vector<SpeechLmTrainer::Example> SpeechLmTrainer::examplesOf(const std::vector<corpus::Utterance> &utterances, TrainingWatch &watch) const
{
    const Sample window = m_encoder->maximumFrames() * m_encoder->frameSamples();
    const Sample longest = std::min(samplesFromSeconds(m_recipe.longest_s), window);
    std::vector<Example> examples;
    std::size_t left_out = 0;
    for (std::size_t i = 0; i < utterances.size(); ++i) {
        Example example{utterances[i], {}, 0};
        corpus::Utterance &utterance = example.utterance;
        if (utterance.length == 0) {
            watch.preparing("Measuring sounds", static_cast<double>(i) / static_cast<double>(utterances.size()));
            utterance.length = static_cast<Sample>(corpus::readSound(utterance).size());
        }
        for (const std::string &word : wordTexts(utterance)) {
            example.words.tokens.push_back(m_frame->textTokens(" " + word));
            example.tokens += static_cast<std::int64_t>(example.words.tokens.back().size());
        }
        for (const corpus::TimedWord &word : utterance.words) {
            example.words.ends.push_back(word.end_sample);
        }
        example.tokens += utterance.length / (m_encoder->frameSamples() * m_recipe.stack);
        if (utterance.length <= 0 || utterance.length > longest || example.tokens > m_recipe.start.sizes.context) {
            ++left_out;
            continue;
        }
        examples.push_back(std::move(example));
    }
    watch.notice(std::to_string(examples.size()) + " utterances, " + std::to_string(left_out) + " longer or empty ones are left out");
    return examples;
}

std::vector<SequenceItem> SpeechLmTrainer::itemsOf(const std::vector<Example> &examples) const
{
    std::vector<SequenceItem> items;
    for (std::size_t i = 0; i < examples.size(); ++i) {
        items.push_back({static_cast<std::int64_t>(i), -1, examples[i].tokens});
    }
    return items;
}

void SpeechLmTrainer::planEpoch()
{
    std::vector<SequenceItem> items = itemsOf(m_examples);
    Random order({m_recipe.seed, kOrderStream, m_next.epoch});
    order.shuffle(items);
    m_plan = planBatches(std::move(items), m_recipe.batch_tokens, Random({m_recipe.seed, kBatchStream, m_next.epoch}));
}

SpeechAdapter SpeechLmTrainer::adapter(Learning learning) const
{
    const auto find = [this, learning](const std::string &name, const std::vector<std::int64_t> &) {
        const at::Tensor &parameter = m_adapter.at(name);
        return learning == Learning::Everything ? parameter : parameter.detach();
    };
    return {m_config.adapter, m_encoder->width(), models::speech::LayerSource{find, nn::WeightStorage::Floats}};
}

LanguageLoss SpeechLmTrainer::lossOf(const std::vector<Example> &examples, const std::vector<SequenceItem> &items, double label_smoothing, Learning learning,
                                     Random random, std::int64_t *tokens) const
{
    const SpeechAdapter brought = adapter(learning);
    const captions::Chunking segments = models::speech::segmentsOf(m_config);
    SpeechReading reading;
    reading.phi = m_recipe.phi;
    reading.heads = m_recipe.token_heads.heads.count;
    reading.segment_samples = segments.chunk_samples;
    std::vector<Sequence> sequences;
    std::vector<at::Tensor> rows;
    for (const SequenceItem &item : items) {
        const Example &example = examples[static_cast<std::size_t>(item.example)];
        reading.k = m_recipe.wait_k[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(m_recipe.wait_k.size())))];
        const std::vector<float> sound = corpus::readSound(example.utterance);
        at::Tensor frames;
        {
            const c10::NoGradGuard frozen;
            frames = m_encoder->whole(sound, segments);
        }
        rows.push_back(brought.filledUp(frames));
        const std::vector<std::int64_t> lengths =
            rowsOfSegments(static_cast<Sample>(sound.size()), segments.chunk_samples, m_encoder->lookAheadSamples(), segments.frame_samples, m_recipe.stack);
        if (std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0}) != rows.back().size(0)) {
            throw Error(ErrorKind::Internal, "the segments of an utterance are not the rows that its encoder gives");
        }
        sequences.push_back(speechSequence(*m_frame, lengths, example.words, reading));
    }
    const NetworkTypes &types = m_network->types();
    LanguageBatch batch = makeBatch(sequences, types.device);
    const models::lm::DecoderLm model = m_network->model(learning);
    const at::Tensor places = batch.tokens.eq(kSpeechRow).view({-1}).nonzero().squeeze(1);
    const at::Tensor embedded = model.weights().embedded(batch.tokens.clamp_min(0));
    batch.embedded = embedded.view({-1, embedded.size(2)}).index_copy(0, places, at::cat(rows).to(embedded.scalar_type())).view(embedded.sizes());
    if (tokens != nullptr) {
        *tokens = batch.token_count;
    }
    return computeLoss(model, batch, label_smoothing, m_recipe.token_heads.shares);
}

SpeechLmTrainer::Step SpeechLmTrainer::step()
{
    Step step;
    step.rate = m_schedule.rate(m_progress);
    const Learning learning = m_progress.steps < m_recipe.token_heads.alone_steps ? Learning::HeadsAlone : Learning::Everything;
    std::int64_t tokens = 0;
    LanguageLoss loss = lossOf(m_examples, m_plan[m_next.number], m_recipe.label_smoothing, learning,
                               Random({m_recipe.seed, kDrawStream, m_next.epoch, m_next.number}), &tokens);
    if (loss.total.requires_grad()) {
        loss.total.backward();
    }
    loss.total.reset();
    step.losses = {{"text", loss.text}};
    for (std::size_t head = 0; head < loss.later.size(); ++head) {
        step.losses.push_back({"head " + std::to_string(head + 2), loss.later[head]});
    }
    step.tokens = loss.tokens;
    step.correct_tokens = loss.correct;
    step.amount = static_cast<double>(tokens);
    step.norm = m_weights->step(step.rate, m_progress.steps);
    step.ends_epoch = m_next.number + 1 == m_plan.size();
    ++m_progress.steps;
    if (step.ends_epoch) {
        ++m_progress.epochs;
        m_next = {m_next.epoch + 1, 0};
        planEpoch();
    } else {
        ++m_next.number;
    }
    return step;
}

ValidationReport SpeechLmTrainer::validate()
{
    ValidationReport report;
    double loss = 0;
    double of_all_heads = 0;
    double weight = 0;
    double tokens = 0;
    double correct = 0;
    m_weights->withAverage([&] {
        const c10::NoGradGuard no_gradients;
        const auto batches = planBatches(itemsOf(m_validation), m_recipe.batch_tokens, Random({m_recipe.seed}));
        for (std::size_t number = 0; number < batches.size(); ++number) {
            const LanguageLoss of_batch =
                lossOf(m_validation, batches[number], 0, Learning::Everything, Random({m_recipe.seed, kDrawStream, kValidationEpoch, number}), nullptr);
            loss += of_batch.text * of_batch.weight;
            of_all_heads += of_batch.weighted * of_batch.weight;
            weight += of_batch.weight;
            tokens += of_batch.tokens;
            correct += of_batch.correct;
            report.examples += static_cast<std::int64_t>(batches[number].size());
        }
    });
    report.text_loss = weight > 0 ? loss / weight : 0;
    report.token_accuracy = tokens > 0 ? correct / tokens : 0;
    report.is_best = m_schedule.judge(m_progress, weight > 0 ? of_all_heads / weight : 0);
    return report;
}

Checkpoint SpeechLmTrainer::checkpoint() const
{
    Checkpoint checkpoint;
    checkpoint.progress = m_progress;
    checkpoint.next = m_next;
    checkpoint.recipe_key = m_recipe_key;
    m_weights->save(checkpoint);
    return checkpoint;
}

void SpeechLmTrainer::restore(const Checkpoint &checkpoint, TrainingWatch &)
{
    m_weights->restore(checkpoint);
    m_progress = checkpoint.progress;
    m_next = checkpoint.next;
    planEpoch();
    if (m_next.number >= m_plan.size()) {
        throw Error(ErrorKind::Input, "the checkpoint stands behind the last batch of its epoch", {}, "The recipe or its speech have changed; begin a new run");
    }
}

void SpeechLmTrainer::writeModel(const fs::path &folder) const
{
    std::error_code problem;
    fs::create_directories(folder, problem);
    if (problem) {
        throw Error(ErrorKind::Storage, "the folder cannot be made (" + problem.message() + ")", folder.string());
    }
    writeFileAtomically(folder / "config.json", m_config_text);
    writeFileAtomically(folder / "tokenizer.json", readTextFile(m_tokenizer_file));
    std::map<std::string, at::Tensor> tensors = m_encoder_tensors;
    tensors.insert(m_weights->best().begin(), m_weights->best().end());
    writeTensors(folder / "model.safetensors", tensors, m_recipe.export_type == "float16" ? at::kHalf : at::kFloat);
}

}  // namespace braid::train
