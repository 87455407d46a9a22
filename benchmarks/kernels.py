"""The same as ``rarefind bench kernels``."""

from __future__ import annotations

import sys

from rarefind.cli.bench import bench

if __name__ == "__main__":
    bench(["kernels", *sys.argv[1:]])
