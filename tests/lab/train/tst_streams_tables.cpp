// Tables of people's own as what a model of parallel streams learns: one or more a file, in the layout's order, each once an epoch, some held out.
#include <QTemporaryDir>
#include <QtTest>

#include <filesystem>
#include <fstream>

#include "core/base/error.h"
#include "lab/train/language/streams_source.h"

using namespace braid;
using namespace braid::train;

namespace {

const char *const kLayout =
    R"({"format": "braid-streams-layout", "version": 1, "name": "two", "visibility": {"form": "rows"}, "silence": {"rule": "skipped", "text": " -"},
    "streams": [{"name": "User", "role": "user"}, {"name": "Answer", "role": "assistant"}]})";
// The columns the other way round, an empty line before each.
const char *const kThree = "| Answer | User |\n| --- | --- |\n| - | hello |\n| hi | - |\n\n"
                           "| User | Answer |\n| --- | --- |\n| bye | - |\n| - | adieu |\n\n"
                           "| User |\n| --- |\n| nobody |\n| answers |\n";
const char *const kFourth = "| User | Answer |\n| --- | --- |\n| again | - |\n| - | no |\n";

struct Place {
    QTemporaryDir folder;
    streams::Layout layout = streams::parseLayout(kLayout, "two.json");

    [[nodiscard]] std::filesystem::path written(const char *name, const std::string &text) const
    {
        const std::filesystem::path path = std::filesystem::path(folder.path().toStdString()) / name;
        std::ofstream(path) << text;
        return path;
    }
    [[nodiscard]] LanguageRecipe recipe() const
    {
        LanguageRecipe recipe;
        recipe.task = LanguageTask::Streams;
        recipe.streams.tables = {written("three.md", kThree), written("fourth.md", kFourth)};
        recipe.batch.longest = 100;
        recipe.validation.examples = 10;
        return recipe;
    }
    [[nodiscard]] std::shared_ptr<const text::LanguageTokenizer> tokenizer(const std::vector<streams::TextTable> &tables) const
    {
        return text::LanguageTokenizer::load(written("tokenizer.json", streamsTokenizerJson(layout, tables, 1, 1000)));
    }
};

std::string refusal(const std::function<void()> &act)
{
    try {
        act();
    } catch (const Error &error) {
        return error.what();
    }
    return "nothing was refused";
}

}  // namespace

class StreamsTablesTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void everyTableOfEveryFileIsRead()
    {
        const Place place;
        const std::vector<streams::TextTable> tables = readTables(place.recipe().streams, place.layout);
        QCOMPARE(tables.size(), std::size_t{4});
        QCOMPARE(tables[0].rows, (std::vector<std::vector<std::string>>{{" hello", ""}, {"", " hi"}}));
        QCOMPARE(tables[2].rows, (std::vector<std::vector<std::string>>{{" nobody", ""}, {" answers", ""}}));
        QCOMPARE(tables[3].textOf(1), std::string(" no"));
    }

    void theirCellsAreTheVocabulary()
    {
        const Place place;
        const std::vector<streams::TextTable> tables = readTables(place.recipe().streams, place.layout);
        const auto tokenizer = place.tokenizer(tables);
        for (const char *cell : {" hello", " adieu", " nobody", " -"}) {
            QCOMPARE(tokenizer->encode(cell).size(), std::size_t{1});
        }
    }

    void eachIsLearntOnceAnEpochAndSomeAreHeldOut()
    {
        const Place place;
        LanguageRecipe recipe = place.recipe();
        const std::vector<streams::TextTable> tables = readTables(recipe.streams, place.layout);
        const auto tokenizer = place.tokenizer(tables);
        QCOMPARE(StreamsSource(recipe, place.layout, tables, tokenizer).epoch(0).size(), std::size_t{4});
        QVERIFY(StreamsSource(recipe, place.layout, tables, tokenizer).validation().empty());
        recipe.streams.held_out_tables = 4;
        const StreamsSource source(recipe, place.layout, tables, tokenizer);
        for (const std::uint64_t epoch : {0, 1}) {
            std::set<std::int64_t> learnt;
            for (const SequenceItem &item : source.epoch(epoch)) {
                learnt.insert(item.example);
            }
            QCOMPARE(learnt, (std::set<std::int64_t>{0, 1, 2}));
        }
        QCOMPARE(source.validation().size(), std::size_t{1});
        // "again" is read, silence learnt behind it, then "no".
        const Sequence sequence = source.make(source.validation().front(), train::Random({1})).front();
        const std::int32_t no = tokenizer->encode(" no").front();
        QCOMPARE(std::count(sequence.labels.begin(), sequence.labels.end(), no), 1);
        QCOMPARE(std::count(sequence.tokens.begin(), sequence.tokens.end(), tokenizer->encode(" again").front()), 1);
        QCOMPARE(std::count(sequence.labels.begin(), sequence.labels.end(), tokenizer->encode(" again").front()), 0);
    }

    void whatCannotBeUsedIsNamed()
    {
        const Place place;
        LanguageRecipe recipe = place.recipe();
        recipe.streams.tables = {place.written("ragged.md", std::string(kFourth) + "\n| User | Answer |\n| --- | --- |\n| one |\n")};
        const std::string ragged = refusal([&] { static_cast<void>(readTables(recipe.streams, place.layout)); });
        QVERIFY2(ragged.find("ragged.md, table 2, line 3") != std::string::npos, ragged.c_str());
        recipe.streams.tables = {place.written("stranger.md", "| User | Judge |\n| --- | --- |\n| one | - |\n")};
        const std::string stranger = refusal([&] { static_cast<void>(readTables(recipe.streams, place.layout)); });
        QVERIFY2(stranger.find("Judge") != std::string::npos && stranger.find("stranger.md") != std::string::npos, stranger.c_str());
        recipe.streams.tables = {place.written("fourth.md", kFourth)};
        recipe.streams.held_out_tables = 2;
        const std::string few = refusal([&] { static_cast<void>(readTables(recipe.streams, place.layout)); });
        QVERIFY2(few.find("one table is too few") != std::string::npos, few.c_str());
    }
};

QTEST_GUILESS_MAIN(StreamsTablesTest)
#include "tst_streams_tables.moc"
