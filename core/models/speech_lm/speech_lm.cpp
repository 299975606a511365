#include "core/models/speech_lm/speech_lm.h"

#include <utility>

#include "core/base/error.h"
#include "core/model_access/model_files.h"
#include "core/models/decoder_lm/lm_texts.h"
#include "core/models/speech_encoders/layer_source.h"
#include "core/models/speech_encoders/speech_adapter.h"
#include "core/models/speech_encoders/whisper_speech_encoder.h"
#include "core/models/torch_errors.h"
#include "core/text/translation_frame.h"

namespace braid::models::speech {

captions::Chunking segmentsOf(const weights::SpeechLmConfig &config)
{
    captions::Chunking chunking;
    chunking.frame_samples = samplesFromMs(config.frameMs());
    chunking.first_samples = chunking.chunk_samples = samplesFromMs(config.segment_ms);
    return chunking;
}

std::shared_ptr<const SpeechLm> loadSpeechLm(const std::filesystem::path &folder, const nn::Placement &placement, const lm::LoadWatch &watch)
{
    weights::SpeechLmCheckpoint checkpoint = weights::readSpeechLm(folder);
    const weights::SpeechLmConfig config = checkpoint.config;
    const auto tokenizer = lm::tokenizerOf(folder);
    if (tokenizer->size() > config.language_model.vocabulary) {
        throw Error(ErrorKind::Model, "its tokenizer has tokens that the model does not have", folder.string(), "The tokenizer belongs to another model");
    }
    if (!text::TranslationFrame::of(tokenizer)) {
        throw Error(ErrorKind::Model, "its tokenizer lacks the marks around speech and text: <|source|>, <|target|>, <|end|>", folder.string(),
                    "The tokenizer belongs to another model");
    }
    return withPlainErrors([&] {
        const auto whisper = std::make_shared<const whisper::Encoder>(checkpoint.encoder, placement, watch);
        checkpoint.encoder.tensors.requireAllTaken();
        const auto mel = std::make_shared<const features::LogMel>(static_cast<int>(config.encoder.n_mels));
        auto encoder = std::make_shared<const WhisperSpeechEncoder>(whisper, mel, config.encoder.strides(), segmentsOf(config));
        auto adapted = withAdapter(std::move(encoder), config.adapter, takingFrom(checkpoint.adapter, placement));
        checkpoint.adapter.requireAllTaken();
        LanguageModelSummary summary;
        summary.name = modelName(folder);
        summary.path = folder;
        summary.layers = config.language_model.layers;
        summary.heads = config.language_model.heads;
        summary.context = config.language_model.context;
        summary.token_heads = config.language_model.token_heads.count;
        auto language_model =
            std::make_shared<const lm::LoadedLm>(lm::LoadedLm{lm::DecoderLm(checkpoint.language_model, placement, watch), tokenizer, std::move(summary)});
        return std::make_shared<const SpeechLm>(SpeechLm{config, std::move(adapted), std::move(language_model)});
    });
}

}  // namespace braid::models::speech
