#include "lab/train/careless_file.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "lab/train/tensor_files.h"

namespace braid::train {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kMostBytes = 0xFFFFFFFFu;
constexpr std::size_t kStorageAlignment = 64;  // as torch.save aligns its storages

std::uint32_t crcOf(std::span<const std::byte> bytes)
{
    static constexpr auto kTable = [] {
        std::array<std::uint32_t, 256> table{};
        for (std::uint32_t i = 0; i < 256; ++i) {
            std::uint32_t value = i;
            for (int bit = 0; bit < 8; ++bit) {
                value = (value >> 1) ^ ((value & 1) != 0 ? 0xEDB88320u : 0u);
            }
            table[i] = value;
        }
        return table;
    }();
    std::uint32_t crc = 0xFFFFFFFFu;
    for (const std::byte byte : bytes) {
        crc = kTable[(crc ^ std::to_integer<std::uint32_t>(byte)) & 255] ^ (crc >> 8);
    }
    return ~crc;
}

// A zip of stored entries, written as it comes.
class ZipWriter {
  public:
    explicit ZipWriter(const fs::path &path)
        : m_path(path)
        , m_file(path, std::ios::binary)
    {
    }
    void add(const std::string &name, std::span<const std::byte> bytes)
    {
        const std::uint64_t offset = m_written;
        if (offset + bytes.size() + 2 * kStorageAlignment > kMostBytes) {
            throw Error(ErrorKind::Storage, "the model is larger than 4 GB, which this layout cannot hold", m_path.string(), "Export it as float16");
        }
        // An extra field fills up to the alignment ("FB", as torch.save's own).
        const std::size_t missing = (kStorageAlignment - (offset + 30 + name.size() + 4) % kStorageAlignment) % kStorageAlignment;
        const std::string extra = "FB" + number(missing, 2) + std::string(missing, 'Z');
        const std::string facts = number(crcOf(bytes), 4) + number(bytes.size(), 4) + number(bytes.size(), 4) + number(name.size(), 2);
        const std::string version_and_method = number(20, 2) + number(0, 2) + number(0, 2) + number(0, 2) + number(0x21, 2);
        put("PK\x03\x04" + version_and_method + facts + number(extra.size(), 2) + name + extra);
        // No extra field, comment, further disk or attributes.
        m_directory += "PK\x01\x02" + number(20, 2) + version_and_method + facts + std::string(12, '\0') + number(offset, 4) + name;
        ++m_entries;
        m_file.write(reinterpret_cast<const char *>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
        m_written += bytes.size();
    }
    void finish()
    {
        const std::uint64_t start = m_written;
        put(m_directory);
        put("PK\x05\x06" + number(0, 4) + number(m_entries, 2) + number(m_entries, 2) + number(m_directory.size(), 4) + number(start, 4) + number(0, 2));
        m_file.close();
        if (!m_file) {
            throw Error(ErrorKind::Storage, std::string("the model cannot be written (") + std::strerror(errno) + ")", m_path.string());
        }
    }

  private:
    static std::string number(std::uint64_t value, int bytes)
    {
        std::string out;
        for (int i = 0; i < bytes; ++i) {
            out.push_back(static_cast<char>(value >> (8 * i) & 255));
        }
        return out;
    }
    void put(const std::string &bytes)
    {
        m_file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        m_written += bytes.size();
    }

    fs::path m_path;
    std::ofstream m_file;
    std::uint64_t m_written = 0;
    std::uint64_t m_entries = 0;
    std::string m_directory;
};

// The few opcodes of pickle protocol 2 that a state_dict needs.
class Pickle {
  public:
    Pickle() { m_bytes = "\x80\x02"; }
    void beginDict() { m_bytes += "}("; }
    void endDict() { m_bytes += "u"; }
    void beginTuple() { m_bytes += "("; }
    void endTuple() { m_bytes += "t"; }
    void text(std::string_view value)
    {
        m_bytes += 'X';
        word(static_cast<std::uint32_t>(value.size()));
        m_bytes += value;
    }
    void number(std::int64_t value)
    {
        if (value >= INT32_MIN && value <= INT32_MAX) {
            m_bytes += 'J';
            word(static_cast<std::uint32_t>(value));
            return;
        }
        m_bytes += "\x8a\x08";  // LONG1 of eight bytes
        word(static_cast<std::uint32_t>(value));
        word(static_cast<std::uint32_t>(value >> 32));
    }
    void global(const char *module, const char *name) { m_bytes += std::string("c") + module + "\n" + name + "\n"; }
    void tensor(const weights::StoredTensor &tensor, const std::string &key)
    {
        global("torch._utils", "_rebuild_tensor_v2");
        beginTuple();
        beginTuple();
        text("storage");
        global("torch", tensor.dtype == weights::DType::Float16 ? "HalfStorage" : "FloatStorage");
        text(key);
        text("cpu");
        number(tensor.elementCount());
        endTuple();
        m_bytes += "Q";
        number(0);
        beginTuple();
        for (const std::int64_t size : tensor.shape) {
            number(size);
        }
        endTuple();
        beginTuple();
        std::int64_t stride = tensor.elementCount();
        for (const std::int64_t size : tensor.shape) {
            stride /= std::max<std::int64_t>(1, size);
            number(stride);
        }
        endTuple();
        m_bytes += "\x89";
        global("collections", "OrderedDict");
        m_bytes += ")R";
        endTuple();
        m_bytes += "R";
    }
    [[nodiscard]] std::string finish() { return m_bytes + "."; }

  private:
    void word(std::uint32_t value)
    {
        for (int i = 0; i < 4; ++i) {
            m_bytes.push_back(static_cast<char>(value >> (8 * i) & 255));
        }
    }
    std::string m_bytes;
};

std::span<const std::byte> bytesOf(const std::string &text)
{
    return std::as_bytes(std::span(text));
}

}  // namespace

bool carelessLayoutFits(const weights::WhisperDims &dims) noexcept
{
    const auto usual = [](std::int64_t inner, std::int64_t state) { return inner == 0 || inner == 4 * state; };
    return dims.strides() == weights::ConvStrides() && usual(dims.n_audio_mlp, dims.n_audio_state) && usual(dims.n_text_mlp, dims.n_text_state);
}

std::string carelessNameOf(std::string_view name)
{
    const bool is_projection = name.find("attn.") != name.npos;
    const auto dot = name.rfind('.');
    if (!is_projection || dot == name.npos) {
        return std::string(name);
    }
    const std::string_view end = name.substr(dot + 1);
    return std::string(name.substr(0, dot)) + (end.starts_with("lora_") ? ".lora_layer." : ".base_layer.") + std::string(end);
}

std::map<std::string, at::Tensor> mergedAdapters(const std::map<std::string, at::Tensor> &parameters)
{
    std::map<std::string, at::Tensor> out;
    for (const auto &[name, value] : parameters) {
        if (name.find(".lora_") != name.npos) {
            continue;
        }
        const std::string layer = name.substr(0, name.rfind('.'));
        const auto a = parameters.find(layer + ".lora_A");
        const bool is_adapted = a != parameters.end() && name.ends_with(".weight");
        out.emplace(name, is_adapted ? value.detach() + at::matmul(a->second.detach(), parameters.at(layer + ".lora_B").detach()).t() : value.detach());
    }
    return out;
}

void writeCarelessFile(const fs::path &path, const ModelDescription &description, std::int64_t rank, const std::map<std::string, at::Tensor> &parameters,
                       at::ScalarType type)
{
    const weights::WhisperDims &dims = description.dims;
    if (!carelessLayoutFits(dims)) {
        throw Error(ErrorKind::Usage, "CarelessWhisper's layout holds only models of OpenAI's own shapes", path.string());
    }
    Pickle pickle;
    pickle.beginDict();
    const auto table = [&pickle](const char *name, std::initializer_list<std::pair<const char *, std::int64_t>> values) {
        pickle.text(name);
        pickle.beginDict();
        for (const auto &[key, value] : values) {
            pickle.text(key);
            pickle.number(value);
        }
        pickle.endDict();
    };
    table("dims", {{"n_mels", dims.n_mels},
                   {"n_audio_ctx", dims.n_audio_ctx},
                   {"n_audio_state", dims.n_audio_state},
                   {"n_audio_head", dims.n_audio_head},
                   {"n_audio_layer", dims.n_audio_layer},
                   {"n_vocab", dims.n_vocab},
                   {"n_text_ctx", dims.n_text_ctx},
                   {"n_text_state", dims.n_text_state},
                   {"n_text_head", dims.n_text_head},
                   {"n_text_layer", dims.n_text_layer}});
    const std::int64_t chunk_frames = std::max<std::int64_t>(1, description.default_chunk_ms / 20);
    const std::int64_t first_frames = std::max(chunk_frames, description.first_chunk_ms / 20);
    table("cfg", {{"gran", chunk_frames}, {"rank", rank}, {"extra_gran_blocks", (first_frames + chunk_frames - 1) / chunk_frames - 1}});
    pickle.text("state_dict");
    pickle.beginDict();
    std::vector<weights::StoredTensor> storages;
    for (const auto &[name, value] : parameters) {
        if (!name.starts_with("heads.")) {
            storages.push_back(storedTensor(value, type));
            pickle.text(carelessNameOf(name));
            pickle.tensor(storages.back(), std::to_string(storages.size() - 1));
        }
    }
    pickle.endDict();
    pickle.endDict();

    const fs::path next = path.string() + ".next";
    ZipWriter zip(next);
    zip.add("archive/data.pkl", bytesOf(pickle.finish()));
    for (std::size_t i = 0; i < storages.size(); ++i) {
        zip.add("archive/data/" + std::to_string(i), storages[i].bytes);
    }
    zip.add("archive/version", bytesOf("3\n"));
    zip.finish();
    std::error_code problem;
    fs::rename(next, path, problem);
    if (problem) {
        throw Error(ErrorKind::Storage, "the model cannot be put in its place (" + problem.message() + ")", path.string());
    }
}

}  // namespace braid::train
