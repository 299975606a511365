"""The shipped model as train.py begins with it.

    from_shipped.py CHECKPOINT

Writes a checkpoint {dec, enc, step}, and vocab.json.
"""
import base64
import json
import sys

import torch
from safetensors.torch import load_file

from export import byte_characters, folder_name
from places import CHECKOUT, WORK
from whisper import Decoder, Encoder

SHIPPED = CHECKOUT / "resources/models/captions-en"


def shipped_tokens():
    byte_of = {character: byte for byte, character in byte_characters().items()}
    ids = json.load(open(SHIPPED / "tokenizer.json"))["model"]["vocab"]
    return [bytes(byte_of[character] for character in token) for token in sorted(ids, key=ids.get)]


def shipped_checkpoint():
    tensors = load_file(SHIPPED / "model.safetensors")
    saved = {"enc": Encoder(stride=4).state_dict(), "dec": Decoder(len(tensors["model.decoder.embed_tokens.weight"])).state_dict(), "step": 0}
    for part, name_of_part in (("enc", "encoder"), ("dec", "decoder")):
        for name, value in saved[part].items():
            kept = tensors[folder_name(name_of_part, name)].float()
            if (part, name) == ("enc", "pos"):  # of the published positions only those that half the frames stand at are in the folder
                value.zero_()
                value[::2] = kept
            else:
                value.copy_(kept)
    return saved


def main():
    json.dump([base64.b64encode(token).decode() for token in shipped_tokens()], open(WORK / "vocab.json", "w"))
    torch.save(shipped_checkpoint(), WORK / sys.argv[1])


if __name__ == "__main__":
    main()
