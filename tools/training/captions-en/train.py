"""Trains the decoder with its own token table, and with `--enc joint` the encoder together with it.

    train.py --enc teacher --out s0.pt ...    stage 1: the decoder alone, on the published encoder's features of whole utterances
    train.py --enc joint --out joint.pt ...   stage 2: both, block-causal, and rows that stop where a block ends

Reads items.json and vocab.json, in stage 1 labels.json and style.json, in stage 2 labels2.json, times.json and synth.json. Writes --out:
{dec, enc (stage 2), step}, every --valid_every steps and at the end. Of the minutes, validations are a part. All files are WORK's.
"""
import argparse
import json
import os
import random
import time

import torch
import torch.nn.functional as F

import vocabulary
from batches import BlockwiseFeatures, WholeFeatures, decode
from places import WORK
from sounds import HEAVY, LIGHT, VARIED, real_items, synthetic_items
from validate import validate
from whisper import SAMPLE_RATE, Decoder, Encoder, fast_products
from windows import Texts, batches, noise_window

WHOLE_SHARE = 0.05
SINGLE_SHARE = 0.45  # of the windows of stage 2 hold one utterance; of stage 1, all
WARM_UP_STEPS = 150
LOWEST_RATE = 0.03
VALIDATION_CHUNK_MS = 300
DISTURBANCES = {"heavy": HEAVY, "light": LIGHT, "varied": VARIED}


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--enc", choices=["teacher", "joint"], required=True)
    parser.add_argument("--minutes", type=float, required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--init", help="a checkpoint to go on from")
    parser.add_argument("--distilled", help="the encoder that distil.py made")
    parser.add_argument("--lr_emb", type=float, default=1e-3, help="rate of the token table")
    parser.add_argument("--lr_dec", type=float, default=3e-5)
    parser.add_argument("--lr_enc", type=float, default=3e-5)
    parser.add_argument("--batch_s", type=float, default=48, help="seconds of sound in a batch, at most")
    parser.add_argument("--drop", type=float, default=0.0)
    parser.add_argument("--replace", type=float, default=0.06, help="share of the given tokens that are random ones")
    parser.add_argument("--points", type=int, default=2, help="rows of a window that stop within it")
    parser.add_argument("--synth", type=float, default=0.3, help="synthetic utterances a pass, as a share of the real ones")
    parser.add_argument("--disturbance", choices=list(DISTURBANCES), default="light")
    parser.add_argument("--end_frac", type=float, default=0.5, help="the rate begins to fall after this share of the minutes")
    parser.add_argument("--synthetic", default="synth", help="the list of synthetic utterances, .json and .i16")
    parser.add_argument("--average", type=float, default=0.0, help="what is saved and watched: so much of the average so far and the rest of the newest; 0: the newest")
    parser.add_argument("--chunks_ms", type=int, nargs="+", default=[100, 200, 300, 300, 300, 400, 500, 700, 1000], help="one is drawn for every step of stage 2")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--valid_every", type=int, default=500)
    return parser.parse_args()


def read(name):
    return json.load(open(WORK / name))


def read_texts(stage):
    return Texts(read("labels.json"), read("style.json"), {}) if stage == "teacher" else Texts(read("labels2.json"), {}, read("times.json"))


class Run:
    def __init__(self, chosen):
        self.chosen = chosen
        self.is_joint = chosen.enc == "joint"
        self.draw = random.Random(chosen.seed)
        self.disturbance = DISTURBANCES[chosen.disturbance]
        self.vocabulary = vocabulary.load()
        self.texts = read_texts(chosen.enc)
        items = real_items()
        self.train = [item for item in items if item["split"] == "train" and self.texts.labels.get(item["id"])]
        self.train = [item for item in self.train if 0.5 * SAMPLE_RATE < item["length"] < 27 * SAMPLE_RATE]
        self.watched = [item for item in items if item["split"].startswith("valid")][::4][:48]
        self.synthetic = synthetic_items(chosen.synthetic) if chosen.synth > 0 else []
        self.texts.add_synthetic(self.synthetic)
        self.load_networks()
        behind_table = [value for name, value in self.decoder.named_parameters() if name != "emb.weight"]
        groups = [{"params": [self.decoder.emb.weight], "full_rate": chosen.lr_emb}, {"params": behind_table, "full_rate": chosen.lr_dec}]
        if self.is_joint:
            groups.append({"params": list(self.encoder.parameters()), "full_rate": chosen.lr_enc})
        self.parameters = [value for group in groups for value in group["params"]]
        self.optimizer = torch.optim.AdamW(groups, lr=1e-3, betas=(0.9, 0.98), weight_decay=0.0)
        self.step = 0
        self.averaged = None

    def load_networks(self):
        self.encoder = Encoder(stride=4 if self.is_joint else 2).load_published()
        self.decoder = Decoder(self.vocabulary.size).load_published()
        if self.chosen.distilled:
            self.encoder.load_state_dict(torch.load(WORK / self.chosen.distilled)["student"])
        if self.chosen.init:
            saved = torch.load(WORK / self.chosen.init)
            self.decoder.load_state_dict(saved["dec"])
            if "enc" in saved and self.is_joint:
                self.encoder.load_state_dict(saved["enc"])
        if self.is_joint:
            self.make_features = BlockwiseFeatures(self.encoder, self.texts, self.chosen.points, self.disturbance, self.draw)
        else:
            self.make_features = WholeFeatures(self.encoder.eval().requires_grad_(False), self.texts)

    def validate_and_save(self, shown=3):
        """With the averaged weights in the place of the newest, which come back"""
        newest = [value.detach().clone() for value in self.parameters]
        for value, average in zip(self.parameters, self.averaged or newest):
            value.data.copy_(average)
        self.validate(shown)
        self.save()
        for value, own in zip(self.parameters, newest):
            value.data.copy_(own)

    def average(self):
        if self.averaged is None:
            self.averaged = [value.detach().clone() for value in self.parameters]
        kept = min(self.chosen.average, self.step / (self.step + 20))
        with torch.no_grad():
            for average, value in zip(self.averaged, self.parameters):
                average.lerp_(value, 1 - kept)

    def validate(self, shown=3):
        validate(self.make_features, self.decoder, self.vocabulary, self.watched, VALIDATION_CHUNK_MS if self.is_joint else None, shown)

    def save(self):
        saved = {"dec": self.decoder.state_dict(), "step": self.step}
        if self.is_joint:
            saved["enc"] = self.encoder.state_dict()
        path = WORK / self.chosen.out
        torch.save(saved, f"{path}.tmp")
        os.replace(f"{path}.tmp", path)

    def set_rate(self, done):
        falling = 1 if done < self.chosen.end_frac else max(LOWEST_RATE, (1 - done) / (1 - self.chosen.end_frac))
        for group in self.optimizer.param_groups:
            group["lr"] = group["full_rate"] * min(1, (self.step + 1) / WARM_UP_STEPS) * falling

    def learn(self, windows):
        """One step -> loss, tokens right, tokens"""
        chunk_ms = None
        if self.is_joint:
            chunk_ms = None if self.draw.random() < WHOLE_SHARE else self.draw.choice(self.chosen.chunks_ms)
            if self.draw.random() < self.disturbance.noise_window_share:
                windows.append(noise_window(self.draw, max(window["length"] for window in windows)))
        with fast_products():
            features, rows = self.make_features(windows, chunk_ms, augment=True)
            hidden, wanted = decode(self.decoder, features, rows, self.vocabulary, self.chosen.drop, self.chosen.replace)
            counted = wanted >= 0
            logits = self.decoder.logits(hidden[counted]).float()
        wanted = wanted[counted]
        loss = F.cross_entropy(logits, wanted, label_smoothing=0.05)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.parameters, 1.0)
        self.optimizer.step()
        self.step += 1
        if self.chosen.average > 0:
            self.average()
        return loss.item(), (logits.argmax(-1) == wanted).sum().item(), len(wanted)

    def splice_share(self):
        return self.disturbance.splice_share if self.is_joint else 0.0

    def run(self):
        if self.chosen.init:
            self.validate()
        begun = time.time()
        heard_s = 0
        newest = []
        synthetic_count = int(self.chosen.synth * len(self.train))
        single_share = SINGLE_SHARE if self.is_joint else 1.0
        for windows in batches(self.train, self.synthetic, synthetic_count, self.chosen.batch_s, single_share, self.texts, self.splice_share(), self.draw):
            done = (time.time() - begun) / (self.chosen.minutes * 60)
            if done >= 1:
                break
            self.set_rate(done)
            newest.append(self.learn(windows))
            heard_s += sum(window["length"] for window in windows) / SAMPLE_RATE
            if self.step % 100 == 0:
                passed_s = time.time() - begun
                losses, right, tokens = zip(*newest)
                print(f"{self.step} {passed_s:.0f} s heard {heard_s / 3600:.2f} h, {heard_s / passed_s:.0f} times real time, "
                      f"loss {sum(losses) / len(losses):.3f} tokens right {100 * sum(right) / sum(tokens):.1f} %", flush=True)
                newest = []
            if self.step % self.chosen.valid_every == 0:
                self.validate_and_save()
        self.validate_and_save(8)
        print(f"done {self.step}, heard {heard_s / 3600:.1f} h")


def main():
    chosen = options()
    torch.set_num_threads(chosen.threads)
    torch.manual_seed(chosen.seed)
    Run(chosen).run()


if __name__ == "__main__":
    main()
