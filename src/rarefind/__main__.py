"""``python -m rarefind`` is the same as ``rarefind``."""

from __future__ import annotations

from rarefind.cli.main import main

if __name__ == "__main__":
    main()
