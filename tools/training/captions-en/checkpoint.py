"""A checkpoint of train.py in a file of at most 16 MB that can travel with the repository, and back.

    checkpoint.py pack CHECKPOINT FILE
    checkpoint.py unpack FILE CHECKPOINT

What is kept is how far each weight is from the model in resources/models/captions-en: eight bits or fewer a weight, a scale a row, packed. That model must
be the same when it is unpacked.
"""
import io
import lzma
import sys

import torch

from from_shipped import shipped_checkpoint
from places import WORK

STEPS = 31  # from no difference to a row's largest


def pack(checkpoint, file):
    newest, shipped = torch.load(WORK / checkpoint), shipped_checkpoint()
    kept = {"step": newest["step"]}
    for part in ("enc", "dec"):
        for name, value in shipped[part].items():
            rows = (newest[part][name].float() - value).reshape(value.shape[0], -1) if value.dim() > 1 else (newest[part][name].float() - value)[None]
            scales = (rows.abs().amax(1) / STEPS).clamp(min=1e-12)
            kept[f"{part}.{name}"] = ((rows / scales[:, None]).round().to(torch.int8), scales)
    buffer = io.BytesIO()
    torch.save(kept, buffer)
    data = lzma.compress(buffer.getvalue(), preset=6)
    with open(file, "wb") as out:
        out.write(data)
    print(f"{len(data)} bytes")


def unpack(file, checkpoint):
    kept = torch.load(io.BytesIO(lzma.decompress(open(file, "rb").read())))
    saved = shipped_checkpoint()
    for part in ("enc", "dec"):
        for name, value in saved[part].items():
            steps, scales = kept[f"{part}.{name}"]
            value += (steps.float() * scales[:, None]).reshape(value.shape)
    torch.save(dict(saved, step=kept["step"]), WORK / checkpoint)


if __name__ == "__main__":
    {"pack": pack, "unpack": unpack}[sys.argv[1]](*sys.argv[2:])
