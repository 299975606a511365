"""The encoder made block-causal, at half its frames: it learns every second frame of what the published one makes of the whole utterance.

    distil.py MINUTES RATE

Reads items.json and audio.i16, writes distill_final.pt: {student, step}, every 500 steps and at the end. The loss is the mean squared
distance, every feature in units of its standard deviation. Of the minutes, validations are a part.
"""
import random
import sys
import time

import torch
import torch.nn.functional as F

from places import WORK
from sounds import HEAVY, batched, disturb, real_items, sound_of
from whisper import BANDS, FAST, MEL_PER_FRAME, SAMPLE_RATE, Encoder, block_mask, fast_products, frames_of_mel, log_mel, normalised_mel, whole_features

CHUNKS_MS = (100, 200, 300, 300, 300, 400, 500, 600, 800, 1000)
WHOLE_SHARE = 0.07
BATCH_S = 48
WARM_UP_STEPS = 100


class Teacher:
    """Its features are computed once, kept in FAST numbers, and always those of the undisturbed sound."""

    def __init__(self, watched):
        self.encoder = Encoder(stride=2).load_published().eval().to(FAST)
        self.kept = {}
        features = torch.cat([self.features(item) for item in watched])
        self.deviation = features.std(0) + 1e-3
        self.mean = features.mean(0)

    def features(self, item):
        if item["id"] not in self.kept:
            self.kept[item["id"]] = whole_features(self.encoder, sound_of(item))
        return self.kept[item["id"]].float()


def batches(items, draw):
    while True:
        order = items[:]
        draw.shuffle(order)
        for begin in range(0, len(order), 400):
            some = list(batched(order[begin:begin + 400], BATCH_S))
            draw.shuffle(some)
            yield from some


def encode(student, items, chunk_ms, draw=None):
    """-> features [items, frames, 384], frames of each. With draw the sound is disturbed and a band of the mel sometimes masked."""
    mels = []
    for item in items:
        sound = sound_of(item)
        mels.append(normalised_mel(log_mel(disturb(sound, draw, HEAVY) if draw else sound), chunk_ms))
    frames = [frames_of_mel(mel) for mel in mels]
    batch = torch.zeros(len(items), BANDS, max(frames) * MEL_PER_FRAME)
    for row, mel in enumerate(mels):
        batch[row, :, :mel.shape[1]] = mel
        if draw and draw.random() < 0.5:
            band = draw.randrange(70)
            batch[row, band:band + draw.randrange(1, 12)] = 0
    with fast_products():
        features = student(batch, block_mask(frames, max(frames), chunk_ms))
    return features.float(), frames


def distance(student, teacher, items, chunk_ms, draw):
    features, frames = encode(student, items, chunk_ms, draw)
    total = 0
    count = 0
    for row, item in enumerate(items):
        wanted = teacher.features(item)[:frames[row]]
        total = total + ((features[row, :len(wanted)] - wanted) / teacher.deviation).pow(2).sum()
        count += wanted.numel()
    return total / count


@torch.no_grad()
def validate(student, teacher, watched):
    means = []
    for chunk_ms in (100, 300, 1000, None):
        cosines = []
        for item in watched:
            features, frames = encode(student, [item], chunk_ms)
            wanted = teacher.features(item)[:frames[0]]
            got = features[0, :len(wanted)]
            got, wanted = ((x - teacher.mean) / teacher.deviation for x in (got, wanted))
            cosines.append(F.cosine_similarity(got, wanted, dim=-1).mean())
        means.append(f"{chunk_ms} {torch.stack(cosines).mean():.3f}")
    print("  cosine by chunk, ms:", ", ".join(means), flush=True)


def main():
    minutes, full_rate = float(sys.argv[1]), float(sys.argv[2])
    torch.set_num_threads(1)
    torch.manual_seed(0)
    draw = random.Random(0)
    items = real_items()
    train = [item for item in items if item["split"] == "train" and 0.5 * SAMPLE_RATE < item["length"] < 28 * SAMPLE_RATE]
    watched = [item for item in items if item["split"].startswith("valid")][::6][:30]
    teacher = Teacher(watched)
    student = Encoder(stride=4).load_published()
    optimizer = torch.optim.AdamW(student.parameters(), lr=full_rate, betas=(0.9, 0.98), weight_decay=0.0)
    validate(student, teacher, watched)

    def save():
        torch.save({"student": student.state_dict(), "step": step}, WORK / "distill_final.pt")

    begun = time.time()
    step = 0
    heard_s = 0
    losses = []
    for batch in batches(train, draw):
        done = (time.time() - begun) / (minutes * 60)
        if done >= 1:
            break
        rate = full_rate * min(1, (step + 1) / WARM_UP_STEPS) * (1 if done < 0.5 else max(0.05, (1 - done) * 2))
        for group in optimizer.param_groups:
            group["lr"] = rate
        chunk_ms = None if draw.random() < WHOLE_SHARE else draw.choice(CHUNKS_MS)
        loss = distance(student, teacher, batch, chunk_ms, draw)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(student.parameters(), 1.0)
        optimizer.step()
        step += 1
        heard_s += sum(item["length"] for item in batch) / SAMPLE_RATE
        losses.append(loss.item())
        if step % 50 == 0:
            passed_s = time.time() - begun
            print(f"{step} {passed_s:.0f} s heard {heard_s / 3600:.2f} h, {heard_s / passed_s:.0f} times real time, "
                  f"loss {sum(losses) / len(losses):.4f} rate {rate:.1e}", flush=True)
            losses = []
        if step % 500 == 0:
            validate(student, teacher, watched)
            save()
    validate(student, teacher, watched)
    save()
    print("done", step)


if __name__ == "__main__":
    main()
