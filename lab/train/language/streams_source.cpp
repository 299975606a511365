#include "lab/train/language/streams_source.h"

#include <set>
#include <utility>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/streams/collapse.h"
#include "core/streams/visibility.h"
#include "core/text/tokenizer_learner.h"

namespace braid::train {

namespace {

constexpr std::uint64_t kSilenceStream = 113;
constexpr std::uint64_t kOrderStream = 127;
constexpr std::int64_t kFirstHeldOut = std::int64_t{1} << 40;  // numbers of conversations from here on have instances that are never trained on
constexpr std::size_t kVocabularyConversations = 3000;

// The order in which a model without streams does its work: it reads, works, answers, checks.
const std::vector<std::string> kSaidOrder = {"Working", "Answer", "Check", "Audit"};

class Texts : public streams::TokenTexts {
  public:
    explicit Texts(std::shared_ptr<const text::LanguageTokenizer> tokenizer)
        : m_tokenizer(std::move(tokenizer))
    {
    }
    std::vector<std::int32_t> encode(std::string_view text, Specials specials) const override
    {
        text::LanguageTokenizer::EncodeOptions options;
        options.special = specials == Specials::Recognised ? text::SpecialTexts::Recognised : text::SpecialTexts::PlainText;
        options.position = text::TextPosition::Continues;
        return m_tokenizer->encode(text, options);
    }
    std::string text(std::int32_t token) const override { return m_tokenizer->tokenBytes(token); }
    std::int32_t size() const override { return m_tokenizer->size(); }

  private:
    std::shared_ptr<const text::LanguageTokenizer> m_tokenizer;
};

std::vector<std::string> saidOrderOf(const streams::Layout &layout)
{
    std::vector<std::string> order;
    for (const std::string &name : kSaidOrder) {
        if (const int index = layout.indexOf(name); index >= 0 && layout.streams[static_cast<std::size_t>(index)].isSampled()) {
            order.push_back(name);
        }
    }
    return order;
}

}  // namespace

std::vector<streams::TextTable> readTables(const StreamsRecipe &recipe, const streams::Layout &layout)
{
    std::vector<streams::TextTable> tables;
    for (const std::filesystem::path &file : recipe.tables) {
        for (const streams::TextTable &table : streams::parseMarkdownTables(readTextFile(file, streams::kMostTableBytes), file.string())) {
            tables.push_back(streams::inOrderOf(layout, table, file.string()));
        }
    }
    if (!recipe.tables.empty() && (tables.empty() || recipe.held_out_tables > static_cast<std::int64_t>(tables.size()))) {
        throw Error(ErrorKind::Input,
                    std::string(tables.size() == 1 ? "one table is" : std::to_string(tables.size()) + " tables are") +
                        " too few to train on some and hold others out",
                    recipe.tables.front().string());
    }
    return tables;
}

std::string streamsTokenizerJson(const streams::Layout &layout, const std::vector<streams::TextTable> &tables, std::uint64_t seed, std::int32_t size)
{
    text::TokenizerLearner learner(text::TokenizerPieces::Whole);
    std::set<std::string> cells;
    for (const streams::TextTable &table : tables) {
        for (const std::vector<std::string> &row : table.rows) {
            cells.insert(row.begin(), row.end());
        }
    }
    cells.erase("");
    for (const std::string &cell :
         tables.empty() ? conversations::cellsOfConversations(seed, kVocabularyConversations) : std::vector<std::string>(cells.begin(), cells.end())) {
        learner.add(cell);
    }
    if (layout.silence != streams::SilenceRule::Absent) {
        learner.add(layout.silence_text);
    }
    std::vector<std::string> marks;
    for (const streams::Stream &stream : layout.streams) {
        marks.push_back(streams::markOf(stream));
    }
    marks.emplace_back(streams::kEndMark);
    return learner.json(size, marks);
}

StreamsSource::StreamsSource(const LanguageRecipe &recipe, streams::Layout layout, std::vector<streams::TextTable> tables,
                             std::shared_ptr<const text::LanguageTokenizer> tokenizer)
    : m_recipe(recipe)
    , m_layout(std::move(layout))
    , m_tables(std::move(tables))
    , m_visibility(streams::visibilityOf(m_layout))
    , m_texts(std::make_unique<Texts>(std::move(tokenizer)))
{
    m_packing.share = recipe.streams.loss_share == "stream" ? streams::LossShare::PerStream : streams::LossShare::PerToken;
    m_packing.silence_weight = static_cast<float>(recipe.streams.silence_weight);
    if (m_layout.silence != streams::SilenceRule::Absent) {
        const std::vector<std::int32_t> silence = m_texts->encode(m_layout.silence_text, streams::TokenTexts::Specials::PlainText);
        if (silence.size() != 1) {
            throw Error(ErrorKind::Input, "silence, \"" + m_layout.silence_text + "\", is not one token of the vocabulary", recipe.streams.layout.string(),
                        "Let the recipe learn a vocabulary, or choose a layout that is silent with a token of the model");
        }
        m_packing.silence_token = silence.front();
    }
    std::set<std::string> known;
    for (const auto &task : conversations::allTasks()) {
        known.emplace(task->name());
    }
    for (const std::string &task : recipe.streams.tasks) {
        if (!known.contains(task)) {
            throw Error(ErrorKind::Input, "there is no task \"" + task + "\"", recipe.path.string(),
                        "`braid-cli streams make --help` says how to try tasks out");
        }
    }
}

SequenceItem StreamsSource::itemOf(std::int64_t example) const
{
    return {example, -1, static_cast<std::int64_t>(conversation(example).size())};
}

std::vector<SequenceItem> StreamsSource::epoch(std::uint64_t number) const
{
    std::vector<SequenceItem> items;
    for (std::size_t table = 0; table < m_tables.size(); ++table) {
        const SequenceItem item = itemOf(static_cast<std::int64_t>(table));
        if (!isHeldOut(table) && item.tokens <= m_recipe.batch.longest) {
            items.push_back(item);
        }
    }
    for (std::int64_t i = 0; m_tables.empty() && i < m_recipe.streams.conversations; ++i) {
        const std::int64_t example = static_cast<std::int64_t>(number) * m_recipe.streams.conversations + i;
        const SequenceItem item = itemOf(m_recipe.streams.distinct > 0 ? example % m_recipe.streams.distinct : example);
        if (item.tokens <= m_recipe.batch.longest) {
            items.push_back(item);
        }
    }
    if (items.empty()) {
        throw Error(ErrorKind::Input, "every conversation is longer than \"batch.longest\"", m_recipe.path.string());
    }
    Random random({m_recipe.seed, kOrderStream, number});
    random.shuffle(items);
    return items;
}

std::vector<SequenceItem> StreamsSource::validation() const
{
    std::vector<SequenceItem> items;
    for (std::size_t table = 0; table < m_tables.size() && static_cast<std::int64_t>(items.size()) < m_recipe.validation.examples; ++table) {
        if (isHeldOut(table)) {
            items.push_back(itemOf(static_cast<std::int64_t>(table)));
        }
    }
    for (std::int64_t i = 0; m_tables.empty() && i < m_recipe.validation.examples; ++i) {
        items.push_back(itemOf(kFirstHeldOut + i));
    }
    return items;
}

bool StreamsSource::isHeldOut(std::size_t table) const
{
    const std::int64_t every = m_recipe.streams.held_out_tables;
    return every > 0 && static_cast<std::int64_t>(table) % every == every - 1;
}

std::vector<Sequence> StreamsSource::make(const SequenceItem &item, Random) const
{
    return {conversation(item.example)};
}

Sequence StreamsSource::conversation(std::int64_t example) const
{
    const Random random({m_recipe.seed, kSilenceStream, static_cast<std::uint64_t>(example)});
    if (!m_tables.empty()) {
        return sequenceOf(m_tables[static_cast<std::size_t>(example)], random);
    }
    const bool is_held_out = example >= kFirstHeldOut;
    conversations::ConversationRules rules;
    rules.split = is_held_out ? conversations::Split::NewInstances : conversations::Split::Train;
    rules.most_turns = static_cast<int>(m_recipe.streams.most_turns);
    rules.tasks = {m_recipe.streams.tasks.begin(), m_recipe.streams.tasks.end()};
    const auto index = static_cast<std::uint64_t>(is_held_out ? example - kFirstHeldOut : example);
    const conversations::MadeConversation made = conversations::makeConversation(m_recipe.seed, index, rules);
    return sequenceOf(made.table, random);
}

Sequence StreamsSource::sequenceOf(const streams::TextTable &table, Random random) const
{
    return m_recipe.streams.is_single ? collapsed(table) : parallel(table, random);
}

Sequence StreamsSource::parallel(const streams::TextTable &table, Random random) const
{
    const streams::TextTable ordered = streams::inOrderOf(m_layout, table, "a conversation");
    const streams::PackedTokens packed = streams::pack(m_layout, streams::toTokens(ordered, *m_texts), {}, m_packing);
    const bool skips_silence = m_layout.silence == streams::SilenceRule::Skipped;
    const double kept = m_recipe.streams.silence_kept;
    Sequence sequence;
    std::vector<paradigms::Entry> entries;
    for (std::size_t i = 0; i < packed.size(); ++i) {
        float weight = packed.weights[i];
        if (skips_silence && packed.entries[i].kind == paradigms::EntryKind::Silent) {
            if (packed.labels[i] == streams::kNoLabel) {
                continue;
            }
            if (packed.labels[i] == m_packing.silence_token) {
                if (!random.chance(kept)) {
                    continue;
                }
                weight /= static_cast<float>(kept);
            }
        }
        sequence.tokens.push_back(packed.tokens[i]);
        sequence.positions.push_back(packed.entries[i].position);
        sequence.streams.push_back(packed.entries[i].stream);
        sequence.labels.push_back(packed.labels[i]);
        sequence.weights.push_back(weight);
        entries.push_back(packed.entries[i]);
    }
    static_cast<void>(paradigms::visibleEntries(m_visibility, entries, 0, 0, sequence.seen));
    return sequence;
}

Sequence StreamsSource::collapsed(const streams::TextTable &table) const
{
    const streams::TextTable rows = streams::collapsedTable(m_layout, table, saidOrderOf(m_layout));
    const std::vector<bool> learnt = streams::learntRows(m_layout, rows);
    Sequence sequence;
    std::vector<bool> is_learnt;
    for (std::size_t row = 0; row < rows.rows.size(); ++row) {
        const std::string &cell = rows.rows[row].front();
        const bool is_mark = cell.starts_with("<|");
        for (const std::int32_t token : m_texts->encode(cell, is_mark ? streams::TokenTexts::Specials::Recognised : streams::TokenTexts::Specials::PlainText)) {
            sequence.tokens.push_back(token);
            is_learnt.push_back(learnt[row]);
        }
    }
    // The last token is learnt and never read.
    const std::int32_t last = sequence.tokens.back();
    sequence.tokens.pop_back();
    const std::size_t count = sequence.tokens.size();
    sequence.streams.assign(count, 0);
    sequence.seen.assign(count * count, 0);
    for (std::size_t i = 0; i < count; ++i) {
        const std::int32_t next = i + 1 < count ? sequence.tokens[i + 1] : last;
        sequence.positions.push_back(static_cast<double>(i));
        sequence.labels.push_back(is_learnt[i + 1] ? next : Sequence::kNoLabel);
        sequence.weights.push_back(is_learnt[i + 1] ? 1.0F : 0.0F);
        std::fill_n(sequence.seen.begin() + static_cast<std::ptrdiff_t>(i * count), i + 1, std::uint8_t{1});
    }
    return sequence;
}

}  // namespace braid::train
