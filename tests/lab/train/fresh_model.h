// A fresh small Whisper, as a recipe "from scratch" makes it, written as a folder to start from.
#pragma once

#include <filesystem>
#include <fstream>

#include "lab/train/model_folder.h"
#include "lab/train/network.h"
#include "tests/support/small_whisper_folder.h"

namespace braid::test {

inline void writeFreshModel(const std::filesystem::path &folder)
{
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "tokenizer.json") << byteTokenizerJson();
    train::ModelDescription description;
    description.dims = smallDims();
    description.tokenizer = folder / "tokenizer.json";
    description.first_chunk_ms = 120;
    description.chunk_ms_min = 80;
    description.default_chunk_ms = 120;
    description.chunk_ms_max = 200;
    train::writeModelFolder(folder, description, train::Network(description.dims, 3, {}).parameters(), at::kFloat);
}

}  // namespace braid::test
