"""``rarefind`` with a server on asyncio's own loop, also where uvloop is installed.

Run as ``python -m rarefind_bench.workbench.plain_loop serve ...``.
"""

from __future__ import annotations

import runpy
import sys

if __name__ == "__main__":
    vars(sys)["modules"]["uvloop"] = None  # so it is not found
    runpy.run_module("rarefind", run_name="__main__")
