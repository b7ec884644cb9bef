"""Masking beside detect-secrets: the written cases in both directions, speed, import time.

    python benchmarks/masking.py [--megabytes 8]

detect-secrets is no dependency: install it beside to see its column. It reads files, so it is
given a file a case and its default plugins and filters; both are asked only whether they find
something. Times are CPU seconds.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests" / "masking"))
from messages import Messages  # noqa: E402
from test_masking import clean_cases, secret_cases  # noqa: E402


def ours() -> Callable[[str], int]:
    from generator.masking import find_secrets

    return lambda text: len(find_secrets(text))


def theirs() -> Callable[[str], int]:
    from detect_secrets import SecretsCollection
    from detect_secrets.settings import default_settings

    folder = Path(tempfile.mkdtemp())

    def count(text: str) -> int:
        file = folder / "case.txt"
        file.write_text(text, encoding="utf-8")
        found = SecretsCollection()
        with default_settings():
            found.scan_file(str(file))
        return sum(1 for _ in found)

    return count


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--megabytes", type=int, default=8)
    megabytes = parser.parse_args().megabytes
    secrets, clean = secret_cases(), clean_cases()
    messages = Messages()
    pieces: list[str] = []
    size = 0
    while size < megabytes * 1_000_000:
        pieces.append(messages.text())
        size += len(pieces[-1])
    text = "\n".join(pieces)
    engines = {"ours": ours}
    if importlib.util.find_spec("detect_secrets"):
        engines["detect-secrets"] = theirs
    print(
        f"{len(secrets)} texts with a secret, {len(clean)} without, {size / 1e6:.0f} MB of messages"
    )
    for name, make in engines.items():
        started = time.process_time()
        count = make()
        loaded = time.process_time() - started
        found = sum(count(case[1]) > 0 for case in secrets)
        alarms = sum(count(case) > 0 for case in clean)
        started = time.process_time()
        count(text)
        speed = size / 1e6 / (time.process_time() - started)
        print(
            f"{name:15} import {loaded:5.2f} s  found {found}/{len(secrets)}  "
            f"false alarms {alarms}/{len(clean)}  {speed:6.2f} MB/s"
        )


if __name__ == "__main__":
    main()
