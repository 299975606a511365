#!/usr/bin/env python3
"""The average of the weights of several models of one shape: what begins the next run of captions-en.

  tools/training/average.py OUT MODEL MODEL...

MODEL is a folder as `braid-cli train` exports it; OUT becomes one, with the first one's other files. Needs torch and safetensors.
"""
import argparse
import pathlib
import shutil

from safetensors import safe_open
from safetensors.torch import load_file, save_file


def main():
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("out", type=pathlib.Path, metavar="OUT")
    asked.add_argument("models", type=pathlib.Path, nargs="+", metavar="MODEL")
    given = asked.parse_args()

    weights = [load_file(model / "model.safetensors") for model in given.models]
    first = weights[0]
    average = {name: (sum(other[name].float() for other in weights) / len(weights)).to(tensor.dtype).contiguous() for name, tensor in first.items()}
    with safe_open(given.models[0] / "model.safetensors", "pt") as file:
        metadata = file.metadata()
    given.out.mkdir(parents=True, exist_ok=True)
    for file in given.models[0].glob("*.json"):
        shutil.copy(file, given.out)
    save_file(average, given.out / "model.safetensors", metadata=metadata)


if __name__ == "__main__":
    main()
