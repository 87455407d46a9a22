"""What every request passes before a route sees it, a ring for each question.

From the outside in: headers and the last resort, size, host, sign-in, origin.
"""

from __future__ import annotations
