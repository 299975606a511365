// Any bytes as a GGUF file: its values, a language model's tensors and its tokenizer are read, or refused with an Error.
#include <cstddef>
#include <cstdint>
#include <fstream>

#include "core/text/gguf_vocabulary.h"
#include "core/weights/blocks.h"
#include "core/weights/gguf_lm.h"
#include "tests/fuzz/attempt.h"
#include "tests/fuzz/fuzz_folder.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    using namespace braid;
    const auto path = fuzz::folder() / "fuzz.gguf";
    std::ofstream(path, std::ios::binary | std::ios::trunc).write(reinterpret_cast<const char *>(data), static_cast<std::streamsize>(size));
    fuzz::attempt([&] {
        const weights::GgufFile file(path);
        fuzz::attempt([&] {
            auto checkpoint = weights::readGgufLanguageModel(file);
            for (const auto &name : checkpoint.tensors.names()) {
                const auto tensor = checkpoint.tensors.take(name);
                if (weights::isBlocks(tensor.dtype)) {
                    std::vector<float> numbers(static_cast<std::size_t>(tensor.elementCount()));
                    weights::dequantise(tensor.dtype, tensor.bytes, numbers);
                }
            }
        });
        text::GgufVocabulary vocabulary;
        vocabulary.model = file.text("tokenizer.ggml.model").value_or("gpt2");
        vocabulary.splitting = file.text("tokenizer.ggml.pre").value_or("gpt-2");
        const auto &tokens = file.texts("tokenizer.ggml.tokens");
        const auto &merges = file.texts("tokenizer.ggml.merges");
        vocabulary.tokens.assign(tokens.begin(), tokens.end());
        vocabulary.merges.assign(merges.begin(), merges.end());
        for (const double score : file.numbers("tokenizer.ggml.scores")) {
            vocabulary.scores.push_back(static_cast<float>(score));
        }
        const auto tokenizer = text::makeTokenizer(vocabulary, "fuzz");
        (void)tokenizer->decode(tokenizer->encode("a b\xC3\xA9 12"));
    });
    return 0;
}
