#!/usr/bin/env python3
"""What a caption recipe needs, in one folder whose paths all hold inside it: called by pack.sh.

  pack.py RECIPE FOLDER --minutes 20 --device cuda --loaders 12

Writes FOLDER/recipe.json, FOLDER/manifests, FOLDER/sounds (Opus; train.sh makes WAV of them) and FOLDER/files (models, encoders, tokenizers,
rooms). Sounds that are Opus already are taken as they are, others are encoded; what lies there from an earlier call is not made again.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys

SOUNDS = {".flac", ".wav", ".opus", ".ogg", ".mp3", ".m4a"}
KILOBITS = 24  # for what is not Opus yet: synthetic speech, LibriSpeech's MP3, noise


def main():
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("recipe", type=pathlib.Path)
    asked.add_argument("folder", type=pathlib.Path)
    asked.add_argument("--minutes", type=float, required=True, help="of training: the schedule's length")
    asked.add_argument("--device", required=True)
    asked.add_argument("--loaders", type=int, required=True, help="threads that make batches there")
    given = asked.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    beside = given.recipe.resolve().parent
    sounds = {}  # where a sound lies here -> its name there, without ending
    names = set()

    def own_name(path):
        stem, ending = path.name, ""
        if path.suffix == ".jsonl":
            stem, ending = path.stem, ".jsonl"
        name, number = stem + ending, 1
        while name in names:
            number += 1
            name = f"{stem}-{number}{ending}"
        names.add(name)
        return name

    def named_sound(path):
        if path not in sounds:
            found = path.stat()
            digest = hashlib.sha1(f"{path} {found.st_size} {found.st_mtime_ns}".encode()).hexdigest()
            sounds[path] = f"{digest[:2]}/{digest[2:16]}"
        return sounds[path]

    def manifest(path):
        name = own_name(path)
        target = given.folder / "manifests" / name
        target.parent.mkdir(exist_ok=True)
        with open(path, encoding="utf-8") as lines, open(target, "w", encoding="utf-8") as out:
            for line in lines:
                if line.strip():
                    utterance = json.loads(line)
                    sound = (path.parent / utterance["sound"]).resolve()
                    utterance["sound"] = f"../sounds/{named_sound(sound)}.wav"
                    out.write(json.dumps(utterance, ensure_ascii=False) + "\n")
        return f"manifests/{name}"

    def carried(path):
        name = own_name(path)
        target = given.folder / "files" / name
        if path.is_dir():
            shutil.copytree(path, target)
            for sound in sorted(target.rglob("*")):
                if sound.suffix in SOUNDS - {".wav"}:  # rooms: too short to be worth a codec
                    subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", sound, "-ac", "1", "-ar", "16000", sound.with_suffix(".wav")], check=True)
                    sound.unlink()
        else:
            target.parent.mkdir(exist_ok=True)
            shutil.copy(path, target)
        return f"files/{name}"

    done = {}

    def moved(value, key=""):
        """The recipe with every path that leads somewhere replaced by the path it has there."""
        if isinstance(value, dict):
            return {name: moved(inner, name) for name, inner in value.items()}
        if isinstance(value, list):
            return [moved(inner, key) for inner in value]
        if not isinstance(value, str) or key in ("about", "kind", "device", "products", "cache") or not value:
            return value
        path = (beside / value).resolve()
        if path.exists():
            if path not in done:
                done[path] = manifest(path) if path.suffix == ".jsonl" else carried(path)
            return done[path]
        if "/" in value:
            sys.exit(f"pack.py: {given.recipe}: {key}: {value} is not there")
        return value

    for made in ("manifests", "files"):
        shutil.rmtree(given.folder / made, ignore_errors=True)
    with open(given.recipe, encoding="utf-8") as file:
        recipe = moved(json.load(file))
    recipe["cache"] = "cache"
    recipe["device"] = given.device
    recipe["loader_threads"] = given.loaders
    recipe["checkpoint_minutes"] = min(recipe.get("checkpoint_minutes", 3), 3)
    recipe["schedule"] = {key: value for key, value in recipe["schedule"].items() if key in ("warmup_steps", "hold")} | {"kind": "minutes", "minutes": given.minutes}
    if given.device != "cpu":
        recipe.pop("replicas", None)
        recipe.pop("products", None)
    (given.folder / "recipe.json").write_text(json.dumps(recipe, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")

    def encoded(path):
        target = given.folder / "sounds" / (sounds[path] + ".opus")
        if target.exists():
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        half = target.with_suffix(".half.opus")
        if path.suffix == ".opus":
            shutil.copy(path, half)
        else:
            subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", path, "-ac", "1", "-ar", "16000", "-c:a", "libopus", "-b:a", f"{KILOBITS}k", half], check=True)
        half.rename(target)

    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for _ in pool.map(encoded, sounds):
            pass
    wanted = {name + ".opus" for name in sounds.values()}
    for file in (given.folder / "sounds").rglob("*.opus"):
        if str(file.relative_to(given.folder / "sounds")) not in wanted:
            file.unlink()
    size = sum(file.stat().st_size for file in given.folder.rglob("*") if file.is_file())
    print(f"{len(sounds)} sounds, {len(done)} manifests and files, {size / 2**20:.1f} MiB in {given.folder}")


if __name__ == "__main__":
    main()
