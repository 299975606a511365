#!/bin/sh
# All corpora of the box model, from shared/data to the manifests its recipe names. Needs braid-cli (built with PocketSphinx), the
# synthesizers (espeak-ng, flite, festival, festvox-kallpc16k, festvox-kdlpc16k, festvox-us-slt-hts) and ffmpeg.
#
#   corpora.sh DATA OUT [BRAID_CLI [WORKERS]]
#
# Every step goes on where it was stopped. Never heard in training: LibriSpeech speakers 84, 251, 1272, 2803; every tenth Common Voice
# file by sorted name; TIMIT; clips; the voices flite rms and festival kdlpc16k; the 300 sentences of held_out_sentences.txt; and every
# utterance whose text equals one of these. Texts keep their capitals and marks where their collection has them (LibriSpeech, Common Voice
# and speechocean762 have none).
set -eu
data=$(realpath "$1")
here=$(dirname "$(realpath "$0")")
mkdir -p "$2"
out=$(realpath "$2")
cli=$(realpath "${3:-build/release/app/braid-cli}")
workers=${4:-2}
export LC_ALL=C
cd "$out"

# ---------------------------------------------------------------- real speech: PATH<TAB>TEXT<TAB>SOURCE
# list SET SOURCE_AWK: SOURCE_AWK makes the source of `name`.
list() {
  find "$data/speech/$1" -type f ! -name '*.tsv' ! -name '*.txt' | sort >files.tmp
  awk -F '\t' -v OFS='\t' '
    FNR == NR { name = $0; sub(/.*\//, "", name); sub(/\.[^.]*$/, "", name); path[name] = $0; next }
    NF >= 2 && $1 in path { name = $1; print path[name], $2, '"$2"' }' files.tmp "$data/speech/$1/transcripts.tsv" | sort
}
list librispeech-dev-clean '"librispeech/" substr(name, 1, index(name, "-") - 1)' >librispeech.tmp
grep -E '	librispeech/(84|251|1272|2803)$' librispeech.tmp >heldout_librispeech.tsv
grep -vE '	librispeech/(84|251|1272|2803)$' librispeech.tmp >real.tsv
cut -f 1 "$data/speech/common-voice-1/transcripts.tsv" | grep -v '^$' | sort | awk 'NR % 10 == 1' >tenth.tmp
list common-voice-1 '"commonvoice"' |
  awk -F '\t' '
    FILENAME == ARGV[1] { tenth[$1] = 1; next }
    FILENAME == ARGV[2] { for (i = 1; i <= split($0, word, /[ \t]+/); ++i) doubtful[word[i]] = 1; next }
    { name = $1; sub(/.*\//, "", name); sub(/\.[^.]*$/, "", name) }
    name in doubtful { next }
    { print > (name in tenth ? "heldout_commonvoice.tsv" : "commonvoice.tmp") }' tenth.tmp "$data/speech/common-voice-1/doubtful.txt" -
{
  cat commonvoice.tmp
  list librispeech-train-clean-5 '"librispeech/" substr(name, 1, index(name, "-") - 1)'
  list librispeech-train-clean-100-part '"librispeech/" substr(name, 1, index(name, "-") - 1)'
  list speechocean762 '"speechocean762/" substr(name, 1, 5)'
  list kathleen '"kathleen"'
  list ljspeech-part '"ljspeech-part"'
} >>real.tsv

for set in librispeech commonvoice; do
  "$cli" align heldout_$set.tsv --text written --convert-only --overwrite --out heldout_$set.jsonl
done
"$cli" align "$data/speech/timit-sample" --text written --convert-only --overwrite --out heldout_timit.jsonl
{
  cut -f 2 heldout_librispeech.tsv heldout_commonvoice.tsv "$data/speech/clips/transcripts.tsv"
  sed 's/.*"text":"\([^"]*\)".*/\1/' heldout_timit.jsonl
  cat "$here/held_out_sentences.txt"
} >held_out_texts.txt
"$cli" align real.tsv --text written --without held_out_texts.txt --out real.jsonl --workers "$workers"

# ---------------------------------------------------------------- synthetic speech
gzip -dc "$data/text/sentences-cc0/common-voice-en.txt.gz" >sentences.txt
"$cli" synth sentences.txt --text written --without held_out_texts.txt --out synth --utterances 25000 --fewest-words 2 --most-words 24 --seed 3 --workers "$workers" \
  --voices 'flite/slt=3,flite/awb=3,flite/kal16=1.5,flite/kal=0.5,festival/kal_diphone=1.2,festival/cmu_us_slt_arctic_hts=2,espeak/*=8,-espeak/*robosoft*,-espeak/*Robot*,-espeak/*Demonic*,-espeak/*croak*'
sed 's#"sound":"#"sound":"synth/#' synth/manifest.jsonl >synth.jsonl

# Real voices with capitals and marks: kept-out Common Voice whose sentence stands in the collection as it was written.
awk -F '\t' -v OFS='\t' '
  function plain(text) { text = tolower(text); gsub(/[^a-z\47]+/, " ", text); gsub(/^ +| +$/, "", text); return text }
  FILENAME == ARGV[1] { if (!(plain($0) in written)) written[plain($0)] = $0; next }
  plain($2) in written { print $1, written[plain($2)], $3 }' sentences.txt heldout_commonvoice.tsv >heldout_commonvoice_written.tsv
"$cli" align heldout_commonvoice_written.tsv --text written --convert-only --overwrite --out heldout_commonvoice_written.jsonl

# held_out NAME FIRST LAST VOICES: those sentences, each once, at the voices' own pitch
held_out() {
  sed -n "$2,$3p" "$here/held_out_sentences.txt" >"$1.tmp"
  "$cli" synth "$1.tmp" --text written --out "heldout/$1" --several 0 --slowest 0.83 --fastest 1.3 --lowest 1 --highest 1 --voices "$4"
  sed "s#\"sound\":\"#\"sound\":\"heldout/$1/#" "heldout/$1/manifest.jsonl" >"heldout_synth_$1.jsonl"
}
held_out seen_voices 1 120 'flite/awb,flite/slt,flite/kal16,espeak/en-us,espeak/en+f2,festival/cmu_us_slt_arctic_hts'
held_out flite_rms 121 210 'flite/rms'
held_out festival_kdl 211 300 'festival/ked_diphone'

# ---------------------------------------------------------------- no speech
# Every fifth clip, and the last fifth of each long recording in pieces of 10 s, are kept to measure on.
: >noise.jsonl
: >heldout_noise.jsonl
find "$data/noise/sounds" -name '*.opus' | sort | awk '{ print "{\"sound\":\"" $0 "\",\"text\":\"\",\"source\":\"noise/sounds\"}" > (NR % 5 == 1 ? "heldout_noise.jsonl" : "noise.jsonl") }'
find "$data/noise/background" -name '*.opus' | sort | while read -r file; do
  seconds=$(ffprobe -v error -show_entries format=duration -of csv=p=0 "$file")
  awk -v file="$file" -v seconds="$seconds" 'BEGIN {
    for (pieces = 0; pieces * 10 < seconds - 5; ++pieces);
    for (k = 0; k < pieces; ++k) {
      length_s = seconds - 10 * k < 10 ? seconds - 10 * k - 0.01 : 10
      printf "{\"sound\":\"%s\",\"offset_s\":%d,\"length_s\":%.2f,\"text\":\"\",\"source\":\"noise/background\"}\n", file, 10 * k, length_s >> (k >= 0.8 * pieces ? "heldout_noise.jsonl" : "noise.jsonl")
    } }'
done
# Five minutes of held-out noise, and five of silence: a minute each of nothing, of floors at -80, -65 and -50 dB, and of mains hum.
sed 's/.*"sound":"\([^"]*\)".*/\1/' heldout_noise.jsonl | grep /sounds/ | sed "s/.*/file '&'/" >noise.tmp
ffmpeg -v error -y -stream_loop 3 -f concat -safe 0 -i noise.tmp -ac 1 -ar 16000 -t 300 five_minutes_of_noise.flac
ffmpeg -v error -y -f lavfi -i "anullsrc=r=16000:cl=mono:d=60" -f lavfi -i "anoisesrc=r=16000:a=0.0001:d=60:s=1" -f lavfi -i "anoisesrc=r=16000:a=0.00056:d=60:s=2" \
  -f lavfi -i "anoisesrc=r=16000:a=0.0032:d=60:s=3:c=pink" -f lavfi -i "aevalsrc=0.002*sin(2*PI*50*t)+0.001*sin(2*PI*150*t):s=16000:d=60" \
  -filter_complex "[0][1][2][3][4]concat=n=5:v=0:a=1" -ac 1 five_minutes_of_silence.flac
for what in noise silence; do
  echo "{\"sound\":\"five_minutes_of_$what.flac\",\"text\":\"\",\"source\":\"$what\"}" >heldout_five_minutes_of_$what.jsonl
done

# ---------------------------------------------------------------- an hour on end
# Kept-out real speech as one recording, just under the hour that a recording may last: whether a chunk costs the same after an hour, and what is lost where windows follow one another.
: >hour.tmp
: >hour_text.tmp
for set in librispeech commonvoice; do
  head -n 375 heldout_$set.jsonl >$set.tmp
  sed 's/.*"text":"\([^"]*\)".*/\1/' $set.tmp >>hour_text.tmp
  sed "s/.*\"sound\":\"\([^\"]*\)\".*/file '\1'/" $set.tmp >${set}_files.tmp
  ffmpeg -v error -y -f concat -safe 0 -i ${set}_files.tmp -ac 1 -ar 16000 -sample_fmt s16 hour_$set.flac
  echo "file 'hour_$set.flac'" >>hour.tmp
done
ffmpeg -v error -y -f concat -safe 0 -i hour.tmp hour.flac
rm -f hour_librispeech.flac hour_commonvoice.flac
echo "{\"sound\":\"hour.flac\",\"text\":\"$(tr '\n' ' ' <hour_text.tmp)\",\"source\":\"hour\"}" >heldout_hour.jsonl
rm -f ./*.tmp
wc -l ./*.jsonl
