// A language a tiny model learns in seconds: every word is a tone of its own, 240 ms long, with pauses between. Sound files, a manifest
// with word times, and a recipe that trains on them, in a folder made for a test.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/audio/wav_header.h"
#include "core/base/sample_clock.h"
#include "lab/corpus/manifest.h"

namespace braid::test {

inline void writeWave(const std::filesystem::path &path, const std::vector<std::int16_t> &sound)
{
    std::ofstream file(path, std::ios::binary);
    const auto bytes = sound.size() * 2;
    const auto header = audio::wavHeader(bytes);
    file.write(header.data(), header.size());
    file.write(reinterpret_cast<const char *>(sound.data()), static_cast<std::streamsize>(bytes));
}

// Speaks `words` ("a", "b", "c", "d") from `lead_ms` on. Gives the utterance, its sound written to `path`.
inline corpus::Utterance speakTones(const std::filesystem::path &path, const std::vector<std::string> &words, int lead_ms = 120)
{
    constexpr Sample kWord = samplesFromMs(240);
    constexpr Sample kPause = samplesFromMs(120);
    corpus::Utterance utterance;
    utterance.sound = path;
    utterance.source = "tones";
    std::vector<std::int16_t> sound(static_cast<std::size_t>(samplesFromMs(lead_ms)), 0);
    for (const std::string &word : words) {
        const double hz = 300.0 * (1 + word[0] - 'a') + 200;
        const auto start = static_cast<Sample>(sound.size());
        for (Sample i = 0; i < kWord; ++i) {
            const double envelope = std::sin(std::numbers::pi * static_cast<double>(i) / kWord);
            sound.push_back(static_cast<std::int16_t>(12000 * envelope * std::sin(2 * std::numbers::pi * hz * static_cast<double>(i) / kSampleRateHz)));
        }
        utterance.text += (utterance.text.empty() ? "" : " ") + word;
        utterance.words.push_back({word, start, start + kWord});
        sound.resize(sound.size() + static_cast<std::size_t>(kPause), 0);
    }
    utterance.length = static_cast<Sample>(sound.size());
    writeWave(path, sound);
    return utterance;
}

// `folder`/tones.jsonl with `sentences` and their sounds.
inline std::filesystem::path writeToneCorpus(const std::filesystem::path &folder, const std::vector<std::vector<std::string>> &sentences)
{
    std::filesystem::create_directories(folder);
    const auto manifest = folder / "tones.jsonl";
    corpus::ManifestWriter writer(manifest, corpus::ManifestOpening::Replace);
    for (std::size_t i = 0; i < sentences.size(); ++i) {
        writer.append(speakTones(folder / ("tones" + std::to_string(i) + ".wav"), sentences[i]));
    }
    return manifest;
}

// A recipe over that manifest, which a test then changes.
inline nlohmann::json toneRecipe(const std::filesystem::path &folder, const std::filesystem::path &start_model)
{
    return {{"about", "tones"},
            {"seed", 5},
            {"device", "cpu"},
            {"threads", 1},
            {"cache", (folder / "cache").string()},
            {"start", {{"model", start_model.string()}}},
            {"chunks", {{"first_ms", 120}, {"chunk_ms", {80, 120, 200}}}},
            {"points", {{"fraction", 0.3}, {"least", 1}, {"most", 2}}},
            {"corpora", {{{"manifest", (folder / "tones.jsonl").string()}}}},
            {"windows", {{"longest_s", 2.4}, {"batch_s", 20}, {"join", 0}, {"cut", 0}, {"silence", 0}, {"lead", 0}}},
            {"losses", {{"text", 1}}},
            {"optimizer", {{"kind", "adamw"}, {"learning_rate", 0.003}, {"weight_decay", 0}, {"clip", 1}}},
            {"schedule", {{"kind", "steps"}, {"steps", 12}}},
            {"export", {{"number_type", "float32"}, {"default_chunk_ms", 120}}}};
}

}  // namespace braid::test
