"""Learns the token table behind an encoder and a decoder that stand still; or, with --lr_dec, the decoder slowly with it.

    table.py --sets NAME ... --watched NAME --vocabulary FILE --begin CHECKPOINT --out CHECKPOINT --minutes M

The published decoder hears as it did with its own table, so all that is looked for is that table. Too high a rate writes texts into it: one step of 2e-3 moves
a logit by tens. Seldom tokens move less than frequent ones (--seldom), and every row is drawn to the mean of all (--to_mean). Reads what features.py wrote;
--begin: a checkpoint of table.py, train.py or from_shipped.py with its vocabulary; rows of tokens that it lacks begin at the mean. Writes {dec, step}.
"""
import argparse
import collections
import json
import os
import random
import time

import numpy as np
import torch
import torch.nn.functional as F

import vocabulary
from batches import Row, decode
from places import WORK
from validate import edits, greedy, plain_words
from whisper import FRAME_MS, WIDTH, Decoder, block_ends, fast_products
from windows import text_at

WARM_UP_STEPS = 50
LOWEST_RATE = 0.03
SORTED_TOGETHER = 200


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sets", nargs="+", required=True)
    parser.add_argument("--watched", required=True)
    parser.add_argument("--begin", required=True)
    parser.add_argument("--begin_vocabulary", help="where it is not --vocabulary")
    parser.add_argument("--vocabulary", default="vocab.json")
    parser.add_argument("--published_decoder", action="store_true", help="of --begin take the table alone")
    parser.add_argument("--out", required=True)
    parser.add_argument("--minutes", type=float, required=True)
    parser.add_argument("--lr", type=float, default=2e-4)
    parser.add_argument("--lr_dec", type=float, default=0.0)
    parser.add_argument("--to_mean", type=float, default=0.3)
    parser.add_argument("--seldom", type=float, default=30, help="a token met less often in a pass moves less, by the root")
    parser.add_argument("--average", type=float, default=0.995)
    parser.add_argument("--smoothing", type=float, default=0.05)
    parser.add_argument("--replace", type=float, default=0.05)
    parser.add_argument("--points", type=float, default=0.5, help="share of the windows that stop where one of their blocks ends")
    parser.add_argument("--batch", type=int, default=5, help="windows")
    parser.add_argument("--hold", type=float, default=0.35, help="the rate begins to fall after this share of the minutes")
    parser.add_argument("--valid_s", type=float, default=150)
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


class KeptFeatures:
    def __init__(self, name):
        self.name = name
        self.reload()

    def reload(self):
        """What features.py has written so far"""
        self.windows = json.load(open(WORK / f"{self.name}.windows.json"))
        count = os.path.getsize(WORK / f"{self.name}.f16") // (2 * WIDTH)
        self.frames = np.memmap(WORK / f"{self.name}.f16", dtype=np.float16, mode="r", shape=(count, WIDTH))

    def of(self, window, count):
        return torch.from_numpy(self.frames[window["start"]:window["start"] + count].astype(np.float32))


def text_of(window):
    return " ".join(word for word, _ in window["words"])


class Run:
    def __init__(self, chosen):
        self.chosen = chosen
        self.draw = random.Random(chosen.seed)
        self.vocabulary = vocabulary.load(chosen.vocabulary)
        self.sets = [KeptFeatures(name) for name in chosen.sets]
        self.watched = KeptFeatures(chosen.watched)
        self.decoder = Decoder(self.vocabulary.size)
        self.load(torch.load(WORK / chosen.begin)["dec"], vocabulary.load(chosen.begin_vocabulary or chosen.vocabulary))
        behind_table = [value for name, value in self.decoder.named_parameters() if name != "emb.weight"]
        self.groups = [{"params": [self.decoder.emb.weight], "full_rate": chosen.lr}]
        if chosen.lr_dec > 0:
            self.groups.append({"params": behind_table, "full_rate": chosen.lr_dec})
        else:
            for value in behind_table:
                value.requires_grad_(False)
        self.parameters = [value for group in self.groups for value in group["params"]]
        self.optimizer = torch.optim.AdamW(self.groups, lr=1e-3, betas=(0.9, 0.98), weight_decay=0.0)
        self.share_moved = self.shares_moved()
        self.averaged = None
        self.step = 0

    def load(self, weights, theirs):
        rows = weights.pop("emb.weight")
        if self.chosen.published_decoder:
            self.decoder.load_published()
        else:
            self.decoder.load_state_dict(weights, strict=False)
        index_of = {token: index for index, token in enumerate(theirs.tokens)}
        table = rows[:theirs.end].mean(0).repeat(self.vocabulary.size, 1)
        for index, token in enumerate(self.vocabulary.tokens):
            if token in index_of:
                table[index] = rows[index_of[token]]
        table[self.vocabulary.end:] = rows[theirs.end:]
        self.decoder.emb.weight.data.copy_(table)

    def shares_moved(self):
        counts = collections.Counter()
        for kept in self.sets:
            for window in kept.windows:
                counts.update(self.vocabulary.encode(" " + text_of(window)))
        special = range(self.vocabulary.end, self.vocabulary.size)
        return torch.tensor([[1.0 if index in special else min(1.0, ((counts[index] + 1) / self.chosen.seldom) ** 0.5)] for index in range(self.vocabulary.size)])

    # ------------------------------------------------------------ batches
    def row(self, index, window):
        """The whole window, or what was said up to the end of one of its blocks"""
        ends = block_ends(window["frames"], window["chunk_ms"])[:-1] if window["chunk_ms"] and window["ends_known"] else []
        if not ends or self.draw.random() >= self.chosen.points:
            return Row(index, window["frames"], text_of(window), False)
        end = self.draw.choice(ends)
        return Row(index, end, text_at(window["words"], end * FRAME_MS / 1000), False)

    def batches(self):
        """Without end: passes over all sets, windows of like length together"""
        while True:
            for kept in self.sets:
                kept.reload()
            windows = [(kept, window) for kept in self.sets for window in kept.windows]
            self.draw.shuffle(windows)
            for begin in range(0, len(windows), SORTED_TOGETHER):
                some = sorted(windows[begin:begin + SORTED_TOGETHER], key=lambda one: one[1]["frames"])
                some = [some[i:i + self.chosen.batch] for i in range(0, len(some), self.chosen.batch)]
                self.draw.shuffle(some)
                yield from some

    def predicted(self, windows, rows, replaced):
        """-> logits and wanted tokens, of all rows end to end"""
        features = torch.zeros(len(rows), max(row.frames for row in rows), WIDTH)
        for row, (kept, window) in zip(rows, windows):
            features[row.window, :row.frames] = kept.of(window, row.frames)
        hidden, wanted = decode(self.decoder, features, rows, self.vocabulary, replaced=replaced)
        counted = wanted >= 0
        return self.decoder.logits(hidden[counted]).float(), wanted[counted]

    # ------------------------------------------------------------ learning
    def set_rate(self, done):
        falling = 1 if done < self.chosen.hold else max(LOWEST_RATE, (1 - done) / (1 - self.chosen.hold))
        for group in self.optimizer.param_groups:
            group["lr"] = group["full_rate"] * min(1, (self.step + 1) / WARM_UP_STEPS) * falling

    def learn(self, windows):
        """One step -> loss, share of tokens right, frames heard"""
        rows = [self.row(index, window) for index, (_, window) in enumerate(windows)]
        with fast_products():
            logits, wanted = self.predicted(windows, rows, self.chosen.replace)
        loss = F.cross_entropy(logits, wanted, label_smoothing=self.chosen.smoothing)
        table = self.decoder.emb.weight
        before = table.detach().clone()
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.parameters, 1.0)
        self.optimizer.step()
        self.step += 1
        with torch.no_grad():
            table.copy_(before + self.share_moved * (table - before))
            words = table[:self.vocabulary.end]
            words.lerp_(words.mean(0, keepdim=True), self.chosen.to_mean * self.optimizer.param_groups[0]["lr"])
            self.average()
        return loss.item(), (logits.argmax(-1) == wanted).float().mean().item(), sum(row.frames for row in rows)

    def average(self):
        if self.averaged is None:
            self.averaged = [value.detach().clone() for value in self.parameters]
        kept = min(self.chosen.average, self.step / (self.step + 20))
        for average, value in zip(self.averaged, self.parameters):
            average.lerp_(value, 1 - kept)

    def validate_and_save(self, decoded):
        """With the averaged weights in the place of the newest, which come back"""
        newest = [value.detach().clone() for value in self.parameters]
        for value, average in zip(self.parameters, self.averaged or newest):
            value.data.copy_(average)
        self.validate(decoded)
        torch.save({"dec": self.decoder.state_dict(), "step": self.step}, WORK / f"{self.chosen.out}.tmp")
        os.replace(WORK / f"{self.chosen.out}.tmp", WORK / self.chosen.out)
        for value, own in zip(self.parameters, newest):
            value.data.copy_(own)

    @torch.no_grad()
    def validate(self, decoded):
        loss = right = tokens = words = wrong = 0
        with fast_products():
            for index, window in enumerate(self.watched.windows):
                logits, wanted = self.predicted([(self.watched, window)], [Row(0, window["frames"], text_of(window), False)], 0.0)
                loss += F.cross_entropy(logits, wanted, reduction="sum").item()
                right += (logits.argmax(-1) == wanted).sum().item()
                tokens += len(wanted)
                spoken = plain_words(text_of(window))
                words += len(spoken)
                if decoded:
                    text = greedy(self.decoder, self.watched.of(window, window["frames"])[None], self.vocabulary, 12 + int(window["frames"] * 0.36))
                    wrong += edits(plain_words(text), spoken)
                    if index % 12 == 0:
                        print("   ", text, "|", text_of(window))
        heard = f", {100 * wrong / words:.1f} % of words wrong" if decoded else ""
        print(f"watched: {loss / words:.3f} nats a word, {100 * right / tokens:.1f} % of tokens right{heard}", flush=True)

    def run(self):
        self.validate(False)
        begun = validated = time.time()
        heard_s = 0
        newest = []
        for windows in self.batches():
            passed_s = time.time() - begun
            if passed_s >= 60 * self.chosen.minutes:
                break
            self.set_rate(passed_s / (60 * self.chosen.minutes))
            newest.append(self.learn(windows))
            heard_s += newest[-1][2] * FRAME_MS / 1000
            if self.step % 50 == 0:
                losses, right, _ = zip(*newest)
                print(f"{self.step} {passed_s:.0f} s heard {heard_s / 3600:.2f} h, loss {np.mean(losses):.3f}, {100 * np.mean(right):.1f} % right", flush=True)
                newest = []
            if time.time() - validated > self.chosen.valid_s:
                self.validate_and_save(False)
                validated = time.time()
        self.validate_and_save(True)


def main():
    chosen = options()
    torch.set_num_threads(1)
    torch.manual_seed(chosen.seed)
    Run(chosen).run()


if __name__ == "__main__":
    main()
