"""Main phase: encoder and decoder together, until a fixed time of day, the learning rate falling to nothing at that time.

    train.py HH:MM(end) PEAK_LR     goes on from SCRATCH/main.pt if there is one, else from student_feat.pt and heads.pt

Loss: decoder cross-entropy + the token of every frame (auxiliary head) + supervision of two cross-attention heads a layer + prediction of the
teacher's features (auxiliary head). Both auxiliary heads are dropped at export.
"""
import datetime
import os
import sys
import time

import numpy as np
import torch
from torch import nn

torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "1")))
from common import SCRATCH
from loader import DATA, Loader
from losses import USED, decoder_loss, frame_loss
from model import D, TEACHER, Captions, Muon

WEIGHTS = {"real": 1.0, "synth": 0.7}
FRAMES, ATTENTION = 1.0, 0.3


class Heads(nn.Module):
    def __init__(self):
        super().__init__()
        self.features, self.ctc = nn.Linear(D, TEACHER), nn.Linear(D, len(USED) + 1)


def fold(model, heads, student, trained):
    """Start: the encoder of the feature phase, and the decoder trained on teacher features with the maps in between folded in.

    teacher ~ R z + r, and the decoder reads h = A teacher + a, so h = (A R) z + (A r + a) = M z + m."""
    model.load_state_dict({**model.state_dict(), **{k: v for k, v in student["model"].items() if k.startswith("encoder.")},
                           **{k: v for k, v in trained.items() if k.startswith("decoder.")}})
    r_weight, r_bias = student["head"]["weight"], student["head"]["bias"]
    heads.features.weight.data.copy_(r_weight), heads.features.bias.data.copy_(r_bias)
    m = trained["project.weight"] @ r_weight
    shift = trained["project.weight"] @ r_bias + trained["project.bias"]
    heads.ctc.weight.data.copy_(trained["ctc.weight"] @ m)
    heads.ctc.bias.data.copy_(trained["ctc.weight"] @ shift + trained["ctc.bias"])
    for layer in model.decoder.layers:
        a = layer.encoder_attn
        a.v_proj.bias.data.add_(a.v_proj.weight.data @ shift)
        a.v_proj.weight.data.copy_(a.v_proj.weight.data @ m)
        a.k_proj.weight.data.copy_(a.k_proj.weight.data @ m)  # its constant part does not change a softmax


def main():
    now = datetime.datetime.now()
    end = datetime.datetime.combine(now.date(), datetime.time(*map(int, sys.argv[1].split(":")))).timestamp()
    peak = float(sys.argv[2])
    model, heads = Captions(), Heads()
    checkpoint = torch.load(f"{SCRATCH}/main.pt") if os.path.exists(f"{SCRATCH}/main.pt") else None
    begin, step = time.time(), 0
    opt = Muon(model, heads.parameters(), every=2)
    if checkpoint:
        model.load_state_dict(checkpoint["model"]), heads.load_state_dict(checkpoint["heads"])
        opt.adam.load_state_dict(checkpoint["adam"])
        opt.momentum, begin, step = checkpoint["momentum"], checkpoint["begin"], checkpoint["step"]
    else:
        fold(model, heads, torch.load(f"{SCRATCH}/student_feat.pt"), torch.load(f"{SCRATCH}/heads.pt"))
    parts = {n: w for n, w in WEIGHTS.items() if os.path.exists(f"{DATA}/{n}_align.json") and os.path.exists(f"{DATA}/{n}_feat.npy")}
    loader = Loader(parts, seed=100 + step, batch_frames=5000)
    torch.manual_seed(step)
    print("parts", parts, "step", step, "ends", time.ctime(end), flush=True)
    saved, spent, seconds, sums, count = time.time(), time.time(), 0.0, np.zeros(5), 0
    snapshots = 0
    done = False
    while not done:
        for windows in loader.epoch():
            now = time.time()
            left = (end - now) / (end - begin)
            if left <= 0:
                done = True
                break
            lr = peak * min(1.0, left / 0.85) * min(1.0, (step + 1) / 80)
            b = loader.batch(windows)
            z = model.encoder(b["mel"], b["mask"])
            seen = b["seen"].sum().clamp_min(1.0)
            feat = ((heads.features(z) - b["feat"]).square().mean(-1) * b["seen"]).sum() / seen
            ctc = frame_loss(heads.ctc(z), b["labels"], b["lengths"])
            # early on the decoder's gradient is mostly noise to the encoder, and only a part of it goes there
            through = float(np.clip(0.5 + (0.7 - left) * 1.5, 0.3, 1.0))
            ce, att = decoder_loss(model.decoder, through * z + (1 - through) * z.detach(), b["mask"], b["inputs"], b["targets"], b["spikes"])
            weight = 1.0 + 8.0 * left
            loss = ce + FRAMES * ctc + ATTENTION * att + weight * feat
            if step % 500 == 0:  # how strongly each loss pulls at the middle of the encoder
                p = model.encoder.layers[3].fc1.weight
                pulls = [float(torch.autograd.grad(l, p, retain_graph=True)[0].norm()) for l in (ce, FRAMES * ctc, ATTENTION * att, weight * feat)]
                print("pulls of ce, frames, attention, features:", " ".join(f"{v:.4f}" for v in pulls), flush=True)
            loss.backward()
            norm = float(torch.nn.utils.clip_grad_norm_([p for p in opt.parameters if p.grad is not None], 2.0))
            opt.step(lr)
            opt.zero_grad()
            step, count, seconds = step + 1, count + 1, seconds + b["seconds"]
            sums += [float(v.detach()) for v in (ce, ctc, att, feat)] + [norm]
            if count == 25:
                sums /= count
                print(f"{time.strftime('%H:%M:%S')} step {step} ce {sums[0]:.3f} frames {sums[1]:.3f} attention {sums[2]:.3f} features {sums[3]:.3f} "
                      f"norm {sums[4]:.2f} lr {lr:.1e} {seconds / (time.time() - spent):.0f}x", flush=True)
                spent, seconds, sums, count = time.time(), 0.0, np.zeros(5), 0
            if time.time() - saved > 150:
                saved = time.time()
                save(model, heads, opt, begin, step)
                if left < 0.12:  # for an average of the last ones
                    torch.save(model.state_dict(), f"{SCRATCH}/late_{snapshots}.pt")
                    snapshots += 1
    save(model, heads, opt, begin, step)
    print("end at step", step, time.ctime(), flush=True)


def save(model, heads, opt, begin, step):
    torch.save(dict(model=model.state_dict(), heads=heads.state_dict(), adam=opt.adam.state_dict(), momentum=opt.momentum, begin=begin, step=step),
               f"{SCRATCH}/main.tmp")
    os.replace(f"{SCRATCH}/main.tmp", f"{SCRATCH}/main.pt")


if __name__ == "__main__":
    main()
