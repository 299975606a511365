// Where a sentence ends, in the scripts that recognisers and translators write. The one rule for cutting windows, captions, subtitles and
// what is translated. Thread: any.
#pragma once

#include <string_view>

namespace braid::text {

// True where the last word of `text` ends a sentence: it ends in . ! ? … or their kin of other scripts (closing quotes and brackets may follow) and is no
// known abbreviation, no initial ("J.") and no ordinal of one or two digits ("3. Mai"). Where that is not certain the answer is no: a sentence end that is
// missed makes a line or a sentence longer, a false one parts "Dr." from her name.
[[nodiscard]] bool endsSentence(std::string_view text);

// The same of clauses: a comma, a semicolon or a colon.
[[nodiscard]] bool endsClause(std::string_view text);

}  // namespace braid::text
