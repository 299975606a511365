"""Capitals and marks of plain transcripts, as the caption model hears them with the words given; and when each word ends.

    relabel.py CHECKPOINT PASSES

Reads items.json, audio.i16, labels.json, style.json, vocab.json and a checkpoint of train.py's stage 1; writes labels2.json and
times.json, the ends of each item's words in seconds. Every pass puts marks and capitals with those of the pass before in the text.
Speech that is kept out is not looked at but for TIMIT, whose word times are compared with.
"""
import json
import sys
import time

import numpy as np
import torch

import vocabulary
from places import WORK
from sounds import real_items, sound_of
from whisper import SAMPLE_RATE, WIDTH, Decoder, Encoder, fast_products, frames_of_sound, whole_features
from word_times import token_frames, word_ends

ABBREVIATIONS = {"mr", "mrs", "dr", "st"}
MARKS = ",.?"
BATCH = 12


def with_capital(word):
    return word[:1].upper() + word[1:]


def with_i(word):
    return "I" + word[1:] if word == "i" or word.startswith("i'") else word


def ends_sentence(word):
    return word[-1] in ".?"


class Listener:
    def __init__(self, checkpoint):
        self.vocabulary = vocabulary.load()
        self.encoder = Encoder(stride=2).load_published().eval()
        self.decoder = Decoder(self.vocabulary.size)
        self.decoder.load_state_dict(torch.load(checkpoint)["dec"])
        self.decoder.eval()
        self.mark_ids = {mark: self.vocabulary.encode(mark)[0] for mark in MARKS}
        special = [True, False, False, False]  # the end counts as a space
        self.begins_word = torch.tensor([token[:1] == b" " for token in self.vocabulary.tokens] + special)

    def features(self, item):
        with fast_products():
            return whole_features(self.encoder, sound_of(item))[:frames_of_sound(item["length"])].float()

    def tokens_of(self, words):
        """-> tokens, the word of each"""
        tokens = []
        word_of_token = []
        for index, word in enumerate(words):
            ids = self.vocabulary.encode(" " + word)
            tokens += ids
            word_of_token += [index] * len(ids)
        return tokens, word_of_token

    @torch.no_grad()
    def logits(self, features, sequences, attention=None):
        frames = max(map(len, features))
        sounds = torch.zeros(len(sequences), frames, WIDTH)
        heard = torch.zeros(len(sequences), 1, 1, frames, dtype=torch.bool)
        tokens = torch.full((len(sequences), max(map(len, sequences))), self.vocabulary.end)
        for row, (one, sequence) in enumerate(zip(features, sequences)):
            sounds[row, :len(one)] = one
            heard[row, ..., :len(one)] = True
            tokens[row, :len(sequence)] = torch.tensor(sequence)
        with fast_products():
            return self.decoder.logits(self.decoder(tokens, sounds, heard, attention=attention)).float()

    def sequence(self, tokens):
        return [self.vocabulary.start, self.vocabulary.no_times] + tokens

    # ------------------------------------------------------------ marks and capitals
    def mark_pass(self, features, texts, plain_texts, is_plain):
        """texts: as they were marked before; plain_texts: without marks. -> texts marked anew, where is_plain"""
        known = [self.tokens_of(words) for words in texts]
        probabilities = self.logits(features, [self.sequence(tokens) for tokens, _ in known]).softmax(-1)
        return [self.marked(words, plain, word_of_token, probabilities[row]) if is_plain[row] else words
                for row, (words, plain, (_, word_of_token)) in enumerate(zip(texts, plain_texts, known))]

    def marked(self, words, plain, word_of_token, probabilities):
        """probabilities[2 + i]: of what follows token i, probabilities[1 + i]: of token i itself"""
        count = len(plain)
        marks = []
        for index in range(count):
            last = max(token for token, word in enumerate(word_of_token) if word == index)
            had_mark = words[index][-1] in MARKS and plain[index][-1] not in MARKS
            following = probabilities[2 + last - had_mark]
            chances = {"": following[self.vocabulary.end if index == count - 1 else self.begins_word].sum().item()}
            chances.update((mark, following[token].item()) for mark, token in self.mark_ids.items())
            marks.append("." if plain[index].lower() in ABBREVIATIONS else max(chances, key=chances.get))
        result = []
        for index, word in enumerate(plain):
            chance = probabilities[1 + word_of_token.index(index)]
            small, capital = (self.vocabulary.encode(" " + form)[0] for form in (word, with_capital(word)))
            begins_sentence = index > 0 and marks[index - 1] in (".", "?") and plain[index - 1].lower() not in ABBREVIATIONS
            began_sentence = index > 0 and ends_sentence(words[index - 1])
            likes_capital = small != capital and chance[capital] > chance[small] and not began_sentence
            result.append((with_capital(word) if begins_sentence or likes_capital else word) + marks[index])
        return result

    # ------------------------------------------------------------ times
    def times(self, items, features, texts):
        known = [self.tokens_of(words) for words in texts]
        sequences = [self.sequence(tokens) + [self.vocabulary.end] for tokens, _ in known]
        attention = []
        self.logits(features, sequences, attention)
        result = []
        for row, (item, words) in enumerate(zip(items, texts)):
            frames = len(features[row])
            first_frames = token_frames(attention, row, len(sequences[row]), frames)
            result.append(word_ends(words, known[row][1], first_frames, frames, sound_of(item).numpy()))
        return result


def compare_with_timit(items, times):
    late_s = []
    for item in items:
        if item["split"] == "test_timit" and item["id"] in times:
            right = [int(line.split()[1]) / SAMPLE_RATE for line in open(item["path"].replace(".flac", ".wrd")) if line.strip()]
            if len(right) == len(times[item["id"]]):
                late_s += [ours - theirs for ours, theirs in zip(times[item["id"]], right)]
    if late_s:
        away_s = np.abs(late_s)
        print(f"TIMIT: ends {np.mean(late_s):.3f} s late, {away_s.mean():.3f} s away, half of them less than {np.median(away_s):.3f} s, "
              f"nine of ten {np.percentile(away_s, 90):.3f} s")


def main():
    torch.set_num_threads(1)
    listener = Listener(WORK / sys.argv[1])
    passes = int(sys.argv[2])
    items = real_items()
    labels = json.load(open(WORK / "labels.json"))
    style = json.load(open(WORK / "style.json"))
    wanted = [item for item in items if item["split"] not in ("test_ls", "test_cv") and labels.get(item["id"])]
    wanted = sorted((item for item in wanted if item["length"] < 28 * SAMPLE_RATE), key=lambda item: item["length"])
    times = {}
    begun = time.time()
    for begin in range(0, len(wanted), BATCH):
        batch = wanted[begin:begin + BATCH]
        features = [listener.features(item) for item in batch]
        plain_texts = [[with_i(word) for word in labels[item["id"]].split()] for item in batch]
        is_plain = [style.get(item["id"]) == "plain" for item in batch]
        texts = plain_texts
        for _ in range(passes if any(is_plain) else 0):
            texts = listener.mark_pass(features, texts, plain_texts, is_plain)
        for item, words, ends in zip(batch, texts, listener.times(batch, features, texts)):
            labels[item["id"]] = " ".join(words)
            times[item["id"]] = ends
        if begin % 1200 == 0:
            print(f"{begin} of {len(wanted)}, {time.time() - begun:.0f} s:", labels[batch[0]["id"]], times[batch[0]["id"]][:6], flush=True)
    json.dump(labels, open(WORK / "labels2.json", "w"))
    json.dump(times, open(WORK / "times.json", "w"))
    compare_with_timit(items, times)


if __name__ == "__main__":
    main()
