"""The same as ``rarefind bench store``."""

from __future__ import annotations

import sys

from rarefind.cli.bench import bench

if __name__ == "__main__":
    bench(["store", *sys.argv[1:]])
