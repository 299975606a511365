#include "core/fetch/catalogue.h"

#include <algorithm>
#include <initializer_list>
#include <set>
#include <system_error>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/strict_json.h"
#include "core/fetch/safe_names.h"
#include "core/model_access/model_files.h"

namespace braid::fetch {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t kMostCatalogueBytes = 1u << 20;
constexpr std::size_t kMostEntries = 1000;
constexpr std::size_t kMostFiles = 200;
constexpr std::size_t kMostLanguages = 300;
constexpr std::size_t kMostTextBytes = 1000;
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 50;

// Reads one object: every key is taken once or refused by name.
class ObjectReader {
  public:
    ObjectReader(const json &object, std::string where, std::initializer_list<const char *> keys)
        : m_object(object)
        , m_where(std::move(where))
    {
        if (!object.is_object()) {
            refuse("this is not an object");
        }
        for (const auto &item : object.items()) {
            if (std::none_of(keys.begin(), keys.end(), [&item](const char *key) { return item.key() == key; })) {
                refuse("\"" + item.key().substr(0, 100) + "\" is no key of it");
            }
        }
    }
    [[noreturn]] void refuse(const std::string &why) const { throw Error(ErrorKind::Input, why, m_where); }
    [[nodiscard]] const std::string &where() const noexcept { return m_where; }
    [[nodiscard]] bool has(const char *key) const { return m_object.contains(key); }

    [[nodiscard]] const json &member(const char *key) const
    {
        if (!has(key)) {
            refuse(std::string("\"") + key + "\" is missing");
        }
        return m_object.at(key);
    }
    [[nodiscard]] std::string text(const char *key) const
    {
        const json &value = member(key);
        if (!value.is_string() || value.get_ref<const std::string &>().empty() || value.get_ref<const std::string &>().size() > kMostTextBytes) {
            refuse(std::string("\"") + key + "\" is no text, or too long a one");
        }
        return value.get<std::string>();
    }
    [[nodiscard]] std::string textIfThere(const char *key) const { return has(key) ? text(key) : std::string(); }
    [[nodiscard]] std::uint64_t countIfThere(const char *key) const
    {
        if (!has(key)) {
            return 0;
        }
        const json &value = member(key);
        if (!value.is_number_unsigned() || value.get<std::uint64_t>() == 0 || value.get<std::uint64_t>() > kMostBytes) {
            refuse(std::string("\"") + key + "\" is no whole number above zero");
        }
        return value.get<std::uint64_t>();
    }
    [[nodiscard]] const json &list(const char *key, std::size_t most) const
    {
        const json &value = member(key);
        if (!value.is_array() || value.empty() || value.size() > most) {
            refuse(std::string("\"") + key + "\" is no list, or an empty or too long one");
        }
        return value;
    }
    [[nodiscard]] std::vector<std::string> texts(const char *key, std::size_t most, bool (*allowed)(std::string_view)) const
    {
        std::vector<std::string> texts;
        for (const json &one : list(key, most)) {
            if (!one.is_string() || !allowed(one.get_ref<const std::string &>())) {
                refuse(std::string("\"") + key + "\" holds something that cannot stand there");
            }
            texts.push_back(one.get<std::string>());
        }
        return texts;
    }

  private:
    const json &m_object;
    std::string m_where;
};

bool isRepository(std::string_view name)
{
    const auto slash = name.find('/');
    return slash != name.npos && isSafeName(name.substr(0, slash)) && isSafeName(name.substr(slash + 1));
}

CatalogueFile readFile(const json &object, const std::string &where)
{
    const ObjectReader reader(object, where, {"path", "address", "sha256", "bytes"});
    CatalogueFile file;
    file.path = reader.text("path");
    file.address = reader.text("address");
    file.sha256 = reader.text("sha256");
    file.bytes = reader.countIfThere("bytes");
    if (!isSafePath(file.path)) {
        reader.refuse("the path \"" + file.path + "\" could lead out of the model's folder");
    }
    static_cast<void>(parseAddress(file.address, where));
    if (!isHexadecimal(file.sha256, 64)) {
        reader.refuse("\"sha256\" is not 64 digits of hexadecimal");
    }
    return file;
}

HubSource readHub(const json &object, const std::string &where)
{
    const ObjectReader reader(object, where, {"repository", "revision", "files", "if_there"});
    HubSource hub;
    hub.repository = reader.text("repository");
    hub.revision = reader.text("revision");
    if (!isRepository(hub.repository)) {
        reader.refuse("a repository is \"owner/name\"");
    }
    if (!isSafeName(hub.revision)) {
        reader.refuse("a revision is a commit, or a branch's or tag's name");
    }
    hub.files = reader.texts("files", kMostFiles, isSafePattern);
    if (reader.has("if_there")) {
        hub.if_there = reader.texts("if_there", kMostFiles, isSafePattern);
    }
    return hub;
}

ModelUse readUse(const ObjectReader &reader)
{
    const std::string use = reader.text("use");
    if (use != "captions" && use != "language") {
        reader.refuse("\"use\" is captions or language");
    }
    return use == "captions" ? ModelUse::Captions : ModelUse::Language;
}

Gate readGate(const ObjectReader &reader)
{
    if (!reader.has("gated")) {
        return Gate::Open;
    }
    if (!reader.member("gated").is_boolean()) {
        reader.refuse("\"gated\" is true or false");
    }
    return reader.member("gated").get<bool>() ? Gate::AskedFirst : Gate::Open;
}

void readFiles(const ObjectReader &reader, CatalogueEntry &entry)
{
    if (reader.has("files") == reader.has("hub")) {
        reader.refuse("a model has either \"files\" or \"hub\"");
    }
    if (reader.has("hub")) {
        entry.hub = readHub(reader.member("hub"), reader.where());
        return;
    }
    std::set<std::string> paths;
    for (const json &file : reader.list("files", kMostFiles)) {
        entry.files.push_back(readFile(file, reader.where()));
        if (!paths.insert(entry.files.back().path).second) {
            reader.refuse("two of its files have the path \"" + entry.files.back().path + "\"");
        }
    }
}

CatalogueEntry readEntry(const json &object, const std::string &where)
{
    const ObjectReader reader(object, where, {"name", "use", "title", "purpose", "languages", "licence", "page", "gated", "parameters", "files", "hub"});
    CatalogueEntry entry;
    entry.name = reader.text("name");
    if (!isSafeName(entry.name)) {
        reader.refuse("\"" + entry.name + "\" cannot be a model's name: it may have letters, digits, dots, dashes and underscores");
    }
    entry.use = readUse(reader);
    entry.title = reader.text("title");
    entry.purpose = reader.text("purpose");
    if (reader.has("languages")) {
        entry.languages = reader.texts("languages", kMostLanguages, isSafeName);
    }
    entry.licence = reader.textIfThere("licence");
    entry.page = reader.text("page");
    static_cast<void>(parseAddress(entry.page, where));
    entry.gate = readGate(reader);
    entry.parameters = reader.countIfThere("parameters");
    readFiles(reader, entry);
    return entry;
}

}  // namespace

std::vector<CatalogueEntry> parseCatalogue(std::string_view text, const std::string &where)
{
    const json whole = parseStrictJson(text, where, ErrorKind::Input, 8);
    const ObjectReader reader(whole, where, {"format", "version", "models"});
    if (reader.text("format") != "braid-catalogue") {
        reader.refuse("this is no catalogue: \"format\" is not \"braid-catalogue\"");
    }
    if (reader.countIfThere("version") != 1) {
        reader.refuse("this Braid reads catalogues of version 1");
    }
    std::vector<CatalogueEntry> entries;
    std::set<std::string> names;
    for (const json &object : reader.list("models", kMostEntries)) {
        entries.push_back(readEntry(object, where + ", model " + std::to_string(entries.size() + 1)));
        if (!names.insert(entries.back().name).second) {
            reader.refuse("two models are called \"" + entries.back().name + "\"");
        }
    }
    return entries;
}

std::vector<fs::path> catalogueFiles()
{
    std::vector<fs::path> files;
    for (const fs::path &folder : models::resourceFolders("")) {
        std::error_code ignored;
        const fs::path file = folder / "catalogue.json";
        if (fs::is_regular_file(file, ignored)) {
            files.push_back(file);
        }
    }
    return files;
}

std::vector<CatalogueEntry> readCatalogues(const std::vector<fs::path> &files)
{
    std::vector<CatalogueEntry> entries;
    for (const fs::path &file : files) {
        for (CatalogueEntry &entry : parseCatalogue(readTextFile(file, kMostCatalogueBytes), file.string())) {
            const auto same = std::find_if(entries.begin(), entries.end(), [&entry](const CatalogueEntry &other) { return other.name == entry.name; });
            if (same != entries.end()) {
                *same = std::move(entry);
            } else {
                entries.push_back(std::move(entry));
            }
        }
    }
    return entries;
}

std::vector<CatalogueEntry> wholeCatalogue()
{
    return readCatalogues(catalogueFiles());
}

const CatalogueEntry &findEntry(const std::vector<CatalogueEntry> &entries, const std::string &name)
{
    const auto found = std::find_if(entries.begin(), entries.end(), [&name](const CatalogueEntry &entry) { return entry.name == name; });
    if (found == entries.end()) {
        std::string known;
        for (const CatalogueEntry &entry : entries) {
            known += (known.empty() ? "" : ", ") + entry.name;
        }
        throw Error(ErrorKind::Model, "no model of this name is in the catalogue", name, known.empty() ? "The catalogue is empty" : "There are: " + known);
    }
    return *found;
}

}  // namespace braid::fetch
