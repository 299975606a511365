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

SpeechLmTrainer::SpeechLmTrainer(const SpeechLmRecipe &recipe, const fs::path &out, TrainingWatch &watch, std::shared_ptr<World> world)
    : LanguageLearner(recipe, recipe.token_heads, std::move(world))
    , m_recipe(recipe)
{
    const std::vector<corpus::Utterance> utterances = readAll(m_recipe.corpora, watch);
    chooseTokenizer(out, utterances, watch);
    const std::map<std::string, at::Tensor> parameters = makeNetwork(watch);
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
    begin(parameters);
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

std::map<std::string, at::Tensor> SpeechLmTrainer::makeNetwork(TrainingWatch &watch)
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
    watch.notice(std::to_string(count) + " numbers to train, " + std::to_string(m_tokenizer->size()) + " tokens; the encoder stays as it is");
    return parameters;
}

std::vector<SequenceItem> SpeechLmTrainer::itemsOf(const std::vector<Example> &examples)
{
    std::vector<SequenceItem> items;
    for (std::size_t i = 0; i < examples.size(); ++i) {
        items.push_back({static_cast<std::int64_t>(i), -1, examples[i].tokens});
    }
    return items;
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

SpeechLmTrainer::Plan SpeechLmTrainer::plan(std::uint64_t epoch) const
{
    std::vector<SequenceItem> items = itemsOf(m_examples);
    Random order({m_recipe.seed, kOrderStream, epoch});
    order.shuffle(items);
    return planBatches(std::move(items), m_recipe.batch_tokens, Random({m_recipe.seed, kBatchStream, epoch}));
}

SpeechLmTrainer::Plan SpeechLmTrainer::validationPlan() const
{
    return planBatches(itemsOf(m_validation), m_recipe.batch_tokens, Random({m_recipe.seed}));
}

SpeechAdapter SpeechLmTrainer::adapter(Learning learning) const
{
    const auto find = [this, learning](const std::string &name, const std::vector<std::int64_t> &) {
        const at::Tensor &parameter = m_adapter.at(name);
        return learning == Learning::Everything ? parameter : parameter.detach();
    };
    return {m_config.adapter, m_encoder->width(), models::speech::LayerSource{find, nn::WeightStorage::Floats}};
}

SpeechLmTrainer::BatchLoss SpeechLmTrainer::lossOf(const PlannedRows &rows, Learning learning, Purpose purpose) const
{
    const bool is_training = purpose == Purpose::Training;
    const std::vector<Example> &examples = is_training ? m_examples : m_validation;
    Random random({m_recipe.seed, kDrawStream, rows.epoch, rows.number});
    const SpeechAdapter brought = adapter(learning);
    const captions::Chunking segments = models::speech::segmentsOf(m_config);
    SpeechReading reading;
    reading.phi = m_recipe.phi;
    reading.heads = m_recipe.token_heads.heads.count;
    reading.segment_samples = segments.chunk_samples;
    std::vector<Sequence> sequences;
    std::vector<at::Tensor> sounds;
    for (std::size_t row = 0; row < rows.items.size(); ++row) {
        // Drawn for the rows of other processes, too: which k an utterance has does not depend on how many there are.
        reading.k = m_recipe.wait_k[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(m_recipe.wait_k.size())))];
        if (row % rows.every != rows.first) {
            continue;
        }
        const Example &example = examples[static_cast<std::size_t>(rows.items[row].example)];
        const std::vector<float> sound = corpus::readSound(example.utterance);
        at::Tensor frames;
        {
            const c10::NoGradGuard frozen;
            frames = m_encoder->whole(sound, segments);
        }
        sounds.push_back(brought.filledUp(frames));
        const std::vector<std::int64_t> lengths =
            rowsOfSegments(static_cast<Sample>(sound.size()), segments.chunk_samples, m_encoder->lookAheadSamples(), segments.frame_samples, m_recipe.stack);
        if (std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0}) != sounds.back().size(0)) {
            throw Error(ErrorKind::Internal, "the segments of an utterance are not the rows that its encoder gives");
        }
        sequences.push_back(speechSequence(*m_frame, lengths, example.words, reading));
    }
    const NetworkTypes &types = m_network->types();
    LanguageBatch batch = makeBatch(sequences, types.device);
    const models::lm::DecoderLm model = m_network->model(learning);
    const at::Tensor places = batch.tokens.eq(kSpeechRow).view({-1}).nonzero().squeeze(1);
    const at::Tensor embedded = model.weights().embedded(batch.tokens.clamp_min(0));
    batch.embedded = embedded.view({-1, embedded.size(2)}).index_copy(0, places, at::cat(sounds).to(embedded.scalar_type())).view(embedded.sizes());
    return {computeLoss(model, batch, is_training ? m_recipe.label_smoothing : 0, heads().shares), batch.token_count};
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
    tensors.insert(weights().best().begin(), weights().best().end());
    writeTensors(folder / "model.safetensors", tensors, m_recipe.export_type == "float16" ? at::kHalf : at::kFloat);
}

}  // namespace braid::train
