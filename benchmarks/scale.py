"""The same as ``rarefind bench scale``."""

from __future__ import annotations

import sys

from rarefind.cli.bench import bench

if __name__ == "__main__":
    bench(["scale", *sys.argv[1:]])
