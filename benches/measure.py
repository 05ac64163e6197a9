"""One `elometer run` as its clocks see it: wall time, its own CPU time, that of its engines."""

import json
import os
import shutil
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve()
FOLDER = TARGET / "benches"
OPENINGS = ROOT / "positions" / "openings.epd"
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Cost:
    """What a run took. CPU times are user and system together, in seconds."""

    games: int
    plies: int
    wall: float
    start: float  # from the launch to the first game: planning, hashing, asking the engines
    cpu: float  # elometer and every engine
    own_cpu: float  # elometer alone
    start_cpu: float  # of that, before the first game
    time_losses: int = 0
    # The measured time of a move less the engine's own, in milliseconds, where it gave one.
    latencies: list = field(default_factory=list)

    @property
    def games_per_second(self):
        return self.games / self.wall

    @property
    def cpu_ms_per_game(self):
        return 1e3 * self.cpu / self.games

    @property
    def own_us_per_ply(self):
        return 1e6 * (self.own_cpu - self.start_cpu) / self.plies


# Moves at once, at random, from its own copy of the position: an engine that costs next to nothing.
TRIVIAL_ENGINE = TARGET / "release" / "examples" / "mock_engine"


def release_build():
    """The program of a release build; the trivial engine is built with it."""
    command = ["cargo", "build", "--release", "--quiet", "--locked", "--bins", "--example", "mock_engine"]
    subprocess.run(command, cwd=ROOT, check=True)
    return TARGET / "release" / "elometer"


def spec_text(engine, limits, pairs, extra="", history="game"):
    """A match of an engine against itself, with the smallest hash."""
    player = f'engine = "{engine}"\nhash = 1\nhistory = "{history}"\nlimits = {{ {limits} }}\n'
    return (
        f"seed = 1\n[subject]\n{player}[opponent]\n{player}"
        f'[openings]\nfile = "{OPENINGS}"\npairs = {pairs}\n{extra}'
    )


def launch(elometer, name, spec, concurrency, cpus="none"):
    """Starts a run in a new folder; returns the process and the folder."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    path, run = FOLDER / f"{name}.toml", FOLDER / name
    path.write_text(spec)
    shutil.rmtree(run, ignore_errors=True)
    command = [elometer, "run", path, "--out", run, "--concurrency", str(concurrency)]
    if cpus != "none":
        command += ["--cpus", cpus]
    streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(command, **streams), run


def measure(elometer, name, spec, concurrency, cpus="none"):
    """Plays a run to its end and returns its cost."""
    began = time.monotonic()
    process, run = launch(elometer, name, spec, concurrency, cpus)
    start, start_cpu, said = 0.0, 0.0, []
    for line in process.stderr:
        if line.startswith("playing "):
            start, start_cpu = time.monotonic() - began, own_seconds(process.pid)
        said.append(line)
    # The process is looked at before it is reaped: afterwards its own time cannot be told from
    # that of its engines.
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    wall = time.monotonic() - began
    own_cpu = own_seconds(process.pid)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"error: {name} ended with code {process.returncode}\n{''.join(said)}")
    cost = Cost(0, 0, wall, start, usage.ru_utime + usage.ru_stime, own_cpu, start_cpu)
    for line in open(run / "games.jsonl", encoding="utf-8"):
        game = json.loads(line)
        if "game" in game:
            count(cost, game)
    return cost


def count(cost, game):
    """Adds one line of the journal."""
    cost.games += 1
    cost.plies += len(game["plies"])
    cost.time_losses += game["termination"] == "time_loss"
    for ply in game["plies"]:
        if "engine_time_ms" in ply:
            cost.latencies.append(ply["time_us"] / 1e3 - ply["engine_time_ms"])


def own_seconds(pid):
    """CPU time of a process without its children."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def machine():
    """The machine and how busy it is, in a line."""
    load = " ".join(f"{value:.2f}" for value in os.getloadavg())
    stamp = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime())
    system = os.uname()
    return f"{stamp}, {os.cpu_count()} cores, {system.sysname} {system.machine}, load {load}"
