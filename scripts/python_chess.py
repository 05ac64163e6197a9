"""Where the scripts beside this file find python-chess: in a virtual environment made here."""

import os
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve()
CHESS_VERSION = "1.11.2"


def enter_venv(script):
    """Starts a script again with the Python that has python-chess, which is installed if absent."""
    folder = TARGET / "python" / f"chess-{CHESS_VERSION}"
    if Path(sys.prefix) == folder:
        return
    python = folder / "bin" / "python"
    ready = folder / "ready"
    if not ready.exists():
        try:
            venv.create(folder, with_pip=True, clear=True)
            install = [python, "-m", "pip", "install", "--quiet", f"chess=={CHESS_VERSION}"]
            subprocess.run(install, check=True, stdout=sys.stderr)
        except (OSError, subprocess.CalledProcessError) as error:
            print(f"error: python-chess cannot be installed: {error}", file=sys.stderr)
            print("hint: it needs `python3 -m venv` (Debian: python3-venv) and PyPI", file=sys.stderr)
            sys.exit(4)
        ready.touch()
    os.execv(python, [python, script, *sys.argv[1:]])
