#include "core/translation/reading_units.h"

#include <algorithm>

#include "core/text/unicode_classes.h"
#include "core/text/utf8.h"

namespace braid::translation {
namespace {

using text::CharacterClass;
using text::GeneralCategory;
using text::isWrittenWithoutSpaces;
using text::Utf8State;

bool isSpace(char32_t character)
{
    return text::characterClass(character) == CharacterClass::Space || (character >= 0x1C && character <= 0x1F);
}

// Not to be shown and not to be read: control characters, and the byte order mark.
bool isIgnored(char32_t character)
{
    return text::generalCategory(character) == GeneralCategory::Control || character == 0xFEFF;
}

bool opensSomething(char32_t character)
{
    const auto category = text::generalCategory(character);
    return category == GeneralCategory::OpenPunctuation || category == GeneralCategory::InitialPunctuation;
}

bool isLetterOrNumber(char32_t character)
{
    const auto kind = text::characterClass(character);
    return kind == CharacterClass::Letter || kind == CharacterClass::Number;
}

}  // namespace

UnitReader::UnitReader(ReadingUnit unit)
    : m_kind(unit)
{
}

bool UnitReader::beginsUnit(char32_t character) const
{
    if (m_kind != ReadingUnit::Characters || !m_holds_word) {
        return false;
    }
    if (opensSomething(character)) {
        return true;
    }
    if (!isLetterOrNumber(character)) {
        return false;  // marks and punctuation stay
    }
    return isWrittenWithoutSpaces(character) || !isLetterOrNumber(m_last) || isWrittenWithoutSpaces(m_last);
}

void UnitReader::addCharacter(char32_t character, std::vector<SourceUnit> &units)
{
    if (isSpace(character)) {
        if (m_kind != ReadingUnit::Segments) {
            close(units);
        }
        m_after_space = true;
        return;
    }
    if (isIgnored(character)) {
        return;
    }
    if (beginsUnit(character) || (m_characters >= kMaxUnitCharacters && m_kind != ReadingUnit::Segments)) {
        close(units);
    }
    if (m_unit.empty()) {
        m_unit_after_space = m_after_space || m_kind == ReadingUnit::Segments;
    } else if (m_after_space) {
        m_unit += ' ';  // inside a segment
    }
    m_after_space = false;
    text::appendUtf8(m_unit, character);
    ++m_characters;
    m_holds_word = m_holds_word || !opensSomething(character);
    m_last = character;
}

void UnitReader::close(std::vector<SourceUnit> &units)
{
    if (!m_unit.empty()) {
        units.push_back({std::move(m_unit), !m_unit_after_space});
    }
    m_unit.clear();
    m_characters = 0;
    m_holds_word = false;
}

std::vector<SourceUnit> UnitReader::add(std::string_view given)
{
    std::vector<SourceUnit> units;
    m_bytes += given;
    std::size_t offset = 0;
    while (offset < m_bytes.size()) {
        const auto character = text::characterAt(m_bytes, offset);
        if (character.state == Utf8State::Incomplete) {
            break;
        }
        addCharacter(character.state == Utf8State::Valid ? character.code_point : char32_t{0xFFFD}, units);
        offset += character.length;
    }
    m_bytes.erase(0, offset);
    if (m_kind == ReadingUnit::Segments) {
        close(units);
        m_after_space = true;
    }
    return units;
}

std::vector<SourceUnit> UnitReader::finish()
{
    std::vector<SourceUnit> units;
    if (!m_bytes.empty()) {
        m_bytes.clear();
        addCharacter(0xFFFD, units);
    }
    close(units);
    m_after_space = true;
    return units;
}

bool beginsTargetUnit(ReadingUnit unit, char32_t last, std::string_view token_bytes) noexcept
{
    const auto first = text::characterAt(token_bytes, 0);
    if (first.length == 0 || first.state == Utf8State::Broken) {
        return false;
    }
    if (first.state == Utf8State::Valid && isSpace(first.code_point)) {
        return true;
    }
    if (unit != ReadingUnit::Characters || last == 0) {
        return false;
    }
    if (first.state == Utf8State::Incomplete) {
        return true;  // the first bytes of a character of its own
    }
    if (opensSomething(first.code_point)) {
        return true;
    }
    return isLetterOrNumber(first.code_point) && (isWrittenWithoutSpaces(first.code_point) || isWrittenWithoutSpaces(last));
}

std::int64_t targetUnits(ReadingUnit unit, std::string_view closed) noexcept
{
    if (unit != ReadingUnit::Characters) {
        return 1;
    }
    std::int64_t count = 0;
    for (std::size_t offset = 0; offset < closed.size();) {
        const auto character = text::characterAt(closed, offset);
        count += character.state == Utf8State::Valid && isWrittenWithoutSpaces(character.code_point) ? 1 : 0;
        offset += character.length;
    }
    return std::max<std::int64_t>(count, 1);
}

}  // namespace braid::translation
