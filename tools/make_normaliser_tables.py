"""Makes the tables of core/metrics' English normaliser.

  python3 tools/make_normaliser_tables.py ../shared/data/tokenizers/whisper/english.json core/metrics

english_spelling_table.cpp: British spellings and their American ones, the facts of Whisper's english.json (MIT).
compatibility_table.cpp: what Unicode's compatibility decomposition makes of characters that canonical decomposition leaves alone.
"""
import json
import sys
import unicodedata

source, folder = sys.argv[1], sys.argv[2]

pairs = sorted(json.load(open(source, encoding="utf-8")).items())
assert all(p.isascii() and q.isascii() and '"' not in p + q for p, q in pairs)
with open(f"{folder}/english_spelling_table.cpp", "w", encoding="utf-8") as out:
    out.write("// Made by tools/make_normaliser_tables.py: British spellings and their American ones (from Whisper's english.json, MIT).\n")
    out.write('#include "core/metrics/normaliser_tables.h"\n\nnamespace braid::metrics {\n\nnamespace {\nconstexpr Spelling kSpellings[] = {\n')
    line = "   "
    for british, american in pairs:
        entry = f' {{"{british}", "{american}"}},'
        if len(line) + len(entry) > 155:
            out.write(line + "\n")
            line = "   "
        line += entry
    out.write(line + "\n};\n}  // namespace\n\nconst std::span<const Spelling> spellings = kSpellings;\n\n}  // namespace braid::metrics\n")

entries, blob = [], []
for code in range(0x110000):
    if 0xD800 <= code < 0xE000:
        continue
    full = unicodedata.normalize("NFKD", chr(code))
    if full != unicodedata.normalize("NFD", chr(code)):
        text = [ord(c) for c in full]
        entries.append((code, len(blob), len(text)))
        blob += text
assert len(blob) < 65536
with open(f"{folder}/compatibility_table.cpp", "w", encoding="utf-8") as out:
    out.write(f"// Made by tools/make_normaliser_tables.py: compatibility decompositions of Unicode {unicodedata.unidata_version}, complete.\n")
    out.write('#include "core/metrics/normaliser_tables.h"\n\nnamespace braid::metrics {\n\nnamespace {\n')

    def write(declaration, cells):
        out.write(declaration + " = {\n")
        row = "   "
        for cell in cells:
            if len(row) + len(cell) > 155:
                out.write(row + "\n")
                row = "   "
            row += " " + cell
        out.write(row + "\n};\n")

    write("constexpr CompatibilityEntry kEntries[]", [f"{{{code:#x}, {at}, {count}}}," for code, at, count in entries])
    write("constexpr char32_t kCharacters[]", [f"{c:#x}," for c in blob])
    out.write("}  // namespace\n\nconst std::span<const CompatibilityEntry> compatibility_entries = kEntries;\n")
    out.write("const std::span<const char32_t> compatibility_characters = kCharacters;\n\n}  // namespace braid::metrics\n")
print(len(pairs), "spellings,", len(entries), "decompositions,", len(blob), "characters")
