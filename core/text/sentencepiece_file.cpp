// SentencePiece's tokenizer.model (a protocol buffer, google/sentencepiece src/sentencepiece_model.proto) and llama2.c's tokenizer file,
// read by hand: a few fields of a strict format need no library.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <map>

#include "core/text/language_vocabulary.h"
#include "core/text/vocabulary_checks.h"

namespace braid::text {
namespace {

constexpr std::string_view kMark = "\u2581";

// One message of a protocol buffer, field by field.
class ProtoReader {
  public:
    ProtoReader(std::string_view bytes, const std::string &where)
        : m_bytes(bytes)
        , m_where(where)
    {
    }

    struct Field {
        std::uint64_t number = 0;
        std::uint64_t value = 0;  // of a varint or a fixed-width field
        std::string_view bytes;   // of a length-delimited one
        bool has_bytes = false;
    };
    // False at the end.
    bool next(Field &field)
    {
        if (m_bytes.empty()) {
            return false;
        }
        const auto key = varint();
        field = {key >> 3, 0, {}, false};
        switch (key & 7) {
        case 0:
            field.value = varint();
            return true;
        case 1:
            field.value = fixed(8);
            return true;
        case 2: {
            const auto length = varint();
            if (length > m_bytes.size()) {
                refuse("it ends in the middle of a field", m_where);
            }
            field.bytes = m_bytes.substr(0, static_cast<std::size_t>(length));
            field.has_bytes = true;
            m_bytes.remove_prefix(static_cast<std::size_t>(length));
            return true;
        }
        case 5:
            field.value = fixed(4);
            return true;
        default:
            refuse("this is neither SentencePiece's nor tiktoken's kind of file", m_where);
        }
    }

  private:
    std::uint64_t varint()
    {
        std::uint64_t value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            if (m_bytes.empty()) {
                break;
            }
            const auto byte = static_cast<unsigned char>(m_bytes.front());
            m_bytes.remove_prefix(1);
            value |= std::uint64_t{byte & 0x7Fu} << shift;
            if (byte < 0x80) {
                return value;
            }
        }
        refuse("it ends in the middle of a number", m_where);
    }
    std::uint64_t fixed(std::size_t size)
    {
        if (m_bytes.size() < size) {
            refuse("it ends in the middle of a number", m_where);
        }
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < size; ++i) {
            value |= std::uint64_t{static_cast<unsigned char>(m_bytes[i])} << (8 * i);
        }
        m_bytes.remove_prefix(size);
        return value;
    }

    std::string_view m_bytes;
    const std::string &m_where;
};

SentencePiece readPiece(std::string_view bytes, const std::string &where)
{
    SentencePiece piece;
    ProtoReader reader(bytes, where);
    for (ProtoReader::Field field; reader.next(field);) {
        if (field.number == 1 && field.has_bytes) {
            piece.text = field.bytes;
        } else if (field.number == 2) {
            piece.score = std::bit_cast<float>(static_cast<std::uint32_t>(field.value));
        } else if (field.number == 3) {
            if (field.value < 1 || field.value > 6) {
                refuse("the piece " + inQuotes(piece.text) + " is of an unknown kind", where);
            }
            static constexpr PieceKind kinds[] = {PieceKind::Normal,      PieceKind::Unknown, PieceKind::Control,
                                                  PieceKind::UserDefined, PieceKind::Unused,  PieceKind::Byte};
            piece.kind = kinds[field.value - 1];
        }
    }
    return piece;
}

struct TrainerSpec {
    std::uint64_t model_type = 1;  // 1 unigram, 2 byte pairs
    std::int32_t begin_id = 1;
    bool has_space_suffix = false;
};

TrainerSpec readTrainerSpec(std::string_view bytes, const std::string &where)
{
    TrainerSpec spec;
    ProtoReader reader(bytes, where);
    for (ProtoReader::Field field; reader.next(field);) {
        if (field.number == 3) {
            spec.model_type = field.value;
        } else if (field.number == 24) {
            spec.has_space_suffix = field.value != 0;
        } else if (field.number == 41) {
            spec.begin_id = static_cast<std::int32_t>(field.value);
        }
    }
    return spec;
}

// Refuses a file that wants the text changed before it is cut.
bool readDummyPrefix(std::string_view bytes, const std::string &where)
{
    bool adds_dummy_prefix = true;
    bool removes_spaces = true;
    bool escapes_spaces = true;
    bool has_rules = false;
    ProtoReader reader(bytes, where);
    for (ProtoReader::Field field; reader.next(field);) {
        if ((field.number == 2 || field.number == 6) && field.has_bytes) {
            has_rules = has_rules || !field.bytes.empty();
        } else if (field.number == 3) {
            adds_dummy_prefix = field.value != 0;
        } else if (field.number == 4) {
            removes_spaces = field.value != 0;
        } else if (field.number == 5) {
            escapes_spaces = field.value != 0;
        }
    }
    if (has_rules || removes_spaces || !escapes_spaces) {
        refuse("it changes the text before cutting it in a way that Braid does not know; use the model's tokenizer.json instead", where);
    }
    return adds_dummy_prefix;
}

std::uint32_t littleEndian(std::string_view bytes)
{
    std::uint32_t value = 0;
    std::memcpy(&value, bytes.data(), sizeof value);
    return value;
}

// Ranks by falling score; equal scores have equal ranks, so that the leftmost of them goes first.
std::map<float, std::int32_t, std::greater<>> ranksByScore(const std::vector<SentencePiece> &pieces)
{
    std::map<float, std::int32_t, std::greater<>> ranks;
    for (const auto &piece : pieces) {
        ranks.emplace(piece.score, 0);
    }
    std::int32_t rank = 0;
    for (auto &entry : ranks) {
        entry.second = rank++;
    }
    return ranks;
}

void appendMerges(const std::vector<SentencePiece> &pieces, LanguageVocabulary &vocabulary, const IdOfToken &parts)
{
    const auto ranks = ranksByScore(pieces);
    for (std::size_t id = 0; id < pieces.size(); ++id) {
        const auto &piece = pieces[id];
        if (piece.kind != PieceKind::Normal) {
            continue;
        }
        const auto cuts = characterBoundaries(piece.text);
        for (std::size_t i = 1; i + 1 < cuts.size(); ++i) {
            const auto left = parts.find(piece.text.substr(0, cuts[i]));
            const auto right = left == parts.end() ? parts.end() : parts.find(piece.text.substr(cuts[i]));
            if (right != parts.end()) {
                vocabulary.merges.push_back({left->second, right->second, static_cast<std::int32_t>(id), ranks.at(piece.score)});
            }
        }
    }
}

}  // namespace

LanguageVocabulary fromSentencePieces(const std::vector<SentencePiece> &pieces, const SentencePieceRules &rules, const std::string &where)
{
    if (pieces.empty() || pieces.size() > static_cast<std::size_t>(kMaxTokens)) {
        refuse("it has no pieces, or too many", where);
    }
    LanguageVocabulary vocabulary;
    vocabulary.fuses_unknown = true;
    IdOfToken mergeable;
    std::size_t byte_count = 0;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const auto &piece = pieces[i];
        const auto id = static_cast<std::int32_t>(i);
        if (piece.text.empty() || piece.text.size() > kMaxTokenBytes || !std::isfinite(piece.score)) {
            refuse("piece " + std::to_string(i) + " is empty, too long or has no usable score", where);
        }
        vocabulary.setToken(id, piece.text, where);
        switch (piece.kind) {
        case PieceKind::Normal:
            if (!mergeable.emplace(piece.text, id).second) {
                refuse("the piece " + inQuotes(piece.text) + " is there twice", where);
            }
            vocabulary.ids.emplace(piece.text, id);
            break;
        case PieceKind::Byte:
            if (!byteOfToken(piece.text) || !vocabulary.ids.emplace(piece.text, id).second) {
                refuse("the piece " + inQuotes(piece.text) + " is no byte, or there twice", where);
            }
            ++byte_count;
            break;
        case PieceKind::Unknown:
            vocabulary.unknown = vocabulary.unknown.value_or(id);
            [[fallthrough]];
        case PieceKind::Control:
            vocabulary.added.push_back({id, piece.text, true, false, false, false, false, true});
            break;
        case PieceKind::UserDefined:
            vocabulary.added.push_back({id, piece.text, false, false, false, false, true, true});
            break;
        case PieceKind::Unused:
            refuse("it has pieces that are not to be used, which Braid does not know; use the model's tokenizer.json instead", where);
        }
    }
    if (byte_count != 0 && byte_count != 256) {
        refuse("it has tokens for some bytes but not for all", where);
    }
    vocabulary.falls_back_to_bytes = byte_count == 256;
    appendMerges(pieces, vocabulary, mergeable);
    if (rules.adds_dummy_prefix) {
        vocabulary.normalisers.emplace_back(PrependText{std::string(kMark)});
    }
    vocabulary.normalisers.emplace_back(ReplaceText{" ", std::string(kMark)});
    vocabulary.decoding.writing = TokenWriting::Pieces;
    vocabulary.decoding.replacements.emplace_back(std::string(kMark), " ");
    vocabulary.decoding.has_byte_tokens = vocabulary.falls_back_to_bytes;
    vocabulary.decoding.leading_strip = rules.adds_dummy_prefix ? 1 : 0;
    if (rules.begin && *rules.begin >= 0) {
        if (static_cast<std::size_t>(*rules.begin) >= pieces.size()) {
            refuse("its beginning token is not among its pieces", where);
        }
        vocabulary.before_text.push_back(*rules.begin);
    }
    return vocabulary;
}

LanguageVocabulary readSentencePiece(std::string_view file, const std::string &where)
{
    std::vector<SentencePiece> pieces;
    TrainerSpec trainer;
    bool adds_dummy_prefix = true;
    bool has_normaliser = false;
    ProtoReader reader(file, where);
    for (ProtoReader::Field field; reader.next(field);) {
        if (field.number == 1 && field.has_bytes) {
            if (pieces.size() >= static_cast<std::size_t>(kMaxTokens)) {
                refuse("it has too many pieces", where);
            }
            pieces.push_back(readPiece(field.bytes, where));
        } else if (field.number == 2 && field.has_bytes) {
            trainer = readTrainerSpec(field.bytes, where);
        } else if (field.number == 3 && field.has_bytes) {
            adds_dummy_prefix = readDummyPrefix(field.bytes, where);
            has_normaliser = true;
        }
    }
    if (!has_normaliser) {
        refuse("it does not say how text is prepared", where);
    }
    if (trainer.model_type != 2 || trainer.has_space_suffix) {
        refuse("it is not SentencePiece's byte pair encoding with spaces before words", where);
    }
    return fromSentencePieces(pieces, {adds_dummy_prefix, trainer.begin_id}, where);
}

LanguageVocabulary readLlama2c(std::string_view file, const std::string &where)
{
    std::vector<SentencePiece> pieces;
    if (file.size() < 4 || littleEndian(file) > kMaxTokenBytes) {
        refuse("this is not a tokenizer of llama2.c", where);
    }
    for (file.remove_prefix(4); !file.empty();) {
        if (file.size() < 8) {
            refuse("it ends in the middle of a token", where);
        }
        SentencePiece piece;
        piece.score = std::bit_cast<float>(littleEndian(file));
        const auto length = littleEndian(file.substr(4));
        file.remove_prefix(8);
        if (length > kMaxTokenBytes || length > file.size()) {
            refuse("it ends in the middle of a token, or a token is too long", where);
        }
        piece.text = file.substr(0, length);
        file.remove_prefix(length);
        const auto id = pieces.size();
        if (id < 3) {  // written as "<unk>", "\n<s>\n", "\n</s>\n"
            static constexpr const char *names[] = {"<unk>", "<s>", "</s>"};
            piece.text = names[id];
            piece.kind = id == 0 ? PieceKind::Unknown : PieceKind::Control;
        } else if (id < 3 + 256) {
            piece.kind = PieceKind::Byte;
        } else {  // spaces stand as themselves
            for (auto at = piece.text.find(' '); at != std::string::npos; at = piece.text.find(' ', at)) {
                piece.text.replace(at, 1, kMark);
            }
        }
        pieces.push_back(std::move(piece));
    }
    return fromSentencePieces(pieces, {true, 1}, where);
}

}  // namespace braid::text
