"""The same as ``rarefind bench mkl``."""

from __future__ import annotations

import sys

from rarefind.cli.bench import bench

if __name__ == "__main__":
    bench(["mkl", *sys.argv[1:]])
