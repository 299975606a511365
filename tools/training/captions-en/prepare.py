"""Data for captions-en: manifests, synthetic speech, log-mel and teacher features.

    prepare.py real | synth | teacher PART ...   (each writes SCRATCH/data/PART_*.npy and PART.json)

Held out, never in a training part: LibriSpeech speakers 84, 251, 1272, 2803; every tenth Common Voice file by sorted
name; TIMIT; clips; the voices flite rms and festival kdlpc16k; 300 sentences of sentences-cc0; and every training
utterance whose text equals a held-out one.
"""
import glob
import gzip
import json
import os
import random
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor

os.environ.setdefault("OMP_NUM_THREADS", "1")
import numpy as np
import torch

from common import SCRATCH, SHARED, encoder_frames, normalise, raw_log_mel, read_sound, whisper_scale

torch.set_num_threads(1)
DATA = f"{SCRATCH}/data"
LIBRISPEECH_HELD = {"84", "251", "1272", "2803"}


def transcripts(folder):
    with open(f"{SHARED}/speech/{folder}/transcripts.tsv") as f:
        return [line.rstrip("\n").split("\t", 1) for line in f if "\t" in line]


def sound_file(folder, name):
    hits = glob.glob(f"{SHARED}/speech/{folder}/*/{name}.*") + glob.glob(f"{SHARED}/speech/{folder}/{name}.*")
    return hits[0] if hits else None


def list_real():
    """All real utterances as dicts(id, set, split, text, path)."""
    items = []
    doubtful = set(open(f"{SHARED}/speech/common-voice-1/doubtful.txt").read().split())
    for folder in ("librispeech-dev-clean", "common-voice-1", "speechocean762", "kathleen", "ljspeech-part"):
        have = {os.path.splitext(os.path.basename(p))[0]: p
                for p in glob.glob(f"{SHARED}/speech/{folder}/**/*.*", recursive=True)}
        names = sorted(n for n, _ in transcripts(folder))
        tenth = set(names[::10]) if folder == "common-voice-1" else set()
        for name, text in transcripts(folder):
            if name in doubtful or name not in have:
                continue
            held = name in tenth or (folder.startswith("libri") and name.split("-")[0] in LIBRISPEECH_HELD)
            text = normalise(text)
            if text:
                items.append(dict(id=name, set=folder, split="test" if held else "train", text=text, path=have[name]))
    return items


def timit_items():
    items = []
    for wrd in sorted(glob.glob(f"{SHARED}/speech/timit-sample/**/*.wrd", recursive=True)):
        words = " ".join(line.split()[2] for line in open(wrd) if len(line.split()) == 3)
        sound = [p for p in glob.glob(wrd[:-4] + ".*") if p.endswith((".flac", ".wav"))][0]
        items.append(dict(id="/".join(wrd[:-4].split("/")[-2:]), set="timit", split="test", text=normalise(words), path=sound))
    return items


def mel_of(item):
    try:
        x = read_sound(item["path"])
    except Exception:
        return None
    if len(x) < 4000 or len(x) > 30 * 16000:
        return None
    return raw_log_mel(x).half().numpy()


def write_part(part, items):
    """Compute the raw log-mel of all items and write them one after another."""
    mels, kept, at, at40 = [], [], 0, 0
    with ProcessPoolExecutor(2) as pool:
        for item, mel in zip(items, pool.map(mel_of, items, chunksize=32)):
            if mel is None:
                continue
            n = len(mel)
            kept.append(dict(item, at=at, n=n, at40=at40, n40=encoder_frames(n)))
            mels.append(mel)
            at, at40 = at + n, at40 + encoder_frames(n)
    np.save(f"{DATA}/{part}_mel.npy", np.concatenate(mels))
    json.dump(kept, open(f"{DATA}/{part}.json", "w"))
    print(part, len(kept), "utterances", round(at / 360000, 2), "h", flush=True)


# ---------------------------------------------------------------- text for synthesis
def sentences():
    """sentences-cc0 without held-out texts: (training list, the 300 held-out ones)."""
    lines = gzip.open(f"{SHARED}/text/sentences-cc0/common-voice-en.txt.gz", "rt").read().split("\n")
    texts = sorted({t for t in (normalise(l) for l in lines) if t and 3 <= len(t.split()) <= 22})
    random.Random(7).shuffle(texts)
    held = texts[:300]
    banned = set(held) | {i["text"] for i in list_real() + timit_items() if i["split"] == "test"}
    banned |= {normalise(t) for _, t in transcripts("clips")}
    return [t for t in texts if t not in banned], held


ESPEAK = [f"{accent}{variant}" for accent in ("en-us", "en-gb", "en-gb-scotland", "en-gb-x-rp", "en-us-nyc", "en-029", "en-gb-x-gbcwmd")
          for variant in ("", "+f2", "+f3", "+f4", "+m1", "+m3", "+m5", "+m7", "+Andrea", "+Alex", "+Annie", "+steph", "+max", "+grandma")]


def speak(job):
    """One sentence to one wave file; returns True if it worked."""
    voice, text, path, seed = job
    rng = random.Random(seed)
    if voice.startswith("flite:"):
        cmd = ["flite", "-voice", voice[6:], "--setf", f"duration_stretch={rng.uniform(0.75, 1.2):.2f}", "-t", text, "-o", path]
    else:
        cmd = ["espeak-ng", "-v", voice[7:], "-s", str(rng.randint(130, 210)), "-p", str(rng.randint(25, 75)), "-w", path, text]
    return subprocess.run(cmd, capture_output=True).returncode == 0 and os.path.exists(path)


def festival(voice, jobs):
    """Many sentences through one festival process."""
    script = [f"(voice_{voice})"]
    for text, path, stretch in jobs:
        script.append(f"(Parameter.set 'Duration_Stretch {stretch:.2f})")
        script.append(f'(begin (set! u (SynthText "{text}")) (utt.save.wave u "{path}" \'riff))')
    name = f"{DATA}/{voice}.scm"
    open(name, "w").write("\n".join(script))
    subprocess.run(["festival", "-b", name], capture_output=True)


def synthesise(plan, folder, offset):
    """plan: (voice, text) list. Writes waves, returns items."""
    os.makedirs(folder, exist_ok=True)
    items, jobs, fest = [], [], {}
    for k, (voice, text) in enumerate(plan):
        path = f"{folder}/{k:05d}.wav"
        items.append(dict(id=f"{voice}/{k:05d}", set="synthetic", voice=voice, text=text, path=path))
        if os.path.exists(path):
            continue
        if voice.startswith("festival:"):
            fest.setdefault(voice[9:], []).append((text, path, random.Random(k).uniform(0.8, 1.15)))
        else:
            jobs.append((voice, text, path, k + offset))
    with ProcessPoolExecutor(2) as pool:
        done = pool.map(speak, jobs, chunksize=64)
        futures = [pool.submit(festival, v, j) for v, j in fest.items()]
        list(done), [f.result() for f in futures]
    return [i for i in items if os.path.exists(i["path"])]


def synthetic():
    train, held = sentences()
    counts = {"flite:awb": 1500, "flite:slt": 1500, "flite:kal16": 900,
              "festival:kal_diphone": 500, "festival:cmu_us_slt_arctic_hts": 500}
    plan, at = [], 0
    for voice, n in counts.items():
        plan += [(voice, t) for t in train[at:at + n]]
        at += n
    plan += [("espeak:" + ESPEAK[k % len(ESPEAK)], t) for k, t in enumerate(train[at:at + 4200])]
    items = synthesise(plan, f"{SCRATCH}/synth/train", 0)
    for i in items:
        i["split"] = "train"
    write_part("synth", items)
    # tests: the 300 unseen sentences in seen voices, and in the two voices that training never hears
    seen = ["flite:awb", "flite:slt", "flite:kal16", "espeak:en-us", "espeak:en-gb+f2", "festival:cmu_us_slt_arctic_hts"]
    tests = [(seen[k % len(seen)], t) for k, t in enumerate(held[:120])]
    tests += [("flite:rms", t) for t in held[120:210]] + [("festival:ked_diphone", t) for t in held[210:300]]
    items = synthesise(tests, f"{SCRATCH}/synth/test", 90000)
    for i in items:
        i["split"] = "test"
        i["set"] = {"flite:rms": "unseen-voice-rms", "festival:ked_diphone": "unseen-voice-kdl"}.get(i["voice"], "seen-voices")
    write_part("synthtest", items)


def noise():
    """Noise clips as mels: 'train' ones for augmentation and for empty transcripts, 'test' ones to count false words."""
    items = []
    for k, p in enumerate(sorted(glob.glob(f"{SHARED}/noise/sounds/**/*.*", recursive=True))):
        if p.lower().endswith((".opus", ".flac", ".wav", ".ogg", ".mp3")):
            items.append(dict(id=os.path.basename(p), set="sounds", split="test" if k % 5 == 0 else "train", text="", path=p))
    # background recordings are long: cut into 10 s pieces, the last pieces are the test
    os.makedirs(f"{SCRATCH}/noise", exist_ok=True)
    import soundfile
    for p in sorted(glob.glob(f"{SHARED}/noise/background/*.opus")):
        x = read_sound(p)
        pieces = [x[a:a + 160000] for a in range(0, len(x) - 80000, 160000)]
        for k, piece in enumerate(pieces):
            path = f"{SCRATCH}/noise/{os.path.basename(p)[:-5]}_{k}.wav"
            soundfile.write(path, piece, 16000)
            items.append(dict(id=os.path.basename(path), set="background", split="test" if k >= 0.8 * len(pieces) else "train", text="", path=path))
    write_part("noise", items)


# ---------------------------------------------------------------- teacher
class Teacher(torch.nn.Module):
    """The encoder of Whisper tiny.en, for features only (it is no part of the model that ships)."""

    def __init__(self):
        super().__init__()
        from safetensors.torch import load_file
        w = load_file(f"{SHARED}/weights/whisper-tiny.en-encoder.fp16.safetensors")
        self.w = {k.replace("encoder.", "", 1): v.float() for k, v in w.items()}

    @torch.no_grad()
    def forward(self, mel):
        F, w = torch.nn.functional, self.w
        x = F.gelu(F.conv1d(mel.transpose(1, 2), w["conv1.weight"], w["conv1.bias"], padding=1))
        x = F.gelu(F.conv1d(x, w["conv2.weight"], w["conv2.bias"], stride=2, padding=1)).transpose(1, 2).contiguous()
        b, t, d = x.shape
        x = x + w["positional_embedding"][:t]
        norm = lambda x, n: F.layer_norm(x, (d,), w[n + ".weight"], w[n + ".bias"])
        lin = lambda x, n: F.linear(x, w[n + ".weight"], w.get(n + ".bias"))
        for i in range(4):
            p = f"blocks.{i}."
            h = norm(x, p + "attn_ln")
            q, k, v = (lin(h, p + "attn." + n).view(b, t, 6, 64).transpose(1, 2) for n in ("query", "key", "value"))
            h = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(b, t, d)
            x = x + lin(h, p + "attn.out")
            x = x + lin(F.gelu(lin(norm(x, p + "mlp_ln"), p + "mlp.0")), p + "mlp.2")
        return norm(x, "ln_post")


def teacher(part, worker, workers):
    """Features of every utterance at 40 ms (weights 1/4 1/2 1/4 around every second 20 ms frame), by two processes."""
    items = json.load(open(f"{DATA}/{part}.json"))
    mels = np.load(f"{DATA}/{part}_mel.npy", mmap_mode="r")
    path = f"{DATA}/{part}_feat.npy"
    total = items[-1]["at40"] + items[-1]["n40"]
    if worker == 0:
        np.lib.format.open_memmap(path, "w+", np.float16, (total, 384)).flush()
    else:
        import time
        while not os.path.exists(path):
            time.sleep(0.2)
        time.sleep(3)
    out = np.lib.format.open_memmap(path, "r+")
    model = Teacher()
    order = sorted(range(len(items)), key=lambda i: items[i]["n"])
    batch, batches = [], []
    for i in order:
        if batch and (len(batch) + 1) * items[i]["n"] > 4500:
            batches.append(batch)
            batch = []
        batch.append(i)
    batches.append(batch)
    for batch in batches[worker::workers]:
        longest = max(items[i]["n"] for i in batch)
        longest += longest % 4 and 4 - longest % 4
        x = torch.empty(len(batch), longest, 80)
        for r, i in enumerate(batch):
            m = torch.from_numpy(np.array(mels[items[i]["at"]:items[i]["at"] + items[i]["n"]])).float()
            x[r] = m.max() / 4 - 1.0  # silence: (max - 8 + 4) / 4
            x[r, :len(m)] = whisper_scale(m)
        f = model(x)
        left = torch.cat([f[:, :1], f[:, 1:-1:2]], 1)
        f = 0.5 * f[:, 0::2] + 0.25 * f[:, 1::2] + 0.25 * left
        for r, i in enumerate(batch):
            n = items[i]["n40"]
            out[items[i]["at40"]:items[i]["at40"] + n] = f[r, :n].half().numpy()
    out.flush()
    print("teacher", part, worker, "done", flush=True)


if __name__ == "__main__":
    for step in sys.argv[1].split(","):
        if step == "real":
            items = list_real()
            held = {i["text"] for i in items if i["split"] == "test"}
            items = [i for i in items if i["split"] == "test" or i["text"] not in held]
            write_part("real", [i for i in items if i["split"] == "train"])
            write_part("realtest", [i for i in items if i["split"] == "test"] + timit_items())
        elif step == "noise":
            noise()
        elif step == "synth":
            synthetic()
        elif step == "teacher":
            teacher(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
