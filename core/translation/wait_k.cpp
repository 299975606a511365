#include "core/translation/wait_k.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/text/token_loop.h"
#include "core/text/unicode_classes.h"
#include "core/text/utf8.h"

namespace braid::translation {
namespace {

void requireBetween(const char *name, int value, int least, int most)
{
    if (value < least || value > most) {
        throw Error(ErrorKind::Usage, std::string(name) + " cannot be " + std::to_string(value), {},
                    "It may be " + std::to_string(least) + " to " + std::to_string(most));
    }
}

bool isSpaceAt(std::string_view bytes, std::size_t offset)
{
    const auto character = text::characterAt(bytes, offset);
    return character.length > 0 && character.state == text::Utf8State::Valid && text::characterClass(character.code_point) == text::CharacterClass::Space;
}

std::string_view withoutSpaceBefore(std::string_view bytes)
{
    while (isSpaceAt(bytes, 0)) {
        bytes.remove_prefix(text::characterAt(bytes, 0).length);
    }
    return bytes;
}

std::string_view withoutSpace(std::string_view bytes)
{
    bytes = withoutSpaceBefore(bytes);
    std::size_t end = 0;
    for (std::size_t offset = 0; offset < bytes.size(); offset += text::characterAt(bytes, offset).length) {
        if (!isSpaceAt(bytes, offset)) {
            end = offset + text::characterAt(bytes, offset).length;
        }
    }
    return bytes.substr(0, end);
}

// 0 for none.
char32_t lastCharacter(std::string_view bytes)
{
    char32_t last = 0;
    for (std::size_t offset = 0; offset < bytes.size();) {
        const auto character = text::characterAt(bytes, offset);
        last = character.code_point;
        offset += character.length;
    }
    return last;
}

}  // namespace

void requireUsable(const WaitKSettings &settings)
{
    requireBetween("k", settings.k, 1, kMaxK);
    requireBetween("The number of waiting units that lets a translation catch up", settings.catch_up_units, 0, 1000000);
    requireBetween("The most tokens of a word", settings.max_tokens_per_word, 1, 100000);
    requireBetween("The most words ahead of the source", settings.max_words_ahead, 1, 1000000);
    requireBetween("The most tokens of a sentence", settings.max_target_tokens, 1, 10000000);
    if (settings.target_unit == ReadingUnit::Segments) {
        throw Error(ErrorKind::Usage, "a translation cannot be written in speech segments", {}, "Count it in words or characters");
    }
}

WaitKTranslator::WaitKTranslator(TranslationModel &model, const WaitKSettings &settings)
    : m_model(model)
    , m_settings(settings)
    , m_reader(settings.source_unit)
{
    requireUsable(settings);
    beginSentence({});
}

void WaitKTranslator::adjust(const WaitKSettings &settings)
{
    requireUsable(settings);
    const auto source_unit = m_settings.source_unit;
    const auto target_unit = m_settings.target_unit;
    m_settings = settings;
    if (m_has_text) {
        m_settings.source_unit = source_unit;
        m_settings.target_unit = target_unit;
    } else {
        m_reader = UnitReader(settings.source_unit);
    }
}

void WaitKTranslator::beginSentence(const TranslationContext &context)
{
    m_reader = UnitReader(m_settings.source_unit);
    m_waiting.clear();
    m_unit_ends.clear();
    m_predicted.reset();
    m_open.clear();
    m_open_attention.clear();
    m_source_ended = m_has_text = m_has_source = false;
    m_read = m_written = m_hold_until = 0;
    m_source_tokens.clear();
    m_target_tokens.clear();
    m_most_rounds = kMostRounds;
    m_end = TranslationEnd::NotYet;
    m_model.begin(context);
}

void WaitKTranslator::take(std::vector<SourceUnit> units)
{
    for (const auto &unit : units) {
        const bool has_space = m_has_source && !unit.starts_without_space;
        m_waiting.push_back(m_model.sourceTokens(has_space ? " " + unit.text : unit.text));
        m_has_source = true;
    }
}

void WaitKTranslator::addSource(std::string_view text)
{
    if (m_source_ended) {
        throw Error(ErrorKind::Internal, "source text came after its end");
    }
    m_has_text = m_has_text || !text.empty();
    take(m_reader.add(text));
}

void WaitKTranslator::addUnit(const SourceUnit &unit)
{
    if (m_source_ended) {
        throw Error(ErrorKind::Internal, "source text came after its end");
    }
    m_has_text = true;
    take({unit});
}

void WaitKTranslator::addUnitTokens(std::vector<std::int32_t> tokens)
{
    if (m_source_ended) {
        throw Error(ErrorKind::Internal, "source units came after their end");
    }
    m_has_text = m_has_source = true;
    m_waiting.push_back(std::move(tokens));
}

void WaitKTranslator::endSource()
{
    if (m_source_ended) {
        return;
    }
    take(m_reader.finish());
    m_source_ended = true;
    if (m_has_source) {
        m_waiting.push_back(m_model.endOfSource());
    }
}

std::int64_t WaitKTranslator::unitsWanted() const
{
    return std::max(m_settings.k + m_written, m_hold_until);
}

TranslationStep WaitKTranslator::step()
{
    if (isFinished()) {
        TranslationStep over;
        over.action = TranslationAction::Finished;
        over.end = m_end;
        return over;
    }
    if (m_source_ended && !m_has_source) {
        return finish(TranslationEnd::NoSource);
    }
    if (m_open.empty()) {
        const auto waiting = unitsWaiting();
        if (waiting > 0 && m_settings.catch_up_units > 0 && waiting > m_settings.catch_up_units) {
            return readUnits(waiting);
        }
        if (waiting > 0 && m_read < unitsWanted()) {
            return readUnits(std::min(waiting, unitsWanted() - m_read));
        }
        if (m_read < unitsWanted() && !readsAll()) {
            return {};
        }
    }
    return writeToken();
}

TranslationStep WaitKTranslator::readUnits(std::int64_t count)
{
    std::vector<std::int32_t> tokens;
    TranslationStep step;
    step.action = TranslationAction::Read;
    auto column = m_unit_ends.empty() ? m_model.promptTokens() : m_unit_ends.back();
    for (; count > 0; --count) {
        const auto &unit = m_waiting.front();
        if (static_cast<std::int64_t>(tokens.size() + unit.size()) > m_model.room()) {
            break;
        }
        tokens.insert(tokens.end(), unit.begin(), unit.end());
        column += static_cast<std::int64_t>(unit.size());
        m_unit_ends.push_back(column);
        m_waiting.pop_front();
        ++step.units_read;
    }
    if (step.units_read == 0) {
        return finish(TranslationEnd::NoRoom);
    }
    if (!tokens.empty()) {
        m_model.read(tokens);
    }
    for (const std::int32_t token : tokens) {
        if (token < 0) {
            continue;  // sound says nothing over and over
        }
        m_source_tokens.push_back(token);
        while (text::loopAtEnd(m_source_tokens, m_most_rounds - 1).phrase_tokens > 0) {
            ++m_most_rounds;
        }
    }
    m_read += step.units_read;
    m_predicted.reset();
    return step;
}

TranslationStep WaitKTranslator::writeToken()
{
    if (!m_predicted) {
        m_predicted = m_model.predict(m_settings.attention);
    }
    const auto bytes = openBytes();
    const bool has_word = !withoutSpace(bytes).empty();
    if (m_predicted->is_end) {
        return stopSaying(TranslationEnd::Said);
    }
    if (has_word && beginsTargetUnit(m_settings.target_unit, lastCharacter(bytes), m_predicted->token.text)) {
        return closeWord(TranslationAction::ClosedWord);
    }
    if (wouldRepeat(m_predicted->token.id)) {
        return stopSaying(TranslationEnd::Repetition);
    }
    if (static_cast<int>(m_target_tokens.size()) >= m_settings.max_target_tokens) {
        return finish(TranslationEnd::TooManyTokens);
    }
    if (m_model.room() < 1) {
        return finish(TranslationEnd::NoRoom);
    }
    TranslationStep step;
    step.action = TranslationAction::Wrote;
    step.token = m_predicted->token;
    m_model.write(m_predicted->token.id);
    noteAttention(m_predicted->attention);
    m_target_tokens.push_back(m_predicted->token.id);
    m_open.push_back(std::move(m_predicted->token));
    m_predicted.reset();
    if (static_cast<int>(m_open.size()) >= m_settings.max_tokens_per_word) {
        auto token = std::move(step.token);
        step = closeWord(TranslationAction::ClosedWord);
        step.token = std::move(token);
        if (step.word) {
            step.word->was_cut = true;
        }
    }
    return step;
}

// The model has nothing to add to what it has read: the end if that is all, else it is to see more before it goes on.
TranslationStep WaitKTranslator::stopSaying(TranslationEnd end)
{
    if (readsAll()) {
        return finish(end);
    }
    if (!withoutSpace(openBytes()).empty()) {
        return closeWord(TranslationAction::ClosedWord);
    }
    m_hold_until = m_read + 1;
    m_predicted.reset();
    if (!m_open.empty()) {  // a lone space goes with the next word
        m_model.unwrite(static_cast<int>(m_open.size()));
        m_target_tokens.resize(m_target_tokens.size() - m_open.size());
        m_open.clear();
        m_open_attention.clear();
    }
    return step();
}

bool WaitKTranslator::wouldRepeat(std::int32_t token) const
{
    const text::TokenLoop loop = text::loopAtEnd(m_target_tokens, m_most_rounds - 1);
    return loop.phrase_tokens > 0 && m_target_tokens[m_target_tokens.size() - loop.phrase_tokens] == token;
}

// Of a row over source tokens, the sum for each unit; the prompt's columns are nobody's.
void WaitKTranslator::noteAttention(const std::vector<float> &over_tokens)
{
    if (over_tokens.empty()) {
        return;
    }
    m_open_attention.resize(m_unit_ends.size());
    auto column = m_model.promptTokens();
    for (std::size_t unit = 0; unit < m_unit_ends.size(); ++unit) {
        for (; column < m_unit_ends[unit] && column < static_cast<std::int64_t>(over_tokens.size()); ++column) {
            m_open_attention[unit] += over_tokens[static_cast<std::size_t>(column)];
        }
    }
}

TranslationStep WaitKTranslator::closeWord(TranslationAction action)
{
    TranslationStep step;
    step.action = action;
    const auto bytes = openBytes();
    const auto visible = text::toValidUtf8(withoutSpace(bytes));
    if (!visible.empty()) {
        TranslatedWord word;
        word.text = visible;
        word.starts_without_space = m_written > 0 && !isSpaceAt(bytes, 0);
        word.read_units = m_read;
        word.units = targetUnits(m_settings.target_unit, visible);
        word.tokens = std::move(m_open);
        for (const auto &token : word.tokens) {
            word.probability += token.probability / static_cast<float>(word.tokens.size());
        }
        word.attention = std::move(m_open_attention);
        for (auto &weight : word.attention) {
            weight /= static_cast<float>(word.tokens.size());
        }
        m_written += word.units;
        step.word = std::move(word);
    }
    m_open.clear();
    m_open_attention.clear();
    if (step.action != TranslationAction::Finished && m_written - m_read > m_settings.max_words_ahead) {
        m_end = step.end = TranslationEnd::TooFarAhead;
        step.action = TranslationAction::Finished;
    }
    return step;
}

TranslationStep WaitKTranslator::finish(TranslationEnd end)
{
    auto step = closeWord(TranslationAction::Finished);
    m_end = step.end = end;
    return step;
}

std::string WaitKTranslator::openBytes() const
{
    std::string bytes;
    for (const auto &token : m_open) {
        bytes += token.text;
    }
    return bytes;
}

std::string WaitKTranslator::openText() const
{
    const auto bytes = openBytes();
    return std::string(withoutSpaceBefore(std::string_view(bytes).substr(0, text::completeLength(bytes))));
}

std::vector<std::int64_t> wordLengths(ReadingUnit target_unit, std::span<const std::string> tokens)
{
    std::vector<std::int64_t> lengths;
    std::string open;
    for (const std::string &token : tokens) {
        const bool closes = !withoutSpace(open).empty() && beginsTargetUnit(target_unit, lastCharacter(open), token);
        if (closes || lengths.empty()) {
            lengths.push_back(0);
            open.clear();
        }
        open += token;
        ++lengths.back();
    }
    return lengths;
}

}  // namespace braid::translation
