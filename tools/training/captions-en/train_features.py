"""First phase: the student's encoder learns to predict the teacher's features (no texts needed).

    train_features.py MINUTES PEAK_LR   -> SCRATCH/student_feat.pt (saved every two minutes)
"""
import os
import sys
import time

import numpy as np
import torch

torch.set_num_threads(1)
from common import SCRATCH
from loader import Loader
from model import Captions, D, Muon, TEACHER

minutes, peak = float(sys.argv[1]), float(sys.argv[2])
torch.manual_seed(1)
loader = Loader({"real": 1.0}, seed=1, texts=False, batch_frames=7200)
model, head = Captions(), torch.nn.Linear(D, TEACHER)
model.decoder.requires_grad_(False)
opt = Muon(model, head.parameters())
start = saved = time.time()
step, total, seconds = 0, 0.0, 0.0
if os.path.exists(f"{SCRATCH}/student_feat.pt"):  # go on after an interruption
    c = torch.load(f"{SCRATCH}/student_feat.pt")
    model.load_state_dict(c["model"]), head.load_state_dict(c["head"]), opt.adam.load_state_dict(c["adam"])
    opt.momentum, step = c["momentum"], c["step"]
    loader.rng = np.random.default_rng(step)
held = None
while time.time() - start < minutes * 60:
    for windows in loader.epoch():
        b = loader.batch(windows)
        t = (time.time() - start) / (minutes * 60)
        if t > 1:
            break
        lr = peak * min(1.0, (step + 1) / 200)
        z = head(model.encoder(b["mel"], b["mask"]))
        loss = ((z - b["feat"]).square().mean(-1) * b["seen"]).sum() / b["seen"].sum()
        loss.backward()
        norm = float(torch.nn.utils.clip_grad_norm_([p for p in opt.parameters if p.grad is not None], 1.0))
        opt.step(lr)
        opt.zero_grad()
        step, total, seconds = step + 1, total + float(loss.detach()), seconds + b["seconds"]
        if step % 20 == 0:
            spent = time.time() - start
            print(f"{time.strftime('%H:%M:%S')} step {step} feature loss {total / 20:.4f} norm {norm:.2f} lr {lr:.1e} {seconds / spent:.0f}x", flush=True)
            total = 0.0
        if time.time() - saved > 60:
            saved = time.time()
            torch.save(dict(model=model.state_dict(), head=head.state_dict(), step=step, momentum=opt.momentum, adam=opt.adam.state_dict()), f"{SCRATCH}/student_feat.tmp")
            os.replace(f"{SCRATCH}/student_feat.tmp", f"{SCRATCH}/student_feat.pt")
