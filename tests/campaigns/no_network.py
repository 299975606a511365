#!/usr/bin/env python3
"""The programs in a network namespace without routes, killed when they open a socket of the network: none of them does, unless a model is asked for.

The trap is a seccomp filter on socket(): families other than AF_UNIX end the process at once (SIGSYS). A family that a program never gets cannot be connected.
That the trap works is tried first, with a program that connects and with `braid-cli models get`.
"""
import ctypes
import os
import pathlib
import platform
import signal
import struct
import subprocess
import sys
import time

from campaign import SAMPLE, SOURCE, Campaign, cut_recordings, kill, need, skip

SAMPLES = SOURCE / "resources" / "samples"

# linux/audit.h, linux/seccomp.h, linux/filter.h, linux/prctl.h
MACHINES = {"x86_64": (0xC000003E, 41), "aarch64": (0xC00000B7, 198)}  # its name for audits, and the number of socket()
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
LOAD, JUMP_IF_EQUAL, RETURN = 0x20, 0x15, 0x06
ALLOW, KILL_PROCESS = 0x7FFF0000, 0x80000000
NUMBER_AT, MACHINE_AT, FIRST_ARGUMENT_AT = 0, 4, 16
AF_UNIX = 1


class SockFprog(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_char_p)]


def trap():
    """In the child, before its program: from here on it dies of any socket but those of AF_UNIX."""
    machine, socket_number = MACHINES[platform.machine()]
    steps = [(LOAD, 0, 0, MACHINE_AT),
             (JUMP_IF_EQUAL, 0, 5, machine),
             (LOAD, 0, 0, NUMBER_AT),
             (JUMP_IF_EQUAL, 0, 2, socket_number),
             (LOAD, 0, 0, FIRST_ARGUMENT_AT),
             (JUMP_IF_EQUAL, 0, 1, AF_UNIX),
             (RETURN, 0, 0, ALLOW),
             (RETURN, 0, 0, KILL_PROCESS)]
    # Another number than socket()'s: over the question for the family, to ALLOW.
    program = b"".join(struct.pack("HBBI", *step) for step in steps)
    libc = ctypes.CDLL(None, use_errno=True)
    described = SockFprog(len(steps), program)
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 or libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(described), 0, 0) != 0:
        os._exit(120)


def namespace():
    """The command before which a program has no network but its own, without routes."""
    need("unshare")
    if platform.machine() not in MACHINES:
        skip(f"the trap knows no {platform.machine()}")
    for command in (["unshare", "--net"], ["unshare", "--net", "--map-root-user"]):
        if subprocess.run([*command, "true"], capture_output=True).returncode == 0:
            return command
    skip("this machine allows no network namespaces")


class Trapped:
    def __init__(self, campaign):
        self.campaign = campaign
        self.before = namespace()

    def run(self, *command):
        return subprocess.run([*self.before, *map(str, command)], env=self.campaign.environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=300, preexec_fn=trap)

    def died(self, answer):
        return answer.returncode in (-signal.SIGSYS, 128 + signal.SIGSYS)

    def try_program(self, *arguments, fine=(0,)):
        self.campaign.tried["commands"] += 1
        answer = self.run(self.campaign.cli, *arguments)
        self.campaign.expect(not self.died(answer), "silence", f"{arguments} opened a socket of the network")
        self.campaign.expect(answer.returncode in fine, "commands", f"{arguments} ended with {answer.returncode}: {answer.stderr.decode()[-500:]}")

    def try_window(self, window):
        """As long as its first frame and its model take; it ends when it is asked to."""
        self.campaign.tried["windows"] += 1
        environment = dict(self.campaign.environment, QT_QPA_PLATFORM="offscreen", XDG_RUNTIME_DIR=str(self.campaign.home))
        process = subprocess.Popen([*self.before, str(window)], env=environment, start_new_session=True, preexec_fn=trap, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        try:
            process.wait(timeout=6)
            self.campaign.lose("windows", f"it ended with {process.returncode}: {process.stderr.read().decode()[-500:]}")
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGTERM)
            try:
                code = process.wait(timeout=60)
                self.campaign.expect(code in (0, 143, -signal.SIGTERM), "windows", f"it ended with {code}")
            finally:
                kill(process)


def try_the_trap(campaign, trapped):
    campaign.tried["traps"] += 2
    connecting = trapped.run(sys.executable, "-c", "import socket; socket.socket(socket.AF_INET)")
    local = trapped.run(sys.executable, "-c", "import socket; socket.socket(socket.AF_UNIX)")
    campaign.expect(trapped.died(connecting), "traps", f"a socket went through: {connecting}")
    campaign.expect(local.returncode == 0, "traps", f"a socket of this machine did not: {local}")


def main():
    def more(parser):
        parser.add_argument("--window", type=pathlib.Path, help="the program `braid`")
        parser.add_argument("--fetches", choices=["yes", "no"], default="no", help="whether this build fetches models")

    campaign = Campaign(__doc__.splitlines()[0], 10, more)
    campaign.need_models("captions-en", "translate-en-fr", "streams-en")
    trapped = Trapped(campaign)
    try_the_trap(campaign, trapped)
    if campaign.asked.fetches == "yes":
        campaign.tried["fetches that were asked for"] += 1
        fetched = trapped.run(campaign.cli, "models", "get", "tiny")
        campaign.expect(trapped.died(fetched), "traps", f"`models get` met no trap: {fetched}")
    names = cut_recordings(campaign.folder / "source", 2, campaign.chance)
    (campaign.folder / "list").write_text("".join(f"{campaign.folder / 'source' / name}\n" for name in names))
    trapped.try_program("caption", SAMPLE, "--quiet", "--journal", campaign.folder / "journals")
    trapped.try_program("caption", "--quiet", "--list", campaign.folder / "list", "--out", campaign.folder / "out")
    trapped.try_program("translate", SAMPLES / "translation-sample.txt", "--quiet")
    trapped.try_program("chat", "--script", SAMPLES / "chat-sample.txt", "--format", "json")
    trapped.try_program("models")
    trapped.try_program("models", "list")
    trapped.try_program("models", "search", "whisper")
    trapped.try_program("devices")
    trapped.try_program("recover", "--list")
    trapped.try_program("caption", "https://localhost/a.mp3", "--quiet", fine=(3,))
    if campaign.asked.window is not None and campaign.asked.window.exists():
        trapped.try_window(campaign.asked.window)
    campaign.end()


main()
