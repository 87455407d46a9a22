"""The same as ``rarefind bench detection``."""

from __future__ import annotations

import sys

from rarefind.cli.bench import bench

if __name__ == "__main__":
    bench(["detection", *sys.argv[1:]])
