#!/usr/bin/env python3
"""Parallel streams by the facts of the released decoders (streaming-llm.md 2.1, 2.2), for tests/core/models/tst_streams_parity.cpp.

Everything is recomputed from the beginning at every step, on a small random Qwen3 whose weights come from the hash of make_decoder_lm_parity.py: which
token stands where, at which position, who sees whom, what is sampled. And the filters of sampling, in their order, on fixed logits.
Needs: torch, numpy, transformers, peft (imported there). Usage: make_streams_parity.py OUT.json
"""
import json
import sys

import numpy as np
import torch
import transformers
from hashed_numbers import hashed
from make_decoder_lm_parity import build, numbers, value
from transformers import Qwen3Config

SILENCE = 36  # what this model says often


class Model:
    """Logits of every fed token, by one pass over all of them."""

    def __init__(self, tag, streams):
        self.config = Qwen3Config(vocab_size=61, hidden_size=18, intermediate_size=30, num_attention_heads=4, num_key_value_heads=2, head_dim=10, tie_word_embeddings=True,
                                  rope_theta=3000.0, num_hidden_layers=3, max_position_embeddings=512, pad_token_id=None)
        self.model, self.shapes = build(tag, self.config)
        self.table = value(tag, "model.channel_embedding.weight", (streams, self.config.hidden_size), np.float32(1))
        self.streams = streams

    @torch.no_grad()
    def logits(self, fed, sees):
        """fed: [(token, stream, position, ...)]; sees(q, k) by index."""
        n = len(fed)
        mask = torch.full((1, 1, n, n), torch.finfo(torch.float32).min)
        for q in range(n):
            for k in range(n):
                if sees(q, k):
                    mask[0, 0, q, k] = 0
        embedded = self.model.get_input_embeddings()(torch.tensor([[f[0] for f in fed]])) + self.table[torch.tensor([f[1] for f in fed])]
        return self.model(inputs_embeds=embedded, attention_mask=mask, position_ids=torch.tensor([[f[2] for f in fed]]), use_cache=False).logits[0]

    def description(self):
        return {
            "config": json.loads(self.config.to_json_string(use_diff=False)) | {"num_channels": self.streams, "channel_embedding_method": "additive"},
            "streams": self.streams,
        }


def rows_case(tag, rows, user, warm, skip_silence, penalty, ramp, user_ends):
    """2.1: row-major, position = row, token i sees j iff row(j) < row(i) or j == i; the silence token is fed and cached, or masked as a key but for its own."""
    streams = 4
    model = Model(tag, streams)
    table, top, chosen = [], [], []
    for row in range(rows):
        if row == 0:
            cells = [user.get(0, SILENCE)] + warm
        else:
            fed = [(table[r][c], c, r) for r in range(row) for c in range(streams)]

            def sees(q, k):
                if q == k:
                    return True
                if skip_silence and fed[k][0] == SILENCE:
                    return False
                return fed[k][2] < fed[q][2]

            logits = model.logits(fed, sees)[-streams:]
            cells = [user.get(row, SILENCE)]
            for stream in range(1, streams):
                ranked = logits[stream].clone()
                chosen.append(numbers(torch.log_softmax(ranked, -1)[:8]))
                if stream == 1 and row > user_ends:
                    ranked[SILENCE] -= penalty * min(1.0, (row - user_ends) / ramp)
                cells.append(int(torch.argmax(ranked)))
                top.append(round(float(torch.softmax(logits[stream], -1)[cells[-1]]), 6))
        table.append(cells)
    return model.description() | {"user": user, "warm": warm, "skip_silence": skip_silence, "penalty": penalty, "ramp": ramp, "user_ends": user_ends, "silence": SILENCE,
                                  "table": table, "probabilities": top, "log_probabilities": chosen}


def blocks_case(tag, steps, system, openings, question, same_step, between):
    """2.2: system 0..len-1, user and assistants from there, each its own counter; own block causal, across blocks y_key < y_query. One pass a step."""
    streams = 4
    model = Model(tag, streams)
    fed = [(token, 0, y, -1) for y, token in enumerate(system)]  # token, stream, y, the pass that brought it
    nexty = [len(system)] * streams
    for stream in range(1, streams):
        for token in openings[stream - 1]:
            fed.append((token, stream, nexty[stream], -1))
            nexty[stream] += 1

    def sees(q, k):
        own = fed[q][1] == fed[k][1]
        if not own and not between and fed[q][1] >= 2 and fed[k][1] >= 2:
            return False
        if own:
            return k <= q
        if fed[k][3] > fed[q][3]:
            return False  # it was not in the cache yet
        return fed[k][2] <= fed[q][2] if same_step else fed[k][2] < fed[q][2]

    table, probabilities = [], []
    for step in range(steps):
        logits = model.logits(fed, sees)
        row = [-1] * streams
        for stream in (2, 3):
            last = max(i for i, f in enumerate(fed) if f[1] == stream)
            row[stream] = int(torch.argmax(logits[last]))
            probabilities.append(round(float(torch.softmax(logits[last], -1)[row[stream]]), 6))
        if step < len(question):
            row[1] = question[step]
        table.append(row)
        for stream in range(1, streams):
            if row[stream] >= 0:
                fed.append((row[stream], stream, nexty[stream], step))
                nexty[stream] += 1
    return model.description() | {"system": system, "openings": openings, "question": question, "same_step": same_step, "between": between, "table": table, "probabilities": probabilities}


def filters_case(seed, temperature, top_k, top_p):
    """temperature -> top_k -> softmax -> top_p (out where what has gathered before it is more than top_p)."""
    logits = torch.from_numpy(hashed("filters/" + seed, 24)) * 4
    scaled = logits / temperature
    kept = torch.topk(scaled, top_k).indices if top_k > 0 else torch.arange(len(logits))
    masked = torch.full_like(scaled, float("-inf"))
    masked[kept] = scaled[kept]
    probabilities = torch.softmax(masked, -1)
    ranked, order = torch.sort(probabilities, descending=True)
    before = torch.cumsum(ranked, -1) - ranked
    ranked[before > top_p] = 0
    final = torch.zeros_like(probabilities)
    final[order] = ranked / ranked.sum()
    return {"logits": [float(x) for x in logits], "temperature": temperature, "top_k": top_k, "top_p": top_p, "probabilities": [round(float(x), 6) for x in final]}


def main():
    user = {1: 7, 2: 41, 3: 19, 6: 28}
    warm = [SILENCE, 9, 13]
    out = {
        "versions": {"torch": torch.__version__, "transformers": transformers.__version__},
        "rows": [rows_case("streams-rows/", 14, user, warm, skip, penalty, 5, 6) for skip in (False, True) for penalty in (10, -100)],
        "blocks": [blocks_case("streams-blocks/", 8, [3, 8, 2], [[11, 12], [14, 15], [16]], [7, 41, 19, 28, 50], same_step, between) for same_step in (False, True)
                   for between in (True, False)],
        "filters": [filters_case("a", 0.8, 20, 0.95), filters_case("b", 0.8, 5, 0.95), filters_case("c", 1.3, 0, 0.5), filters_case("d", 0.5, 3, 1.0), filters_case("e", 1.0, 4, 0.2)],
    }
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        json.dump(out, file, separators=(",", ":"))


if __name__ == "__main__":
    main()
