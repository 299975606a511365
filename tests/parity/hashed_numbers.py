"""Numbers from an integer hash, the same as tests/support/hashed_numbers.h makes: weights and inputs that need not be committed."""
import numpy as np

MASK = (1 << 64) - 1


def hashed(name: str, count: int) -> np.ndarray:
    """`count` float32 numbers in [-1, 1): FNV-1a of the name seeds splitmix64; the top 24 bits of each output count."""
    seed = 0xCBF29CE484222325
    for byte in name.encode():
        seed = ((seed ^ byte) * 0x100000001B3) & MASK
    with np.errstate(over="ignore"):
        z = np.uint64(seed) + (np.arange(count, dtype=np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z = z ^ (z >> np.uint64(31))
    return ((z >> np.uint64(40)).astype(np.float32) / np.float32(1 << 23)) - np.float32(1)


def hashed_whisper(name: str, *shape: int) -> np.ndarray:
    """A tensor of Whisper's, OpenAI's name behind a tag, as tests/support/hashed_whisper.h makes it: scales that keep activations lively."""
    u = hashed(name, int(np.prod(shape))).reshape(shape)
    if name.endswith("token_embedding.weight"):
        return u * np.float32(1.5)
    if name.endswith("positional_embedding"):
        return u
    if name.endswith(".weight") and len(shape) == 1:  # of a norm
        return np.float32(1) + u * np.float32(0.25)
    return u * np.float32(0.125 if name.endswith(".bias") else 0.25 if len(shape) == 3 else 0.5)
