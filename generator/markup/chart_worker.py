"""The process that draws charts: one JSON request a line in, one JSON answer a line out.

A chart is drawn outside the caller's process because the drawing library is a JavaScript engine
that takes its zone from the environment, reads a report's expressions, and may need more time
or memory than a report is worth. It is started with the zone UTC, so that a month is the same
month on every machine, and with no address it may load data from.
"""

from __future__ import annotations

import json
import sys


def main() -> None:
    """Answer requests until standard input ends."""
    import vl_convert

    for line in sys.stdin:
        request = json.loads(line)
        try:
            svg = vl_convert.vegalite_to_svg(
                request["spec"], config=request["config"], allowed_base_urls=[]
            )
            answer = {"svg": svg}
        except Exception as error:  # whatever the engine says is the author's to read
            answer = {"error": str(error)}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
