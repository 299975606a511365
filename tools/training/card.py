#!/usr/bin/env python3
"""The figures of a caption model's card, by one command, from the kept-out sets that corpora.sh made.

  tools/training/card.py ../train/corpus [--model resources/models/captions-en] [--cli build/release/app/braid-cli] [--workers 2]

Prints the card's tables as Markdown: word error rates at three chunk sizes and offline, punctuation and capitals on the sets whose references
have them, lags from a word's end, false words where nobody speaks, word times on TIMIT, and an hour on end. Everything is as Braid ships it: the doubt guard's limits, the beam, the chunk. One thread for each worker.
"""
import argparse
import concurrent.futures
import json
import pathlib
import subprocess
import sys

SETS = [  # manifest, only every n-th, what the card calls it
    ("librispeech", 2, "LibriSpeech dev-clean, the four kept-out speakers 84, 251, 1272, 2803, every second utterance"),
    ("commonvoice", 3, 'Common Voice 1 "valid dev", every third of the kept-out tenth (without the 249 doubtful ones)'),
    ("commonvoice_written", 1, "Common Voice of the kept-out tenth, sentences that are known as they were written"),
    ("timit", 1, "TIMIT sample, 8 speakers (never trained on)"),
    ("synth_seen_voices", 1, "unseen sentences, synthetic voices heard in training"),
    ("synth_flite_rms", 1, "unseen sentences, synthetic voice never heard (flite rms)"),
    ("synth_festival_kdl", 1, "unseen sentences, synthetic voice never heard (festival kdlpc16k)"),
]
COLUMNS = [
    ("100 ms", "streaming:beam=1,chunk=100"),
    ("300 ms", "streaming:beam=1"),
    ("300 ms, beam 5", "streaming"),
    ("1000 ms, beam 5", "streaming:chunk=1000"),
    ("offline", "offline:beam=1"),
]
LIVE = 2  # of these, what a person sees: the table of marks and of lags is of it
MARKS = [("full_stops", "full stops"), ("commas", "commas"), ("question_marks", "question marks"), ("capitals", "capitals")]
LAGS = ["seen_live_lag_ms", "settled_live_lag_ms", "seen_lag_ms", "settled_lag_ms"]
SILENT = [
    ("five_minutes_of_silence", "digital silence and microphone floors"),
    ("five_minutes_of_noise", "kept-out noise clips on end"),
    ("noise", "the kept-out clips one by one"),
]


def row(cells):
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def table(header, rows):
    return "\n".join([row(header), row(["---"] * len(header))] + [row(cells) for cells in rows])


def main():
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("corpus", type=pathlib.Path, help="the folder corpora.sh made")
    asked.add_argument("--model", default="resources/models/captions-en")
    asked.add_argument("--cli", default="build/release/app/braid-cli")
    asked.add_argument("--workers", type=int, default=2)
    asked.add_argument("--without-hour", action="store_true", help="leave out the hour on end, which takes longest")
    asked.add_argument("--live-alone", action="store_true", help="of the columns, only the one of live captions")
    given = asked.parse_args()
    columns = [COLUMNS[LIVE]] if given.live_alone else COLUMNS
    live = columns.index(COLUMNS[LIVE])

    sentences = {}  # what the figures mean, as the program says it

    def measure(name, policies, *options):
        manifest = given.corpus / f"heldout_{name}.jsonl"
        if not manifest.exists():
            return None
        command = [given.cli, "eval", "captions", str(manifest), "--model", given.model, "--threads", "1", "--quiet", "--format", "json", *options, "--policies", *policies]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"{' '.join(command)}\n{done.stderr}")
        print(f"measured: {name}", file=sys.stderr)
        document = json.loads(done.stdout)
        sentences.update(document)
        return document["policies"]

    with concurrent.futures.ThreadPoolExecutor(given.workers) as pool:  # the longest first
        hour = None if given.without_hour else pool.submit(measure, "hour", ["streaming"])
        rates = {name: pool.submit(measure, name, [policy for _, policy in columns], "--every", str(every)) for name, every, _ in SETS}
        false_words = {name: pool.submit(measure, name, ["streaming"], "--gate") for name, _ in SILENT}

    rows = []
    for name, _, called in SETS:
        policies = rates[name].result()
        if policies:
            first = policies[0]
            rows.append([called, first["recordings"], first["wer"]["reference_words"]] + [f"{100 * policy['wer']['rate']:.1f}" for policy in policies])
    print(table(["set", "utterances", "words"] + [column for column, _ in columns], rows))

    def percent(counts, key, of):
        return f"{100 * counts[key]:.0f}" if counts[of] else "-"

    rows = []
    for name, _, called in SETS:
        policies = rates[name].result()
        marks = policies[live]["punctuation"] if policies else None
        if marks:
            cells = [[counts["reference"], percent(counts, "precision", "given"), percent(counts, "recall", "reference"), percent(counts, "f1", "reference")] for counts in (marks[key] for key, _ in MARKS)]
            rows.append([called, marks["texts"]] + [cell for mark in cells for cell in mark])
    if rows:
        print("\n" + table([f"punctuation and capitals, {columns[live][0]}", "utterances"] + [cell for _, called in MARKS for cell in (called, "precision", "recall", "F1")], rows))
        print("\n" + sentences["how_punctuation_counts"])

    rows = []
    for name, _, called in SETS:
        policies = rates[name].result()
        policy = policies[live] if policies else None
        if policy and policy["settled_lag_ms"]:
            ends = "the reference's" if policy["lag_words"]["ends_of_policy"] == 0 else "the model's own" if policy["lag_words"]["ends_of_reference"] == 0 else "both"
            rows.append([called, sum(policy["lag_words"].values()), ends] + [f"{policy[lag][of]:.0f}" for lag in LAGS for of in ("p50", "p95")])
    if rows:
        print("\n" + table([f"lag in ms, {columns[live][0]}", "words", "word ends", "first sight (median)", "95 %", "commitment (median)", "95 %", "of sound: first sight", "95 %", "commitment", "95 %"], rows))
        print("\n" + sentences["how_lags_count"])

    rows = []
    for name, called in SILENT:
        policies = false_words[name].result()
        if policies:
            silent = policies[0]["speechless"]
            rows.append([called, f"{silent['heard_s'] / 60:.1f}", silent["words"]])
    print("\n" + table(["nobody speaks; live at 300 ms, beam 5", "minutes", "false words"], rows))

    rows = []
    for (column, _), policy in zip(columns, rates["timit"].result() or []):
        score = policy["word_times"]
        rows.append([column] + [f"{100 * score[key]:.1f}" for key in ("precision_240_ms", "recall_240_ms", "precision_80_ms", "recall_80_ms")]
                    + [f"{score[key]:.0f}" for key in ("start_deviation_ms", "end_deviation_ms")])
    print("\n" + table(["word times on TIMIT", "precision 240 ms", "recall", "precision 80 ms", "recall", "starts off by ms", "ends"], rows))

    policies = hour.result() if hour else None
    if policies:
        policy = policies[0]
        lasting = policy["long_recordings"]
        print("\n" + table(["an hour on end, 300 ms, beam 5", "word error rate", "first tenth, ms a chunk (median)", "last tenth", "real-time factor"],
                           [[f"{policy['heard_s'] / 60:.1f} min", f"{100 * policy['wer']['rate']:.1f}", f"{lasting['first_tenth_ms']['p50']:.1f}", f"{lasting['last_tenth_ms']['p50']:.1f}",
                             f"{policy['real_time_factor']:.3f}"]]))


if __name__ == "__main__":
    main()
