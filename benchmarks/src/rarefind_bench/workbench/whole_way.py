"""``rarefind`` with a server in which every request goes through the framework.

The workbench answers questions and answers by a shorter way; this is what that is compared with.
Run as ``python -m rarefind_bench.workbench.whole_way serve ...``.
"""

from __future__ import annotations

from functools import partial

if __name__ == "__main__":
    from rarefind.cli.main import main
    from rarefind.web import server
    from rarefind.web.app import create_app

    vars(server)["create_app"] = partial(create_app, short_way=False)
    main()
