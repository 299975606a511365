"""When each word of a known text ends in its sound: by where the decoder's alignment heads look, and by where the sound grows silent."""
import numpy as np
import torch
import torch.nn.functional as F

from whisper import ALIGNMENT_HEADS, FRAME_MS, SAMPLE_RATE

FRAME_S = FRAME_MS / 1000
LOUDNESS_S = 0.02
LATE_S = 0.03        # what the ends found are later than TIMIT's, in part
EARLIEST_END_S = 0.04


def warp(costs):
    """costs [tokens, frames] -> the first frame of every token on the cheapest path that goes back in neither."""
    tokens, frames = costs.shape
    total = np.full((tokens + 1, frames + 1), 1e30, np.float32)
    total[0, 0] = 0
    came_from = np.zeros((tokens + 1, frames + 1), np.int8)  # 0: both before, 1: the token before, 2: the frame before
    for diagonal in range(2, tokens + frames + 1):
        i = np.arange(max(1, diagonal - frames), min(tokens, diagonal - 1) + 1)
        j = diagonal - i
        both, token, frame = total[i - 1, j - 1], total[i - 1, j], total[i, j - 1]
        choice = np.where((both < token) & (both < frame), 0, np.where((token < both) & (token < frame), 1, 2))
        came_from[i, j] = choice
        total[i, j] = costs[i - 1, j - 1] + np.choose(choice, (both, token, frame))
    first_frames = np.zeros(tokens, int)
    i, j = tokens, frames
    while i > 0 and j > 0:
        first_frames[i - 1] = j - 1
        choice = came_from[i, j]
        i -= choice != 2
        j -= choice != 1
    first_frames[:i] = 0
    return first_frames


def token_frames(attention, row, tokens, frames):
    """attention: the layers' weights [rows, heads, tokens, frames]; tokens: how many the row has, its two first and the end token included.
    -> the first frame of each token of the text, and of the end token"""
    weights = torch.stack([attention[layer][row, head, :tokens, :frames] for layer, head in ALIGNMENT_HEADS]).float()
    weights = (weights - weights.mean(1, keepdim=True)) / (weights.std(1, keepdim=True) + 1e-6)
    if frames > 4:
        weights = F.pad(weights, (2, 2), mode="reflect").unfold(-1, 5, 1).median(-1).values
    return warp(-weights.mean(0)[1:-1].numpy())


def loudness_db(sound):
    size = int(LOUDNESS_S * SAMPLE_RATE)
    starts = range(0, max(1, len(sound) - size + 1), size)
    return np.array([10 * np.log10(np.mean(sound[start:start + size] ** 2) + 1e-10) for start in starts])


def word_ends(words, word_of_token, first_frames, frames, sound):
    """A word ends where the token behind it begins, its mark too, or earlier where it was silent before that. In seconds, ascending."""
    loudness = loudness_db(sound)
    low, high = np.percentile(loudness, 10), np.percentile(loudness, 95)
    threshold = low + 0.3 * (high - low)
    ends = []
    before = 0.0
    for index, word in enumerate(words):
        own = [token for token, word_index in enumerate(word_of_token) if word_index == index]
        last = own[-1] - 1 if len(own) > 1 and word[-1] in ".,?!" else own[-1]
        begin = first_frames[own[0]] * FRAME_S
        end = (first_frames[last + 1] if last + 1 < len(first_frames) else frames) * FRAME_S
        end = min(max(end, begin + 0.06), len(sound) / SAMPLE_RATE)
        silent_from = int(end / LOUDNESS_S)
        earliest = int((begin + 0.1) / LOUDNESS_S) + 1
        while earliest < silent_from <= len(loudness) and loudness[silent_from - 1] < threshold:
            silent_from -= 1
        end = max(min(end, silent_from * LOUDNESS_S + 0.04), before + 0.02)
        before = end
        ends.append(round(max(EARLIEST_END_S, round(end, 3) - LATE_S), 3))
    return [float(end) for end in ends]
