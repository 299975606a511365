"""Makes the spelling table of core/metrics' English normaliser.

  python3 tools/make_normaliser_tables.py ../shared/data/tokenizers/whisper/english.json core/metrics

english_spelling_table.cpp: British spellings and their American ones, the facts of Whisper's english.json (MIT).
"""
import json
import sys

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
