"""``rarefind`` with a server on asyncio's own loop, also where uvloop is installed.

Run as ``python -m rarefind_bench.workbench.plain_loop serve ...``.
"""

from __future__ import annotations

import sys

if __name__ == "__main__":
    from rarefind.cli.main import main

    vars(sys)["modules"]["uvloop"] = None  # so it is not found
    main()
