"""Windows of training sound: utterances cut, joined, stretched, coloured, made noisy and masked in the log-mel domain."""
import json
import os

import numpy as np
import torch
import torch.nn.functional as F
from tokenizers import Tokenizer

from common import SCRATCH, encoder_frames, whisper_scale
from losses import PLACE
from model import EOT, NOTIME, SOT, TEACHER, pad_mask

DATA = f"{SCRATCH}/data"
MAX_FRAMES = 1496  # mel frames of the longest window


class Part:
    """One prepared part: sound, teacher features, texts and (where computed) the 40 ms frame of every token."""

    def __init__(self, name, tok, features=True):
        self.items = json.load(open(f"{DATA}/{name}.json"))
        self.mel = np.load(f"{DATA}/{name}_mel.npy", mmap_mode="r")
        path = f"{DATA}/{name}_feat.npy"
        self.feat = np.load(path, mmap_mode="r") if features and os.path.exists(path) else None
        align = f"{DATA}/{name}_align.json"
        align = json.load(open(align)) if os.path.exists(align) else None
        for k, i in enumerate(self.items):
            i["part"] = self
            i["tokens"] = tok.encode(" " + i["text"]).ids if i["text"] else []
            i["spikes"] = align[k] if align else None


# how often an utterance of a set is drawn, against one of Common Voice or LibriSpeech: many voices are worth more than one
SET_WEIGHTS = {"speechocean762": 0.55, "kathleen": 0.45, "ljspeech-part": 0.8}


class Loader:
    """Endless batches. weights: part name -> how often an epoch passes through that part (a fraction is drawn)."""

    def __init__(self, weights, seed=0, texts=True, batch_frames=7200, augment=True):
        self.tok = Tokenizer.from_file(f"{SCRATCH}/tokenizer.json")
        self.starts = {i for t, i in self.tok.get_vocab().items() if t.startswith("\u0120")}
        self.parts = {n: Part(n, self.tok) for n in weights}
        self.weights, self.rng, self.texts = weights, np.random.default_rng(seed), texts
        self.batch_frames, self.augment = batch_frames, augment
        self.noises = []
        if os.path.exists(f"{DATA}/noise.json"):
            p = Part("noise", self.tok, False)
            self.noises = [torch.from_numpy(np.array(p.mel[i["at"]:i["at"] + i["n"]])).float() for i in p.items if i["split"] == "train"]
        stats = f"{DATA}/feat_stats.npz"
        if not os.path.exists(stats):
            f = next(iter(self.parts.values())).feat
            sample = np.array(f[np.sort(self.rng.choice(len(f), 40000, replace=False))]).astype(np.float32)
            np.savez(stats, mean=sample.mean(0), std=sample.std(0))
        s = np.load(stats)
        self.mean, self.std = torch.from_numpy(s["mean"]), torch.from_numpy(s["std"])

    # ------------------------------------------------------------ planning
    def epoch(self):
        """A list of batches; a batch is a list of windows; a window is a list of (item, from, to) in 40 ms frames."""
        rng, windows = self.rng, []
        pool = []
        for name, w in self.weights.items():
            items = self.parts[name].items
            n = int(round(w * len(items)))
            keep = rng.random(len(items)) < [SET_WEIGHTS.get(i["set"], 1.0) for i in items]
            pool += [items[k] for k in rng.permutation(len(items))[:n] if keep[k]]
        rng.shuffle(pool)
        current, room, want = [], 0, 0
        for item in pool:
            seg = self.segment(item)
            if seg is None:
                continue
            length = seg[2] - seg[1]
            if current and (want <= 0 or room < length + 15):
                windows.append(current)
                current = []
            if not current:
                room = MAX_FRAMES // 4
                want = rng.integers(1, 4) if rng.random() < (0.25 if self.texts else 0.05) else 0
            current.append(seg)
            room -= length + 15
            want -= 1
        if self.texts and self.noises:
            windows += [[] for _ in range(len(windows) // 40)]
        lengths = [sum(b - a + 8 for _, a, b in w) * (1 + 0.08 * rng.standard_normal()) if w else rng.integers(30, 250) for w in windows]
        batches, batch = [], []
        for k in np.argsort(lengths):
            if batch and (len(batch) + 1) * lengths[k] * 4 > self.batch_frames:
                batches.append(batch)
                batch = []
            batch.append(windows[k])
        batches.append(batch)
        rng.shuffle(batches)
        return batches

    def segment(self, item):
        """The whole utterance, or a piece where it is too long or, sometimes, a partial utterance."""
        rng, n, spikes = self.rng, item["n40"], item["spikes"]
        if not self.texts:
            if n <= 300:
                return item, 0, n
            a = int(rng.integers(0, n - 250))
            return item, a, a + 250
        if spikes is None:
            return (item, 0, n) if n <= 366 else None
        kind = rng.random()
        if n <= 360 and kind > 0.3:
            return item, 0, n
        words = [k for k, t in enumerate(item["tokens"]) if t in self.starts]
        # cuts that fall half way between two words
        cuts = [0] + [(spikes[k - 1] + spikes[k] + 1) // 2 for k in words[1:]] + [n]
        if n <= 360 and kind < 0.1:  # the sound stops somewhere, also inside a word
            return (item, 0, int(rng.integers(min(12, n - 1), n)))
        a = cuts[int(rng.integers(0, len(cuts) - 1))]
        ends = [c for c in cuts if 25 < c - a <= 360]
        if not ends:
            return None
        return item, a, ends[int(len(ends) * rng.uniform(0.6, 1.0))]

    # ------------------------------------------------------------ one window
    def stretch(self, x, n):
        """Linear interpolation of [T, C] to n rows."""
        at = torch.linspace(0, len(x) - 1, n)
        low = at.long().clamp_max(len(x) - 2)
        return torch.lerp(x[low], x[low + 1], (at - low)[:, None])

    def window(self, segments):
        rng = self.rng
        mels, feats, seen, tokens, spikes, at = [], [], [], [], [], 0
        for k, (item, a, b) in enumerate(segments):
            part = item["part"]
            mel = torch.from_numpy(np.array(part.mel[item["at"] + 4 * a:item["at"] + min(4 * b, item["n"])])).float()
            feat = torch.from_numpy(np.array(part.feat[item["at40"] + a:item["at40"] + b])).float()
            factor = 1.0
            if self.augment and rng.random() < 0.6 and len(mel) * 1.13 < MAX_FRAMES / len(segments):
                factor = rng.uniform(0.86, 1.14)
            n40 = max(3, int(round((b - a) * factor)))
            if factor != 1.0:
                feat, mel = self.stretch(feat, n40), self.stretch(mel, min(4 * n40, int(len(mel) * factor)))
            if len(mel) < 4 * n40 and k + 1 < len(segments):  # joined sounds start on whole encoder frames
                mel = torch.cat([mel, mel[-1:].expand(4 * n40 - len(mel), 80)])
            if self.texts:
                scale = n40 / (b - a)
                whole = a == 0 and b == item["n40"]
                sp = item["spikes"] or [None] * len(item["tokens"])
                ts = list(zip(item["tokens"], sp))
                if not whole:
                    ts = self.inside(ts, a, b)
                for t, s in ts:
                    tokens.append(t)
                    spikes.append(-1 if s is None else at + int((s - a) * scale))
            mels.append(mel)
            feats.append(feat)
            seen.append(torch.ones(n40))
            at += n40
            if k + 1 < len(segments):  # a pause of the quietest spectrum of this sound
                pause = int(rng.integers(2, 20))
                quiet = mel.sort(0).values[len(mel) // 20]
                mels.append(quiet[None] + 0.25 * torch.randn(4 * pause, 80))
                feats.append(torch.zeros(pause, TEACHER))
                seen.append(torch.zeros(pause))
                at += pause
        if not segments:
            n40 = int(rng.integers(25, 300))
            mels, feats, seen = [self.noise(4 * n40, True)], [torch.zeros(n40, TEACHER)], [torch.zeros(n40)]
        mel, feat, seen = torch.cat(mels)[:1500], torch.cat(feats), torch.cat(seen)
        feat, seen = feat[:encoder_frames(len(mel))], seen[:encoder_frames(len(mel))]
        if self.augment and (not segments or rng.random() < 0.95):
            mel = self.colour(mel, noise=bool(segments))
        else:
            mel = whisper_scale(mel)
        return mel, feat, seen, tokens, spikes

    def inside(self, pairs, a, b):
        """The tokens of whole words inside [a, b): a word is inside if its tokens' frames are, with a margin at a cut."""
        words, out = [], []
        for t, s in pairs:
            if t in self.starts or not words:
                words.append([])
            words[-1].append((t, s))
        for w in words:
            if w[0][1] >= a and w[-1][1] < b - 2:
                out += w
        return out

    def noise(self, n, alone=False):
        if alone and self.rng.random() < 0.3:  # digital or nearly digital silence, or the floor of a microphone
            level = self.rng.uniform(-10, -4)
            return (level + self.rng.uniform(0.02, 0.5) * torch.randn(n, 80)).clamp_min(-10.0)
        x = self.noises[int(self.rng.integers(len(self.noises)))]
        if len(x) < n:
            x = x.repeat(n // len(x) + 1, 1)
        a = int(self.rng.integers(0, len(x) - n + 1))
        return x[a:a + n] + (self.rng.uniform(-2.5, 0.5) if alone else 0.0)

    def colour(self, mel, noise):
        """Band warp, microphone colour, level, noise and SpecAugment on a raw log-mel; returns it in Whisper's scale."""
        rng = self.rng
        if rng.random() < 0.6:
            at = (torch.arange(80.0) * rng.uniform(0.88, 1.12)).clamp_max(78.99)
            low = at.long()
            mel = torch.lerp(mel[:, low], mel[:, low + 1], at - low)
        if rng.random() < 0.5:
            curve = torch.from_numpy(rng.standard_normal((1, 1, 6)).astype(np.float32)) * 0.3
            mel = mel + F.interpolate(curve, 80, mode="linear", align_corners=True)[0, 0]
        mel = mel + (rng.uniform(-1.5, 0.7) if rng.random() < 0.6 else 0.0)
        if noise and self.noises and rng.random() < 0.2:
            n = self.noise(len(mel))
            snr = rng.uniform(0.4, 2.5)  # in log10 of power: 4 to 25 dB below the loud parts of the speech
            n = n + (mel.flatten()[::7].quantile(0.9) - n.flatten()[::7].quantile(0.9) - snr)
            mel = torch.maximum(mel, n) + torch.log10(1 + torch.pow(10.0, -(mel - n).abs()))
        mel = whisper_scale(mel.clamp_min(-10.0))
        if noise and rng.random() < 0.8:
            mean = mel.mean()
            w = int(rng.integers(1, 20))
            a = int(rng.integers(0, 80 - w))
            mel[:, a:a + w] = mean
            for _ in range(1 + len(mel) // 250):
                w = int(rng.integers(1, 22))
                a = int(rng.integers(0, max(1, len(mel) - w)))
                mel[a:a + w] = mean
        return mel

    # ------------------------------------------------------------ one batch
    def batch(self, windows):
        rows = [self.window(w) for w in windows]
        longest = max(len(r[0]) for r in rows)
        lengths = [encoder_frames(len(r[0])) for r in rows]
        n40 = encoder_frames(longest)
        mel, feat, seen = torch.zeros(len(rows), longest, 80), torch.zeros(len(rows), n40, TEACHER), torch.zeros(len(rows), n40)
        for i, r in enumerate(rows):
            mel[i, :len(r[0])] = r[0]
            feat[i, :len(r[1])] = r[1]
            seen[i, :len(r[2])] = r[2]
        feat = (feat - self.mean) / self.std
        out = dict(mel=mel, feat=feat, seen=seen, lengths=lengths, mask=pad_mask(lengths, n40), seconds=sum(lengths) * 0.04)
        if self.texts:
            u = max(len(r[3]) for r in rows) + 1
            inputs = torch.full((len(rows), u + 1), EOT)
            targets = torch.full((len(rows), u + 1), -100)
            spikes = torch.full((len(rows), u + 1), -1)
            for i, r in enumerate(rows):
                n = len(r[3])
                inputs[i, :2 + n] = torch.tensor([SOT, NOTIME] + r[3])
                targets[i, 1:2 + n] = torch.tensor(r[3] + [EOT])
                spikes[i, 1:1 + n] = torch.tensor(r[4], dtype=torch.long)
            labels = torch.zeros(len(rows), n40, dtype=torch.long)
            for i, r in enumerate(rows):
                s = torch.tensor([k for k in r[4] if k >= 0])
                if len(s):
                    t = torch.tensor([t for t, k in zip(r[3], r[4]) if k >= 0])
                    near, which = (torch.arange(n40)[:, None] - s[None]).abs().min(1)
                    labels[i] = torch.where(near <= 5, PLACE[t[which]], 0)
            out.update(labels=labels, inputs=inputs, targets=targets, spikes=spikes, texts=[r[3] for r in rows])
        return out
