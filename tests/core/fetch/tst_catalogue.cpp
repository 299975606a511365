// The catalogue and the hub's answers, read strictly: what may stand in them, and what is refused with which sentence. No network.
#include <QtTest>

#include <fstream>
#include <set>

#include <QTemporaryDir>

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/fetch/catalogue.h"
#include "core/fetch/fetch_plan.h"
#include "core/fetch/model_store.h"
#include "core/fetch/safe_names.h"
#include "tests/support/error_sentence.h"

using namespace braid;
using namespace braid::fetch;
using nlohmann::json;
using test::contains;
using test::sentenceOf;
namespace fs = std::filesystem;

namespace {

const std::string kSum(64, 'a');
const std::string kBlob(40, 'b');

json goodEntry()
{
    return {{"name", "one"},
            {"use", "captions"},
            {"title", "One"},
            {"purpose", "For a test."},
            {"languages", {"en"}},
            {"page", "https://example.org/one"},
            {"gated", false},
            {"parameters", 1000},
            {"files", {{{"path", "one.pt"}, {"address", "https://example.org/one.pt"}, {"sha256", kSum}, {"bytes", 7}}}}};
}

json catalogueOf(const json &entry)
{
    return {{"format", "braid-catalogue"}, {"version", 1}, {"models", json::array({entry})}};
}

std::string refusalOf(const json &entry)
{
    return sentenceOf(ErrorKind::Input, [&] { static_cast<void>(parseCatalogue(catalogueOf(entry).dump(), "catalogue.json")); });
}

CatalogueEntry hubEntry()
{
    CatalogueEntry entry;
    entry.name = "two";
    entry.hub = {"owner/two", "main", {"config.json", "*.safetensors"}, {"tokenizer.json"}};
    return entry;
}

json goodAnswer()
{
    return {{"sha", kBlob},
            {"cardData", {{"license", "mit"}}},
            {"siblings",
             {{{"rfilename", "config.json"}, {"size", 12}, {"blobId", kBlob}},
              {{"rfilename", "model.safetensors"}, {"size", 130}, {"blobId", kBlob}, {"lfs", {{"sha256", kSum}, {"size", 5000}}}},
              {{"rfilename", "onnx/model.safetensors"}, {"size", 1}, {"blobId", kBlob}},
              {{"rfilename", "README.md"}, {"size", 3}, {"blobId", kBlob}}}}};
}

std::string answerRefused(const json &answer)
{
    return sentenceOf(ErrorKind::Input, [&] { static_cast<void>(planFromHubAnswer(answer.dump(), hubEntry(), {})); });
}

}  // namespace

class tst_catalogue : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void braidsOwnCatalogueIsWhole()
    {
        const auto entries = readCatalogues({BRAID_SOURCE_DIR "/resources/catalogue.json"});
        std::set<std::string> names;
        for (const CatalogueEntry &entry : entries) {
            names.insert(entry.name);
            QVERIFY2(!entry.purpose.empty() && (entry.parameters > 0) == (entry.name.find("careless") == entry.name.npos), entry.name.c_str());
            for (const CatalogueFile &file : entry.files) {
                // OpenAI's addresses hold the checksum.
                QVERIFY2(contains(file.address, "/" + file.sha256 + "/"), file.address.c_str());
                QVERIFY(entry.bytes() > entry.parameters);
            }
        }
        for (const char *name : {"tiny", "tiny.en", "base", "base.en", "small", "small.en", "medium", "medium.en", "large-v3", "large-v3-turbo",
                                 "distil-small.en", "careless-base-300", "Qwen2.5-0.5B-Instruct", "Qwen2.5-1.5B-Instruct", "Qwen3-0.6B", "Qwen3-1.7B"}) {
            QVERIFY2(names.count(name) == 1, name);
        }
        QCOMPARE(findEntry(entries, "large-v3").languages.size(), std::size_t{100});
        QCOMPARE(findEntry(entries, "small").languages.size(), std::size_t{99});
        QVERIFY(contains(sentenceOf([&] { static_cast<void>(findEntry(entries, "huge")); }), "There are: tiny, tiny.en"));
    }

    void anEntrySaysWhatItIs()
    {
        const auto entries = parseCatalogue(catalogueOf(goodEntry()).dump(), "catalogue.json");
        QCOMPARE(entries.size(), std::size_t{1});
        QCOMPARE(entries[0].bytes(), std::uint64_t{7});
        QCOMPARE(entries[0].memoryBytes(), std::uint64_t{4000});
        QVERIFY(entries[0].licence.empty());  // not stated
        QVERIFY(!entries[0].isFromHub());
    }

    void whatCannotStandThereIsRefused()
    {
        const auto changed = [](const char *key, json value) {
            json entry = goodEntry();
            entry[key] = std::move(value);
            return refusalOf(entry);
        };
        const auto file = [](const char *key, json value) {
            json entry = goodEntry();
            entry["files"][0][key] = std::move(value);
            return refusalOf(entry);
        };
        QVERIFY(contains(changed("colour", "red"), "\"colour\" is no key of it"));
        QVERIFY(contains(changed("name", "../one"), "cannot be a model's name"));
        QVERIFY(contains(changed("name", ".fetched"), "cannot be a model's name"));
        QVERIFY(contains(changed("use", "painting"), "captions or language"));
        QVERIFY(contains(changed("gated", "no"), "true or false"));
        QVERIFY(contains(changed("parameters", -4), "no whole number"));
        QVERIFY(contains(changed("page", "javascript:1"), "https://"));
        QVERIFY(contains(changed("purpose", ""), "is no text"));
        QVERIFY(contains(changed("files", json::array()), "no list"));
        QVERIFY(contains(changed("hub", json::object()), "either \"files\" or \"hub\""));
        for (const char *path : {"../one.pt", "/etc/passwd", "a/../../b", "a//b", ".hidden", "a\\b", "one.part", "a/b/c/d/e", ""}) {
            QVERIFY2(contains(file("path", path), "catalogue.json, model 1"), path);
        }
        for (const char *address : {"http://example.org/one.pt", "ftp://example.org/", "file:///etc/passwd", "https://user:word@example.org/", "https:///one",
                                    "https://example.org/a b", "http://127.0.0.1.example.org/"}) {
            QVERIFY2(contains(file("address", address), "its address"), address);
        }
        QVERIFY(contains(file("sha256", std::string(64, 'A')), "64 digits"));
        QVERIFY(contains(sentenceOf([] { static_cast<void>(parseCatalogue("{\"format\":\"x\",\"version\":1,\"models\":[]}", "c")); }), "this is no catalogue"));
        QVERIFY(contains(sentenceOf([] { static_cast<void>(parseCatalogue("[1", "c")); }), "not valid JSON"));
    }

    void onesOwnCatalogueGoesBeforeBraids()
    {
        const QTemporaryDir place;
        const fs::path root = place.path().toStdString();
        qputenv("XDG_DATA_HOME", place.path().toUtf8());
        fs::create_directories(root / "braid");
        json own = goodEntry();
        own["name"] = "tiny";
        own["title"] = "My tiny";
        std::ofstream(root / "braid" / "catalogue.json") << catalogueOf(own).dump();
        const auto files = catalogueFiles();
        QCOMPARE(files.size(), std::size_t{2});
        const auto entries = readCatalogues(files);
        QCOMPARE(findEntry(entries, "tiny").title, std::string("My tiny"));
        QCOMPARE(findEntry(entries, "base").title, std::string("Whisper base"));
    }

    void theHubsAnswerSaysSizesAndChecksums()
    {
        const FetchPlan plan = planFromHubAnswer(goodAnswer().dump(), hubEntry(), {"https://hub.example", ""});
        QCOMPARE(plan.files.size(), std::size_t{2});  // a star is no slash, and nobody asked for README.md
        QCOMPARE(plan.files[0].git_blob, kBlob);
        QCOMPARE(plan.files[1].sha256, kSum);
        QCOMPARE(plan.bytes(), std::uint64_t{5012});
        QCOMPARE(plan.licence, std::string("mit"));
        QCOMPARE(plan.files[1].address, "https://hub.example/owner/two/resolve/" + kBlob + "/model.safetensors");
        // Kept as a note and known again.
        QCOMPARE(planAsJson(planFromJson(planAsJson(plan), "note")), planAsJson(plan));
    }

    void aHostileAnswerIsRefused()
    {
        json answer = goodAnswer();
        answer["siblings"][1]["rfilename"] = "..safetensors";
        QVERIFY(contains(answerRefused(answer), "could lead out"));
        answer = goodAnswer();
        answer["siblings"][1].erase("lfs");
        answer["siblings"][1].erase("blobId");
        QVERIFY(contains(answerRefused(answer), "no checksum"));
        answer = goodAnswer();
        answer["siblings"].erase(0);
        QVERIFY(contains(answerRefused(answer), "has no file \"config.json\""));
        answer = goodAnswer();
        answer["siblings"].push_back(answer["siblings"][0]);
        QVERIFY(contains(answerRefused(answer), "twice"));
        answer = goodAnswer();
        answer["sha"] = "../../main";
        QVERIFY(contains(answerRefused(answer), "names no commit"));
        QVERIFY(contains(answerRefused(json::array()), "names no commit"));
    }

    void theHubAndItsTokenComeFromTheEnvironment()
    {
        qputenv("HF_ENDPOINT", "https://mirror.example/hub//");
        qputenv("HF_TOKEN", "hf_word\n");
        QCOMPARE(hubAccessOfEnvironment().endpoint, std::string("https://mirror.example/hub"));
        QCOMPARE(hubAccessOfEnvironment().token, std::string("hf_word"));
        qputenv("HF_TOKEN", "hf\r\nX-Other: 1");
        const std::string token = sentenceOf(ErrorKind::Usage, [] { static_cast<void>(hubAccessOfEnvironment()); });
        QVERIFY(contains(token, "HF_TOKEN") && !contains(token, "X-Other"));
        qputenv("HF_ENDPOINT", "http://mirror.example");
        QVERIFY(contains(sentenceOf(ErrorKind::Usage, [] { static_cast<void>(hubAccessOfEnvironment()); }), "not encrypted"));
        qunsetenv("HF_ENDPOINT");
        qunsetenv("HF_TOKEN");
        QCOMPARE(hubAccessOfEnvironment().endpoint, std::string("https://huggingface.co"));
    }

    void bytesAreSaidForPeople()
    {
        QCOMPARE(bytesText(1), std::string("1 byte"));
        QCOMPARE(bytesText(75572083), std::string("75.6 MB"));
        QCOMPARE(bytesText(3087371615), std::string("3.1 GB"));
        QCOMPARE(bytesText(999999999), std::string("1.0 GB"));
    }
};

QTEST_GUILESS_MAIN(tst_catalogue)
#include "tst_catalogue.moc"
