"""The completion scripts complete real commands in a real shell."""

import os
import subprocess
import sys

import pytest


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_gets_a_script(run, shell):
    outcome = run("completion", shell)
    assert outcome.code == 0
    assert f"_FIELDGUIDE_COMPLETE={shell}_complete" in outcome.out


def test_a_begun_command_is_completed():
    done = subprocess.run(
        [sys.executable, "-c", "from generator.cli.main import main; raise SystemExit(main())"],
        env={
            **os.environ,
            "_FIELDGUIDE_COMPLETE": "bash_complete",
            "COMP_WORDS": "fieldguide comp",
            "COMP_CWORD": "1",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert "completion" in done.stdout
