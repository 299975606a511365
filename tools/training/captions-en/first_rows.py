"""First rows for the wide vocabulary's token table, from the shipped model's.

    first_rows.py UTTERANCES CHECKPOINT

tiny.en's published decoder hears the shipped encoder's output and reads the texts in the shipped model's tokens. The mean of its output before
each token of vocab_wide.json is mapped to a row by the linear map that fits best (ridge) from such means to the shipped rows; tokens that the
shipped model has keep their rows. Reads items.json, labels2.json and rare.json; writes {dec, enc}, to begin with in train.py.
"""
import base64
import json
import random
import sys

import torch
from safetensors.torch import load_file

import vocabulary
from export import byte_characters, folder_name
from places import CHECKOUT, WORK
from sounds import real_items, sound_of, synthetic_items
from whisper import SAMPLE_RATE, WIDTH, Decoder, Encoder, block_mask, frames_of_mel, log_mel, normalised_mel

SHIPPED = CHECKOUT / "resources/models/captions-en"
LONGEST_S = 16
REAL_SHARE = 0.25
BATCH = 12
CHUNKS_MS = (300, 1000, None)
OFTEN_ENOUGH = 20  # for a pair that the map is fitted to
LEAST_OFTEN = 2    # for a row of its own
RIDGE = 0.05


def shipped_vocabulary():
    byte_of = {character: byte for byte, character in byte_characters().items()}
    ids = json.load(open(SHIPPED / "tokenizer.json"))["model"]["vocab"]
    return vocabulary.Vocabulary([bytes(byte_of[character] for character in token) for token in sorted(ids, key=ids.get)])


def shipped_networks(size):
    tensors = load_file(SHIPPED / "model.safetensors")
    encoder, decoder = Encoder(stride=4), Decoder(size)
    for part, network in (("encoder", encoder), ("decoder", decoder)):
        values = network.state_dict()
        for name in values:
            value = tensors[folder_name(part, name)].float()
            if part == "encoder" and name == "pos":
                values[name][::2] = value
            else:
                values[name] = value
        network.load_state_dict(values)
    return encoder.eval(), decoder.eval()


def starts(tokens, ids):
    """Where each token begins in the text's bytes"""
    result = []
    place = 0
    for token in ids:
        result.append(place)
        place += len(tokens[token])
    return result


def utterances(count):
    labels = json.load(open(WORK / "labels2.json"))
    real = [dict(item, text=labels[item["id"]]) for item in real_items()
            if item["split"] == "train" and labels.get(item["id"]) and item["length"] < LONGEST_S * SAMPLE_RATE]
    synthetic = synthetic_items("rare")
    draw = random.Random(1)
    draw.shuffle(real)
    draw.shuffle(synthetic)
    real = real[:int(REAL_SHARE * count)]
    return sorted(real + synthetic[:count - len(real)], key=lambda item: item["length"])


@torch.no_grad()
def hidden_states(encoder, decoder, items, texts, old, chunk_ms):
    """-> the decoder's output [items, tokens, 384] over the texts in old tokens"""
    mels = [normalised_mel(log_mel(sound_of(item)), chunk_ms) for item in items]
    frames = [frames_of_mel(mel) for mel in mels]
    batch = torch.zeros(len(items), mels[0].shape[0], max(frames) * 4)
    tokens = torch.full((len(items), max(map(len, texts)) + 2), old.end)
    heard = torch.zeros(len(items), 1, 1, max(frames), dtype=torch.bool)
    for row, (mel, text) in enumerate(zip(mels, texts)):
        batch[row, :, :mel.shape[1]] = mel
        tokens[row, :len(text) + 2] = torch.tensor([old.start, old.no_times] + text)
        heard[row, ..., :frames[row]] = True
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return decoder(tokens, encoder(batch, block_mask(frames, max(frames), chunk_ms)), heard).float()


def mean_states(encoder, decoder, items, old, wide):
    sums = torch.zeros(wide.size, WIDTH)
    counts = torch.zeros(wide.size)
    draw = random.Random(2)
    for begin in range(0, len(items), BATCH):
        batch = items[begin:begin + BATCH]
        texts = [old.encode(" " + item["text"]) for item in batch]
        states = hidden_states(encoder, decoder, batch, texts, old, draw.choice(CHUNKS_MS))
        for row, (item, text) in enumerate(zip(batch, texts)):
            at = {place: index for index, place in enumerate(starts(old.tokens, text))}
            ids = wide.encode(" " + item["text"])
            known = [(token, at[place]) for token, place in zip(ids, starts(wide.tokens, ids)) if place in at] + [(wide.end, len(text))]
            tokens = torch.tensor([token for token, _ in known])
            sums.index_add_(0, tokens, states[row, [1 + index for _, index in known]])
            counts.index_add_(0, tokens, torch.ones(len(known)))
    centre = sums.sum(0) / counts.sum()
    means = sums / counts.clamp(min=1)[:, None]
    return (means - centre) * (counts / (counts + 1))[:, None], counts


def first_rows(means, counts, old_rows, old, wide):
    old_id = {token: index for index, token in enumerate(old.tokens)}
    pairs = [(index, old_id[token]) for index, token in enumerate(wide.tokens) if token in old_id]
    fitted = [(ours, theirs) for ours, theirs in pairs if counts[ours] >= OFTEN_ENOUGH]
    inputs = means[[ours for ours, _ in fitted]]
    outputs = old_rows[[theirs for _, theirs in fitted]]
    with_one = torch.cat([inputs, torch.ones(len(inputs), 1)], 1)
    penalty = inputs.pow(2).sum(1).mean() * RIDGE * torch.diag(torch.cat([torch.ones(WIDTH), torch.zeros(1)]))
    linear = torch.linalg.solve(with_one.T @ with_one + penalty, with_one.T @ outputs)
    rows = torch.cat([means, torch.ones(len(means), 1)], 1) @ linear
    rows[counts < LEAST_OFTEN] = outputs.mean(0)
    for ours, theirs in pairs:
        rows[ours] = old_rows[theirs]
    for special in range(len(vocabulary.SPECIAL_TOKENS)):
        rows[wide.end + special] = old_rows[old.end + special]
    return rows


def main():
    torch.set_num_threads(1)
    old = shipped_vocabulary()
    wide = vocabulary.load("vocab_wide.json")
    encoder, shipped = shipped_networks(old.size)
    decoder = Decoder(old.size).load_published().eval()
    decoder.emb.weight.data.copy_(shipped.emb.weight.data)
    means, counts = mean_states(encoder, decoder, utterances(int(sys.argv[1])), old, wide)
    first = Decoder(wide.size)
    first.load_state_dict(dict(decoder.state_dict(), **{"emb.weight": first_rows(means, counts, shipped.emb.weight.data, old, wide)}))
    torch.save({"dec": first.state_dict(), "enc": encoder.state_dict(), "step": 0}, WORK / sys.argv[2])


if __name__ == "__main__":
    main()
