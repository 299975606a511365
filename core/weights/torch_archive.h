// What torch.save writes (since PyTorch 1.6): a zip of data.pkl and one entry of raw bytes per storage. Names in the pickle that build
// tensors are understood; all others stay names, nothing is called (pickle_reader.h). Tensors come out contiguous: views into the
// file where they lie so, copies where strides, offsets or odd addresses ask for it.
// Errors: Error(Model), with a plain sentence for the older formats. Thread: one at a time.
// Source: PyTorch torch/_utils.py (_rebuild_tensor_v2, _rebuild_parameter), torch/serialization.py (_save).
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "core/weights/pickle_reader.h"
#include "core/weights/tensor_store.h"
#include "core/weights/zip_archive.h"

namespace braid::weights {

class TorchArchive {
  public:
    explicit TorchArchive(const std::filesystem::path &path);
    // From memory, for tests and fuzzers; `owner` keeps `bytes` alive.
    TorchArchive(std::span<const std::byte> bytes, std::shared_ptr<const void> owner, std::string where);

    // Valid as long as the archive.
    [[nodiscard]] PickleValue root() const { return m_document->root(); }
    [[nodiscard]] const std::string &where() const noexcept { return m_where; }

    [[nodiscard]] static bool isTensor(const PickleValue &value);
    // `name`: for error sentences. Throws where `value` is no tensor, or one of a kind that is not read (sparse, quantised, expanded).
    [[nodiscard]] StoredTensor tensor(const PickleValue &value, const std::string &name);
    // All tensors of a state_dict; entries that are no tensors are errors.
    [[nodiscard]] TensorStore stateDict(const PickleValue &value);

  private:
    struct Storage {
        DType dtype;
        std::span<const std::byte> bytes;  // exactly its elements
        std::shared_ptr<const void> owner;
    };
    void open();
    [[nodiscard]] Storage storage(const PickleValue &value, const std::string &name);
    // Of the zip; each is unpacked once, however many tensors share it, and all together stay in proportion to the file.
    [[nodiscard]] const ZipArchive::Content &storageContent(const std::string &entry);

    std::span<const std::byte> m_bytes;
    std::shared_ptr<const void> m_owner;
    std::string m_where;
    std::unique_ptr<ZipArchive> m_zip;
    std::unique_ptr<PickleDocument> m_document;
    std::string m_folder;                                   // of the entries in the zip: "archive/"
    std::map<std::string, ZipArchive::Content> m_storages;  // those that were asked for
    std::uint64_t m_unpacked_bytes = 0;
    std::uint64_t m_copied_bytes = 0;  // by tensors that had to be copied
};

}  // namespace braid::weights
