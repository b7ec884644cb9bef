"""Running async clients beside page tests."""

from concurrent.futures import ThreadPoolExecutor

import anyio
import pytest


@pytest.fixture
def run_async():
    """Run an async function in a thread of its own.

    A page test on the same worker may have left Playwright's event loop in the main thread, and
    a thread holds one loop only.
    """

    def run(function, *arguments):
        with ThreadPoolExecutor(1) as pool:
            return pool.submit(anyio.run, function, *arguments).result()

    return run
