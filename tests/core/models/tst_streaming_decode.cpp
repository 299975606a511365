// The streaming decoders over the real recogniser: after every chunk the same tokens as the slow, obvious reference programs over slow, obvious
// Whisper, greedy and beam, for the paper's rule and both released versions. Small random weights with adapters, both frame lengths.
#include <QtTest>

#include <cstring>
#include <filesystem>
#include <map>

#include <QTemporaryDir>

#include "core/captions/streaming_beam.h"
#include "core/captions/streaming_greedy.h"
#include "core/models/whisper/whisper_streaming_recognizer.h"
#include "tests/core/captions/reference_decoders.h"
#include "tests/support/slow_whisper.h"
#include "tests/support/small_whisper_folder.h"
#include "tests/support/strides.h"

using namespace braid;
using captions::StabilityRule;
using test::shown;
using test::Tokens;
using test::withPrompt;

namespace {

constexpr std::int32_t kEnd = 256;
constexpr std::int32_t kSpace = 32;
constexpr std::int32_t kFirstSpecial = 257;

weights::WhisperDims dimsOf(int stride)
{
    weights::WhisperDims dims = test::smallDims();
    dims.n_mels = 20;
    dims.n_audio_ctx = stride == 1 ? 160 : 80;
    dims.n_text_ctx = 60;
    test::setStrides(dims, stride);
    return dims;
}

void scale(weights::TensorStore &tensors, const char *name, float factor, std::size_t begin, std::size_t count)
{
    weights::StoredTensor tensor = *tensors.peek(name);
    auto values = std::make_shared<std::vector<float>>(tensor.bytes.size() / sizeof(float));
    std::memcpy(values->data(), tensor.bytes.data(), tensor.bytes.size());
    for (std::size_t i = begin; i < begin + count; ++i) {
        (*values)[i] *= factor;
    }
    tensor.bytes = std::as_bytes(std::span(*values));
    tensor.owner = values;
    tensors.remove(name);
    tensors.add(name, tensor);
}

weights::WhisperCheckpoint weightsOf(int stride, int seed)
{
    test::HashedWhisper weights("decode" + std::to_string(seed) + "/", dimsOf(stride));
    for (const char *name : {"encoder.blocks.0.attn.query", "encoder.blocks.1.attn.value", "decoder.blocks.0.attn.out", "decoder.blocks.2.cross_attn.value",
                             "decoder.blocks.1.cross_attn.query"}) {
        weights.addAdapter(name, 3);
    }
    weights.checkpoint().streaming.emplace();
    weights.checkpoint().alignment_heads = {{1, 0}, {2, 1}};
    weights::WhisperCheckpoint checkpoint = weights.take();
    // Hashed weights hardly ever end, and hardly listen: a longer row for the end token makes it come up now and then, louder
    // cross-attention makes the words change with the sound.
    scale(checkpoint.tensors, "decoder.token_embedding.weight", 1.6f, kEnd * 24, 24);
    for (const char *name : {"decoder.blocks.0.cross_attn.out.weight", "decoder.blocks.1.cross_attn.out.weight", "decoder.blocks.2.cross_attn.out.weight"}) {
        scale(checkpoint.tensors, name, 4.0f, 0, 24 * 24);
    }
    return checkpoint;
}

}  // namespace

class tst_streaming_decode : public QObject {
    Q_OBJECT

    QTemporaryDir m_place;
    std::shared_ptr<const text::WhisperTokenizer> m_tokenizer;
    int m_ended = 0;
    int m_changed = 0;

  private Q_SLOTS:
    void initTestCase()
    {
        const std::filesystem::path folder(m_place.path().toStdString());
        test::writeSmallWhisperFolder(folder);
        m_tokenizer = text::WhisperTokenizer::load(folder / "tokenizer.json", 260);
    }

    void tokensAfterEveryChunkAreTheReferences_data()
    {
        QTest::addColumn<int>("rule");
        QTest::addColumn<int>("beam");
        QTest::addColumn<int>("stride");
        for (const auto &[name, rule] :
             {std::pair{"paper", StabilityRule::Paper}, {"released v1", StabilityRule::ReleasedV1}, {"released v2", StabilityRule::ReleasedV2}}) {
            for (const int beam : {1, 3}) {
                for (const int stride : {1, 2, 4}) {
                    QTest::addRow("%s, beam %d, stride %d", name, beam, stride) << static_cast<int>(rule) << beam << stride;
                }
            }
        }
    }

    void tokensAfterEveryChunkAreTheReferences()
    {
        QFETCH(const int, rule);
        QFETCH(const int, beam);
        QFETCH(const int, stride);
        const c10::InferenceMode inference;
        for (int seed = 1; seed <= 3; ++seed) {
            const test::SlowWhisper slow(weightsOf(stride, seed), test::Adapters::On);
            const auto model = std::make_shared<models::whisper::Model>(weightsOf(stride, seed), m_tokenizer, nn::Placement{});
            models::CaptionOptions options;
            options.stability = static_cast<StabilityRule>(rule);
            models::whisper::WhisperStreamingRecognizer recognizer(model, options);
            const captions::Chunking chunking{test::frameSamplesOf(stride), samplesFromMs(400), samplesFromMs(300)};
            const std::vector<float> sound = test::hashedSound(32000);
            const at::Tensor mel = models::whisper::melTensor(models::whisper::melOfWhole(model->logMel(), chunking, test::stridesOf(stride), sound).mel);
            recognizer.begin(chunking, 0);
            recognizer.addSound(sound);

            test::ReferenceSettings settings;
            settings.rule = options.stability;
            settings.beam = beam;
            settings.prompt = recognizer.prompt("");
            settings.end_token = recognizer.endToken();
            settings.blank_tokens = {kSpace};
            settings.most_calls = 6;
            settings.most_tokens = static_cast<std::size_t>(recognizer.maximumTokens());
            QCOMPARE(settings.end_token, kEnd);

            std::map<std::int64_t, at::Tensor> encoded;
            std::map<std::pair<Tokens, std::int64_t>, std::vector<float>> known;
            const test::LogitsFunction logits = [&](const Tokens &row, std::int64_t frames) {
                std::vector<float> &answer = known[{row, frames}];
                if (answer.empty()) {
                    at::Tensor &heard = encoded[frames];
                    if (!heard.defined()) {
                        heard = slow.encode(mel, test::SlowWhisper::maskOf(chunking, frames));
                    }
                    const at::Tensor last = slow.logits(row, heard).select(0, static_cast<std::int64_t>(row.size()) - 1).contiguous();
                    answer.assign(last.data_ptr<float>(), last.data_ptr<float>() + last.numel());
                    std::fill(answer.begin() + kFirstSpecial, answer.end(), -std::numeric_limits<float>::infinity());
                }
                return answer;
            };
            test::ReferenceGreedy reference_greedy(logits, settings);
            test::ReferenceBeam reference_beam(logits, settings);
            captions::StreamingDecoderOptions decoder_options;
            decoder_options.stability = options.stability;
            decoder_options.beam_size = beam;
            decoder_options.look_back_tokens = settings.look_back;
            captions::StreamingGreedy greedy(decoder_options);
            captions::StreamingBeam by_beam(decoder_options);
            captions::StreamingDecoder &decoder = beam == 1 ? static_cast<captions::StreamingDecoder &>(greedy) : by_beam;
            decoder.begin(settings.prompt, {});
            captions::DecodeLimits limits;
            limits.most_calls = settings.most_calls;
            limits.most_tokens = settings.most_tokens;

            Tokens before;
            std::vector<std::int64_t> written_at;  // frames there were when each token of the reference's row was written (Algorithm 4)
            int chunks = 0;
            for (; recognizer.blocksReady() > 0; ++chunks) {
                recognizer.encodeBlock();
                m_ended += decoder.decode(recognizer, limits) == captions::ChunkEnd::EndToken ? 1 : 0;
                const Tokens expected = beam == 1 ? reference_greedy.chunk(recognizer.frames()) : reference_beam.chunk(recognizer.frames());
                // The released greedy programs may take back the prompt's end itself.
                const Tokens found = beam == 1 ? withPrompt({}, greedy.row()) : withPrompt(settings.prompt, decoder.text());
                QVERIFY2(found == expected,
                         qPrintable(QString("model %1, chunk %2:\nexpected %3\nfound    %4").arg(seed).arg(chunks).arg(shown(expected), shown(found))));
                m_changed += !before.empty() && !std::equal(before.begin(), before.end(), found.begin(),
                                                            found.begin() + static_cast<std::ptrdiff_t>(std::min(before.size(), found.size())))
                                 ? 1
                                 : 0;
                if (options.stability == StabilityRule::Paper && beam == 1) {
                    const auto kept = std::mismatch(before.begin(), before.end(), expected.begin(), expected.end()).first - before.begin();
                    written_at.resize(static_cast<std::size_t>(kept));
                    written_at.resize(expected.size(), recognizer.frames());
                    const auto text = decoder.text();
                    for (std::size_t i = 0; i < text.size(); ++i) {
                        QCOMPARE(text[i].seen_frames, written_at[settings.prompt.size() + i]);
                    }
                }
                before = found;
            }
            QVERIFY(chunks >= 5);
        }
    }

    // The comparison is worth something only where rows end and change.
    void cleanupTestCase() { QVERIFY2(m_ended > 20 && m_changed > 20, qPrintable(QString("%1 ended, %2 changed").arg(m_ended).arg(m_changed))); }
};

QTEST_GUILESS_MAIN(tst_streaming_decode)
#include "tst_streaming_decode.moc"
