#include "core/translation/translation_reader.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "core/base/error.h"
#include "core/text/transcript_json.h"
#include "core/translation/translation_json.h"

namespace braid::translation {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostPieces = 2'000'000;  // sentences, units, words, tokens: what short hostile lines may become in memory
constexpr std::size_t kMostEvents = 4'000'000;
constexpr std::int64_t kMostNumber = 1'000'000'000;

[[noreturn]] void refuse(const char *what)
{
    throw Error(ErrorKind::Input, what);
}

const Json &at(const Json &object, const char *name)
{
    const auto found = object.find(name);
    if (found == object.end()) {
        refuse("a field is missing");
    }
    return *found;
}

std::int64_t wholeAt(const Json &object, const char *name)
{
    const Json &value = at(object, name);
    if (!value.is_number_integer() || (value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(kMostNumber)) ||
        value.get<std::int64_t>() < -kMostNumber || value.get<std::int64_t>() > kMostNumber) {
        refuse("a number is not whole, or out of range");
    }
    return value.get<std::int64_t>();
}

std::int64_t indexAt(const Json &object, const char *name)
{
    const std::int64_t value = wholeAt(object, name);
    if (value < 0) {
        refuse("a number is negative");
    }
    return value;
}

double numberAt(const Json &object, const char *name)
{
    constexpr double kMost = 1e12;  // milliseconds: thirty years
    const Json &value = at(object, name);
    const double number = value.is_number() ? value.get<double>() : NAN;
    if (!(std::abs(number) <= kMost)) {
        refuse("a number is none, or out of range");
    }
    return number;
}

std::string stringAt(const Json &object, const char *name)
{
    const Json &value = at(object, name);
    if (!value.is_string()) {
        refuse("a text is none");
    }
    return value.get<std::string>();
}

std::string wordAt(const Json &object, const char *name)
{
    std::string word = stringAt(object, name);
    if (word.empty()) {
        refuse("a word is empty");
    }
    return word;
}

bool isSet(const Json &object, const char *name)
{
    const auto found = object.find(name);
    return found != object.end() && found->is_boolean() && found->get<bool>();
}

const Json &listAt(const Json &object, const char *name)
{
    const Json &value = at(object, name);
    if (!value.is_array()) {
        refuse("a list is none");
    }
    return value;
}

ArrivedUnit unitOf(const Json &object)
{
    if (!object.is_object()) {
        refuse("a unit is no JSON object");
    }
    ArrivedUnit unit;
    unit.text = wordAt(object, "text");
    unit.starts_without_space = isSet(object, "starts_without_space");
    unit.arrived_ms = numberAt(object, "arrived_ms");
    if (object.contains("start_s")) {
        unit.sound = SoundSpan{text::sampleFromJsonSeconds(numberAt(object, "start_s")), text::sampleFromJsonSeconds(numberAt(object, "end_s"))};
        if (unit.sound->end_sample < unit.sound->start_sample) {
            refuse("a unit ends before it starts");
        }
    }
    return unit;
}

WordWritten wordOf(const Json &object)
{
    WordWritten written;
    written.sentence = indexAt(object, "sentence");
    written.written_ms = numberAt(object, "written_ms");
    written.lag_units = wholeAt(object, "lag_units");
    written.lag_ms = numberAt(object, "lag_ms");
    written.compute_ms = numberAt(object, "compute_ms");
    TranslatedWord &word = written.word;
    word.text = wordAt(object, "text");
    word.starts_without_space = isSet(object, "starts_without_space");
    word.was_cut = isSet(object, "cut");
    word.probability = static_cast<float>(numberAt(object, "probability"));
    word.read_units = indexAt(object, "read_units");
    if (!(word.probability >= 0 && word.probability <= 1)) {
        refuse("a probability is none");
    }
    for (const Json &token : listAt(object, "tokens")) {
        word.tokens.push_back(text::tokenFromJson(token));
    }
    if (object.contains("attention")) {
        for (const Json &weight : listAt(object, "attention")) {
            const double value = weight.is_number() ? weight.get<double>() : -1;
            if (!(value >= 0 && value <= 1.001)) {
                refuse("a weight is none");
            }
            word.attention.push_back(static_cast<float>(value));
        }
    }
    return written;
}

TranslationEnd endAt(const Json &object)
{
    const std::string name = stringAt(object, "end");
    for (const TranslationEnd end : {TranslationEnd::Said, TranslationEnd::NoSource, TranslationEnd::TooManyTokens, TranslationEnd::TooFarAhead,
                                     TranslationEnd::NoRoom, TranslationEnd::Repetition}) {
        if (endName(end) == name) {
            return end;
        }
    }
    refuse("an end is unknown");
}

TranslationEventBody eventOf(const Json &object)
{
    const std::string event = stringAt(object, "event");
    if (event == "sentence") {
        return TranslationSessionEvent(SentenceBegan{indexAt(object, "sentence"), indexAt(object, "line")});
    }
    if (event == "source") {
        UnitsArrived arrived{indexAt(object, "sentence"), {}};
        for (const Json &unit : listAt(object, "units")) {
            arrived.units.push_back(unitOf(unit));
        }
        return TranslationSessionEvent(std::move(arrived));
    }
    if (event == "source_end") {
        return TranslationSessionEvent(SourceClosed{indexAt(object, "sentence")});
    }
    if (event == "read") {
        return TranslationSessionEvent(UnitsRead{indexAt(object, "sentence"), indexAt(object, "units"), numberAt(object, "read_ms")});
    }
    if (event == "word") {
        return TranslationSessionEvent(wordOf(object));
    }
    if (event == "sentence_end") {
        return TranslationSessionEvent(SentenceEnded{indexAt(object, "sentence"), endAt(object), stringAt(object, "source"), stringAt(object, "target")});
    }
    if (event == "line_end") {
        return TranslationSessionEvent(LineEnded{indexAt(object, "line")});
    }
    if (event == "notice") {
        return TranslationSessionEvent(SessionNotice{stringAt(object, "text")});
    }
    if (event == "translator") {
        return TranslatorChanged{stringAt(object, "translator"), indexAt(object, "first_sentence")};
    }
    refuse("an event is unknown");
}

}  // namespace

void TranslationReader::addEvent(std::string_view line)
{
    if (m_events.size() >= kMostEvents) {
        refuse("there are more events than any translation has");
    }
    const Json object = Json::parse(line, nullptr, false);
    if (!object.is_object()) {
        refuse("an event is no JSON object");
    }
    TranslationEventBody event = eventOf(object);
    if (const auto *told = std::get_if<TranslationSessionEvent>(&event)) {
        std::visit([this](const auto &body) { check(body); }, *told);
    }
    m_events.push_back(std::move(event));
}

// Units come to the newest sentence alone.
TranslationReader::Sentence &TranslationReader::newest(std::int64_t sentence)
{
    if (sentence + 1 != static_cast<std::int64_t>(m_sentences.size()) || m_sentences.back().is_closed) {
        refuse("a sentence has its units already, or has not begun");
    }
    return m_sentences.back();
}

// Sentences are translated one after the other.
TranslationReader::Sentence &TranslationReader::translated(std::int64_t sentence)
{
    if (sentence < m_translated || sentence >= static_cast<std::int64_t>(m_sentences.size())) {
        refuse("a sentence has ended, or has not begun");
    }
    return m_sentences[static_cast<std::size_t>(sentence)];
}

void TranslationReader::count(std::size_t pieces)
{
    if (m_pieces + pieces > kMostPieces) {
        refuse("there are more words than any translation has");
    }
    m_pieces += pieces;
}

void TranslationReader::check(const SentenceBegan &event)
{
    if (event.sentence != static_cast<std::int64_t>(m_sentences.size()) || event.line < m_line) {
        refuse("a sentence does not follow the one before");
    }
    count(1);
    m_line = event.line;
    m_sentences.emplace_back();
}

void TranslationReader::check(const UnitsArrived &event)
{
    Sentence &sentence = newest(event.sentence);
    count(event.units.size());
    sentence.units += static_cast<std::int64_t>(event.units.size());
}

void TranslationReader::check(const SourceClosed &event)
{
    newest(event.sentence).is_closed = true;
}

void TranslationReader::check(const UnitsRead &event)
{
    Sentence &sentence = translated(event.sentence);
    if (event.read_units < sentence.read_units || event.read_units > sentence.units + 1) {
        refuse("more was read than there is, or less than before");
    }
    sentence.read_units = event.read_units;
    m_translated = event.sentence;
}

void TranslationReader::check(const WordWritten &event)
{
    const Sentence &sentence = translated(event.sentence);
    if (event.word.read_units > sentence.units + 1 || static_cast<std::int64_t>(event.word.attention.size()) > sentence.units + 1) {
        refuse("a word has read more than there is");
    }
    count(1 + event.word.tokens.size());
    m_translated = event.sentence;
}

void TranslationReader::check(const SentenceEnded &event)
{
    static_cast<void>(translated(event.sentence));
    m_translated = event.sentence + 1;
}

}  // namespace braid::translation
